// The shadow error analysis.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/analysis.hpp"

#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/error_analysis/combine_rules.hpp"
#include "sim/error_analysis/elementwise_rules.hpp"
#include "sim/error_analysis/math_calls.hpp"
#include "sim/error_analysis/math_rules.hpp"
#include "sim/error_analysis/scalar_code.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/ops/accuracy.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/ops/number_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace tilesim::sim::errors {

namespace {

using machine::in;
using machine::opcode;
using machine::out;

/// Integers so small that as floating-point numbers they would be next to zero: the two have the
/// same bytes by chance.
bool is_small(std::span<const std::byte> bytes, unsigned size) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20U;
  for (std::size_t i = 0; i + size <= bytes.size(); i += size) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, size);
    if (size >= 4 ? word >= most : word > 1) {
      return false;
    }
  }
  return true;
}

bool rearranges(opcode op) {
  return op >= opcode::constant && op <= opcode::extract;
}

machine::tile_type scalar_of(element kind) {
  return {.elem = kind,
          .pointee = {},
          .pointee_size = 0,
          .is_unsigned = false,
          .is_scalar = true,
          .rank = 0,
          .count = 1,
          .extents = nullptr};
}

} // namespace

error_analysis::error_analysis(context& c, bool contracts, bool approximates)
    : context_(c)
    , contracts_(contracts)
    , approximates_(approximates)
    , scalars_(std::make_unique<scalar_code>(*this))
    , calls_(std::make_unique<math_calls>([this](const math_call& call) { return called(call); })) {
}

error_analysis::~error_analysis() = default;

void error_analysis::begin(altered_values what, bool halves) {
  run_desk& desk = context_.exec->desk();
  if (!active_) {
    before_ = std::exchange(desk.values, this);
  }
  active_ = true;
  printed_ = false;
  halves_ = halves;
  orders_ = false;
  olds_ = false;
  clocks_ = false;
  movable_ = false;
  alters_ = what;
  diverted_ = 0;
  threads_.clear();
  memory_.clear();
  written_.clear();
  updates_.clear();
  raw_lost_ = false;
  scalars_->end();
  calls_->begin();
  if (approximates_) {
    divert(nullptr,
           "the recorded program was built with -use_fast_math, -ftz, -prec-div or -prec-sqrt");
  }
}

void error_analysis::end() {
  settle();
  if (active_) {
    context_.exec->desk().values = before_;
  }
  active_ = false;
  scalars_->end();
  calls_->end();
}

wanted_events error_analysis::wants() const {
  return {.operations = false, .accesses = true, .elements = true, .before = false};
}

// --- Reasons

reason error_analysis::reason_at(const void* site, const char* why) {
  reason& known = reason_numbers_[{site, why}];
  if (known == 0) {
    reasons_.push_back({site, why});
    known = static_cast<reason>(reasons_.size());
  }
  return known;
}

because error_analysis::why_at(const sim_thread& t) {
  return [this, site = t.site](const char* why) { return reason_at(site, why); };
}

void error_analysis::divert(const void* site, const char* why) {
  if (diverted_ == 0) {
    diverted_ = reason_at(site, why);
  }
}

reason error_analysis::altered_at(const void* site) {
  return reason_at(site,
                   clocks_
                       ? "what is written here depends on a clock, or on numbers that may be off"
                       : "what is written here depends on numbers that may be off");
}

std::optional<open_reason> error_analysis::diverted() const {
  return diverted_ == 0 ? std::nullopt : std::optional(reason_of(diverted_));
}

// --- Values that are moved

// Behind a decision that an error may turn nothing is certain, and nothing is gained.
bool error_analysis::moves_numbers() const noexcept {
  return diverted_ == 0 &&
         (alters_ == altered_values::numbers || alters_ == altered_values::least ||
          alters_ == altered_values::greatest);
}

double error_analysis::other_number(element kind, double x, const enclosure& e) {
  if (alters_ == altered_values::numbers) {
    return another(kind, x, e, moved_);
  }
  const double end = alters_ == altered_values::least ? e.lo : e.hi;
  return e.open == 0 && is_floating(kind) && std::isfinite(end) ? end : x;
}

void error_analysis::move(const out& result, const enclosed_tile& tile) {
  movable_ |= std::ranges::any_of(tile.cells, [](const enclosure& e) { return e.lo < e.hi; });
  if (!moves_numbers()) {
    return;
  }
  for (std::size_t i = 0; i < tile.cells.size(); ++i) {
    auto* const cell = static_cast<std::byte*>(result.data) + (i * size_of(tile.kind));
    put_number(tile.kind, other_number(tile.kind, number_at(tile.kind, cell), tile.cells[i]), cell);
  }
}

