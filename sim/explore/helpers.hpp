// Processes that explore parts for the one that has forked them.
//
// A helper is given one part after the other. It ends with its parent, or when it is no longer
// wanted.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/explore/part_takers.hpp"

#include <cstddef>
#include <functional>
#include <sys/types.h>
#include <vector>

namespace tilesim::sim::exploring {

class helpers final : public part_takers {
public:
  /// Explores a part until it is to stop; what comes of it, as answer_of() tells it.
  using part_explorer =
      std::function<message(const memmodel::explore::part&, const std::function<bool()>& stop)>;

  /// `explore`: what each process does with its parts.
  /// @throws not_explored: the machine has no more processes
  helpers(part_explorer explore, std::size_t count);
  ~helpers() override;
  helpers(const helpers&) = delete;
  helpers& operator=(const helpers&) = delete;

  [[nodiscard]] bool some_free() const noexcept override;
  [[nodiscard]] bool some_busy() const noexcept override;
  void give(const memmodel::explore::part& p, bool in_haste) override;
  [[nodiscard]] bool some_done() override;
  [[nodiscard]] part_answer take() override;

private:
  struct helper {
    pid_t process = -1;
    int socket = -1;
    bool busy = false;
    memmodel::explore::part part;
  };
  [[noreturn]] void serve(int socket);

  part_explorer explore_;
  std::vector<helper> all_;
  helper* done_ = nullptr;
};

} // namespace tilesim::sim::exploring
