// What strong reads may take, as text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/render.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools::step {

std::string render_write(const protocol::offered_write& w) {
  if (w.by.empty()) {
    return w.value + ", there before any strong write";
  }
  return fmt::format("{}, {}{} ({})",
                     w.value,
                     w.operation != 0 ? fmt::format("#{} ", w.operation) : "",
                     w.by,
                     render_place(w.frames));
}

std::string render_passed(const protocol::offered_read& r, std::size_t back) {
  if (back == 0) {
    return "the newest";
  }
  return fmt::format("stale: passes over {}{}",
                     r.writes.front().value,
                     back == 1   ? ""
                     : back == 2 ? fmt::format(" and {}", r.writes[1].value)
                                 : fmt::format(" and {} more", back - 1));
}

std::string render_reads(const std::vector<protocol::offered_read>& reads, const reads_style& how) {
  constexpr std::size_t most_elements = 16;
  std::string text;
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const protocol::offered_read& r : reads) {
    const bool has_choice = r.writes.size() > 1;
    if (!has_choice && !how.bounds) {
      continue;
    }
    if (++shown > most_elements) {
      ++left_out;
      continue;
    }
    text += fmt::format(
        "  {}{} {}\n",
        reads.size() > 1 ? fmt::format("element {}, ", r.element) : "",
        r.place,
        !has_choice ? fmt::format("{} take one write only:", how.made ? "could" : "can")
        : how.made  ? fmt::format("could take one of {} writes:", r.writes.size())
                    : fmt::format("may take one of {} writes (choose N):", r.writes.size()));
    for (std::size_t i = 0; i < r.writes.size(); ++i) {
      text += fmt::format("  {} {}: {}; {}\n",
                          i == r.takes ? '*' : ' ',
                          i,
                          render_write(r.writes[i]),
                          render_passed(r, i));
    }
    if (how.bounds && !r.bound.empty()) {
      text += fmt::format("       nothing older: {}\n", r.bound);
    }
  }
  if (left_out != 0) {
    text += fmt::format("  and {} more elements\n", left_out);
  }
  return text;
}

} // namespace tilesim::tools::step
