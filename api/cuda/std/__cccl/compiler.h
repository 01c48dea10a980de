// CCCL's names of compilers. g++ takes a number alone in `#pragma GCC unroll`, no expression of a
// template's parameters: how often a loop is unrolled concerns nobody here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __has_include_next(<cuda/std/__cccl/compiler.h>)
#include_next <cuda/std/__cccl/compiler.h>
#endif

#undef _CCCL_PRAGMA_UNROLL
#undef _CCCL_PRAGMA_UNROLL_FULL
#define _CCCL_PRAGMA_UNROLL(...)
#define _CCCL_PRAGMA_UNROLL_FULL()
