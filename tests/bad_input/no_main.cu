// No main function.
#include "cuda_tile.h"
__tile_global__ void nothing() {}
