// The header of CUDA tile programs: namespace cuda::tiles.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <crt/cuda_tile.h>
