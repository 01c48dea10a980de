// atomicAdd and its kin: CUDA's classic atomics, relaxed, at device, block or system scope.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_access.hpp>
#include <vector_types.h>

// One function in its three scopes.
#define TILESIM_ATOMIC(name, type, parameters, call)                                               \
  TILESIM_API type name parameters {                                                               \
    constexpr auto o = ::tilesim::detail::order::relaxed;                                          \
    constexpr auto s = ::tilesim::detail::scope::device;                                           \
    return call;                                                                                   \
  }                                                                                                \
  TILESIM_API type name##_block parameters {                                                       \
    constexpr auto o = ::tilesim::detail::order::relaxed;                                          \
    constexpr auto s = ::tilesim::detail::scope::block;                                            \
    return call;                                                                                   \
  }                                                                                                \
  TILESIM_API type name##_system parameters {                                                      \
    constexpr auto o = ::tilesim::detail::order::relaxed;                                          \
    constexpr auto s = ::tilesim::detail::scope::system;                                           \
    return call;                                                                                   \
  }
#define TILESIM_ATOMIC_FETCH(name, op, type)                                                       \
  TILESIM_ATOMIC(                                                                                  \
      name, type, (type * address, type val), ::tilesim::detail::atomic_##op(address, val, o, s))

// clang-format off
TILESIM_ATOMIC_FETCH(atomicAdd,  fetch_add, int)
TILESIM_ATOMIC_FETCH(atomicAdd,  fetch_add, unsigned int)
TILESIM_ATOMIC_FETCH(atomicAdd,  fetch_add, unsigned long long)
TILESIM_ATOMIC_FETCH(atomicAdd,  fetch_add, float)
TILESIM_ATOMIC_FETCH(atomicAdd,  fetch_add, double)
TILESIM_ATOMIC_FETCH(atomicSub,  fetch_sub, int)
TILESIM_ATOMIC_FETCH(atomicSub,  fetch_sub, unsigned int)
TILESIM_ATOMIC_FETCH(atomicExch, exchange,  int)
TILESIM_ATOMIC_FETCH(atomicExch, exchange,  unsigned int)
TILESIM_ATOMIC_FETCH(atomicExch, exchange,  unsigned long long)
TILESIM_ATOMIC_FETCH(atomicExch, exchange,  float)
TILESIM_ATOMIC_FETCH(atomicMin,  fetch_min, int)
TILESIM_ATOMIC_FETCH(atomicMin,  fetch_min, unsigned int)
TILESIM_ATOMIC_FETCH(atomicMin,  fetch_min, long long)
TILESIM_ATOMIC_FETCH(atomicMin,  fetch_min, unsigned long long)
TILESIM_ATOMIC_FETCH(atomicMax,  fetch_max, int)
TILESIM_ATOMIC_FETCH(atomicMax,  fetch_max, unsigned int)
TILESIM_ATOMIC_FETCH(atomicMax,  fetch_max, long long)
TILESIM_ATOMIC_FETCH(atomicMax,  fetch_max, unsigned long long)
TILESIM_ATOMIC_FETCH(atomicAnd,  fetch_and, int)
TILESIM_ATOMIC_FETCH(atomicAnd,  fetch_and, unsigned int)
TILESIM_ATOMIC_FETCH(atomicAnd,  fetch_and, long long)
TILESIM_ATOMIC_FETCH(atomicAnd,  fetch_and, unsigned long long)
TILESIM_ATOMIC_FETCH(atomicOr,   fetch_or,  int)
TILESIM_ATOMIC_FETCH(atomicOr,   fetch_or,  unsigned int)
TILESIM_ATOMIC_FETCH(atomicOr,   fetch_or,  long long)
TILESIM_ATOMIC_FETCH(atomicOr,   fetch_or,  unsigned long long)
TILESIM_ATOMIC_FETCH(atomicXor,  fetch_xor, int)
TILESIM_ATOMIC_FETCH(atomicXor,  fetch_xor, unsigned int)
TILESIM_ATOMIC_FETCH(atomicXor,  fetch_xor, long long)
TILESIM_ATOMIC_FETCH(atomicXor,  fetch_xor, unsigned long long)
// clang-format on

#define TILESIM_ATOMIC_CAS(type)                                                                   \
  TILESIM_ATOMIC(atomicCAS,                                                                        \
                 type,                                                                             \
                 (type * address, type compare, type val),                                         \
                 (::tilesim::detail::atomic_compare_exchange(                                      \
                      address, compare, val, false, o, o, s),                                      \
                  compare))
TILESIM_ATOMIC_CAS(int)
TILESIM_ATOMIC_CAS(unsigned int)
TILESIM_ATOMIC_CAS(unsigned long long)
TILESIM_ATOMIC_CAS(unsigned short)

// ((old >= val) ? 0 : old + 1), and ((old == 0 || old > val) ? val : old - 1).
TILESIM_ATOMIC(atomicInc,
               unsigned int,
               (unsigned int* address, unsigned int val),
               ::tilesim::detail::atomic_update(
                   address, o, s, [=](unsigned old) { return old >= val ? 0U : old + 1; }))
TILESIM_ATOMIC(atomicDec,
               unsigned int,
               (unsigned int* address, unsigned int val),
               ::tilesim::detail::atomic_update(address, o, s, [=](unsigned old) {
                 return old == 0 || old > val ? val : old - 1;
               }))

// Vectors: each element is atomic, the whole is not.
#define TILESIM_ATOMIC_VECTOR2                                                                     \
  float2 {                                                                                         \
    ::tilesim::detail::atomic_fetch_add(&address->x, val.x, o, s),                                 \
        ::tilesim::detail::atomic_fetch_add(&address->y, val.y, o, s)                              \
  }
TILESIM_ATOMIC(atomicAdd, float2, (float2 * address, float2 val), (TILESIM_ATOMIC_VECTOR2))
#define TILESIM_ATOMIC_VECTOR4                                                                     \
  float4 {                                                                                         \
    ::tilesim::detail::atomic_fetch_add(&address->x, val.x, o, s),                                 \
        ::tilesim::detail::atomic_fetch_add(&address->y, val.y, o, s),                             \
        ::tilesim::detail::atomic_fetch_add(&address->z, val.z, o, s),                             \
        ::tilesim::detail::atomic_fetch_add(&address->w, val.w, o, s)                              \
  }
TILESIM_ATOMIC(atomicAdd, float4, (float4 * address, float4 val), (TILESIM_ATOMIC_VECTOR4))

#undef TILESIM_ATOMIC_VECTOR4
#undef TILESIM_ATOMIC_VECTOR2
#undef TILESIM_ATOMIC_CAS
#undef TILESIM_ATOMIC_FETCH
#undef TILESIM_ATOMIC
