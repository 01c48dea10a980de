// The CUDA runtime's functions for memory, over a device that is none [runtime.cpp].
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu/fake_runtime/runtime.hpp"

#include <cstring>

namespace fake {

namespace {

cudaError_t allocate(memory kind, void** p, std::size_t bytes) {
  if (const cudaError_t error = ready_to_wait(); error != cudaSuccess) {
    return said(error);
  }
  *p = bytes == 0 ? nullptr : device::one().allocate(kind, bytes);
  return said(*p == nullptr && bytes != 0 ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t free_it(void* p) {
  if (const cudaError_t error = ready_to_wait(); error != cudaSuccess) {
    return said(error);
  }
  device::one().wait_for_all();
  return said(p == nullptr || device::one().free(p) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t copy(void* to,
                 std::size_t to_pitch,
                 const void* from,
                 std::size_t from_pitch,
                 std::size_t width,
                 std::size_t height,
                 stream* s,
                 bool waits) {
  return does(s, waits, [=] {
    for (std::size_t row = 0; row < height; ++row) {
      std::memmove(static_cast<char*>(to) + (row * to_pitch),
                   static_cast<const char*>(from) + (row * from_pitch),
                   width);
    }
  });
}

cudaError_t fill(void* to,
                 std::size_t pitch,
                 int value,
                 std::size_t width,
                 std::size_t height,
                 stream* s,
                 bool waits) {
  return does(s, waits, [=] {
    for (std::size_t row = 0; row < height; ++row) {
      std::memset(static_cast<char*>(to) + (row * pitch), value, width);
    }
  });
}

} // namespace

} // namespace fake

using namespace fake; // NOLINT(google-build-using-namespace): what follows has C's names

// NOLINTBEGIN(bugprone-reserved-identifier): NVIDIA's names
extern "C" {

// --- Memory

cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return allocate(memory::device, p, bytes);
}
cudaError_t cudaMallocManaged(void** p, std::size_t bytes, unsigned /*flags*/) {
  return allocate(memory::managed, p, bytes);
}
cudaError_t cudaMallocHost(void** p, std::size_t bytes) {
  return allocate(memory::pinned, p, bytes);
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned /*flags*/) {
  return allocate(memory::pinned, p, bytes);
}
cudaError_t cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return allocate(memory::device, p, *pitch * height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent extent) {
  *p = {.ptr = nullptr, .pitch = 0, .xsize = extent.width, .ysize = extent.height};
  return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}
cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned /*flags*/) {
  const cudaError_t error = ready_to_wait();
  if (error == cudaSuccess) {
    device::one().note_registered(p, bytes);
  }
  return said(error);
}
cudaError_t cudaMallocAsync(void** p, std::size_t bytes, cudaStream_t /*s*/) {
  return allocate(memory::device, p, bytes);
}
cudaError_t cudaMallocAsync_ptsz(void** p, std::size_t bytes, cudaStream_t /*s*/) {
  return allocate(memory::device, p, bytes);
}

cudaError_t
cudaMallocFromPoolAsync(void** p, std::size_t bytes, cudaMemPool_t /*pool*/, cudaStream_t /*s*/) {
  return allocate(memory::device, p, bytes);
}
cudaError_t cudaMallocFromPoolAsync_ptsz(void** p,
                                         std::size_t bytes,
                                         cudaMemPool_t /*pool*/,
                                         cudaStream_t /*s*/) {
  return allocate(memory::device, p, bytes);
}

cudaError_t cudaFree(void* p) {
  return free_it(p);
}
cudaError_t cudaFreeHost(void* p) {
  return free_it(p);
}
cudaError_t cudaHostUnregister(void* p) {
  return free_it(p);
}
/// In its turn: until then the memory is there.
cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
  return does(find(s), false, [p] { static_cast<void>(device::one().free(p)); });
}
cudaError_t cudaFreeAsync_ptsz(void* p, cudaStream_t s) {
  return does(find(s, true), false, [p] { static_cast<void>(device::one().free(p)); });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* to, const void* p) {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return said(error);
  }
  *to = {};
  const memory* const kind = device::one().kind_of(p);
  to->type = kind == nullptr            ? cudaMemoryTypeUnregistered
             : *kind == memory::device  ? cudaMemoryTypeDevice
             : *kind == memory::managed ? cudaMemoryTypeManaged
                                        : cudaMemoryTypeHost;
  return cudaSuccess;
}

// --- Copies and fills

#define FAKE_COPIES(suffix_s, suffix_a, per_thread)                                                \
  cudaError_t cudaMemcpy##suffix_s(                                                                \
      void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/) {                    \
    return copy(to, 0, from, 0, bytes, 1, find(nullptr, per_thread), true);                        \
  }                                                                                                \
  cudaError_t cudaMemcpyAsync##suffix_a(                                                           \
      void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/, cudaStream_t s) {    \
    return copy(to, 0, from, 0, bytes, 1, find(s, per_thread), false);                             \
  }                                                                                                \
  cudaError_t cudaMemcpy2D##suffix_s(void* to,                                                     \
                                     std::size_t to_pitch,                                         \
                                     const void* from,                                             \
                                     std::size_t from_pitch,                                       \
                                     std::size_t width,                                            \
                                     std::size_t height,                                           \
                                     cudaMemcpyKind /*kind*/) {                                    \
    return copy(to, to_pitch, from, from_pitch, width, height, find(nullptr, per_thread), true);   \
  }                                                                                                \
  cudaError_t cudaMemcpy2DAsync##suffix_a(void* to,                                                \
                                          std::size_t to_pitch,                                    \
                                          const void* from,                                        \
                                          std::size_t from_pitch,                                  \
                                          std::size_t width,                                       \
                                          std::size_t height,                                      \
                                          cudaMemcpyKind /*kind*/,                                 \
                                          cudaStream_t s) {                                        \
    return copy(to, to_pitch, from, from_pitch, width, height, find(s, per_thread), false);        \
  }                                                                                                \
  cudaError_t cudaMemcpyToSymbol##suffix_s(const void* symbol,                                     \
                                           const void* from,                                       \
                                           std::size_t bytes,                                      \
                                           std::size_t offset,                                     \
                                           cudaMemcpyKind /*kind*/) {                              \
    auto* const to = static_cast<char*>(address_of_variable(symbol));                              \
    return to == nullptr                                                                           \
               ? said(cudaErrorInvalidSymbol)                                                      \
               : copy(to + offset, 0, from, 0, bytes, 1, find(nullptr, per_thread), true);         \
  }                                                                                                \
  cudaError_t cudaMemcpyFromSymbol##suffix_s(void* to,                                             \
                                             const void* symbol,                                   \
                                             std::size_t bytes,                                    \
                                             std::size_t offset,                                   \
                                             cudaMemcpyKind /*kind*/) {                            \
    auto* const from = static_cast<char*>(address_of_variable(symbol));                            \
    return from == nullptr                                                                         \
               ? said(cudaErrorInvalidSymbol)                                                      \
               : copy(to, 0, from + offset, 0, bytes, 1, find(nullptr, per_thread), true);         \
  }                                                                                                \
  cudaError_t cudaMemcpyToSymbolAsync##suffix_a(const void* symbol,                                \
                                                const void* from,                                  \
                                                std::size_t bytes,                                 \
                                                std::size_t offset,                                \
                                                cudaMemcpyKind /*kind*/,                           \
                                                cudaStream_t s) {                                  \
    auto* const to = static_cast<char*>(address_of_variable(symbol));                              \
    return to == nullptr ? said(cudaErrorInvalidSymbol)                                            \
                         : copy(to + offset, 0, from, 0, bytes, 1, find(s, per_thread), false);    \
  }                                                                                                \
  cudaError_t cudaMemcpyFromSymbolAsync##suffix_a(void* to,                                        \
                                                  const void* symbol,                              \
                                                  std::size_t bytes,                               \
                                                  std::size_t offset,                              \
                                                  cudaMemcpyKind /*kind*/,                         \
                                                  cudaStream_t s) {                                \
    auto* const from = static_cast<char*>(address_of_variable(symbol));                            \
    return from == nullptr ? said(cudaErrorInvalidSymbol)                                          \
                           : copy(to, 0, from + offset, 0, bytes, 1, find(s, per_thread), false);  \
  }                                                                                                \
  cudaError_t cudaMemset##suffix_s(void* to, int value, std::size_t bytes) {                       \
    return fill(to, 0, value, bytes, 1, find(nullptr, per_thread), true);                          \
  }                                                                                                \
  cudaError_t cudaMemsetAsync##suffix_a(void* to, int value, std::size_t bytes, cudaStream_t s) {  \
    return fill(to, 0, value, bytes, 1, find(s, per_thread), false);                               \
  }                                                                                                \
  cudaError_t cudaMemset2D##suffix_s(                                                              \
      void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {             \
    return fill(to, pitch, value, width, height, find(nullptr, per_thread), true);                 \
  }                                                                                                \
  cudaError_t cudaMemset2DAsync##suffix_a(void* to,                                                \
                                          std::size_t pitch,                                       \
                                          int value,                                               \
                                          std::size_t width,                                       \
                                          std::size_t height,                                      \
                                          cudaStream_t s) {                                        \
    return fill(to, pitch, value, width, height, find(s, per_thread), false);                      \
  }
