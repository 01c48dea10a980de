// How far the results of a launch may be off: a shadow error analysis beside every value.
//
// Between begin() and end() it takes the place of whoever follows values, and keeps for each value
// that is not exact an enclosure: of tiles and scalars by thread (known_values), of memory by
// address (memory_errors). Where an error may turn a decision (a branch, an address, a mask), what
// follows is no longer known: the run is diverted. Then nothing is certain that differs.
// docs/diff.md has the rules.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/altered_values.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/error_analysis/enclosure.hpp"
#include "sim/error_analysis/known_values.hpp"
#include "sim/error_analysis/memory_errors.hpp"
#include "sim/ops/rng.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tilesim::sim {
class context;
} // namespace tilesim::sim

namespace tilesim::sim::errors {

class math_calls;
class scalar_code;
struct math_call;

/// Why nothing is known, and where that was decided.
struct open_reason {
  const void* site = nullptr;
  const char* why = nullptr;
};

class error_analysis final : public watcher, public value_follower {
public:
  /// `contracts`: the other machine's compiler may have fused products and sums; `approximates`: it
  /// was told to make arithmetic approximate, of which nothing is known.
  error_analysis(context& c, bool contracts, bool approximates = false);
  ~error_analysis() override;
  error_analysis(const error_analysis&) = delete;
  error_analysis& operator=(const error_analysis&) = delete;

  /// What runs from here on begins from exact memory. `halves`: plain code may convert to formats
  /// of 16 bits.
  void begin(altered_values what = altered_values::nothing, bool halves = false);
  void end();
  [[nodiscard]] bool is_active() const noexcept { return active_; }

  /// Whether nobody takes what an operation gives that plain code calls there: it need not be
  /// followed, and code need not be stepped through for it.
  void knows_dropped(std::function<bool(const void* site)> is_dropped) {
    is_dropped_ = std::move(is_dropped);
  }

  /// An element of memory that was written, and what another machine has there.
  struct judgement {
    enum class how : std::uint8_t { exact, inside, outside, open } is = how::exact;
    element kind = {};
    std::uintptr_t at = 0;
    enclosure allowed;
  };
  /// Of the element that covers this byte. `there(at, bytes)`: what the other machine has.
  template <class There>
  [[nodiscard]] judgement judge(std::uintptr_t at, const There& there);

  /// What the other machine has at an address.
  using contents_there = std::function<const std::byte*(std::uintptr_t at)>;
  /// Several stores write this element of so many bytes, or one around it, not all in one order,
  /// and one of them what is there: the reason why it may be so. 0: no store that may be the last
  /// does.
  [[nodiscard]] reason
  written_there(std::uintptr_t at, std::size_t bytes, const contents_there& there);

  [[nodiscard]] open_reason reason_of(reason r) const { return reasons_[r - 1]; }
  /// Where a decision was met that an error may turn; the first.
  [[nodiscard]] std::optional<open_reason> diverted() const;
  /// Something was computed that may be off, and of which it is known how far; or a clock was
  /// looked at.
  [[nodiscard]] bool has_movable() const noexcept { return movable_; }
  /// Who comes first at an atomic operation may decide more than old values that nobody looks at.
  [[nodiscard]] bool has_order() const noexcept { return orders_; }
  /// Plain code was given such old values, and has not dropped them; whether it looks at them is
  /// not known.
  [[nodiscard]] bool has_olds() const noexcept { return olds_; }
  /// Of the element at an address: plain code has updated it, by one operation, all whose orders
  /// come to the same.
  [[nodiscard]] bool is_sum(std::uintptr_t at) const;
  /// Why an element is open that is no more what it was, once something was altered.
  [[nodiscard]] reason altered_at(const void* site);
  /// printf printed a number that may be off.
  [[nodiscard]] bool has_printed() const noexcept { return printed_; }

  // --- For scalar_code.

  /// The thread's plain code computes this scalar from others, at an instruction.
  void scalar(const sim_thread& t,
              const void* site,
              machine::opcode op,
              element result,
              element operand,
              std::span<const std::uint64_t> operands);
  /// What is known of a scalar with these bits.
  [[nodiscard]] enclosure scalar_value(const sim_thread& t, element kind, std::uint64_t bits) const;
  /// Is anything known that its plain code could compute with?
  [[nodiscard]] bool follows_scalars(const sim_thread& t) const;
  void divert(const void* site, const char* why);