// A number of which nothing is known: any other.
void error_analysis::move_open(element kind, void* cell) {
  movable_ = true;
  if (moves_numbers()) {
    const double x = number_at(kind, cell);
    const double far = std::fabs(x) + 1;
    put_number(
        kind, other_number(kind, x, {down_to(kind, x - far), up_to(kind, x + far), 0}), cell);
  }
}

// --- Values of a thread

const void* error_analysis::holder_of(const sim_thread& t) noexcept {
  return t.team != nullptr ? static_cast<const void*>(t.team) : &t;
}

const enclosed_tile* error_analysis::find(const sim_thread& t, const in& tile) {
  const auto mine = threads_.find(holder_of(t));
  if (mine == threads_.end()) {
    return nullptr;
  }
  const auto bytes = bytes_of(*tile.type, tile.data);
  const auto all_open = [&](const char* why) {
    passing_.push_back(std::make_unique<enclosed_tile>());
    passing_.back()->kind = tile.type->elem;
    passing_.back()->cells.assign(tile.type->count, opened(reason_at(t.site, why)));
    return passing_.back().get();
  };
  orders_ = orders_ || (!mine->second.olds.empty() &&
                        mine->second.olds.contains(known_values::hash_of(bytes)));
  const known_values& values = mine->second.known;
  const element kind = tile.type->elem;
  if (const enclosed_tile* const known = values.find(kind, bytes)) {
    return known;
  }
  if (values.is_lost(kind, bytes)) {
    return all_open("more values than are followed");
  }
  const enclosed_tile* const other = values.find_other(kind, bytes);
  return other == nullptr ||
                 is_small(bytes, is_floating(other->kind) ? size_of(other->kind) : size_of(kind))
             ? nullptr
             : all_open("a number that may be off, read as another type");
}

void error_analysis::keep(const sim_thread& t, const out& result, enclosed_tile tile) {
  for (const std::size_t i : std::exchange(drawn_, {})) {
    if (tile.empty()) {
      tile = points_of({result.type, result.data});
    }
    tile.cells[i] = opened(reason_at(t.site, "an unspecified value"));
  }
  if (tile.empty()) {
    return;
  }
  const element kind = result.type->elem;
  if (result.type->count == 1) {
    if (!is_floating(kind)) {
      divert(reason_of(tile.cells[0].open).site, reason_of(tile.cells[0].open).why);
      return; // plain code may branch on it
    }
    keep_scalar(t, kind, number_at(kind, result.data), tile.cells[0]);
  }
  threads_[holder_of(t)].known.put(bytes_of(*result.type, result.data), std::move(tile));
}

void error_analysis::keep_scalar(const sim_thread& t,
                                 element kind,
                                 std::uint64_t bits,
                                 enclosed_tile tile) {
  if (!tile.empty()) {
    keep_scalar(t, kind, number_at(kind, &bits), tile.cells[0]);
    threads_[holder_of(t)].known.put(std::as_bytes(std::span(&bits, 1)).first(size_of(kind)),
                                     std::move(tile));
  }
}

// Conversions of halves in plain code are arithmetic of integers, which nobody follows: what they
// give is known beforehand.
void error_analysis::keep_scalar(const sim_thread& t,
                                 element kind,
                                 double value,
                                 const enclosure& e) {
  thread_values& values = threads_[holder_of(t)];
  if (!scalar_code::follows(kind)) {
    divert(t.site, "a scalar that may be off, in plain C++ code that is not followed");
    return;
  }
  values.scalars = true;
  scalars_->begin();
  values.halves |= halves_ || kind == element::f16 || kind == element::bf16;
  keep_cell(values, kind, value, e);
  if (!values.halves) {
    return;
  }
  constexpr std::array kinds{element::f32, element::f16, element::bf16};
  for (const element other : kinds) {
    const enclosure there =
        e.open != 0 ? e : enclosure{nearest_to(other, e.lo), nearest_to(other, e.hi), 0};
    const double x = nearest_to(other, value);
    keep_cell(values, other, x, there);
    keep_cell(values, other, -x, {-there.hi, -there.lo, there.open});
  }
}

void error_analysis::keep_cell(thread_values& values,
                               element kind,
                               double value,
                               const enclosure& e) {
  std::array<std::byte, sizeof(std::uint64_t)> bits{};
  put_number(kind, value, bits.data());
  values.known.put({bits.data(), size_of(kind)}, {.kind = kind, .cells = {e}, .products = {}});
}

