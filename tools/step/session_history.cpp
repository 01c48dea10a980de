// What going back costs: measuring it, and dropping checkpoints.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tilesim::tools::step {
namespace {

constexpr int drop_tick_ms = 50;

/// Memory of a process that no file backs.
struct memory_use {
  std::size_t pages = 0; ///< in bytes
  std::size_t share = 0; ///< a page that n processes have counts as its nth part
};

memory_use memory_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/smaps_rollup", pid));
  std::string line;
  const auto bytes = [&line](const char* name) {
    return line.rfind(name, 0) == 0
               ? std::strtoull(line.c_str() + std::strlen(name), nullptr, 10) << 10U
               : 0;
  };
  memory_use use;
  while (std::getline(file, line)) {
    use.pages += bytes("Anonymous:");
    use.share += bytes("Pss_Anon:");
  }
  return use;
}

} // namespace

session::history session::measure_history() const {
  history h{.checkpoints = checkpoints_.size(),
            .journal_bytes = journal_bytes_,
            .writers_bytes = writers_bytes_};
  // All pages that any of them has, but for those that the program has anyway.
  std::size_t shares = 0;
  for (const auto& [position, c] : checkpoints_) {
    shares += memory_of(c.pid).share;
  }
  const memory_use program = live_.socket >= 0 ? memory_of(live_.pid) : memory_use{};
  shares += program.share;
  h.checkpoint_bytes = shares > program.pages ? shares - program.pages : 0;
  return h;
}

void session::drop(const std::vector<connection>& dropped) {
  for (const connection& c : dropped) {
    shutdown(c.socket, SHUT_WR);
  }
  for (const connection& c : dropped) {
    // It has ended when it closes its end: what is measured next is without it.
    pollfd ending{c.socket, POLLIN, 0};
    poll(&ending, 1, drop_tick_ms);
    close(c.socket);
  }
}

void session::thin_out() {
  const auto begun = std::chrono::steady_clock::now();
  // Every second one of the older half goes; the first stays, everything can begin again there.
  while (checkpoints_.size() > 1 && (checkpoints_.size() > most_checkpoints ||
                                     measure_history().bytes() > options_.history_bytes)) {
    const std::size_t half = std::max<std::size_t>(checkpoints_.size() / 2, 2);
    std::vector<connection> dropped;
    std::size_t index = 0;
    for (auto it = checkpoints_.begin(); it != checkpoints_.end() && index < half; ++index) {
      if (index % 2 == 1) {
        dropped.push_back(std::move(it->second));
        it = checkpoints_.erase(it);
      } else {
        ++it;
      }
    }
    drop(dropped);
  }
  // While the program runs: a tenth of the time at most.
  const auto now = std::chrono::steady_clock::now();
  measure_again_ = now + 9 * (now - begun);
}

void session::set_history_bytes(std::size_t bytes) {
  options_.history_bytes = bytes;
  if (alive()) {
    tell_stops(position());
  }
  thin_out();
}

} // namespace tilesim::tools::step