  // --- A watcher, of raw accesses.

  [[nodiscard]] wanted_events wants() const override;
  void memory(const memory_event& e) override;
  void launch_begins(const launch_state& l) override;
  void launch_ends(const launch_state& l) override;
  void thread_ends(const sim_thread& t) override;
  void block_ends(const thread_block& b) override;
  void copied(const copy_event& e) override;

  // --- A follower.

  void draws(std::vector<std::size_t> elements) override;
  void computed(const sim_thread& t,
                const computation& how,
                const machine::out& result,
                const machine::in* operands,
                unsigned count) override;
  void loaded(const sim_thread& t,
              const tile_access& a,
              const machine::out& result,
              const machine::in* padding) override;
  void stored(const sim_thread& t, const tile_access& a, const machine::in& value) override;
  void updated(const sim_thread& t,
               const tile_access& a,
               const update_operation& how,
               const machine::in& argument,
               const machine::out& old) override;
  void updated_object(const sim_thread& t,
                      const void* site,
                      std::uintptr_t at,
                      const object_update& what) override;
  void exchanged(const sim_thread& t,
                 const machine::out& old,
                 const machine::in& pointers,
                 const machine::in& comparand,
                 const machine::in& value,
                 const machine::in* mask) override;
  void accessed(const sim_thread& t,
                const tile_access& a,
                const machine::in& pointers,
                const machine::in* mask,
                const machine::out* result) override;
  void indexed(const sim_thread& t, const machine::in* indices, unsigned count) override;
  void decides(const sim_thread& t,
               const machine::in* operands,
               unsigned count,
               const char* what) override;
  [[nodiscard]] dependence depends(const sim_thread& /*t*/,
                                   const machine::in& /*operand*/) const override {
    return {};
  }
  [[nodiscard]] dependence memory_depends(const sim_thread& /*t*/,
                                          std::uintptr_t /*address*/,
                                          const void* /*value*/,
                                          unsigned /*bytes*/) const override {
    return {};
  }

private:
  struct thread_values {
    known_values known;
    bool scalars = false; ///< one of them is a scalar that plain code can compute with
    bool halves = false;  ///< and some are of 16 bits, which plain code converts by integers
    std::unordered_set<std::uint64_t> olds; ///< hashes of whole numbers that updates have given
  };
  struct pending_write {
    const sim_thread* thread = nullptr;
    const void* site = nullptr;
    std::uintptr_t at = 0;
    std::size_t bytes = 0;
    bool updates = false;
    bool weak = true;
  };

  /// A value that a store has written.
  struct written_value {
    std::uint64_t block = 0;     ///< the thread's number
    std::uint64_t operation = 0; ///< of the thread, or the number of the raw write
    std::uint64_t bits = 0;
    element kind = {};
    enclosure value;
    bool weak = true;
    const void* site = nullptr;
  };
  /// Who may have a value that nothing has told of: threads of a block hand theirs to each other,
  /// by shuffles.
  [[nodiscard]] static const void* holder_of(const sim_thread& t) noexcept;
  struct place_updates {
    std::uintptr_t at = 0;
    std::size_t bytes = 0;
    machine::rmw_mode mode = machine::rmw_mode::xchg; ///< of a strong store, too
    std::uint64_t given = 0;                          ///< an old value that one of them has given
    bool mixed = false; ///< others overlap it: what is there depends on the order
  };
  /// Updates of one place by several operations do not commute, nor do those that overlap.
  [[nodiscard]] reason mixed_at(std::uintptr_t at);
  place_updates& note_update(std::uintptr_t at, machine::rmw_mode mode, std::size_t bytes);
  /// Another value in the place of one that an update gives.
  void alter_old(place_updates& place, const object_update& what);
  void asked_the_time(const sim_thread& t) override;
  void note_written(std::uintptr_t at, const written_value& w);
  /// The same, of a raw write of so many bytes that has been made.
  void note_written(const pending_write& w);
  /// Threads have written others of these bytes, and something races: which of them is read is
  /// open.
  [[nodiscard]] bool reads_racing(std::uintptr_t at, std::size_t bytes) const;
  [[nodiscard]] bool has_race() const;
  [[nodiscard]] reason
  written_in_parts(std::uintptr_t at, std::size_t bytes, const contents_there& there);
  [[nodiscard]] reason one_of(std::span<const written_value> values, const std::byte* there);

