// In front of the CUDA runtime's functions that make, free, copy and fill memory [wraps.cpp].
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/real.hpp"
#include "gpu_backend/recorder/wrap_calls.hpp"

#include <cstdlib>

namespace tilesim::gpu {

namespace {

template <class F>
cudaError_t
allocates(const char* name, memory_kind kind, void** p, const std::size_t& bytes, F&& real) {
  return told(name, nothing, real, [&](recorder& r) { r.allocated(kind, *p, bytes); });
}

template <class F>
cudaError_t frees(const char* name, const void* p, F&& real) {
  call c;
  if (!c.of_program()) {
    return real();
  }
  recorder::of_process().frees(p);
  return called(name, [&] { return c.while_others_go_on(real); });
}

/// Rows of bytes; those of several planes stand one behind the other.
struct area {
  const void* at = nullptr;
  std::size_t pitch = 0;
  std::size_t plane = 0; ///< from one plane to the next

  [[nodiscard]] const char* row(std::size_t y, std::size_t z) const {
    return static_cast<const char*>(at) + (y * pitch) + (z * plane);
  }
};

struct extent {
  std::size_t width = 0, height = 1, depth = 1;
};

/// What lies there can be read by the host, without a copy.
bool is_hosts(const void* at) {
  cudaPointerAttributes is{};
  return cudaPointerGetAttributes(&is, at) != cudaSuccess || is.type != cudaMemoryTypeDevice;
}

/// `stream`: nullptr where the copy has been made when the call returns.
template <class F>
cudaError_t copies(const char* name,
                   const area& to,
                   const area& from,
                   const extent& size,
                   const stream_key* stream,
                   F&& real) {
  call c;
  if (!c.of_program()) {
    return real();
  }
  recorder& r = recorder::of_process();
  const bool waits = stream == nullptr;
  r.waited(waits ? 1 : 0); // it stands behind what was launched before
  const cudaError_t error =
      called(name, [&] { return waits ? c.while_others_go_on(real) : real(); });
  if (error != cudaSuccess) {
    return error;
  }
  const stream_key key = waits ? stream_key{} : *stream;
  if (!waits) {
    r.goes_on(key);
  }
  const bool from_host = is_hosts(from.at);
  for (std::size_t z = 0; z < size.depth; ++z) {
    for (std::size_t y = 0; y < size.height; ++y) {
      r.written(to.row(y, z), size.width, from_host ? from.row(y, z) : nullptr, name);
      r.copied_to_host(to.row(y, z), from.row(y, z), size.width, key, waits, name);
    }
  }
  if (waits) {
    r.waited();
  }
  return error;
}

/// The runtime may return before it has been filled.
template <class F>
cudaError_t
fills(const char* name, const area& to, const extent& size, const stream_key& stream, F&& real) {
  return told(name, nothing, real, [&](recorder& r) {
    r.goes_on(stream);
    for (std::size_t y = 0; y < size.height; ++y) {
      r.written(to.row(y, 0), size.width, nullptr, name);
    }
  });
}

/// Where a variable's bytes lie on the device.
area in_variable(const void* symbol, std::size_t offset) {
  const call c;
  const void* const at =
      c.of_program() ? recorder::of_process().place_of_variable(symbol) : nullptr;
  return {.at = at == nullptr ? nullptr : static_cast<const char*>(at) + offset};
}

area in_box(const cudaPitchedPtr& p, const cudaPos& at) {
  const area whole{.at = p.ptr, .pitch = p.pitch, .plane = p.pitch * p.ysize};
  return {.at = p.ptr == nullptr ? nullptr : whole.row(at.y, at.z) + at.x,
          .pitch = whole.pitch,
          .plane = whole.plane};
}

/// Of arrays nobody knows how they lie. `Parms`: those of a copy on one device, or between two.
template <class Parms, class F>
cudaError_t copies_box(const char* name, const Parms* p, const stream_key* stream, F&& real) {
  const bool known = p != nullptr && p->srcPtr.ptr != nullptr && p->dstPtr.ptr != nullptr;
  const extent size =
      known ? extent{p->extent.width, p->extent.height, p->extent.depth} : extent{0, 0, 0};
  return copies(name,
                known ? in_box(p->dstPtr, p->dstPos) : area{},
                known ? in_box(p->srcPtr, p->srcPos) : area{},
                size,
                stream,
                real);
}

} // namespace

} // namespace tilesim::gpu

