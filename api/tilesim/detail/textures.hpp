// CUDA arrays, textures and surfaces, which are not simulated: programs that name them compile, each
// call of the runtime is a finding and returns cudaErrorNotSupported, and a kernel that reads a
// texture ends the run at that line.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_sync.hpp>

#include <driver_types.h>

#include <type_traits>

enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3,
};
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2,
};

#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08

struct cudaMipmappedArray;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray* cudaMipmappedArray_const_t;

struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      struct cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      struct cudaChannelFormatDesc desc;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
};
struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};
struct cudaResourceViewDesc;

#pragma GCC visibility push(default)
extern "C" {
// sim/runtime/textures.cpp
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject,
                                    const cudaResourceDesc* pResDesc,
                                    const cudaTextureDesc* pTexDesc,
                                    const cudaResourceViewDesc* pResViewDesc);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject, const cudaResourceDesc* pResDesc);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
cudaError_t cudaMallocArray(cudaArray_t* array,
                            const cudaChannelFormatDesc* desc,
                            size_t width,
                            size_t height = 0,
                            unsigned int flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array,
                              const cudaChannelFormatDesc* desc,
                              cudaExtent extent,
                              unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst,
                                size_t wOffset,
                                size_t hOffset,
                                const void* src,
                                size_t spitch,
                                size_t width,
                                size_t height,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* dst,
                                  size_t dpitch,
                                  cudaArray_const_t src,
                                  size_t wOffset,
                                  size_t hOffset,
                                  size_t width,
                                  size_t height,
                                  cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArray(cudaArray_t dst,
                              size_t wOffset,
                              size_t hOffset,
                              const void* src,
                              size_t count,
                              cudaMemcpyKind kind);

} // extern "C"
#pragma GCC visibility pop

constexpr cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return cudaChannelFormatDesc{x, y, z, w, f};
}

namespace tilesim::detail {

/// What kind of number an element is, and of how many it consists: 1, or a vector's members.
template <class T>
constexpr cudaChannelFormatDesc channels_of() {
  const auto describe = []<class E>(E, unsigned count) {
    const int bits = static_cast<int>(sizeof(E)) * 8;
    const auto kind = ::std::is_floating_point_v<E> ? cudaChannelFormatKindFloat
                      : ::std::is_signed_v<E>       ? cudaChannelFormatKindSigned
                                                    : cudaChannelFormatKindUnsigned;
    return cudaChannelFormatDesc{
        bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
  };
  if constexpr (::std::is_arithmetic_v<T>) {
    return describe(T{}, 1);
  } else {
    return describe(decltype(T::x){}, sizeof(T) / sizeof(T::x));
  }
}

[[noreturn]] TILESIM_API void no_texture(const char* what) {
  not_simulated(what, "read and write the memory through a pointer");
}

} // namespace tilesim::detail

template <class T>
constexpr cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::tilesim::detail::channels_of<T>();
}

// clang-format off
#define TILESIM_TEXTURE(name)                                                                      \
  template <class T, class... At>                                                                  \
  TILESIM_API T name(cudaTextureObject_t, At...) {                                                 \
    ::tilesim::detail::no_texture("a texture (" #name ")");                                        \
  }                                                                                                \
  template <class T, class... At>                                                                  \
  TILESIM_API void name(T*, cudaTextureObject_t, At...) {                                          \
    ::tilesim::detail::no_texture("a texture (" #name ")");                                        \
  }
TILESIM_TEXTURE(tex1Dfetch)
TILESIM_TEXTURE(tex1D)
TILESIM_TEXTURE(tex2D)
TILESIM_TEXTURE(tex3D)
TILESIM_TEXTURE(tex1DLod)
TILESIM_TEXTURE(tex2DLod)
TILESIM_TEXTURE(tex3DLod)
TILESIM_TEXTURE(tex1DGrad)
TILESIM_TEXTURE(tex2DGrad)
TILESIM_TEXTURE(tex3DGrad)
TILESIM_TEXTURE(tex1DLayered)
TILESIM_TEXTURE(tex2DLayered)
TILESIM_TEXTURE(texCubemap)
TILESIM_TEXTURE(tex2Dgather)
TILESIM_TEXTURE(surf1Dread)
TILESIM_TEXTURE(surf2Dread)
TILESIM_TEXTURE(surf3Dread)
#undef TILESIM_TEXTURE
#define TILESIM_SURFACE(name)                                                                      \
  template <class T, class... At>                                                                  \
  TILESIM_API void name(T, cudaSurfaceObject_t, At...) {                                           \
    ::tilesim::detail::no_texture("a surface (" #name ")");                                        \
  }
TILESIM_SURFACE(surf1Dwrite)
TILESIM_SURFACE(surf2Dwrite)
TILESIM_SURFACE(surf3Dwrite)
#undef TILESIM_SURFACE
// clang-format on