enclosure
error_analysis::scalar_value(const sim_thread& t, element kind, std::uint64_t bits) const {
  const auto mine = threads_.find(holder_of(t));
  const std::span cell(reinterpret_cast<const std::byte*>(&bits), size_of(kind));
  const enclosed_tile* const known =
      mine == threads_.end() ? nullptr : mine->second.known.find(kind, cell);
  return known != nullptr ? known->cells[0] : point(number_at(kind, &bits));
}

bool error_analysis::follows_scalars(const sim_thread& t) const {
  const auto mine = threads_.find(holder_of(t));
  return active_ && (contracts_ || (mine != threads_.end() && mine->second.scalars));
}

enclosed_tile error_analysis::enclose_scalar(const sim_thread& t,
                                             const void* site,
                                             const computation& how,
                                             element result,
                                             element operand,
                                             std::span<const std::uint64_t> operands,
                                             std::uint64_t& value) {
  const machine::tile_type from = scalar_of(operand);
  const machine::tile_type to = scalar_of(result);
  const auto f = ops::find_elementwise(how.op, *how.modes, result, operand);
  std::array<in, 3> tiles{};
  std::array<known_operand, 3> known{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    tiles[i] = {&from, &operands[i]};
  }
  const auto perform = [&](const out& given, const in* others) {
    ops::elementwise_args args{};
    args.result = given.data;
    args.count = 1;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      args.operand[i] = others[i].data;
    }
    f.run(args);
  };
  bool some = contracts_ || ops::accuracy_of(how.op, *how.modes, result).approximate();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    known[i] = {&tiles[i], find(t, tiles[i])};
    some |= known[i].known != nullptr;
  }
  if (!some || f.run == nullptr) {
    return {};
  }
  const out given{&to, &value};
  perform(given, tiles.data());
  const because why = [&](const char* text) { return reason_at(site, text); };
  enclosed_tile tile = enclose_elementwise({.op = how.op, .modes = how.modes, .again = perform},
                                           given,
                                           std::span(known).first(operands.size()),
                                           contracts_,
                                           why);
  return with_open_nans(std::move(tile), {&to, &value});
}

void error_analysis::scalar(const sim_thread& t,
                            const void* site,
                            opcode op,
                            element result,
                            element operand,
                            std::span<const std::uint64_t> operands) {
  const machine::attributes modes{};
  std::uint64_t value = 0;
  enclosed_tile tile =
      enclose_scalar(t, site, {.op = op, .modes = &modes}, result, operand, operands, value);
  keep_scalar(t, result, value, std::move(tile));
  passing_.clear();
}

std::uint64_t error_analysis::called(const math_call& c) {
  settle();
  const because why = [&](const char* text) { return reason_at(c.site, text); };
  const math_function& f = c.function;
  enclosed_tile tile{.kind = c.kind, .cells = {}, .products = {}};
  if (f.is == math_function::rule::operation) {
    machine::attributes modes{};
    modes.round = f.round;
    const computation how{.op = f.op, .modes = &modes};
    std::uint64_t rounded = 0;
    tile = enclose_scalar(c.thread, c.site, how, c.kind, c.kind, c.operands, rounded);
  } else {
    std::array<enclosure, 2> operands{};
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
      operands.at(i) = scalar_value(c.thread, c.kind, c.operands[i]);
    }
    tile.cells.push_back(enclose_function(f, c.kind, operands, why));
  }
  if (!tile.empty() && tile.cells[0].open == 0 && !tile.cells[0].is_nan()) {
    // The host's is not rounded correctly, either.
    tile.cells[0].include(number_at(c.kind, &c.result));
  }
  std::uint64_t given = c.result;
  const machine::tile_type type = scalar_of(c.kind);
  move({&type, &given}, tile);
  keep_scalar(c.thread, c.kind, given, std::move(tile));
  passing_.clear();
  return given;
}

// --- Operations

void error_analysis::draws(std::vector<std::size_t> elements) {
  drawn_ = std::move(elements);
}