using namespace tilesim::gpu; // NOLINT(google-build-using-namespace): what follows has C's names

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {

// --- Memory that comes

#define TILESIM_MALLOC(name, kind, parameters, arguments)                                          \
  cudaError_t __real_##name parameters;                                                            \
  cudaError_t __wrap_##name parameters {                                                           \
    return allocates(#name, memory_kind::kind, p, bytes, [&] { return __real_##name arguments; }); \
  }
TILESIM_MALLOC(cudaMalloc, device, (void** p, std::size_t bytes), (p, bytes))
TILESIM_MALLOC(cudaMallocManaged,
               managed,
               (void** p, std::size_t bytes, unsigned flags),
               (p, bytes, flags))
TILESIM_MALLOC(cudaMallocHost, pinned, (void** p, std::size_t bytes), (p, bytes))
TILESIM_MALLOC(cudaHostAlloc,
               pinned,
               (void** p, std::size_t bytes, unsigned flags),
               (p, bytes, flags))
TILESIM_MALLOC(cudaMallocAsync,
               device,
               (void** p, std::size_t bytes, cudaStream_t s),
               (p, bytes, s))
TILESIM_MALLOC(cudaMallocAsync_ptsz,
               device,
               (void** p, std::size_t bytes, cudaStream_t s),
               (p, bytes, s))
TILESIM_MALLOC(cudaMallocFromPoolAsync,
               device,
               (void** p, std::size_t bytes, cudaMemPool_t pool, cudaStream_t s),
               (p, bytes, pool, s))
TILESIM_MALLOC(cudaMallocFromPoolAsync_ptsz,
               device,
               (void** p, std::size_t bytes, cudaMemPool_t pool, cudaStream_t s),
               (p, bytes, pool, s))
#undef TILESIM_MALLOC

cudaError_t __real_cudaHostRegister(void* p, std::size_t bytes, unsigned flags);
cudaError_t __wrap_cudaHostRegister(void* p, std::size_t bytes, unsigned flags) {
  return allocates("cudaHostRegister", memory_kind::registered, &p, bytes, [&] {
    return __real_cudaHostRegister(p, bytes, flags);
  });
}

cudaError_t
__real_cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t
__wrap_cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height) {
  std::size_t bytes = 0;
  return allocates("cudaMallocPitch", memory_kind::device, p, bytes, [&] {
    const cudaError_t error = __real_cudaMallocPitch(p, pitch, width, height);
    bytes = error == cudaSuccess ? *pitch * height : 0;
    return error;
  });
}

cudaError_t __real_cudaMalloc3D(cudaPitchedPtr* p, cudaExtent size);
cudaError_t __wrap_cudaMalloc3D(cudaPitchedPtr* p, cudaExtent size) {
  std::size_t bytes = 0;
  return allocates("cudaMalloc3D", memory_kind::device, &p->ptr, bytes, [&] {
    const cudaError_t error = __real_cudaMalloc3D(p, size);
    bytes = error == cudaSuccess ? p->pitch * size.height * size.depth : 0;
    return error;
  });
}

// --- … and goes

#define TILESIM_FREE(name)                                                                         \
  cudaError_t __real_##name(void* p);                                                              \
  cudaError_t __wrap_##name(void* p) {                                                             \
    return frees(#name, p, [&] { return __real_##name(p); });                                      \
  }
TILESIM_FREE(cudaFree)
TILESIM_FREE(cudaFreeHost)
TILESIM_FREE(cudaHostUnregister)
#undef TILESIM_FREE

#define TILESIM_FREE_ASYNC(name)                                                                   \
  cudaError_t __real_##name(void* p, cudaStream_t s);                                              \
  cudaError_t __wrap_##name(void* p, cudaStream_t s) {                                             \
    return frees(#name, p, [&] { return __real_##name(p, s); });                                   \
  }
TILESIM_FREE_ASYNC(cudaFreeAsync)
TILESIM_FREE_ASYNC(cudaFreeAsync_ptsz)
#undef TILESIM_FREE_ASYNC

// --- Copies

