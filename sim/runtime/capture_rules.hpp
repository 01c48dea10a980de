// What captures forbid: which calls are refused while streams are captured, and which streams may
// be given work.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>

struct CUstream_st;

namespace tilesim::sim {

class entry;

/// The stream of a handle, or nullptr after a misuse has been reported.
CUstream_st* find_stream(entry& call, cudaStream_t handle, const char* function);

/// A stream that may be given work, or why not, which has been told.
struct stream_for_work {
  CUstream_st* stream = nullptr;
  cudaError_t refused = cudaSuccess;
};

/// Refused where its capture is not valid any more, and to the legacy stream while a stream that it
/// waits for is captured.  [CUDA programming guide: prohibited and unhandled operations]
[[nodiscard]] stream_for_work find_for_work(entry& call, cudaStream_t handle, const char* function);

/// What cudaThreadExchangeStreamCaptureMode has set for the calling thread.
[[nodiscard]] cudaStreamCaptureMode& capture_mode_of_thread() noexcept;

/// For a call that waits for a stream, or asks whether its work is done.
[[nodiscard]] cudaError_t
refuse_waiting(entry& call, const CUstream_st& stream, const char* function);
/// For a call that waits for all streams.
[[nodiscard]] cudaError_t refuse_waiting_for_all(entry& call, const char* function);
/// For a call that might wait for streams: unless captures or the thread are "relaxed".
[[nodiscard]] cudaError_t refuse_unsafe(entry& call, const char* function);

} // namespace tilesim::sim
