// Who explores parts for a process that explores: other processes, of this machine or of others.
//
// Frames are a size of eight bytes and a message as CBOR.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/explorer.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/tally.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilesim::sim::exploring {

/// What a part has come to, and is left of it.
struct explored_part {
  tally what;
  std::vector<memmodel::explore::part> rest;
  bool over = false;
  bool begin_anew = false;
};

/// What has come of a part, as its taker answers.
struct part_answer {
  memmodel::explore::part of;
  explored_part what;
  kernel_threads::news known;
  bool may_buffer = false;
};

class part_takers {
public:
  part_takers() = default;
  virtual ~part_takers() = default;
  part_takers(const part_takers&) = delete;
  part_takers& operator=(const part_takers&) = delete;

  [[nodiscard]] virtual bool some_free() const noexcept = 0;
  [[nodiscard]] virtual bool some_busy() const noexcept = 0;
  /// To one that is free. `in_haste`: others wait for what it leaves.
  virtual void give(const memmodel::explore::part& p, bool in_haste) = 0;
  /// Waits for some that is done, not for long.
  [[nodiscard]] virtual bool some_done() = 0;
  /// Of that one.
  /// @throws not_explored: it has ended otherwise
  [[nodiscard]] virtual part_answer take() = 0;
};

/// What has come of a part, for the process that wanted it explored.
[[nodiscard]] message
answer_of(const explored_part& d, const kernel_threads::news& n, bool may_buffer);
[[nodiscard]] part_answer read_answer(const message& j);

/// All bytes, by calls that may each take some of them; false: the other one has ended.
[[nodiscard]] bool send_all(int socket, const void* data, std::size_t bytes);
[[nodiscard]] bool receive_all(int socket, void* data, std::size_t bytes);

} // namespace tilesim::sim::exploring
