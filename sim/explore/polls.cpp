// Polls of places that a thread shares with nobody, as far as is known.
//
// A thread that runs alone writes to an object, and waits for others to change it, before any of
// them has been seen there: what it reads is its own writing, and no change of memory ends its
// wait. What is read again and again with nothing written in between is taken for shared. An update
// that changes nothing is such a read.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/explore/kernel_threads.hpp"

#include <fmt/format.h>

namespace tilesim::sim::exploring {

namespace {

constexpr unsigned reads_of_a_poll = 32;
constexpr std::size_t word_bytes = 4;

} // namespace

void kernel_threads::read_alone(const sim_thread& t, std::uintptr_t address, std::size_t bytes) {
  if (polls(live_[t.number], address)) {
    for (std::size_t at = 0; at < bytes; at += word_bytes) {
      shared_.share(address + at);
    }
  }
}

bool kernel_threads::polls(live_run& l, std::uintptr_t address) {
  if (l.written_then != l.private_writes) {
    l.written_then = l.private_writes;
    l.read_alone.clear();
  }
  return ++l.read_alone[address] >= reads_of_a_poll;
}

std::string kernel_threads::longest_run() {
  const auto [thread, last] = longest_;
  return last == nullptr || last->number < 2
             ? std::string()
             : fmt::format("no execution has come to its end: {} has made {} accesses of shared "
                           "memory, the last at {}",
                           runs_.thread(thread).name(),
                           last->number,
                           place(last->site));
}

/// What threads exchange, and where they meet, is no access of memory.
std::size_t kernel_threads::round_of(const live_run& l, const step& s) {
  if (s.what->elements.empty() || is_exchange(s.what->elements.front().bytes.address)) {
    return 0;
  }
  for (const step* a = l.at; a != nullptr; a = a->before) {
    if (a->site == s.site && a->what->kind == s.what->kind) {
      return a->round + 1;
    }
  }
  return 0;
}

/// The step from which on the thread has changed nothing, and at which it stood exactly as it
/// stands before `s`: it goes round, and waits for another value.
const step* kernel_threads::begin_of_round(const live_run& l, const step& s) {
  if (!s.state) {
    return nullptr;
  }
  const std::vector<std::uint64_t>* given = &s.given;
  for (const step* a = l.at; a != nullptr; given = &a->given, a = a->before) {
    if (a->private_writes != s.private_writes || a->what->kind == step_kind::store ||
        a->what->kind == step_kind::barrier) {
      return nullptr;
    }
    for (std::size_t e = 0; a->what->kind == step_kind::update && e < given->size(); ++e) {
      const auto wrote = known_write(*a, e, (*given)[e]);
      if (wrote && *wrote != (*given)[e]) {
        return nullptr;
      }
    }
    if (a->state == s.state && a->reads() && same_operation(*a, s)) {
      return a;
    }
  }
  return nullptr;
}

} // namespace tilesim::sim::exploring
