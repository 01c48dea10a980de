// Which of the writes that it may be given a strong read takes.
//
// Drawn from a seed, as a list says, or as a person does. What the model allows is not their
// business: they are offered that (sim/detect/write_history.hpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "sim/detect/write_history.hpp"
#include "sim/memory/read_offers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilesim::sim {

struct options;

/// A strong read of one element, about to be made.
struct read_about_to_be {
  std::uint64_t launch = 0;
  std::uint64_t thread = 0; ///< linear
  std::uint64_t number = 0; ///< of the thread's strong reads
  std::uintptr_t address = 0;
};

class read_choices {
public:
  virtual ~read_choices() = default;
  read_choices& operator=(const read_choices&) = delete;
  /// One that would go on as this one does: to be asked what would be chosen.
  [[nodiscard]] virtual std::unique_ptr<read_choices> copy() const = 0;

  /// Whether a read may take an older write at all: asked before it is looked for which there are.
  [[nodiscard]] virtual bool considers(const read_about_to_be& r) = 0;
  /// How many writes it passes over: 0 takes the newest, n `older[n - 1]`. Asked for those that it
  /// considers; `older` may be empty.
  [[nodiscard]] virtual std::size_t choose(const read_about_to_be& r,
                                           std::span<const detect::older_value> older) = 0;
  /// No read takes an older write from now on.
  [[nodiscard]] virtual bool over() const = 0;
  /// As memory_engine::unfollowed().
  [[nodiscard]] virtual std::optional<std::string> unfollowed(bool /*over*/) const { return {}; }

  /// Whether a person can choose as well.
  [[nodiscard]] virtual bool by_hand() const noexcept { return false; }
  /// As memory_engine::choose().
  virtual void choose_by_hand(const std::vector<chosen_read>& /*all*/) {}

protected:
  read_choices() = default;
  read_choices(const read_choices&) = default;
};

/// Drawn from a seed: how often, how old, and how often a thread may be given the same old write
/// again, which ends every wait for a newer one. Few reads of a run, or many; never without end.
[[nodiscard]] std::unique_ptr<read_choices> make_drawn_choices(std::uint64_t seed);

/// As a list says; all other reads take the newest write.
[[nodiscard]] std::unique_ptr<read_choices> make_listed_choices(std::vector<stale_choice> reads);

/// As a person says; else as `others` do, or, where that is nullptr, the newest write. `others` are
/// asked as if nobody had chosen, so that what they draw stays the same.
[[nodiscard]] std::unique_ptr<read_choices>
make_choices_by_hand(std::unique_ptr<read_choices> others);

/// What the options say; nullptr: every read takes the newest write.
[[nodiscard]] std::unique_ptr<read_choices> make_read_choices(const options& o);

} // namespace tilesim::sim
