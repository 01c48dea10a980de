// The end that somebody knows, looked for.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/reached_end.hpp"

#include "memmodel/explore/interleaving.hpp"
#include "memmodel/explore/reach.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/overlaps.hpp"
#include "sim/explore/sharing.hpp"

#include <chrono>
#include <ctime>
#include <map>

namespace tilesim::sim::exploring {

namespace {

using memmodel::explore::interleaving;

/// So often may places turn out to be written that somebody has read before.
constexpr std::size_t most_beginnings = 64;

// Of the time: what each thread may do is found out meanwhile, as long as it computes for, and on a
// machine that others use, too.
constexpr double part_to_gather = 0.5;
constexpr double part_to_gather_at_most = 0.8;

class sought_memory final : public memmodel::explore::wanted_memory {
public:
  sought_memory(context& c, kernel_threads& threads, const wanted_end& wanted)
      : context_(c)
      , threads_(threads)
      , wanted_(wanted) {}

  [[nodiscard]] std::optional<std::uint64_t> at(const memmodel::byte_range& bytes) const override {
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < bytes.size; ++i) {
      const auto byte = wanted_.at(bytes.address + i);
      if (!byte) {
        return {};
      }
      value |= std::uint64_t{*byte} << (8 * i);
    }
    return value;
  }

  [[nodiscard]] bool all_changes(const std::function<bool(std::uint64_t)>& is_so) const override {
    return wanted_.all_changes(is_so);
  }

  // What threads share, and what each has written alone; shared memory is over with its block, and
  // what threads tell each other is no memory. An execution that comes upon something is none that
  // is looked for.
  [[nodiscard]] bool is_reached(const interleaving& by) override {
    std::map<std::uintptr_t, std::uint8_t> made;
    const auto add = [&](std::uintptr_t at, std::uint8_t byte) {
      if (!is_exchange(at) && !context_.shared.holds(at)) {
        made[at] = byte;
      }
    };
    for (memmodel::thread_id t = 0; t < by.count(); ++t) {
      const step& end = threads_.at(t, by.at(t).values, by.at(t).performed);
      if (end.some_found || end.stopped) {
        return false;
      }
      for (const auto& [at, byte] : end.left) {
        add(at, byte);
      }
    }
    by.for_each_written(add);
    memory_.assign(made.begin(), made.end());
    return wanted_.is_it(memory_);
  }

  [[nodiscard]] const found_ends::memory& memory() const noexcept { return memory_; }

private:
  context& context_;
  kernel_threads& threads_;
  const wanted_end& wanted_;
  found_ends::memory memory_;
};

} // namespace

// What is written anywhere may tell who comes when.
std::optional<found_ends> reach_end(context& c,
                                    lone_runs& runs,
                                    const std::function<void(kernel_threads*)>& serve,
                                    const std::function<bool()>& expired,
                                    double seconds) {
  end_judge* const judge = c.exec->desk().judge;
  const wanted_end* const wanted = judge == nullptr ? nullptr : judge->wanted();
  if (wanted == nullptr) {
    return {};
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto until = begun + std::chrono::duration<double>(seconds);
  const auto gathers_until =
      begun + std::chrono::duration<double>(seconds * part_to_gather_at_most);
  const std::clock_t computed = std::clock();
  const auto stops = [&] { return expired() || std::chrono::steady_clock::now() > until; };
  sharing shared(false, false, launch_numbers(runs));
  shared.share_written();
  const auto stops_gathering = [&] {
    const auto computing = static_cast<double>(std::clock() - computed) / CLOCKS_PER_SEC;
    return computing > seconds * part_to_gather || std::chrono::steady_clock::now() > gathers_until;
  };
  memmodel::explore::reach_counts counts;
  for (std::size_t n = 0; n < most_beginnings; ++n) {
    try {
      kernel_threads all(c, runs, shared, stops);
      serve(&all);
      all.scout();
      sought_memory sought(c, all, *wanted);
      using memmodel::explore::reached;
      const reached what = memmodel::explore::reach(all, sought, counts, stops_gathering);
      if (what == reached::one_is) {
        return found_ends{.ends = {sought.memory()}, .executions = counts.executions};
      }
      if (what == reached::none_is && !all.some_copies() && !all.some_beside_steps()) {
        return found_ends{.excluded = true};
      }
      return {};
    } catch (const begin_anew&) { // so it does
    } catch (const memmodel::explore::not_explored&) {
      return {};
    } catch (const over&) {
      return {};
    }
  }
  return {};
}

} // namespace tilesim::sim::exploring
