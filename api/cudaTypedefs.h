// Types of pointers to the driver's functions, for programs that ask for these by name: those are
// not there. CCCL's headers include this one and name none of them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include <cuda.h>

#endif