  [[nodiscard]] reason reason_at(const void* site, const char* why);
  [[nodiscard]] because why_at(const sim_thread& t);
  [[nodiscard]] const enclosed_tile* find(const sim_thread& t, const machine::in& tile);
  void keep(const sim_thread& t, const machine::out& result, enclosed_tile tile);
  /// Makes elements that may be off other ones of what they may be.
  void move(const machine::out& result, const enclosed_tile& tile);
  void move_open(element kind, void* cell);
  [[nodiscard]] bool moves_numbers() const noexcept;
  [[nodiscard]] bool alters_olds() const noexcept;
  [[nodiscard]] double other_number(element kind, double x, const enclosure& e);
  /// What an operation gives of scalars: `value`, and what is known of it.
  [[nodiscard]] enclosed_tile enclose_scalar(const sim_thread& t,
                                             const void* site,
                                             const computation& how,
                                             element result,
                                             element operand,
                                             std::span<const std::uint64_t> operands,
                                             std::uint64_t& value);
  /// The thread's plain code has called a mathematical function, which is not rounded correctly:
  /// what it is given.
  [[nodiscard]] std::uint64_t called(const math_call& call);
  void keep_scalar(const sim_thread& t, element kind, double value, const enclosure& e);
  /// The same, and the whole of what is known of it, if something is.
  void keep_scalar(const sim_thread& t, element kind, std::uint64_t bits, enclosed_tile tile);
  static void keep_cell(thread_values& values, element kind, double value, const enclosure& e);
  void rearranged(const sim_thread& t,
                  const computation& how,
                  const machine::out& result,
                  std::span<const known_operand> operands);
  /// The raw write that was told of has been made by now.
  void settle();
  void settle_values(const pending_write& w);
  void settle_piece(const known_values& known, std::uintptr_t at, std::size_t bytes);

  context& context_;
  const bool contracts_;
  const bool approximates_;
  bool active_ = false;
  std::size_t launches_ = 0; ///< under way
  bool printed_ = false;
  bool halves_ = false;
  bool orders_ = false;
  bool olds_ = false;
  bool clocks_ = false; ///< somebody has looked at one
  bool movable_ = false;
  altered_values alters_ = altered_values::nothing;
  rng moved_{1};
  bool writes_ = false; ///< the memory operation under way
  std::function<bool(const void*)> is_dropped_ = [](const void*) { return false; };
  value_follower* before_ = nullptr;
  std::unordered_map<const void*, thread_values> threads_; ///< by tile block, or block of threads
  memory_errors memory_;
  static constexpr std::size_t most_written = 256;               ///< values of one element
  static constexpr std::size_t most_raw = std::size_t{1} << 20U; ///< elements
  std::uint64_t raw_writes_ = 0;
  bool raw_lost_ = false; ///< more were written
  std::unordered_map<std::uintptr_t, std::vector<written_value>> written_;
  /// Atomic ones and strong stores, by the word in which they begin: none that is aligned reaches
  /// into the next.
  std::unordered_map<std::uintptr_t, std::vector<place_updates>> updates_;
  pending_write pending_;
  std::vector<std::size_t> drawn_;
  std::vector<open_reason> reasons_;
  std::map<std::pair<const void*, const char*>, reason> reason_numbers_;
  reason diverted_ = 0;
  std::vector<std::unique_ptr<enclosed_tile>> passing_; ///< for the operation under way
  std::unique_ptr<scalar_code> scalars_;
  std::unique_ptr<math_calls> calls_;
};

template <class There>
error_analysis::judgement error_analysis::judge(std::uintptr_t at, const There& there) {
  settle();
  if (const reason mixed = mixed_at(at)) {
    return {.is = judgement::how::open, .kind = element::i8, .at = at, .allowed = opened(mixed)};
  }
  const auto found = memory_.overlapping(at, 1);
  if (found.empty()) {
    return {};
  }
  const memory_errors::cell& c = found.front();
  judgement j{.is = judgement::how::open, .kind = c.kind, .at = c.at, .allowed = c.value};
  if (c.value.open == 0) {
    const double x = number_at(c.kind, there(c.at, size_of(c.kind)));
    const bool inside = c.value.is_nan() ? std::isnan(x) : c.value.lo <= x && x <= c.value.hi;
    j.is = inside ? judgement::how::inside : judgement::how::outside;
  }
  return j;
}

} // namespace tilesim::sim::errors
