// Copies of boxes: to the host, and from one device's memory to another's.
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cuda_runtime.h>

cudaError_t copy_boxes(std::uint8_t* from, std::uint8_t* to, std::uint8_t* host);

cudaError_t copy_boxes(std::uint8_t* from, std::uint8_t* to, std::uint8_t* host) {
  cudaMemcpy3DParms box{};
  box.srcPtr = {.ptr = from, .pitch = 10, .xsize = 10, .ysize = 5};
  box.srcPos = {.x = 1, .y = 1, .z = 1};
  box.dstPtr = {.ptr = host, .pitch = 4, .xsize = 4, .ysize = 2};
  box.extent = {.width = 3, .height = 2, .depth = 2};
  if (const cudaError_t e = cudaMemcpy3D(&box); e != cudaSuccess) {
    return e;
  }
  cudaMemcpy3DPeerParms peer{};
  peer.srcPtr = {.ptr = from, .pitch = 10, .xsize = 10, .ysize = 5};
  peer.dstPtr = {.ptr = to, .pitch = 10, .xsize = 10, .ysize = 5};
  peer.dstPos = {.x = 2, .y = 1, .z = 0};
  peer.extent = {.width = 4, .height = 2, .depth = 1};
  return cudaMemcpy3DPeer(&peer);
}
