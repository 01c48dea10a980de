// Telling who stands where: blocks and threads by kernel and line, and what they wait for.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/standings.hpp"

#include "sim/contract/counted.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/phased_meeting.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

bool is_one_of_several(const counted_thread& t) {
  return t.launch->threads_per_block > 1;
}

std::vector<counted_thread> counted_threads(const std::vector<const worker*>& all) {
  std::vector<counted_thread> out;
  out.reserve(all.size());
  for (const worker* w : all) {
    out.push_back({w->thread.launch, w->thread.linear_thread()});
  }
  return out;
}

constexpr std::size_t most_named = 4;
constexpr std::size_t most_cells = 4;
constexpr std::size_t most_places = 16;

/// Blocks or threads of one kernel that stand at one place.
struct group {
  std::string what; ///< "wait"
  std::string kernel;
  std::string at;
  std::vector<const worker*> members = {};
};

/// What a sleeping one waits for, a line each.
std::vector<std::string> awaited(context& c, const worker& w) {
  std::set<std::tuple<std::uintptr_t, std::uint64_t>> cells;
  for (const watched_cell& cell : w.thread.spin.watched()) {
    cells.emplace(cell.address, cell.value);
  }
  std::vector<std::string> lines;
  for (const auto& [address, value] : cells) {
    if (lines.size() == most_cells) {
      lines.push_back(
          fmt::format("or for one of {} places more to change", cells.size() - most_cells));
      break;
    }
    lines.push_back(fmt::format(
        "{}for {}",
        lines.empty() ? "" : "or ",
        awaited_text(c, w.thread.launch->id, address, value, describe_address(c, address))));
  }
  if (lines.empty()) {
    lines.emplace_back("for something in the memory that it reads there to change");
  }
  return lines;
}

/// "tile block (0,0,0) to tile block (5,0,0), tile block (7,0,0) and 3 more".
std::string names_of_blocks(const std::vector<const worker*>& members) {
  std::string text;
  std::size_t named = 0;
  for (std::size_t i = 0; i < members.size();) {
    std::size_t last = i;
    while (last + 1 < members.size() &&
           members[last + 1]->thread.launch == members[i]->thread.launch &&
           members[last + 1]->thread.linear_thread() == members[last]->thread.linear_thread() + 1) {
      ++last;
    }
    if (named++ == most_named) {
      return text + fmt::format(" and {} more", members.size() - i);
    }
    text += (text.empty() ? "" : ", ") + members[i]->thread.name();
    if (last != i) {
      text += (last == i + 1 ? ", " : " to ") + members[last]->thread.name();
    }
    i = last + 1;
  }
  return text;
}

/// "waits in __syncthreads".
std::string singular(std::string what) {
  return what.insert(std::min(what.find(' '), what.size()), "s");
}

/// "threads 32..63 of block (3,0,0)", by block.
std::string names_by_block(const std::vector<const worker*>& members) {
  std::string text;
  std::size_t named = 0;
  for (std::size_t i = 0; i < members.size();) {
    const sim_thread& first = members[i]->thread;
    if (named++ == most_named) {
      return text + fmt::format(" and {} more", members.size() - i);
    }
    std::vector<std::uint32_t> numbers;
    for (; i < members.size() && members[i]->thread.team == first.team; ++i) {
      numbers.push_back(members[i]->thread.rank);
    }
    text += fmt::format("{}{} of block ({},{},{})",
                        text.empty() ? "" : ", ",
                        ranges_text(numbers),
                        first.block.x,
                        first.block.y,
                        first.block.z);
  }
  return text;
}

/// Of either.
std::string names_of(const std::vector<const worker*>& members) {
  return members.front()->thread.launch->threads_per_block > 1 ? names_by_block(members)
                                                               : names_of_blocks(members);
}

std::string operations_of(const std::vector<const worker*>& members) {
  const auto [least, most] =
      std::ranges::minmax(members, {}, [](const worker* w) { return w->thread.operations; });
  const std::uint64_t from = least->thread.operations;
  const std::uint64_t to = most->thread.operations;
  return from == to ? fmt::format("after {}{}",
                                  counted(from, "operation"),
                                  members.size() > 1 ? " each" : "")
                    : fmt::format("after {} to {} operations", from, to);
}

void tell(context& c, group& g, std::vector<std::string>& lines) {
  std::ranges::sort(g.members, {}, &in_order_of_launch);
  const bool simt = g.members.front()->thread.launch->kind == kernel_kind::simt;
  const std::size_t count = g.members.size();
  if (count == 1) {
    lines.push_back(fmt::format("{} of {} {} at {} ({})",
                                g.members.front()->thread.name(),
                                g.kernel,
                                g.what == "may go on" ? g.what : singular(g.what),
                                g.at,
                                operations_of(g.members)));
  } else {
    lines.push_back(fmt::format("{} {} of {} {} at {} ({}): {}",
                                count,
                                simt ? "threads" : "blocks",
                                g.kernel,
                                g.what,
                                g.at,
                                operations_of(g.members),
                                names_of(g.members)));
  }
  if (g.what != "wait") {
    return;
  }
  // One paragraph for those who wait for the same.
  std::vector<std::pair<std::vector<std::string>, std::vector<const worker*>>> reasons;
  std::map<std::vector<std::string>, std::size_t> known;
  for (const worker* w : g.members) {
    std::vector<std::string> why = awaited(c, *w);
    const auto [it, is_new] = known.try_emplace(why, reasons.size());
    if (is_new) {
      reasons.emplace_back(std::move(why), std::vector<const worker*>{});
    }
    reasons[it->second].second.push_back(w);
  }
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const auto& [why, who] = reasons[i];
    if (i == most_named) {
      lines.push_back(
          fmt::format("    and others for {} places more, likewise", reasons.size() - most_named));
      break;
    }
    for (const std::string& line : why) {
      lines.push_back(reasons.size() == 1 ? "    " + line
                                          : fmt::format("    {} {}", names_of(who), line));
    }
  }
}

} // namespace

