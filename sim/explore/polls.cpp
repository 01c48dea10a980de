// Polls of places that a thread shares with nobody, as far as is known.
//
// A thread that runs alone writes to an object, and waits for others to change it, before any of
// them has been seen there: what it reads is its own writing, and no change of memory ends its
// wait. What is read again and again with nothing written in between is taken for shared. An update
// that changes nothing is such a read.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/thread.hpp"
#include "sim/explore/kernel_threads.hpp"

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
