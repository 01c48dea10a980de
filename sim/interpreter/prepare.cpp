// From an entry as bytecode says it to one that runs: types, places, and what is neither arithmetic
// nor memory nor control.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/prepare.hpp"

#include "sim/interpreter/preparer.hpp"
#include "sim/tileir/constants.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tilesim::interpreter {

using tileir::opcode;
using kind = tileir::type::kind;

preparer::preparer(const placed_module& m,
                   const tileir::entry& e,
                   const std::set<value_id>& kept,
                   bool by_tokens)
    : module_(m)
    , entry_(e)
    , kept_(kept)
    , uses_(e, kept)
    , code_(std::make_unique<code>()) {
  code_->source = &e;
  code_->by_tokens = by_tokens;
}

void preparer::refuse(const operation& o, const std::string& why) const {
  throw refused(fmt::format(
      "{}: '{}' cannot be run: {}", module_.place_text(entry_, &o), tileir::name(o.what), why));
}

void preparer::need(const operation& o, bool holds, const std::string& why) const {
  if (!holds) {
    refuse(o, why);
  }
}

void preparer::need_count(const operation& o, std::size_t operands, std::size_t results) const {
  need(o,
       o.operands.size() == operands && o.results.size() == results,
       fmt::format("it has {} operands and {} results, not {} and {}",
                   o.operands.size(),
                   o.results.size(),
                   operands,
                   results));
}

void preparer::need_same_type(const operation& o, value_id a, value_id b) const {
  need(o,
       entry_.values[a].type == entry_.values[b].type,
       fmt::format("{} and {} ought to be one type", type_of(a).text, type_of(b).text));
}

const tileir::type& preparer::tile(const operation& o, value_id v) const {
  need(o, is_tile(type_of(v)), fmt::format("{} is no tile", type_of(v).text));
  return type_of(v);
}

const tileir::type& preparer::scalar_integer(const operation& o, value_id v) const {
  const tileir::type& t = tile(o, v);
  const auto e = element_of(t);
  need(o,
       t.shape.empty() && t.element->is(kind::number) && e && is_integer(*e),
       fmt::format("{} is no integer", t.text));
  return t;
}

/// The machine's name for the elements of a tile; nullopt: it has none.
std::optional<element> preparer::element_of(const tileir::type& t) {
  if (t.element->is(kind::pointer)) {
    return element::ptr;
  }
  switch (t.element->num) {
  case tileir::number::i1:
    return element::i1;
  case tileir::number::i8:
  // A byte each: no arithmetic takes them. [small_numbers.hpp]
  case tileir::number::f8e8m0fnu:
  case tileir::number::fnv8e5m3fnu:
  case tileir::number::f4e2m1fn:
    return element::i8;
  case tileir::number::i16:
    return element::i16;
  case tileir::number::i32:
    return element::i32;
  case tileir::number::i64:
    return element::i64;
  case tileir::number::f16:
    return element::f16;
  case tileir::number::bf16:
    return element::bf16;
  case tileir::number::f32:
    return element::f32;
  case tileir::number::tf32:
    return element::tf32;
  case tileir::number::f64:
    return element::f64;
  case tileir::number::f8e4m3fn:
    return element::f8e4m3;
  case tileir::number::f8e5m2:
    return element::f8e5m2;
  case tileir::number::i4:
    return std::nullopt;
  }
  return std::nullopt;
}

constexpr unsigned half_a_byte = 4;

const machine::tile_type* preparer::machine_type(const operation& o, const tileir::type& t) {
  const machine::tile_type*& made = types_[&t];
  if (made != nullptr) {
    return made;
  }
  const auto e = element_of(t);
  need(o,
       e.has_value(),
       fmt::format("elements of 4 bits ({}) do not exist in this release", t.text));
  machine::tile_type m{};
  m.elem = *e;
  m.pointee = element::i8;
  if (t.element->is(kind::pointer)) {
    const tileir::type& to = *t.element->element;
    tileir::type pointed;
    pointed.element = &to;
    const auto inner = element_of(pointed);
    need(o,
         inner.has_value() && (!to.is(kind::number) || tileir::bits(to.num) != half_a_byte),
         "pointers to elements of 4 bits do not exist in this release");
    m.pointee = *inner;
    m.pointee_size = static_cast<std::uint8_t>(size_of(*inner));
  }
  m.is_scalar = t.shape.empty();
  m.rank = static_cast<std::uint8_t>(t.shape.size());
  m.count = static_cast<std::uint32_t>(t.count());
  auto& extents = code_->extents.emplace_back();
  for (const std::int64_t d : t.shape) {
    extents.push_back(static_cast<std::uint32_t>(d));
  }
  m.extents = extents.data();
  made = &code_->types.emplace_back(m);
  return made;
}

