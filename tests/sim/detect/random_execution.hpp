// Random small programs as they were executed, and the memory model's events of such an execution:
// what the detector, and what reads may be given, are held against.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/execution.hpp"
#include "sim/detect/detector.hpp"
#include "sim/ops/rng.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tilesim::random_executions {

using memmodel::event_id;
using memmodel::memory_order;
using memmodel::scope;
using sim::access_kind;

inline constexpr std::uintptr_t base = 0x10000;
inline constexpr std::uint32_t region = 16; // bytes that programs fight over

struct element_access {
  std::uint32_t offset;
  bool active;
};

struct step {
  std::uint32_t agent;
  bool fence; ///< of `order` and `scope`, and nothing else
  access_kind kind;
  memory_order order;
  memmodel::scope scope;
  std::uint32_t bytes;
  std::vector<element_access> elements;
  /// A barrier of these agents, of one block, and nothing else; empty: none.
  std::vector<std::uint32_t> meet = {};
  sim::detect::meeting_of meeting{};
  /// Where tokens order its agent's steps: the earlier ones that it waits for. [Tile IR: waits-for]
  std::vector<std::size_t> after = {};
};

/// Agents 0..k-1 belong to tasks; task t is ordered before task u or not.
struct program {
  std::vector<std::uint32_t> task_of;       ///< by agent
  std::vector<sim::detect::task_kind> kind; ///< by task
  std::vector<std::uint32_t> threads;       ///< by task: agents of a block
  std::vector<std::vector<bool>> before;
  std::vector<step> steps; ///< in the order of the execution
  std::vector<bool> by_tokens =
      {}; ///< by agent: whether its order is that of tokens; none: nobody's

  [[nodiscard]] bool has_tokens(std::uint32_t agent) const {
    return agent < by_tokens.size() && by_tokens[agent];
  }
};

[[nodiscard]] std::string text(const program& p);

/// What programs are drawn from.
struct variety {
  bool weak = true; ///< accesses that are not strong
  bool several_sizes = true;
  bool barriers = false; ///< of blocks of threads
  bool tokens = false;   ///< in blocks of tile kernels
};
[[nodiscard]] program draw(sim::rng& r, const variety& v = {});
/// Of threads that fence, meet, access some places weakly and others strongly.
[[nodiscard]] program draw_fenced(sim::rng& r);
/// Of threads that access one place weakly on either side of their fences, and that read another
/// one behind their fence or write it ahead of it.
[[nodiscard]] program draw_overtaken(sim::rng& r);

/// Whether the steps of ordered tasks come in their order: stable_sort with a partial order need
/// not see to it.
[[nodiscard]] bool possible(const program& p);

using racy_bytes = std::set<std::uint32_t>;

/// What an element access does, as events of the model.
struct side {
  std::size_t step;
  std::size_t element;
  friend auto operator<=>(const side&, const side&) = default;
};

/// By reading elements: the writes that the bytes of each were given from, if not the newest; of
/// step `before`: what was there before all.
using given_writes = std::map<side, std::vector<side>>;
inline constexpr std::size_t before = ~std::size_t{0};

/// The execution as the model sees it, coherence and the order of fences as it went.
struct modelled {
  memmodel::execution what;
  std::vector<side> origin;        ///< by event
  std::map<side, event_id> reads;  ///< their events
  std::map<side, event_id> writes; ///< likewise
};
[[nodiscard]] modelled model_of(const program& p, const given_writes& given = {});

struct judged {
  racy_bytes bytes;
  std::set<std::tuple<std::uint32_t, side, side>> pairs; ///< byte, both sides, both ways round
};

/// By the definition of the model, with what is settled of the order of sequentially consistent
/// fences.
[[nodiscard]] judged races_of(modelled m);
/// By the definition of the model, in any order of the fences that its axioms allow.
[[nodiscard]] judged races_in_any_fence_order(modelled m);

/// By the definition of the model, with the fences in the order of their coming, and in none.
[[nodiscard]] judged races_as_it_went(modelled m);
[[nodiscard]] judged races_without_fences(modelled m);

/// A number in the environment, for longer runs.
[[nodiscard]] unsigned long long setting(const char* name, unsigned long long otherwise);

/// The tokens of a program's steps, as a detector gives them.
class given_tokens {
public:
  given_tokens(sim::detect::detector& d, const program& p)
      : detector_(d)
      , program_(p)
      , of_(p.steps.size()) {}

  /// What a step is to be told of its order.
  void tell(std::size_t step, sim::detect::operation& o);
  /// It has been performed. Nothing: it has no active element.
  void performed(std::size_t step, std::optional<sim::detect::operation_id> as);

private:
  sim::detect::detector& detector_;
  const program& program_;
  std::vector<sim::detect::token> of_; ///< by step
  std::vector<sim::detect::token> told_;
};

/// The agents of a program, registered with a detector: its number for each.
[[nodiscard]] std::vector<sim::detect::agent_id> begin(sim::detect::detector& d, const program& p);

} // namespace tilesim::random_executions
