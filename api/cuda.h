// CUDA's driver interface, as far as runtime programs lean on it: its version and its handle types.
//
// No driver function is simulated: a program that calls one does not link.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <driver_types.h>

/// CUDA 13.4, as NVIDIA numbers it.
#define CUDA_VERSION 13040

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;

#endif