#define TILESIM_COPY(name, real, to, from, size, parameters, arguments)                            \
  cudaError_t __real_##real parameters;                                                            \
  cudaError_t __wrap_##real parameters {                                                           \
    return copies(name, to, from, size, nullptr, [&] { return __real_##real arguments; });         \
  }
#define TILESIM_COPY_ASYNC(name, real, per_thread, to, from, size, parameters, arguments)          \
  cudaError_t __real_##real parameters;                                                            \
  cudaError_t __wrap_##real parameters {                                                           \
    const stream_key key = key_of(s, per_thread);                                                  \
    return copies(name, to, from, size, &key, [&] { return __real_##real arguments; });            \
  }

#define TILESIM_COPIES(suffix, suffix_async, per_thread)                                           \
  TILESIM_COPY("cudaMemcpy",                                                                       \
               cudaMemcpy##suffix,                                                                 \
               area{to},                                                                           \
               area{from},                                                                         \
               extent{bytes},                                                                      \
               (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind),               \
               (to, from, bytes, kind))                                                            \
  TILESIM_COPY_ASYNC(                                                                              \
      "cudaMemcpyAsync",                                                                           \
      cudaMemcpyAsync##suffix_async,                                                               \
      per_thread,                                                                                  \
      area{to},                                                                                    \
      area{from},                                                                                  \
      extent{bytes},                                                                               \
      (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s),        \
      (to, from, bytes, kind, s))                                                                  \
  TILESIM_COPY("cudaMemcpy2D",                                                                     \
               cudaMemcpy2D##suffix,                                                               \
               (area{to, to_pitch}),                                                               \
               (area{from, pitch}),                                                                \
               (extent{width, height}),                                                            \
               (void* to,                                                                          \
                std::size_t to_pitch,                                                              \
                const void* from,                                                                  \
                std::size_t pitch,                                                                 \
                std::size_t width,                                                                 \
                std::size_t height,                                                                \
                cudaMemcpyKind kind),                                                              \
               (to, to_pitch, from, pitch, width, height, kind))                                   \
  TILESIM_COPY_ASYNC("cudaMemcpy2DAsync",                                                          \
                     cudaMemcpy2DAsync##suffix_async,                                              \
                     per_thread,                                                                   \
                     (area{to, to_pitch}),                                                         \
                     (area{from, pitch}),                                                          \
                     (extent{width, height}),                                                      \
                     (void* to,                                                                    \
                      std::size_t to_pitch,                                                        \
                      const void* from,                                                            \
                      std::size_t pitch,                                                           \
                      std::size_t width,                                                           \
                      std::size_t height,                                                          \
                      cudaMemcpyKind kind,                                                         \
                      cudaStream_t s),                                                             \
                     (to, to_pitch, from, pitch, width, height, kind, s))                          \
  TILESIM_COPY("cudaMemcpyToSymbol",                                                               \
               cudaMemcpyToSymbol##suffix,                                                         \
               in_variable(symbol, offset),                                                        \
               area{from},                                                                         \
               extent{bytes},                                                                      \
               (const void* symbol,                                                                \
                const void* from,                                                                  \
                std::size_t bytes,                                                                 \
                std::size_t offset,                                                                \
                cudaMemcpyKind kind),                                                              \
               (symbol, from, bytes, offset, kind))                                                \
  TILESIM_COPY_ASYNC("cudaMemcpyToSymbolAsync",                                                    \
                     cudaMemcpyToSymbolAsync##suffix_async,                                        \
                     per_thread,                                                                   \
                     in_variable(symbol, offset),                                                  \
                     area{from},                                                                   \
                     extent{bytes},                                                                \
                     (const void* symbol,                                                          \
                      const void* from,                                                            \
                      std::size_t bytes,                                                           \
                      std::size_t offset,                                                          \
                      cudaMemcpyKind kind,                                                         \
                      cudaStream_t s),                                                             \
                     (symbol, from, bytes, offset, kind, s))                                       \
  TILESIM_COPY(                                                                                    \
      "cudaMemcpyFromSymbol",                                                                      \
      cudaMemcpyFromSymbol##suffix,                                                                \
      area{to},                                                                                    \
      in_variable(symbol, offset),                                                                 \
      extent{bytes},                                                                               \
      (void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind),  \
      (to, symbol, bytes, offset, kind))                                                           \
  TILESIM_COPY_ASYNC("cudaMemcpyFromSymbolAsync",                                                  \
                     cudaMemcpyFromSymbolAsync##suffix_async,                                      \
                     per_thread,                                                                   \
                     area{to},                                                                     \
                     in_variable(symbol, offset),                                                  \
                     extent{bytes},                                                                \
                     (void* to,                                                                    \
                      const void* symbol,                                                          \
                      std::size_t bytes,                                                           \
                      std::size_t offset,                                                          \
                      cudaMemcpyKind kind,                                                         \
                      cudaStream_t s),                                                             \
                     (to, symbol, bytes, offset, kind, s))                                         \
  cudaError_t __real_cudaMemcpy3D##suffix(const cudaMemcpy3DParms* p);                             \
  cudaError_t __wrap_cudaMemcpy3D##suffix(const cudaMemcpy3DParms* p) {                            \
    return copies_box("cudaMemcpy3D", p, nullptr, [&] { return __real_cudaMemcpy3D##suffix(p); }); \
  }                                                                                                \
  cudaError_t __real_cudaMemcpy3DAsync##suffix_async(const cudaMemcpy3DParms* p, cudaStream_t s);  \
  cudaError_t __wrap_cudaMemcpy3DAsync##suffix_async(const cudaMemcpy3DParms* p, cudaStream_t s) { \
    const stream_key key = key_of(s, per_thread);                                                  \
    return copies_box("cudaMemcpy3DAsync", p, &key, [&] {                                          \
      return __real_cudaMemcpy3DAsync##suffix_async(p, s);                                         \
    });                                                                                            \
  }                                                                                                \
  cudaError_t __real_cudaMemcpy3DPeer##suffix(const cudaMemcpy3DPeerParms* p);                     \
  cudaError_t __wrap_cudaMemcpy3DPeer##suffix(const cudaMemcpy3DPeerParms* p) {                    \
    return copies_box(                                                                             \
        "cudaMemcpy3DPeer", p, nullptr, [&] { return __real_cudaMemcpy3DPeer##suffix(p); });       \
  }                                                                                                \
  cudaError_t __real_cudaMemcpy3DPeerAsync##suffix_async(const cudaMemcpy3DPeerParms* p,           \
                                                         cudaStream_t s);                          \
  cudaError_t __wrap_cudaMemcpy3DPeerAsync##suffix_async(const cudaMemcpy3DPeerParms* p,           \
                                                         cudaStream_t s) {                         \
    const stream_key key = key_of(s, per_thread);                                                  \
    return copies_box("cudaMemcpy3DPeerAsync", p, &key, [&] {                                      \
      return __real_cudaMemcpy3DPeerAsync##suffix_async(p, s);                                     \
    });                                                                                            \
  }
TILESIM_COPIES(, , false)
TILESIM_COPIES(_ptds, _ptsz, true)

TILESIM_COPY_ASYNC(
    "cudaMemcpyPeerAsync",
    cudaMemcpyPeerAsync,
    false,
    area{to},
    area{from},
    extent{bytes},
    (void* to, int to_device, const void* from, int device, std::size_t bytes, cudaStream_t s),
    (to, to_device, from, device, bytes, s))
TILESIM_COPY("cudaMemcpyPeer",
             cudaMemcpyPeer,
             area{to},
             area{from},
             extent{bytes},
             (void* to, int to_device, const void* from, int device, std::size_t bytes),
             (to, to_device, from, device, bytes))
#undef TILESIM_COPIES
#undef TILESIM_COPY
#undef TILESIM_COPY_ASYNC

// --- Fills

#define TILESIM_FILL(name, real, key, area, size, parameters, arguments)                           \
  cudaError_t __real_##real parameters;                                                            \
  cudaError_t __wrap_##real parameters {                                                           \
    return fills(name, area, size, key, [&] { return __real_##real arguments; });                  \
  }
#define TILESIM_FILLS(suffix, suffix_async, per_thread)                                            \
  TILESIM_FILL("cudaMemset",                                                                       \
               cudaMemset##suffix,                                                                 \
               key_of(nullptr, per_thread),                                                        \
               area{to},                                                                           \
               extent{bytes},                                                                      \
               (void* to, int value, std::size_t bytes),                                           \
               (to, value, bytes))                                                                 \
  TILESIM_FILL("cudaMemsetAsync",                                                                  \
               cudaMemsetAsync##suffix_async,                                                      \
               key_of(s, per_thread),                                                              \
               area{to},                                                                           \
               extent{bytes},                                                                      \
               (void* to, int value, std::size_t bytes, cudaStream_t s),                           \
               (to, value, bytes, s))                                                              \
  TILESIM_FILL("cudaMemset2D",                                                                     \
               cudaMemset2D##suffix,                                                               \
               key_of(nullptr, per_thread),                                                        \
               (area{to, pitch}),                                                                  \
               (extent{width, height}),                                                            \
               (void* to, std::size_t pitch, int value, std::size_t width, std::size_t height),    \
               (to, pitch, value, width, height))                                                  \
  TILESIM_FILL("cudaMemset2DAsync",                                                                \
               cudaMemset2DAsync##suffix_async,                                                    \
               key_of(s, per_thread),                                                              \
               (area{to, pitch}),                                                                  \
               (extent{width, height}),                                                            \
               (void* to,                                                                          \
                std::size_t pitch,                                                                 \
                int value,                                                                         \
                std::size_t width,                                                                 \
                std::size_t height,                                                                \
                cudaStream_t s),                                                                   \
               (to, pitch, value, width, height, s))
TILESIM_FILLS(, , false)
TILESIM_FILLS(_ptds, _ptsz, true)
#undef TILESIM_FILLS
#undef TILESIM_FILL

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
