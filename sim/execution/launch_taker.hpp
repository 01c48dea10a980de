// Whoever runs launches in another way than once, in the loop's place.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim {

class context;
class lone_runs;
struct sim_thread;
struct work_order;

/// What one of several threads brings along.
struct exchanged {
  std::uint32_t lane = 0;
  std::uint64_t value = 0;
};

/// Where threads meet.
struct gathering {
  std::uint64_t point = 0;    ///< those that name it meet one another,
  std::uint32_t expected = 0; ///< of which as many are waited for
  bool waits = true;          ///< else the thread goes on at once
};

/// In the number of a point at which threads of all blocks meet.
inline constexpr std::uint64_t points_of_grids = std::uint64_t{1} << 63U;

class launch_taker {
public:
  launch_taker() = default;
  virtual ~launch_taker() = default;
  launch_taker(const launch_taker&) = delete;
  launch_taker& operator=(const launch_taker&) = delete;

  /// Whatever is to be done with the launches that are submitted, while kernels run: the host waits
  /// for them.
  virtual void take(lone_runs& threads) = 0;
  /// A thread that runs alone comes to where it meets others.
  virtual void meets(sim_thread& t, const void* site, const gathering& where) = 0;
  /// It comes to where threads tell each other a value: `own` is its number among `with`, whose
  /// other values are given. Of memory that orders nothing.
  virtual void exchanges(sim_thread& t,
                         const void* site,
                         std::uint64_t point,
                         std::uint32_t own,
                         std::span<exchanged> with) = 0;
  /// It does what takes more than to run alone; does not return.
  virtual void refuses(sim_thread& t, const std::string& what) = 0;
  /// Kernels run no more; when it returns the host goes on, and the launches are over. It may
  /// return in processes that it makes, too.
  virtual void go_on() = 0;
};

/// How launches may end.
struct found_ends {
  /// What bytes hold that may hold something else than before.
  using memory = std::vector<std::pair<std::uintptr_t, std::uint8_t>>;
  std::vector<memory> ends;
  std::uint64_t executions = 0;
  bool whole = false;    ///< there are no others
  bool excluded = false; ///< whoever wants an end: none is that, whichever there are
};

/// How launches are to end.
class wanted_end {
public:
  wanted_end() = default;
  virtual ~wanted_end() = default;
  wanted_end(const wanted_end&) = delete;
  wanted_end& operator=(const wanted_end&) = delete;

  /// What a byte is to hold; nothing: it is none of those that are looked at.
  [[nodiscard]] virtual std::optional<std::uint8_t> at(std::uintptr_t address) const = 0;
  /// Whether is_so(address) of each byte that is to be another than before.
  [[nodiscard]] virtual bool
  all_changes(const std::function<bool(std::uintptr_t)>& is_so) const = 0;
  /// Memory holds that, and else what it held before: it is as it is to be.
  [[nodiscard]] virtual bool is_it(const found_ends::memory& end) const = 0;
};

/// Whoever knows how launches are to end, and wants to know of some how they may.
class end_judge {
public:
  end_judge() = default;
  virtual ~end_judge() = default;
  end_judge(const end_judge&) = delete;
  end_judge& operator=(const end_judge&) = delete;

  /// The end of the launches that are submitted is known: no other one has to come before it.
  [[nodiscard]] virtual bool is_known() const = 0;
  /// It is to be judged. Else they need not run.
  [[nodiscard]] virtual bool is_wanted() const = 0;
  /// How the launches that are submitted are to end, as long as this lives; nullptr: all of it is
  /// not known. Memory is as it was before them.
  [[nodiscard]] virtual const wanted_end* wanted() = 0;
  /// Memory is as it was before them. The process ends here.
  [[noreturn]] virtual void judge(const found_ends& all) = 0;
};

/// From now on launches are not run when they are submitted; where the host waits for one, all that
/// are submitted go to the taker, who outlives the run.
void take_launches(context& c, launch_taker& taker);

/// Where work stands that the host has asked for and that has not begun, or also what is not over:
/// whoever knows says so.
using work_to_come = std::function<std::vector<work_order>(bool begun_too)>;
void tell_work_to_come(context& c, work_to_come all);
/// Whether some of that may run at the same time as a launch that stands there.
[[nodiscard]] bool comes_beside(const context& c, const work_order& launch);
/// Whether work that stands there comes before all that is not over, and all that the host will ask
/// for.
[[nodiscard]] bool precedes_all_to_come(const context& c, const work_order& work);

} // namespace tilesim::sim