/// The same elements, but a single one.
const machine::tile_type* preparer::one_of(const machine::tile_type* t) {
  const machine::tile_type*& made = ones_[t];
  if (made == nullptr) {
    machine::tile_type m = *t;
    m.is_scalar = true;
    m.rank = 0;
    m.count = 1;
    made = &code_->types.emplace_back(m);
  }
  return made;
}

/// Gives a value its place, unless it is another's.
void preparer::allocate(const operation* o, value_id v) {
  const tileir::type& t = type_of(v);
  if (uses_.of(v).same_as || t.is(kind::token)) {
    return;
  }
  slot s;
  if (!is_tile(t)) {
    s.offset = slots_.take(sizeof(held_view));
  } else {
    static const operation unknown{};
    s.type = machine_type(o == nullptr ? unknown : *o, t);
    if (uses_.of(v).stands_for_one && !uses_.of(v).needed_whole) {
      return;
    }
    s.offset = slots_.take(std::size_t{s.type->count} * size_of(s.type->elem));
  }
  places_[v] = s;
}

/// Operation `number` of a region has been prepared: what nobody needs any more gives its place
/// back.
void preparer::release(const tileir::region& r, std::uint32_t number) {
  const auto free = [&](value_id v) {
    const auto found = places_.find(v);
    if (found != places_.end() && found->second.fixed == nullptr && uses_.of(v).last == number) {
      slots_.give_back(found->second.offset);
      places_.erase(found);
    }
  };
  for (const value_id v : r.operations[number].results) {
    note_named(v);
  }
  for (std::uint32_t i = 0; i <= number; ++i) {
    for (const value_id v : r.operations[i].results) {
      free(v);
    }
    if (r.operations[i].what == opcode::for_ || r.operations[i].what == opcode::loop) {
      for (const value_id v : r.operations[i].regions[0].arguments) {
        free(v);
      }
    }
  }
}

/// A value that has a name has its place by now.
void preparer::note_named(value_id v) {
  if (!kept_.contains(v) || !is_tile(type_of(v))) {
    return;
  }
  const auto one = uses_.one(v);
  const bool placed = places_.contains(one ? *one : uses_.root(v));
  if (placed || splats_.contains(uses_.root(v))) {
    static const operation unknown{};
    code_->named[v] = whole_or_one(unknown, v);
  }
}

slot preparer::whole(const operation& o, value_id v) {
  const auto found = places_.find(uses_.root(v));
  need(o, found != places_.end(), fmt::format("a value of type {} has no place", type_of(v).text));
  slot s = found->second;
  if (is_tile(type_of(v))) {
    s.type = machine_type(o, type_of(v));
  }
  return s;
}

slot preparer::whole_or_one(const operation& o, value_id v) {
  const machine::tile_type* const t = machine_type(o, tile(o, v));
  if (t->count == 1) {
    return whole(o, v);
  }
  if (const auto one = uses_.one(v)) {
    slot s = whole(o, *one);
    s.type = one_of(t);
    return s;
  }
  const auto splat = splats_.find(uses_.root(v));
  if (splat != splats_.end()) {
    return {.type = one_of(t), .fixed = constant_cells(*splat->second, true)};
  }
  return whole(o, v);
}

/// The elements of a constant as the machine holds them: all, or one.
const std::byte* preparer::constant_cells(const operation& o, bool one) {
  const tileir::type& t = type_of(o.results[0]);
  const machine::tile_type* const m = machine_type(o, t);
  const tileir::elements all(module_.module().constants[o.constant], t.element->num, t.count());
  const std::size_t count = one ? 1 : t.count();
  const std::size_t width = size_of(m->elem);
  auto& cells = code_->constants.emplace_back(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    // A tf32 has 19 bits in the file, and those of a float here.
    constexpr unsigned below_tf32 = 13;
    const std::uint64_t bits =
        t.element->num == tileir::number::tf32 ? all[i] << below_tf32 : all[i];
    std::memcpy(cells.data() + i * width, &bits, width);
  }
  return cells.data();
}

token_number preparer::number_of(value_id token) {
  if (!code_->by_tokens) {
    return 0;
  }
  const auto [at, is_new] = tokens_.try_emplace(token, code_->tokens);
  code_->tokens += is_new ? 1 : 0;
  return at->second;
}

