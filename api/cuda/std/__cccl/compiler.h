// CCCL's names of compilers. g++ takes a number alone in `#pragma GCC unroll`, no expression of a
// template's parameters: how often a loop is unrolled concerns nobody here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<cuda/std/__cccl/compiler.h>)
#include_next <cuda/std/__cccl/compiler.h>
#endif

// CUB's kernels choose the sizes of their tiles by the architecture that they are compiled for, and its
// host code by the device's: a compiler that has but one pass is told.
#ifndef CUB_PTX_ARCH
#define CUB_PTX_ARCH 900
#endif

#undef _CCCL_PRAGMA_UNROLL
#undef _CCCL_PRAGMA_UNROLL_FULL
#define _CCCL_PRAGMA_UNROLL(...)
#define _CCCL_PRAGMA_UNROLL_FULL()
