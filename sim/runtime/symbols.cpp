// Variables of the program by name: cudaMemcpyToSymbol and its kin.
//
// A `__device__` or `__constant__` variable is an ordinary variable here: its address on the device
// is its address. The typed overloads know its size; the C functions do not.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/copy.hpp"
#include "sim/runtime/entry.hpp"

#include <tilesim/detail/symbols.hpp>

#include <fmt/format.h>

#include <algorithm>

using namespace tilesim::sim;
using tilesim::detail::symbol;

namespace {

cudaError_t check_symbol(
    entry& call, const symbol& s, std::size_t count, std::size_t offset, const char* function) {
  if (s.address == nullptr) {
    return call.misuse(cudaErrorInvalidSymbol,
                       fmt::format("{}: null pointer for the symbol", function));
  }
  if (s.size != 0 && (offset > s.size || count > s.size - offset)) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: {} bytes at offset {} run past the end of the variable, which "
                    "has {} bytes",
                    function,
                    count,
                    offset,
                    s.size),
        "",
        finding_kind::out_of_bounds);
  }
  return cudaSuccess;
}

cudaError_t wrong_direction(entry& call, const char* function, const char* expected) {
  return call.misuse(cudaErrorInvalidMemcpyDirection,
                     fmt::format("{}: the direction must be {}", function, expected));
}

cudaError_t to_symbol(entry& call,
                      const symbol& s,
                      const void* src,
                      std::size_t count,
                      std::size_t offset,
                      cudaMemcpyKind kind,
                      bool asynchronous,
                      cudaStream_t stream) {
  const char* function = asynchronous ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyToSymbol";
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault) {
    return wrong_direction(
        call, function, "cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice or cudaMemcpyDefault");
  }
  if (const cudaError_t e = check_symbol(call, s, count, offset, function)) {
    return e;
  }
  void* dst = const_cast<unsigned char*>(static_cast<const unsigned char*>(s.address)) + offset;
  // To plain memory: what is device memory on the GPU is the program's here.
  const auto plain =
      kind == cudaMemcpyDeviceToDevice ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
  return copy(call, {function, dst, count, src, count, count, 1, plain, asynchronous, stream, dst});
}

cudaError_t from_symbol(entry& call,
                        void* dst,
                        const symbol& s,
                        std::size_t count,
                        std::size_t offset,
                        cudaMemcpyKind kind,
                        bool asynchronous,
                        cudaStream_t stream) {
  const char* function = asynchronous ? "cudaMemcpyFromSymbolAsync" : "cudaMemcpyFromSymbol";
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault) {
    return wrong_direction(
        call, function, "cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice or cudaMemcpyDefault");
  }
  if (const cudaError_t e = check_symbol(call, s, count, offset, function)) {
    return e;
  }
  const void* src = static_cast<const unsigned char*>(s.address) + offset;
  const auto plain =
      kind == cudaMemcpyDeviceToDevice ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost;
  return copy(call, {function, dst, count, src, count, count, 1, plain, asynchronous, stream, src});
}

cudaError_t address(entry& call, void** pointer, const symbol& s) {
  if (pointer == nullptr || s.address == nullptr) {
    return call.misuse(pointer == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidSymbol,
                       "cudaGetSymbolAddress: null pointer");
  }
  auto& bytes = call.state.variables[reinterpret_cast<std::uintptr_t>(s.address)];
  bytes = std::max(bytes, s.size);
  *pointer = const_cast<void*>(s.address);
  return call.ok();
}

} // namespace

namespace tilesim::detail {

cudaError_t copy_to_symbol(
    symbol s, const void* src, std::size_t count, std::size_t offset, cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  return to_symbol(call, s, src, count, offset, kind, false, nullptr);
}

cudaError_t copy_to_symbol_async(symbol s,
                                 const void* src,
                                 std::size_t count,
                                 std::size_t offset,
                                 cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return to_symbol(call, s, src, count, offset, kind, true, stream);
}

cudaError_t
copy_from_symbol(void* dst, symbol s, std::size_t count, std::size_t offset, cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  return from_symbol(call, dst, s, count, offset, kind, false, nullptr);
}

cudaError_t copy_from_symbol_async(void* dst,
                                   symbol s,
                                   std::size_t count,
                                   std::size_t offset,
                                   cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return from_symbol(call, dst, s, count, offset, kind, true, stream);
}

cudaError_t symbol_address(void** pointer, symbol s) {
  TILESIM_ENTRY(call)
  return address(call, pointer, s);
}

cudaError_t symbol_size(std::size_t* size, symbol s) {
  TILESIM_ENTRY(call)
  if (size == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaGetSymbolSize: null pointer for the result");
  }
  if (s.size == 0) {
    return call.misuse(cudaErrorInvalidSymbol,
                       "cudaGetSymbolSize: an address alone does not tell a variable's size",
                       "pass the variable itself");
  }
  *size = s.size;
  return call.ok();
}

} // namespace tilesim::detail

cudaError_t cudaMemcpyToSymbol(
    const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  return to_symbol(call, {symbol, 0}, src, count, offset, kind, false, nullptr);
}

cudaError_t cudaMemcpyFromSymbol(
    void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  return from_symbol(call, dst, {symbol, 0}, count, offset, kind, false, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol,
                                    const void* src,
                                    size_t count,
                                    size_t offset,
                                    cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return to_symbol(call, {symbol, 0}, src, count, offset, kind, true, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* dst,
                                      const void* symbol,
                                      size_t count,
                                      size_t offset,
                                      cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return from_symbol(call, dst, {symbol, 0}, count, offset, kind, true, stream);
}

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  TILESIM_ENTRY(call)
  return address(call, devPtr, {symbol, 0});
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return tilesim::detail::symbol_size(size, {symbol, 0});
}