std::tuple<std::uint64_t, std::uint64_t> in_order_of_launch(const worker* w) {
  return {w->thread.launch->id, w->thread.linear_thread()};
}

std::string block_text_of(const counted_thread& t) {
  const auto block = unravel(t.linear / t.launch->threads_per_block, t.launch->config.grid);
  return fmt::format("block ({},{},{})", block.x, block.y, block.z);
}

std::string count_text(const std::vector<counted_thread>& all) {
  std::size_t blocks = 0;
  std::size_t threads = 0;
  std::set<std::pair<std::uint64_t, std::uint64_t>> of;
  const counted_thread* one = nullptr;
  for (const counted_thread& t : all) {
    if (is_one_of_several(t)) {
      ++threads;
      one = &t;
      of.emplace(t.launch->id, t.linear / t.launch->threads_per_block);
    } else {
      ++blocks;
    }
  }
  std::string text = threads != 0 && blocks == 0 ? "" : counted(blocks, "block");
  if (threads != 0) {
    text += fmt::format("{}{} of {}",
                        text.empty() ? "" : " and ",
                        counted(threads, "thread"),
                        of.size() == 1 ? block_text_of(*one) : fmt::format("{} blocks", of.size()));
  }
  return text;
}

std::string count_text(const std::vector<const worker*>& all) {
  return count_text(counted_threads(all));
}

const char* noun_of(const std::vector<counted_thread>& all) {
  return !all.empty() && std::ranges::all_of(all, &is_one_of_several) ? "thread" : "block";
}

const char* noun_of(const std::vector<const worker*>& all) {
  return noun_of(counted_threads(all));
}

std::vector<const worker*> execution::impl::those_that_meet() const {
  std::vector<const worker*> all;
  for (const auto& w : workers) {
    if (w->state == worker::status::meets) {
      all.push_back(w.get());
    }
  }
  return all;
}

const char* see_all_accesses(const void* site) {
  return registered_resolver(site) != nullptr
             ? "tilesim check and tilesim step see every access"
             : "tilesim run --hooks, tilesim check and tilesim step see every access";
}

const char* execution::impl::noun_of_alive() const {
  std::vector<const worker*> all;
  for (const auto& w : workers) {
    if (w->state != worker::status::finished && w->thread.launch != nullptr) {
      all.push_back(w.get());
    }
  }
  return noun_of(all);
}

std::vector<std::string> execution::impl::standings() const {
  std::vector<group> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known;
  const auto add = [&](const worker& w, std::string_view what) {
    const std::string& kernel = w.thread.launch->kernel.name;
    const std::string at = place(w.thread.site);
    const auto [it, is_new] = known.try_emplace({std::string(what), kernel, at}, groups.size());
    if (is_new) {
      groups.push_back({.what = std::string(what), .kernel = kernel, .at = at});
    }
    groups[it->second].members.push_back(&w);
  };
  for (const auto& w : workers) {
    if (&w->thread == running) {
      add(*w, "run");
    }
  }
  for (const worker* w : runnable) {
    add(*w, "may go on");
  }
  for (const worker* w : sleeping) {
    add(*w, "wait");
  }
  for (const worker* w : those_that_meet()) {
    const auto mask = mask_of_meeting(w->thread);
    const std::string arrivals = arrivals_at_meeting(w->thread);
    add(*w,
        fmt::format("wait in {}{}{}",
                    w->thread.meets_by,
                    mask ? fmt::format(" with the mask {:#010x}", *mask) : "",
                    arrivals.empty() ? "" : fmt::format(" ({})", arrivals)));
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(groups.size(), most_places); ++i) {
    tell(owner, groups[i], lines);
  }
  if (groups.size() > most_places) {
    std::vector<const worker*> all;
    for (const group& g : groups) {
      all.insert(all.end(), g.members.begin(), g.members.end());
    }
    lines.push_back(
        fmt::format("and more: {} in all, at {} places", count_text(all), groups.size()));
  }
  for (const auto& l : launches) {
    if (l->started < l->threads()) {
      const std::uint64_t missing = l->threads() - l->started;
      lines.push_back(
          fmt::format("{} of {}'s {} {} not started",
                      missing,
                      l->kernel.name,
                      counted(l->threads(), l->threads_per_block > 1 ? "thread" : "block"),
                      missing == 1 ? "has" : "have"));
    }
  }
  return lines;
}

} // namespace tilesim::sim
