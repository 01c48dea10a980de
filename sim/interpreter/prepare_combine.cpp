// Reductions, scans, and products of matrices.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/preparer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilesim::interpreter {

using tileir::opcode;

namespace {

/// Bodies of one operation that the machine knows.
bool is_known_body(opcode o) {
  switch (o) {
  case opcode::addi:
  case opcode::muli:
  case opcode::maxi:
  case opcode::mini:
  case opcode::andi:
  case opcode::ori:
  case opcode::xori:
  case opcode::addf:
  case opcode::mulf:
  case opcode::maxf:
  case opcode::minf:
    return true;
  default:
    return false;
  }
}

/// True if the body is one operation of its two arguments.
bool is_plain(const tileir::region& r) {
  if (r.operations.size() != 2 || r.arguments.size() != 2 || !is_known_body(r.operations[0].what)) {
    return false;
  }
  const auto& o = r.operations[0];
  const auto& end = r.operations[1];
  const bool of_both = (o.operands[0] == r.arguments[0] && o.operands[1] == r.arguments[1]) ||
                       (o.operands[0] == r.arguments[1] && o.operands[1] == r.arguments[0]);
  return of_both && end.operands.size() == 1 && end.operands[0] == o.results[0];
}

} // namespace

void preparer::combine(const operation& o, sequence& to) {
  const bool scans = o.what == opcode::scan;
  const tileir::region& r = o.regions[0];
  const std::size_t values = o.operands.size();
  need(o, values > 0 && o.results.size() == values, "it has as many results as operands");
  need(o, r.present && r.arguments.size() == 2 * values, "its body takes two arguments an operand");
  const std::vector<std::int64_t> shape = tile(o, o.operands[0]).shape;
  const std::uint64_t dim = o.number_attribute;
  need(o, dim < shape.size(), "there is no such dimension");
  std::vector<std::int64_t> left = shape;
  if (!scans) {
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(dim));
  }
  instruction i = start(scans ? step::scan : step::reduce, o);
  i.dim = static_cast<unsigned>(dim);
  i.reverse = o.reverse;
  for (std::size_t v = 0; v < values; ++v) {
    const tileir::type& from = tile(o, o.operands[v]);
    const tileir::type& result = tile(o, o.results[v]);
    need(o, from.shape == shape && result.shape == left, "its operands and results do not fit");
    need(o, from.element == result.element, "its results have other elements");
    for (const value_id a : {r.arguments[2 * v], r.arguments[2 * v + 1]}) {
      need(o,
           is_tile(type_of(a)) && type_of(a).shape.empty() && type_of(a).element == from.element,
           "its body's arguments are elements");
    }
    i.operands.push_back(whole(o, o.operands[v]));
    i.results.push_back(whole(o, o.results[v]));
  }
  if (is_plain(r)) {
    const operation& inner = r.operations[0];
    const auto form = elementwise_form_of(inner);
    const element e = i.operands[0].type->elem;
    const std::string missing = missing_elementwise(*form, e, e);
    need(inner, missing.empty(), missing);
    i.combination = {form->op, form->modes};
  } else {
    i.combined = combining_body(o);
  }
  to.push_back(std::move(i));
}

namespace {

/// Of each value in turn: an element, and what has been combined so far.
std::map<tileir::value_id, body_value> arguments_of(const tileir::region& r) {
  std::map<tileir::value_id, body_value> known;
  for (unsigned k = 0; k < r.arguments.size(); ++k) {
    known[r.arguments[k]] = {.what = k % 2 == 0 ? body_value::kind::element
                                                : body_value::kind::accumulator,
                             .number = k / 2};
  }
  return known;
}

} // namespace