/// The operation's token, if it has one, waits for all that these wait for.
void preparer::join(const operation& o, const std::vector<value_id>& tokens, sequence& to) {
  for (const value_id v : tokens) {
    need(o, type_of(v).is(kind::token), fmt::format("{} is no token", type_of(v).text));
  }
  if (o.results.empty()) {
    return;
  }
  need_count(o, o.operands.size(), 1);
  need(o,
       type_of(o.results[0]).is(kind::token),
       fmt::format("{} is no token", type_of(o.results[0]).text));
  if (code_->by_tokens && !tokens.empty()) {
    instruction i = start(step::join_tokens, o);
    i.leaves = number_of(o.results[0]);
    for (const value_id v : tokens) {
      i.waits.push_back(number_of(v));
    }
    to.push_back(std::move(i));
  }
}

instruction preparer::start(step what, const operation& o) {
  instruction i;
  i.what = what;
  i.site = module_.site(entry_, o);
  return i;
}

sequence preparer::region(const tileir::region& r, bool outermost) {
  sequence result;
  need(r.operations.empty() ? operation{} : r.operations.back(),
       !r.operations.empty(),
       "a block has no operation");
  for (std::uint32_t i = 0; i < r.operations.size(); ++i) {
    const operation& o = r.operations[i];
    const bool last = i + 1 == r.operations.size();
    const bool ends = o.what == opcode::return_ || o.what == opcode::yield ||
                      o.what == opcode::break_ || o.what == opcode::continue_;
    need(o, ends == last, last ? "a block does not end with it" : "it stands within a block");
    need(o, !outermost || !last || o.what == opcode::return_, "an entry does not end with it");
    prepare(o, result);
    release(r, i);
  }
  return result;
}

void preparer::prepare(const operation& o, sequence& to) {
  for (const value_id v : o.results) {
    if (o.what != opcode::constant && o.what != opcode::iota) {
      allocate(&o, v);
    }
  }
  if (is_elementwise(o.what)) {
    elementwise(o, to);
  } else if (!memory(o, to) && !control(o, to)) {
    other(o, to);
  }
}

void preparer::other(const operation& o, sequence& to) {
  switch (o.what) {
  case opcode::make_token:
  case opcode::join_tokens:
  case opcode::memory_fence_alias_tko:
  case opcode::gdc_wait_tko:
  case opcode::gdc_launch_dependents_tko:
    join(o, o.operands, to);
    return;
  case opcode::reduce:
  case opcode::scan:
    combine(o, to);
    return;
  case opcode::mmaf:
  case opcode::mmai:
    matrix(o, to);
    return;
  case opcode::mmaf_scaled:
    scaled_matrix(o, to);
    return;
  case opcode::get_tile_block_id:
  case opcode::get_num_tile_blocks: {
    instruction i =
        start(o.what == opcode::get_tile_block_id ? step::block_id : step::block_count, o);
    for (const value_id v : o.results) {
      need(o, type_of(v).text == "tile<i32>", "its results are i32");
      i.results.push_back(whole(o, v));
    }
    to.push_back(std::move(i));
    return;
  }
  case opcode::print_tko: {
    instruction i = start(step::print, o);
    i.text = o.text;
    for (std::uint32_t k = 0; k < o.index.count; ++k) {
      const value_id v = o.operands[o.index.first + k];
      static_cast<void>(tile(o, v));
      i.operands.push_back(whole(o, v));
      need(o,
           !takes_small_numbers(o),
           fmt::format("{} does not exist in this release", type_of(v).text));
    }
    to.push_back(std::move(i));
    if (o.token) {
      join(o, {o.operands[*o.token]}, to); // it accesses nothing that could race
    }
    return;
  }
  case opcode::assert_: {
    instruction i = start(step::assert_, o);
    need(o, element_of(tile(o, o.operands[0])) == element::i1, "its condition is no i1");
    i.text = o.text;
    i.operands.push_back(whole(o, o.operands[0]));
    to.push_back(std::move(i));
    return;
  }
  default:
    shape(o, to);
  }
}

std::unique_ptr<code> preparer::run() {
  for (const value_id v : entry_.body.arguments) {
    static const operation none{};
    need(none, is_tile(type_of(v)), "a parameter is no tile");
    allocate(nullptr, v);
    code_->parameters.push_back(places_.at(v));
    note_named(v);
  }
  code_->instructions = region(entry_.body, true);
  code_->memory = slots_.most();
  return std::move(code_);
}

std::unique_ptr<code> prepare(const placed_module& m,
                              const tileir::entry& e,
                              const std::set<tileir::value_id>& kept,
                              bool by_tokens) {
  return preparer(m, e, kept, by_tokens).run();
}

} // namespace tilesim::interpreter