void error_analysis::computed(const sim_thread& t,
                              const computation& how,
                              const out& result,
                              const in* operands,
                              unsigned count) {
  settle();
  if (contracts_) {
    scalars_->begin();
  }
  std::vector<known_operand> known(count);
  bool some = false;
  for (unsigned i = 0; i < count; ++i) {
    known[i] = {&operands[i], find(t, operands[i])};
    some |= known[i].known != nullptr;
  }
  const because why = why_at(t);
  // What is multiplied is known by its bytes to whoever fuses it with a sum.
  const bool stays = contracts_ && how.op == opcode::mulf;
  const auto keep_computed = [&](enclosed_tile tile) {
    tile = with_open_nans(std::move(tile), {result.type, result.data});
    if (!stays) {
      move(result, tile);
    }
    keep(t, result, std::move(tile));
  };
  if (rearranges(how.op)) {
    if (some && how.again) {
      rearranged(t, how, result, known);
    } else {
      keep(t, result, {});
    }
  } else if (how.op == opcode::mmaf || how.op == opcode::mmai) {
    keep_computed(enclose_matrix(how, result, known, why));
  } else if (how.op == opcode::reduce || how.op == opcode::scan) {
    TILESIM_ASSERT(count >= 1, count);
    const auto open = std::ranges::find_if(known, [](const auto& k) { return k.known != nullptr; });
    keep_computed(enclose_combination(how, result, open == known.end() ? known[0] : *open, why));
  } else if (how.modes != nullptr) {
    enclosed_tile tile = enclose_elementwise(how, result, known, contracts_, why);
    const bool keeps_bits = how.op == opcode::select || how.op == opcode::bitcast;
    keeps_bits ? keep(t, result, std::move(tile)) : keep_computed(std::move(tile));
  }
  passing_.clear();
}

// Performed on numbers of the elements, it says where each one comes from.
void error_analysis::rearranged(const sim_thread& t,
                                const computation& how,
                                const out& result,
                                std::span<const known_operand> operands) {
  constexpr unsigned shift = 32;
  const auto numbered = [](const machine::tile_type& type) {
    machine::tile_type other = type;
    other.elem = element::i64;
    return other;
  };
  std::vector<machine::tile_type> types;
  std::vector<std::vector<std::uint64_t>> numbers;
  types.reserve(operands.size());
  std::vector<in> others;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    types.push_back(numbered(*operands[k].tile->type));
    numbers.emplace_back(operands[k].tile->type->count);
    for (std::size_t i = 0; i < numbers.back().size(); ++i) {
      numbers.back()[i] = (static_cast<std::uint64_t>(k) << shift) | i;
    }
    others.push_back({&types.back(), numbers.back().data()});
  }
  const machine::tile_type to = numbered(*result.type);
  std::vector<std::uint64_t> from(result.type->count);
  how.again({&to, from.data()}, others.data());
  enclosed_tile tile{.kind = result.type->elem, .cells = {}, .products = {}};
  for (const std::uint64_t n : from) {
    tile.cells.push_back(operands[n >> shift].at(n & 0xffffffffU));
  }
  keep(t, result, tile.is_exact() ? enclosed_tile{} : std::move(tile));
}

// --- Decisions

void error_analysis::indexed(const sim_thread& t, const in* indices, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (find(t, indices[i]) != nullptr) {
      divert(t.site, "an index that depends on numbers that may be off");
    }
  }
  passing_.clear();
}

void error_analysis::decides(const sim_thread& t,
                             const in* operands,
                             unsigned count,
                             const char* /*what*/) {
  for (unsigned i = 0; i < count; ++i) {
    printed_ |= find(t, operands[i]) != nullptr;
  }
  passing_.clear();
}

void error_analysis::launch_begins(const launch_state& /*l*/) {
  ++launches_;
}

// Behind the last one code of the host's runs, and the run puts back the handlers of signals that
// it found. Launches that are judged together may be of several runs.
void error_analysis::launch_ends(const launch_state& /*l*/) {
  if (--launches_ == 0) {
    scalars_->end();
  }
}

void error_analysis::thread_ends(const sim_thread& t) {
  if (active_) {
    settle();
    threads_.erase(&t); // values of a block of threads go with the block
  }
}

void error_analysis::block_ends(const thread_block& b) {
  if (active_) {
    settle();
    threads_.erase(&b);
  }
}

void error_analysis::copied(const copy_event& e) {
  if (!active_ || memory_.empty()) {
    return;
  }
  settle();
  e.each_row([&](const unsigned char* to, const unsigned char* from) {
    const auto source = reinterpret_cast<std::uintptr_t>(from);
    const auto at = reinterpret_cast<std::uintptr_t>(to);
    const std::vector<memory_errors::cell> cells = memory_.overlapping(source, e.width);
    memory_.forget(at, e.width);
    for (const memory_errors::cell& c : cells) {
      if (c.at >= source && c.at + size_of(c.kind) <= source + e.width) {
        memory_.put(at + (c.at - source), c.kind, c.value);
      }
    }
  });
}

} // namespace tilesim::sim::errors
