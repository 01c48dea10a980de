// Allocations under the names of the variables that hold them.
//
// A name is given where it is certain: the variable holds the allocation's address now, where the
// host waits in a call of the runtime or makes an access of its own; or it was filled by the
// allocating call, and no later allocation has gone there. Who has no such name is told by the
// kernel's parameter, or by type and place alone.
//
// Of several variables that hold the address, the one that the allocating call filled names it;
// else the first that is no parameter: those of functions before those outside of functions,
// outermost function first, inner scopes first, in the order of their declarations. So the name
// depends on where the host stands and on nothing else: not on what was asked for before.
//
// Work that is done later than it was called for (a launch behind one that waits, or all that
// `explore` explores where the host waits) has the names of its call: variables may have been
// swapped since. Where calls under way do not agree in a name there is none.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/pointer_holders.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tilesim::sim {

class context;
struct allocation;
struct sim_thread;

struct buffer_name {
  std::string
      text; ///< "bins", "parts[3]", "bins#2" where two have one name; empty: none is certain
  step::pointed_element element; ///< as the variable's type has it
};

class buffer_names {
public:
  explicit buffer_names(context& c)
      : context_(c) {}

  /// The allocation's name as the host's variables stand.
  [[nodiscard]] const buffer_name& of(const allocation& a);

  /// An allocation has been made by a call of the program's.
  void allocated(const allocation& a, const allocating_call* by);

  /// The host program has lent memory under a name, until it is forgotten.
  void lent(const allocation& a, buffer_name name);

  /// Memory of the program's own is no allocation any more: its record goes.
  void forget(const allocation& a);

  /// A call of the program's has left work behind that is not done: its names are those of now,
  /// until no work is left.
  void work_waits();
  void work_is_done();

  /// All that have been told, dead ones too, in their order.
  [[nodiscard]] const std::map<unsigned, const allocation*>& all() const noexcept { return all_; }

  /// Counts up when names may have changed.
  [[nodiscard]] std::uint64_t version();

private:
  void refresh();
  void name_all(const std::vector<step::holder>& holders);
  void name_as_called();
  void number_names();

  context& context_;
  std::map<unsigned, const allocation*> all_; ///< by number
  std::map<unsigned, const allocating_call*> by_;
  std::map<unsigned, buffer_name> lent_;
  std::uint64_t seen_call_ = 0;
  std::uint64_t changes_ = 0; ///< of all_
  std::uint64_t seen_changes_ = 0;
  std::uint64_t version_ = 0;
  std::map<unsigned, buffer_name> by_id_;
  using texts = std::map<unsigned, std::string>;
  texts now_;               ///< as the host's variables stand,
  std::vector<texts> then_; ///< and as they stood in calls whose work is not done
  std::map<unsigned, std::optional<step::owner>> owners_; ///< by the allocation's number
};

/// Those of a context.
[[nodiscard]] buffer_names& names_of(context& c);
void forget_names(context& c);

/// The name that a report gives now, in a call of the runtime's, a kernel, or host code.
[[nodiscard]] buffer_name name_now(context& c, const allocation& a);

/// The parameter of the kernel that the running thread executes which points to the allocation: its
/// name, and what it points to. Nothing where none or several do.
[[nodiscard]] std::optional<buffer_name> parameter_for(const sim_thread& t, const allocation& a);

/// "ready[3] of int[64]", "ready[3] of int[64] in workers" by a kernel's parameter, "element 3 of
/// int[64]"; empty if neither name nor type is known. `t`: the thread that runs, or nullptr. The
/// address may lie outside.
[[nodiscard]] std::string
element_text(context& c, const sim_thread* t, const allocation& a, std::uintptr_t address);

/// What the allocation holds, by the same; of 0 bytes: nobody knows.
[[nodiscard]] step::pointed_element
element_of(context& c, const sim_thread* t, const allocation& a);

/// "ready (int[64])", "int[64] ready of workers", "int[64]"; empty likewise.
[[nodiscard]] std::string buffer_text(context& c, const sim_thread* t, const allocation& a);

} // namespace tilesim::sim
