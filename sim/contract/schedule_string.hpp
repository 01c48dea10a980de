// Schedules as data and as text: what decides a run besides the program and its input.
//
// A schedule is a strategy with its seeds, or a list of turns. A replay string is a schedule with a
// hash of the program that it belongs to. Commands, reports and the simulator share this file; it
// knows nothing of them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// A place in a thread's run: before its memory operation number `operations` on the machine, or,
/// with `raw`, before the raw access (`p[i]`) of that number since the last such operation, or,
/// with `any`, before its operation of that number, whether it accesses memory or not. All count
/// from 0. How many raw accesses there are depends on the host compiler.
struct turn_point {
  std::uint64_t operations = 0;
  std::optional<std::uint64_t> raw = {};
  bool any = false; ///< then there is no `raw`

  friend bool operator==(const turn_point&, const turn_point&) = default;
};

/// A thread of a launch goes on alone: until it stands at a point, or waits, or ends.
struct turn {
  std::uint64_t launch = 1;        ///< the program's launches count from 1
  std::uint64_t thread = 0;        ///< the block, linear; block * threads per block + thread
  std::optional<turn_point> until; ///< nothing: until it waits or ends

  friend bool operator==(const turn&, const turn&) = default;
};

/// "3@5,977,3": block 3 up to its operation 5, block 977, block 3. Another launch than the one
/// before (1 at first) is named in front: "2.3@5". "@5+1" is a point between raw accesses, ":17"
/// one before an operation of any kind.
[[nodiscard]] std::string to_string(const std::vector<turn>& turns);

/// Nothing if the text is no list of turns.
[[nodiscard]] std::optional<std::vector<turn>> parse_turns(std::string_view text);

/// A strong read that takes another write than the newest: the one so many writes before.
struct stale_choice {
  std::uint64_t launch = 1;
  std::uint64_t thread = 0; ///< as of a turn
  std::uint64_t read = 0;   ///< of the thread's strong reads, elements one by one, from 0
  std::uint64_t back = 1;   ///< writes that it passes over: 1 at least

  friend bool operator==(const stale_choice&, const stale_choice&) = default;
};

/// "3@5:1,0@2:2": of block 3 read number 5 passes over one write. A launch as in turns: "2.3@5:1".
[[nodiscard]] std::string to_string(const std::vector<stale_choice>& reads);

/// Nothing if the text is no list of them.
[[nodiscard]] std::optional<std::vector<stale_choice>> parse_stale_choices(std::string_view text);

enum class strategy : unsigned char { round_robin, random, pct, turns, bursts };

/// As `--schedule` has it; turns are "turns".
[[nodiscard]] const char* name_of(strategy how) noexcept;

/// All that decides a run besides the program and its input.
struct schedule {
  strategy how = strategy::round_robin;
  std::uint64_t seed = 0;       ///< of the order of blocks, and of random orders of combining
  std::uint64_t fill = 0;       ///< of unspecified values
  unsigned depth = 0;           ///< of pct
  unsigned log_steps = 0;       ///< of pct: 2 to this power memory operations are expected
  std::vector<turn> turns = {}; ///< of turns; behind the last one, round robin
  bool at_once = false;         ///< of pct: who waited may go on in the turn behind its cause
  /// Strong reads may take older writes than the newest, as the memory model allows: drawn from the
  /// seed,
  bool weak = false;
  std::vector<stale_choice> stale = {}; ///< or these do, and no others
  /// Launches begin where the host waits for any, so that those of several streams overlap; else
  /// where they are launched, and go on until they end or wait.
  bool launches_wait = false;

  /// The same where every read takes the newest write.
  [[nodiscard]] schedule sequential() const;
  [[nodiscard]] bool is_weak() const noexcept { return weak || !stale.empty(); }

  friend bool operator==(const schedule&, const schedule&) = default;
};

/// The most steps that a schedule's log_steps may say.
constexpr unsigned most_log_steps = 40;

/// "rr", "random_e220a838", "bursts_e220a838", "pct3x12w_e220a838" (without the w
/// unless `at_once`), "3@5,977": the seed in hexadecimal unless 0, and
/// behind it the fill ("rr_0_1f") unless that is the seed; then "_w" if it is weak, or the reads
/// that take older writes ("3@5,977_r977@0:1"), and "_l" if launches wait for the host
/// ("0@1,2.0,1.0_l").
[[nodiscard]] std::string to_string(const schedule& s);

/// Nothing if the text is no schedule.
[[nodiscard]] std::optional<schedule> parse_schedule(std::string_view text);

/// "round-robin", "random, seed 7", "pct of depth 3, seed 7", "turns 3@5,977"; with the fill unless
/// that is the seed: "round-robin, fill 7"; "weak random, seed 7"; "turns 0,1, stale reads 1@0:1";
/// "turns 0@1,2.0,1.0, launches wait for the host".
[[nodiscard]] std::string describe(const schedule& s);

struct replay {
  schedule which;
  std::string program; ///< 16 hexadecimal digits: the hash of the program that it belongs to
  /// Of a schedule that was saved in the stepper: how many operations had begun there. It was taken
  /// from the program as the stepper compiles it.
  std::optional<std::uint64_t> position = {};
};

/// Of [0-9a-z-@+:,._]: "2-pct3x12_8e3f21aa-0f1e2d3c4b5a6978", with a position behind it if there is
/// one. At most 64 characters unless it has turns or stale reads.
[[nodiscard]] std::string to_string(const replay& r);

/// Nothing if the text is no replay string of this version.
[[nodiscard]] std::optional<replay> parse_replay(std::string_view text);

} // namespace tilesim::sim
