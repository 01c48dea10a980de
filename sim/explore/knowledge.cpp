// What processes that explore shares of one exploration come to know of its threads.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/knowledge.hpp"

#include "sim/contract/exploration_report.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/memory/allocations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

namespace tilesim::sim::exploring {

void kernel_threads::add_promises(std::size_t thread, news& to) const {
  for (const auto& [write, times] : promises_[thread].of_value) {
    const auto& [address, size, value] = write;
    to.promises.push_back({thread, {address, size, value, times}});
  }
  for (const auto& [place, times] : promises_[thread].of_any) {
    to.written.push_back({thread, {place.first, place.second, times}});
  }
}

kernel_threads::news kernel_threads::take_news() {
  news out{.shared = shared_.take_news(), .runs = {}, .promises = {}, .written = {}};
  for (const auto& [thread, last] : adopted_) {
    if (!last->next.empty()) {
      continue;
    }
    std::vector<const step*> way;
    for (const step* s = last; s != nullptr; s = s->before) {
      way.push_back(s);
    }
    std::vector<std::uint64_t> values;
    for (auto s = way.rbegin(); s != way.rend(); ++s) {
      values.insert(values.end(), (*s)->given.begin(), (*s)->given.end());
    }
    out.runs.emplace_back(thread, last->number, std::move(values));
  }
  adopted_.clear();
  for (std::size_t t = 0; t < promises_.size(); ++t) {
    add_promises(t, out);
  }
  return out;
}

bool kernel_threads::learn(const news& n) {
  shared_.learn(n.shared);
  if (shared_.changed()) {
    throw begin_anew{};
  }
  for (const auto& [thread, last, values] : n.runs) {
    run_again(thread, last, values);
  }
  bool some = false;
  for (const auto& [thread, write] : n.promises) {
    const auto& [address, size, value, times] = write;
    seen_writes one;
    one.of_value[{address, size, value}] = static_cast<std::uint32_t>(times);
    some = promises_[thread].add(one) || some;
  }
  for (const auto& [thread, write] : n.written) {
    const auto& [address, size, times] = write;
    seen_writes one;
    one.of_any[{address, size}] = static_cast<std::uint32_t>(times);
    some = promises_[thread].add(one) || some;
  }
  return some;
}

/// As the exploration has run it that came to this step, and no further. Where the thread goes
/// round here, and has not been seen to there, nobody asks how it goes on.
void kernel_threads::run_again(std::size_t thread,
                               std::size_t last,
                               std::span<const std::uint64_t> values) {
  std::size_t taken = 0;
  for (std::size_t n = 0; n <= last; ++n) {
    const step& s = find(thread, values.first(taken), n);
    if (s.what->kind == step_kind::stuck) {
      return;
    }
    if (n < last && values.size() - taken < s.values()) {
      throw memmodel::explore::not_explored{
          "what was told of blocks is not what they do: a time, a random number or an address "
          "decides what they do"};
    }
    for (std::size_t e = 0; n < last && s.what->kind == step_kind::update && e < s.values(); ++e) {
      static_cast<void>(modified(static_cast<memmodel::thread_id>(thread),
                                 values.first(taken),
                                 n,
                                 *s.what,
                                 e,
                                 values[taken + e]));
    }
    taken += n < last ? s.values() : 0;
  }
}

kernel_threads::news kernel_threads::all_known() const {
  news out{.shared = shared_.all_known(), .runs = {}, .promises = {}, .written = {}};
  for (std::size_t t = 0; t < first_.size(); ++t) {
    if (first_[t] != nullptr) {
      for_each_run(*first_[t], {}, [&](const step& last, const std::vector<std::uint64_t>& taken) {
        out.runs.emplace_back(t, last.number, taken);
      });
    }
    add_promises(t, out);
  }
  std::ranges::sort(out.runs);
  return out;
}

std::uint64_t kernel_threads::memory_mark() const {
  std::uint64_t h = 0;
  const auto mix = [&h](std::uint64_t value) {
    h = (h ^ value) * 0x9e37'79b9'7f4a'7c15U;
    h ^= h >> 32U;
  };
  for (std::size_t t = 0; t < runs_.count(); ++t) {
    mix(reinterpret_cast<std::uintptr_t>(runs_.launch(t).kernel.invoke));
  }
  for (const allocation* a : context_.mem.live()) {
    mix(a->begin);
    mix(a->size);
  }
  return h;
}

message to_message(const kernel_threads::news& n) {
  return {{in_knowledge::shared, n.shared},
          {in_knowledge::runs, n.runs},
          {in_knowledge::promises, n.promises},
          {in_knowledge::written, n.written}};
}

kernel_threads::news news_of(const message& j) {
  kernel_threads::news out;
  out.shared = j.at(in_knowledge::shared).get<std::vector<std::uint64_t>>();
  out.runs = j.at(in_knowledge::runs).get<decltype(out.runs)>();
  out.promises = j.at(in_knowledge::promises).get<decltype(out.promises)>();
  out.written = j.at(in_knowledge::written).get<decltype(out.written)>();
  return out;
}

std::optional<message> knowledge_of(const std::string& file) {
  if (file.empty()) {
    return {};
  }
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  message j = parse_json(text);
  if (!j.is_object()) {
    throw memmodel::explore::not_explored{
        fmt::format("{}: no knowledge of shards; 'tilesim merge --known' writes it", file)};
  }
  return j;
}

void learn_all(kernel_threads& threads, const message& known) {
  try {
    if (known.at(in_knowledge::memory).get<std::uint64_t>() != threads.memory_mark()) {
      throw memmodel::explore::not_explored{
          "the program's memory lies elsewhere than where other parts were explored: parts are "
          "explored by the same program on machines that are alike"};
    }
    for (const message& shared : known.at(in_knowledge::shared)) {
      static_cast<void>(threads.learn({shared.get<std::vector<std::uint64_t>>(), {}, {}, {}}));
    }
    kernel_threads::news rest;
    rest.runs = known.at(in_knowledge::runs).get<decltype(rest.runs)>();
    rest.promises = known.at(in_knowledge::promises).get<decltype(rest.promises)>();
    rest.written = known.at(in_knowledge::written).get<decltype(rest.written)>();
    static_cast<void>(threads.learn(rest));
  } catch (const message::exception& e) {
    throw memmodel::explore::not_explored{
        fmt::format("what shards are to know cannot be read: {}", e.what())};
  }
}

} // namespace tilesim::sim::exploring