std::unique_ptr<body> preparer::combining_body(const operation& o) {
  const tileir::region& r = o.regions[0];
  auto made = std::make_unique<body>();
  std::map<value_id, body_value> known = arguments_of(r);
  const auto value = [&](const operation& user, value_id v) -> body_value {
    const auto found = known.find(v);
    if (found != known.end()) {
      return found->second;
    }
    need(user, tile(user, v).count() == 1, "a tile within the body of a reduction");
    return {.what = body_value::kind::outer, .outside = whole(user, v)};
  };
  for (const operation& inner : r.operations) {
    if (inner.what == opcode::yield) {
      need(inner, inner.operands.size() == o.operands.size(), "it yields another number of values");
      for (std::size_t k = 0; k < inner.operands.size(); ++k) {
        need(inner,
             &type_of(inner.operands[k]) == &type_of(r.arguments[2 * k]),
             "it yields a value of another type");
        made->results.push_back(value(inner, inner.operands[k]));
      }
      need(inner, &inner == &r.operations.back(), "it stands within the body");
      continue;
    }
    if (inner.what == opcode::constant) {
      const value_id v = inner.results[0];
      need(inner, type_of(v).count() == 1, "a tile within the body of a reduction");
      known[v] = {.what = body_value::kind::outer,
                  .outside = {.type = machine_type(inner, type_of(v)),
                              .fixed = constant_cells(inner, false)}};
      continue;
    }
    const auto form = elementwise_form_of(inner);
    need(inner,
         form.has_value(),
         "of a reduction's body, arithmetic on elements exists in this release");
    body_instruction i;
    i.op = form->op;
    i.modes = form->modes;
    i.site = module_.site(entry_, inner);
    i.result = machine_type(inner, tile(inner, inner.results[0]));
    need(inner, i.result->count == 1, "a tile within the body of a reduction");
    for (const value_id v : inner.operands) {
      i.operands.push_back(value(inner, v));
    }
    const bool selects = inner.what == opcode::select;
    const element first = machine_type(inner, tile(inner, inner.operands[0]))->elem;
    const std::string missing = missing_elementwise(*form, i.result->elem, first);
    need(inner, missing.empty(), missing);
    for (std::size_t k = selects ? 2 : 1; k < inner.operands.size(); ++k) {
      need_same_type(inner, inner.operands[k], inner.operands[selects ? 1 : 0]);
    }
    known[inner.results[0]] = {.what = body_value::kind::inner,
                               .number = static_cast<unsigned>(made->instructions.size())};
    made->instructions.push_back(std::move(i));
  }
  need(o, made->results.size() == o.operands.size(), "its body yields nothing");
  return made;
}

void preparer::check_matrices(const operation& o) const {
  need_same_type(o, o.operands[2], o.results[0]);
  const auto& a = tile(o, o.operands[0]).shape;
  const auto& b = tile(o, o.operands[1]).shape;
  const auto& c = tile(o, o.operands[2]).shape;
  const std::size_t rank = a.size();
  need(o,
       (rank == 2 || rank == 3) && b.size() == rank && c.size() == rank,
       "its operands are matrices");
  need(o,
       a[rank - 1] == b[rank - 2] && a[rank - 2] == c[rank - 2] && b[rank - 1] == c[rank - 1] &&
           (rank == 2 || (a[0] == b[0] && a[0] == c[0])),
       "its operands' sizes do not fit");
}

void preparer::matrix(const operation& o, sequence& to) {
  const std::array types{&tile(o, o.operands[0]), &tile(o, o.operands[1]), &tile(o, o.operands[2])};
  check_matrices(o);
  instruction i = start(step::mma, o);
  i.op = o.what == opcode::mmaf ? machine::opcode::mmaf : machine::opcode::mmai;
  i.modes.sign = static_cast<machine::signedness>(o.sign);
  i.rhs_sign = static_cast<machine::signedness>(o.sign_of_rhs);
  for (const value_id v : o.operands) {
    i.operands.push_back(whole(o, v));
  }
  i.results.push_back(whole(o, o.results[0]));
  const element in = i.operands[0].type->elem;
  const element out = i.results[0].type->elem;
  const bool small = in == element::f16 || in == element::f8e4m3 || in == element::f8e5m2;
  const bool fits = o.what == opcode::mmai
                        ? in == element::i8 && out == element::i32
                        : (small && (out == element::f16 || out == element::f32)) ||
                              ((in == element::bf16 || in == element::tf32 || in == element::f32) &&
                               out == element::f32) ||
                              (in == element::f64 && out == element::f64);
  need(o,
       fits && types[0]->element == types[1]->element,
       fmt::format("{} by {} to {} does not exist",
                   types[0]->element->text,
                   types[1]->element->text,
                   types[2]->element->text));
  to.push_back(std::move(i));
}

} // namespace tilesim::interpreter
