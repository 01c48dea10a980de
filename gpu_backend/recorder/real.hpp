// The CUDA runtime's own functions, behind the recorder's: what the linker's --wrap calls __real_….
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {
cudaError_t __real_cudaMalloc(void** p, std::size_t bytes);
cudaError_t __real_cudaMallocHost(void** p, std::size_t bytes);
cudaError_t __real_cudaFree(void* p);
cudaError_t __real_cudaMemcpyAsync(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __real_cudaEventQuery(cudaEvent_t event);
cudaError_t __real_cudaGetLastError();
// Nobody's but the recorder's.
cudaError_t cudaFuncGetParamInfo(const void* function,
                                 std::size_t index,
                                 std::size_t* offset,
                                 std::size_t* bytes);
}
// NOLINTEND(bugprone-reserved-identifier)
