// cudaGetLastError and its kin. The table is api/tilesim/detail/cuda_errors.def.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/entry.hpp"

#include <utility>

cudaError_t cudaGetLastError() {
  TILESIM_ENTRY(call)
  cudaError_t& last = call.state.last_error[std::this_thread::get_id()];
  return std::exchange(last, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  TILESIM_ENTRY(call)
  return call.state.last_error[std::this_thread::get_id()];
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define TILESIM_CUDA_ERROR(name, value, string)                                                    \
  case name:                                                                                       \
    return #name;
#include <tilesim/detail/cuda_errors.def>
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define TILESIM_CUDA_ERROR(name, value, string)                                                    \
  case name:                                                                                       \
    return string;
#include <tilesim/detail/cuda_errors.def>
  }
  return "unrecognized error code";
}
