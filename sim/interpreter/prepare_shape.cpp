// Operations that make, move and promise: constants, rearrangements, assumptions.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/preparer.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tilesim::interpreter {

using tileir::opcode;

namespace {

/// How wide the bytes of an element are in a tile of bytes.
std::size_t bytes_of(const machine::tile_type& t) {
  return std::size_t{t.count} * size_of(t.elem);
}

machine::assumption::kind kind_of(const tileir::attribute& a) {
  switch (a.what) {
  case tileir::attribute::kind::div_by:
    return machine::assumption::kind::div_by;
  case tileir::attribute::kind::bounded:
    return machine::assumption::kind::bounded;
  default:
    return machine::assumption::kind::same_elements;
  }
}

} // namespace

void preparer::shape(const operation& o, sequence& to) {
  switch (o.what) {
  case opcode::constant: {
    const value_id v = o.results[0];
    const machine::tile_type* const t = machine_type(o, type_of(v));
    const auto bytes = module_.module().constants[o.constant].size();
    if (t->count > 1 && bytes <= size_of(t->elem) &&
        tileir::bits(type_of(v).element->num) / 8 <= bytes) {
      splats_[v] = &o;
    }
    if (t->count == 1 || uses_.of(v).needed_whole || !splats_.contains(v)) {
      places_[v] = {.type = t, .fixed = constant_cells(o, false)};
    }
    return;
  }
  case opcode::iota: {
    const value_id v = o.results[0];
    const machine::tile_type* const t = machine_type(o, tile(o, v));
    need(o,
         is_integer(t->elem) && t->rank == 1,
         "its result is a tile of integers in one dimension");
    auto& cells = code_->constants.emplace_back(bytes_of(*t));
    for (std::uint64_t i = 0; i < t->count; ++i) {
      std::memcpy(cells.data() + i * size_of(t->elem), &i, size_of(t->elem));
    }
    places_[v] = {.type = t, .fixed = cells.data()};
    return;
  }
  case opcode::assume:
    assumption(o, to);
    return;
  case opcode::get_global:
    global(o);
    return;
  case opcode::reshape:
  case opcode::broadcast:
  case opcode::permute:
  case opcode::cat:
  case opcode::extract:
  case opcode::insert:
  case opcode::pack:
  case opcode::unpack:
    rearrangement(o, to);
    return;
  default:
    refuse(o, "it does not exist in this release");
  }
}

void preparer::global(const operation& o) {
  std::byte* const at = module_.global(o.text);
  need(o, at != nullptr, fmt::format("there is no global '{}'", o.text));
  const machine::tile_type* const t = machine_type(o, tile(o, o.results[0]));
  need(o, t->count == 1 && t->elem == element::ptr, "its result is a pointer");
  auto& cells = code_->constants.emplace_back(sizeof at);
  std::memcpy(cells.data(), static_cast<const void*>(&at), sizeof at);
  slots_.give_back(places_.at(o.results[0]).offset);
  places_[o.results[0]] = {.type = t, .fixed = cells.data()};
}

void preparer::assumption(const operation& o, sequence& to) {
  need(o, &type_of(o.operands[0]) == &type_of(o.results[0]), "its result has another type");
  if (!is_tile(type_of(o.operands[0]))) {
    refuse(o, "assumptions of views do not exist in this release");
  }
  const tileir::attribute& a = o.attributes.at(0);
  // cuTile calls the stride of a dimension with one element divisible by what it likes.
  const operation* const maker = uses_.of(uses_.root(o.operands[0])).maker;
  const bool of_parameter = maker == nullptr || maker->what == opcode::constant;
  const bool by_cutile = module_.module().producer.empty();
  if (by_cutile && of_parameter && a.what == tileir::attribute::kind::div_by &&
      !tile(o, o.operands[0]).element->is(tileir::type::kind::pointer)) {
    return;
  }
  instruction i = start(step::assume, o);
  i.assumption = kind_of(a);
  i.operands.push_back(whole(o, o.operands[0]));
  const machine::tile_type& t = *i.operands[0].type;
  need(o, is_integer(t.elem) || t.elem == element::ptr, "it speaks of integers and pointers");
  if (a.what == tileir::attribute::kind::div_by) {
    need(o, a.bits > 0 && a.bits <= INT64_MAX, "its divisor is 0");
    i.params = {static_cast<std::int64_t>(a.bits)};
    if (a.first) {
      need(o,
           *a.first > 0 && a.second && *a.second >= 0 && *a.second < t.rank,
           "its groups do not fit the tile");
      i.params.push_back(*a.first);
      i.params.push_back(*a.second);
    }
    i.text = "assume div_by";
  } else if (a.what == tileir::attribute::kind::bounded) {
    i.params = {a.first.value_or(0), a.second.value_or(0), a.first ? 1 : 0, a.second ? 1 : 0};
    i.text = "assume bounded";
  } else {
    need(o, a.numbers.size() == t.rank, "its groups do not fit the tile");
    for (const std::int64_t n : a.numbers) {
      need(o, n > 0, "its groups do not fit the tile");
    }
    i.params = a.numbers;
    i.text = "assume same_elements";
  }
  to.push_back(std::move(i));
}

