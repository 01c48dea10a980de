// Additions that are no choice: numbers to which threads add, and nobody does anything with what an
// addition has found.
//
// Both is found out. What an update does is asked of it, for each value that it may find: it has to
// add the same to all. And a thread is run again for all that its additions may find together: it
// has to come to the same, each time. What they may find is what others may have added, in any
// order.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/explore/kernel_threads.hpp"

#include <algorithm>

namespace tilesim::sim::exploring {

namespace {

/// A thread whose additions may find more together is not run for all of it.
constexpr std::size_t most_runs_again = 1024;

} // namespace

bool kernel_threads::add(sim_thread& t,
                         std::uintptr_t address,
                         std::size_t bytes,
                         const std::function<bool(void*)>& f,
                         std::uint64_t& old) {
  live_run& l = live_[t.number];
  if (l.possible.size() >= most_steps) {
    refuse_endless(t, t.site, false);
    return true;
  }
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : ~std::uint32_t{0};
  std::uint64_t own = 0;
  l.own.read(address, &own, bytes);
  std::uint64_t next = own;
  const bool writes = f(&next);
  const std::uint64_t added = (next - own) & mask;
  std::vector<std::uint64_t> possible = shared_.possible(t.number, address, own);
  const bool is_addition = writes && std::ranges::all_of(possible, [&](std::uint64_t v) {
                             std::uint64_t sum = v;
                             return f(&sum) && (sum & mask) == ((v + added) & mask);
                           });
  // Who adds nothing again and again waits for what he finds.
  const bool waits = added == 0 && polls(l, address);
  if (possible.empty() || !is_addition || waits) {
    shared_.no_sum(address, bytes);
    return false;
  }
  shared_.added(
      t.number, address, (next - initial({address, static_cast<std::uint32_t>(bytes)})) & mask);
  l.own.write(address, &next, bytes);
  l.private_writes += added != 0 ? 1 : 0;
  l.sums[address] = static_cast<std::uint32_t>(bytes);
  old = l.possible.size() < l.found.size() ? l.found[l.possible.size()] : own;
  l.possible.push_back(std::move(possible));
  return true;
}

/// The thread has come to a step: it does so whatever its additions find, or its sums are none.
void kernel_threads::verify(std::size_t thread, const step& reached) {
  live_run& l = live_[thread];
  if (l.sums.empty()) {
    return;
  }
  const std::vector<std::vector<std::uint64_t>> possible = l.possible;
  const auto sums = l.sums;
  std::size_t runs = 1;
  for (const auto& values : possible) {
    runs = runs > most_runs_again ? runs : runs * values.size();
  }
  bool same = runs <= most_runs_again;
  const std::vector<std::uint64_t> values(l.values.begin(),
                                          l.values.begin() + static_cast<std::ptrdiff_t>(l.next));
  for (std::size_t n = 0; same && runs > 1 && n < runs; ++n) {
    runs_.begin(thread);
    l = {};
    l.begun = true;
    l.values = values;
    std::size_t rest = n;
    for (const auto& choice : possible) {
      l.found.push_back(choice[rest % choice.size()]);
      rest /= choice.size();
    }
    same = comes_to(thread, reached);
  }
  if (runs > 1) {
    l.begun = false;
  }
  for (const auto& [address, bytes] : sums) {
    if (!same) {
      shared_.no_sum(address, bytes);
    }
  }
}

/// Whether it comes there again.
bool kernel_threads::comes_to(std::size_t thread, const step& reached) {
  live_run& l = live_[thread];
  l.verifies = &reached;
  const lone_runs::stop how = resume(thread);
  const std::size_t found = context_.found.all().findings.size();
  const std::string printed = prints_.take();
  drop_told();
  if (l.differs) {
    return false;
  }
  if (l.waits) {
    return l.at == &reached;
  }
  const std::unique_ptr<step> s = end_of(thread, how);
  return s->before == reached.before && s->given == reached.given &&
         s->what->kind == reached.what->kind && s->stopped == reached.stopped &&
         s->left == reached.left && s->added == reached.added && found == reached.found.size() &&
         printed == reached.printed;
}

} // namespace tilesim::sim::exploring
