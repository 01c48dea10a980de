// Variables by name, with the size that the typed overloads know: sim/runtime/symbols.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>
#include <tilesim/detail/machine.hpp>

#include <cstddef>

namespace tilesim::detail {

/// A variable. size 0: unknown.
struct symbol {
  const void* address;
  ::std::size_t size;
};

/// A variable may be volatile.
template <class T>
symbol symbol_of(const volatile T& variable) noexcept {
  return {const_cast<const void*>(static_cast<const volatile void*>(&variable)), sizeof(T)};
}

TILESIM_EXPORT cudaError_t copy_to_symbol(
    symbol s, const void* src, ::std::size_t count, ::std::size_t offset, cudaMemcpyKind kind);
TILESIM_EXPORT cudaError_t copy_to_symbol_async(symbol s,
                                                const void* src,
                                                ::std::size_t count,
                                                ::std::size_t offset,
                                                cudaMemcpyKind kind,
                                                cudaStream_t stream);
TILESIM_EXPORT cudaError_t copy_from_symbol(
    void* dst, symbol s, ::std::size_t count, ::std::size_t offset, cudaMemcpyKind kind);
TILESIM_EXPORT cudaError_t copy_from_symbol_async(void* dst,
                                                  symbol s,
                                                  ::std::size_t count,
                                                  ::std::size_t offset,
                                                  cudaMemcpyKind kind,
                                                  cudaStream_t stream);
TILESIM_EXPORT cudaError_t symbol_address(void** pointer, symbol s);
TILESIM_EXPORT cudaError_t symbol_size(::std::size_t* size, symbol s);

} // namespace tilesim::detail