void preparer::rearrangement(const operation& o, sequence& to) {
  const value_id made = o.results.at(0);
  const tileir::type& result = tile(o, made);
  const tileir::type& source = tile(o, o.operands.at(0));
  need(o,
       source.element == result.element || o.what == opcode::pack || o.what == opcode::unpack,
       "its result has other elements");
  if (o.what == opcode::reshape) {
    need(o, source.count() == result.count(), "its result has another number of elements");
    return; // the same bytes
  }
  if (o.what == opcode::broadcast) {
    check_broadcast(o, source, result);
    if (uses_.of(made).same_as || !places_.contains(made)) {
      return; // the same bytes, or one element that stands for all
    }
  }
  instruction i = start(step::rearrange, o);
  i.results.push_back(whole(o, made));
  switch (o.what) {
  case opcode::broadcast: {
    i.op = machine::opcode::broadcast;
    const auto one = uses_.one(made);
    i.operands.push_back(whole(o, one ? *one : o.operands[0]));
    if (one) {
      i.operands[0].type = one_of(i.results[0].type);
    }
    break;
  }
  case opcode::permute:
    i.op = machine::opcode::permute;
    check_permutation(o, source, result);
    i.params = o.permutation;
    i.operands.push_back(whole(o, o.operands[0]));
    break;
  case opcode::cat:
    i.op = machine::opcode::cat;
    check_cat(o, source, tile(o, o.operands.at(1)), result);
    i.params = {static_cast<std::int64_t>(o.number_attribute)};
    i.operands = {whole(o, o.operands[0]), whole(o, o.operands[1])};
    break;
  case opcode::pack:
  case opcode::unpack:
    pack_or_unpack(o, source, result, i);
    break;
  default:
    extract_or_insert(o, source, result, i);
    break;
  }
  to.push_back(std::move(i));
}

// The same bits as other elements.
void preparer::pack_or_unpack(const operation& o,
                              const tileir::type& source,
                              const tileir::type& result,
                              instruction& i) {
  i.operands.push_back(whole(o, o.operands[0]));
  const bool splits = result.element->num == tileir::number::f4e2m1fn;
  if (splits || source.element->num == tileir::number::f4e2m1fn) {
    i.what = splits ? step::unpack_halves : step::pack_halves;
    const tileir::type& halves = splits ? result : source;
    const tileir::type& bytes = splits ? source : result;
    need(o,
         halves.count() == 2 * bytes.count() && bytes.element->num == tileir::number::i8,
         "its result has another number of bits");
    return;
  }
  i.what = step::copy;
  need(o,
       bytes_of(*i.operands[0].type) == bytes_of(*i.results[0].type) &&
           source.element->num != tileir::number::i1 && result.element->num != tileir::number::i1,
       "its result has another number of bytes");
}

// A tile, for insert the one that it goes into, sub-tile numbers.
void preparer::extract_or_insert(const operation& o,
                                 const tileir::type& source,
                                 const tileir::type& result,
                                 instruction& i) {
  const bool inserts = o.what == opcode::insert;
  i.what = inserts ? step::insert : step::rearrange;
  i.op = machine::opcode::extract;
  const std::size_t tiles = inserts ? 2 : 1;
  const tileir::type& outer = inserts ? result : source;
  const tileir::type& part = inserts ? source : result;
  need(o, o.operands.size() == tiles + outer.shape.size(), "it has an index a dimension");
  need(o, part.shape.size() == outer.shape.size(), "the part has another rank");
  for (std::size_t d = 0; d < part.shape.size(); ++d) {
    need(o, part.shape[d] <= outer.shape[d], "the part is larger than the tile");
  }
  if (inserts) {
    need_same_type(o, o.operands[1], o.results[0]);
  }
  for (std::size_t k = 0; k < o.operands.size(); ++k) {
    if (k >= tiles) {
      static_cast<void>(scalar_integer(o, o.operands[k]));
    }
    i.operands.push_back(whole(o, o.operands[k]));
  }
}

void preparer::check_broadcast(const operation& o,
                               const tileir::type& source,
                               const tileir::type& result) const {
  need(o, source.shape.size() == result.shape.size(), "its result has another rank");
  for (std::size_t d = 0; d < source.shape.size(); ++d) {
    need(o,
         source.shape[d] == 1 || source.shape[d] == result.shape[d],
         "only dimensions of size 1 grow");
  }
}

void preparer::check_permutation(const operation& o,
                                 const tileir::type& source,
                                 const tileir::type& result) const {
  const std::size_t rank = source.shape.size();
  need(o, o.permutation.size() == rank && result.shape.size() == rank, "its dimensions differ");
  std::vector<bool> seen(rank, false);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t from = o.permutation[d];
    need(o, from >= 0 && static_cast<std::size_t>(from) < rank, "there is no such dimension");
    const auto at = static_cast<std::size_t>(from);
    need(o, !seen[at] && source.shape[at] == result.shape[d], "it is no permutation to its result");
    seen[at] = true;
  }
}

void preparer::check_cat(const operation& o,
                         const tileir::type& a,
                         const tileir::type& b,
                         const tileir::type& result) const {
  const auto dim = o.number_attribute;
  const std::size_t rank = a.shape.size();
  need(o,
       dim < rank && b.shape.size() == rank && result.shape.size() == rank &&
           a.element == b.element,
       "its operands do not fit");
  for (std::size_t d = 0; d < rank; ++d) {
    need(o,
         d == dim ? a.shape[d] + b.shape[d] == result.shape[d]
                  : a.shape[d] == b.shape[d] && a.shape[d] == result.shape[d],
         "its operands do not fit");
  }
}

} // namespace tilesim::interpreter
