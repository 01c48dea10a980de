// The CUDA runtime, C++ part: what nvcc includes before every .cu file, and so does tilesim.
//
// Brings the C interface, the typed templates over it, the built-in variables, CUDA's mathematics
// and atomics, and the standard headers that nvcc brings along. Every program pays for this header:
// no standard header goes in here that nvcc's users do not lean on.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

// libcu++ takes cuda_fp8.h for NVIDIA's, and then includes cuda_fp6.h and cuda_fp4.h, which are not brought along.
#ifndef CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#endif

// What nvcc knows of a type with --extended-lambda, and libcu++ asks for: whether it is that of a lambda whose host version is
// another type. Here a lambda has one type.
#ifdef __CUDACC_EXTENDED_LAMBDA__
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#endif

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/hooked_builtins.h> // before every standard header

// A program of C++17 may have a lerp of its own. C++20 has one, which the C header makes global: here that line names another,
// which is global anyway.
#ifdef TILESIM_NAMES_OF_CXX17
#include <cmath>
#define lerp abs
#include <math.h>
#undef lerp
#endif

#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <host_defines.h>
#include <tilesim/launch.hpp>
#include <tilesim/print.hpp>
#include <vector_functions.h>
#include <vector_types.h>

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include <tilesim/detail/address_spaces.hpp>
#include <tilesim/detail/device_atomics.hpp>
#include <tilesim/detail/device_intrinsics.hpp>
#include <tilesim/detail/device_math.hpp>
#include <tilesim/detail/device_rounding.hpp>
#include <tilesim/detail/device_sync.hpp>
#include <tilesim/detail/targets.hpp>
#include <tilesim/detail/device_words.hpp>
#include <tilesim/detail/runtime_templates.hpp>
#include <tilesim/detail/shared_memory.hpp>
#include <tilesim/detail/textures.hpp>

#include <tilesim/detail/letters_end.h>

#endif