FAKE_COPIES(, , false)
FAKE_COPIES(_ptds, _ptsz, true)

extern "C++" {
namespace {

template <class Parms>
cudaError_t copy_box(const Parms& p, stream* s, bool waits) {
  return does(s, waits, [p] {
    const auto row = [](const cudaPitchedPtr& in, const cudaPos& at, std::size_t y, std::size_t z) {
      return static_cast<char*>(in.ptr) + ((((at.z + z) * in.ysize) + at.y + y) * in.pitch) + at.x;
    };
    for (std::size_t z = 0; z < p.extent.depth; ++z) {
      for (std::size_t y = 0; y < p.extent.height; ++y) {
        std::memmove(row(p.dstPtr, p.dstPos, y, z), row(p.srcPtr, p.srcPos, y, z), p.extent.width);
      }
    }
  });
}

} // namespace
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return copy_box(*p, find(nullptr), true);
}
cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* p) {
  return copy_box(*p, find(nullptr, true), true);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t s) {
  return copy_box(*p, find(s), false);
}
cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* p, cudaStream_t s) {
  return copy_box(*p, find(s, true), false);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return copy_box(*p, find(nullptr), true);
}
cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms* p) {
  return copy_box(*p, find(nullptr, true), true);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t s) {
  return copy_box(*p, find(s), false);
}
cudaError_t cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms* p, cudaStream_t s) {
  return copy_box(*p, find(s, true), false);
}
cudaError_t cudaMemcpyPeer(
    void* to, int /*to_device*/, const void* from, int /*from_device*/, std::size_t bytes) {
  return copy(to, 0, from, 0, bytes, 1, find(nullptr), true);
}
cudaError_t cudaMemcpyPeerAsync(void* to,
                                int /*to_device*/,
                                const void* from,
                                int /*from_device*/,
                                std::size_t bytes,
                                cudaStream_t s) {
  return copy(to, 0, from, 0, bytes, 1, find(s), false);
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
