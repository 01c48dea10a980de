// What of the program's work may still be under way on the device: an event of the recorder's own
// stands behind it in each stream.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tilesim::gpu {

/// A stream of the program's: that of a thread is one for each.
struct stream_key {
  cudaStream_t stream = nullptr; ///< as it may be given to the runtime in the thread that uses it
  std::uint64_t thread = 0;      ///< 0: it is no thread's own

  friend auto operator<=>(const stream_key&, const stream_key&) = default;
};

/// `per_thread`: the program's default stream is the thread's own.
[[nodiscard]] stream_key key_of(cudaStream_t stream, bool per_thread);

class activity {
public:
  /// This thread has put work into the stream.
  void goes_on(const stream_key& key);
  /// … a launch. Gives the stream's number, from 0, by the first launch.
  std::uint64_t launches(const stream_key& key);
  /// It is about to be destroyed; its work goes on.
  void forgets(cudaStream_t stream);
  /// Everything that the program has started is done; false: not within so short a time.
  [[nodiscard]] bool quiet(double seconds);
  /// Never more than one stream has had launches.
  [[nodiscard]] bool one_stream() const noexcept { return next_number_ <= 1; }

  /// Behind what is in the stream now; nullptr: there is no event.
  [[nodiscard]] cudaEvent_t mark(const stream_key& key);
  /// Once it has, the event is the recorder's again.
  [[nodiscard]] bool passed(cudaEvent_t mark);

  void begins_capture(const stream_key& key) { captured_.insert(key); }
  /// Unless it goes on.
  void ends_capture(const stream_key& key);
  /// While a stream is captured nobody may wait.
  [[nodiscard]] bool captures() const noexcept { return !captured_.empty(); }
  /// What is put into it does not run now.
  [[nodiscard]] bool is_captured(const stream_key& key) const;

  /// The device has been reset: nothing is left.
  void reset();

private:
  struct used {
    std::optional<std::uint64_t> number;
    cudaEvent_t end = nullptr;
  };
  [[nodiscard]] cudaEvent_t event();
  [[nodiscard]] static bool done(cudaEvent_t e);

  std::map<stream_key, used> streams_;
  std::vector<cudaEvent_t> destroyed_; ///< ends of streams that are no more
  std::vector<cudaEvent_t> free_;
  std::set<stream_key> captured_;
  std::uint64_t next_number_ = 0;
};

} // namespace tilesim::gpu
