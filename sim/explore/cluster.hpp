// Parts that other machines explore, through a process of this one that hands them on.
// [api/python/tilesim/_cluster.py]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/explore/part_takers.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilesim::sim::exploring {

class cluster final : public part_takers {
public:
  /// `address`: the socket of who hands parts on.
  /// @throws not_explored: nobody is there
  cluster(const std::string& address, memmodel::explore::pass which, const kernel_threads& threads);
  ~cluster() override;
  cluster(const cluster&) = delete;
  cluster& operator=(const cluster&) = delete;

  [[nodiscard]] bool some_free() const noexcept override;
  [[nodiscard]] bool some_busy() const noexcept override { return !under_way_.empty(); }
  void give(const memmodel::explore::part& p, bool in_haste) override;
  [[nodiscard]] bool some_done() override;
  [[nodiscard]] part_answer take() override;

private:
  void send(std::uint64_t number, const message& what) const;
  /// @throws not_explored: who hands parts on has ended
  void receive();

  int socket_ = -1;
  std::string pass_;
  std::uint64_t room_ = 0; ///< parts that may be under way
  std::uint64_t given_ = 0;
  std::map<std::uint64_t, memmodel::explore::part> under_way_;
  std::uint64_t number_ = 0; ///< of the answer that has come
  std::vector<std::uint8_t> answer_;
};

/// A part that another machine is to explore, as a file tells it.
struct part_task {
  memmodel::explore::pass which = memmodel::explore::pass::plain;
  memmodel::explore::part of;
  double seconds = 0;
  message known;
};
/// @throws not_explored
[[nodiscard]] part_task task_of(const std::string& file);

} // namespace tilesim::sim::exploring
