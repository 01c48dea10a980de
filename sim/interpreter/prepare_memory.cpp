// Accesses of memory, through pointers and through views.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/preparer.hpp"
#include "sim/ops/rmw.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::interpreter {

using tileir::opcode;
using kind = tileir::type::kind;

namespace {

machine::access access_of(const tileir::operation& o) {
  machine::access how;
  how.order = static_cast<machine::memory_order>(o.order);
  if (o.scope) {
    how.scope = static_cast<machine::memory_scope>(*o.scope);
  }
  return how;
}

/// The machine knows max and umax by the sign; integers wrap, which is what an unsigned add does.
machine::signedness sign_of(machine::rmw_mode mode) {
  return mode == machine::rmw_mode::max || mode == machine::rmw_mode::min
             ? machine::signedness::signed_
             : machine::signedness::unsigned_;
}

} // namespace

bool preparer::memory(const operation& o, sequence& to) {
  switch (o.what) {
  case opcode::load_ptr_tko:
  case opcode::store_ptr_tko:
  case opcode::atomic_rmw_tko:
  case opcode::atomic_cas_tko:
    pointer_access(o, to);
    return true;
  case opcode::load_view_tko:
  case opcode::store_view_tko:
  case opcode::atomic_red_view_tko:
    view_access(o, to);
    return true;
  case opcode::make_tensor_view:
  case opcode::make_partition_view:
  case opcode::make_strided_view:
  case opcode::make_gather_scatter_view:
    make_view(o, to);
    return true;
  case opcode::get_tensor_shape:
  case opcode::get_index_space_shape:
    view_shape(o, to);
    return true;
  default:
    return false;
  }
}

/// What an order may be: that of a load, a store, or an atomic update.
void preparer::check_order(const operation& o, bool reads, bool writes) const {
  const auto order = static_cast<machine::memory_order>(o.order);
  using enum machine::memory_order;
  const bool fits = order == relaxed || (reads && order == acquire) ||
                    (writes && order == release) || (reads && writes && order == acq_rel) ||
                    (order == weak && reads != writes);
  need(o, fits, "it cannot have this memory order");
  need(o, o.scope.has_value() == (order != weak), "a scope goes with an order that is not weak");
}

/// Its tokens: one that it may take, and one that it gives.
void preparer::order(const operation& o, instruction& i) {
  if (o.token) {
    need(o, type_of(o.operands[*o.token]).is(kind::token), "its token is no token");
    i.waits.push_back(number_of(o.operands[*o.token]));
  }
  need(o, type_of(o.results.back()).is(kind::token), "its last result is no token");
  i.leaves = number_of(o.results.back());
}

void preparer::check_mode(const operation& o, element e) const {
  const auto mode = static_cast<machine::rmw_mode>(o.mode);
  need(o,
       sim::ops::find_rmw(mode, e, sign_of(mode)) != nullptr,
       fmt::format("this update of {} does not exist in this release", name(e)));
}

void preparer::pointer_access(const operation& o, sequence& to) {
  const tileir::type& pointers = tile(o, o.operands[0]);
  need(o, pointers.element->is(kind::pointer), "its first operand is no tile of pointers");
  const bool loads = o.what == opcode::load_ptr_tko;
  const bool stores = o.what == opcode::store_ptr_tko;
  check_order(o, !stores, !loads);
  instruction i = start(loads                              ? step::load
                        : stores                           ? step::store
                        : o.what == opcode::atomic_cas_tko ? step::compare_exchange
                                                           : step::update,
                        o);
  i.how = access_of(o);
  order(o, i);
  const auto holds_values = [&](value_id v) {
    need(o,
         tile(o, v).shape == pointers.shape && tile(o, v).element == pointers.element->element,
         fmt::format("{} for {}", type_of(v).text, pointers.text));
  };
  const std::size_t values = loads ? 0 : o.what == opcode::atomic_cas_tko ? 2 : 1;
  i.operands.push_back(whole(o, o.operands[0]));
  for (std::size_t k = 1; k <= values; ++k) {
    holds_values(o.operands[k]);
    i.operands.push_back(whole(o, o.operands[k]));
  }
  if (!stores) {
    holds_values(o.results[0]);
    i.results.push_back(whole(o, o.results[0]));
  }
  if (o.mask) {
    const tileir::type& mask = tile(o, o.operands[*o.mask]);
    need(o,
         element_of(mask) == element::i1 && mask.shape == pointers.shape,
         "its mask is no i1 of the pointers' shape");
    i.mask = static_cast<int>(i.operands.size());
    i.operands.push_back(whole_or_one(o, o.operands[*o.mask]));
  }
  if (o.padding) {
    holds_values(o.operands[*o.padding]);
    i.padding = static_cast<int>(i.operands.size());
    i.operands.push_back(whole_or_one(o, o.operands[*o.padding]));
  }
  if (i.what == step::update) {
    i.mode = static_cast<machine::rmw_mode>(o.mode);
    i.modes.sign = sign_of(i.mode);
    check_mode(o, i.operands[1].type->elem);
  } else if (i.what == step::compare_exchange) {
    const unsigned bytes = size_of(i.operands[1].type->elem);
    need(o, bytes == 4 || bytes == 8, "its elements have 4 or 8 bytes");
  }
  to.push_back(std::move(i));
}

void preparer::view_access(const operation& o, sequence& to) {
  const bool loads = o.what == opcode::load_view_tko;
  const bool stores = o.what == opcode::store_view_tko;
  const value_id view = o.operands[stores ? 1 : 0];
  const tileir::type& t = type_of(view);
  need(o, t.is_view(), fmt::format("{} is no view", t.text));
  if (o.what == opcode::atomic_red_view_tko) {
    need(o, o.order == 1 && o.scope, "it is relaxed");
  } else {
    check_order(o, loads, stores);
  }
  instruction i = start(loads ? step::load_view : stores ? step::store_view : step::reduce_view, o);
  i.how = access_of(o);
  order(o, i);
  i.view_type = &t;
  need(o, o.index.count == t.shape.size(), "it has an index a dimension");
  i.operands.push_back(whole(o, view));
  for (std::uint32_t d = 0; d < o.index.count; ++d) {
    const value_id v = o.operands[o.index.first + d];
    const tileir::type& index = tile(o, v);
    const bool sparse = t.is(kind::gather_scatter_view) && d == t.sparse_dim;
    need(o,
         index.element->is(kind::number) && tileir::is_integer(index.element->num) &&
             index.shape ==
                 (sparse ? std::vector<std::int64_t>{t.shape[d]} : std::vector<std::int64_t>{}),
         fmt::format("index {} is {}", d, index.text));
    i.operands.push_back(whole(o, v));
  }
  const value_id value = loads    ? o.results.at(0)
                         : stores ? o.operands[0]
                                  : o.operands[o.index.first + o.index.count];
  const tileir::type& moved = tile(o, value);
  need(o,
       moved.shape == t.shape && moved.element == t.element->element,
       fmt::format("{} for {}", moved.text, t.text));
  i.view_tile = machine_type(o, moved);
  if (loads) {
    i.results.push_back(whole(o, value));
  } else {
    i.operands.push_back(whole(o, value));
  }
  if (i.what == step::reduce_view) {
    i.mode = static_cast<machine::rmw_mode>(o.mode);
    i.modes.sign = sign_of(i.mode);
    check_mode(o, i.view_tile->elem);
  }
  // A promise that all of the tile is within the tensor is held to.
  need(o,
       o.inbounds.empty() || o.inbounds.size() == t.shape.size(),
       "it has an inbounds a dimension");
  i.masked = o.inbounds.empty() ||
             !std::all_of(o.inbounds.begin(), o.inbounds.end(), [](bool b) { return b; });
  to.push_back(std::move(i));
}

void preparer::make_view(const operation& o, sequence& to) {
  const tileir::type& t = type_of(o.results.at(0));
  if (o.what != opcode::make_tensor_view) {
    need(o,
         t.is_view() && &type_of(o.operands[0]) == t.element,
         "its result is no view of its operand");
    instruction i = start(step::tile_view, o);
    i.view_type = &t;
    i.operands.push_back(whole(o, o.operands[0]));
    i.results.push_back(whole(o, o.results[0]));
    to.push_back(std::move(i));
    return;
  }
  need(o, t.is(kind::tensor_view), "its result is no tensor view");
  const tileir::type& base = tile(o, o.operands[0]);
  need(o,
       base.shape.empty() && base.element->is(kind::pointer) && base.element->element == t.element,
       "its first operand is no pointer to its elements");
  const auto dynamic = [](const std::vector<std::int64_t>& all) {
    return static_cast<std::uint32_t>(std::count(all.begin(), all.end(), tileir::dynamic));
  };
  need(o,
       o.index.count == dynamic(t.shape) && o.strides.count == dynamic(t.strides),
       "it has an operand for each extent and stride that is not said");
  instruction i = start(step::tensor_view, o);
  i.view_type = &t;
  i.results.push_back(whole(o, o.results[0]));
  i.operands.push_back(whole(o, o.operands[0]));
  for (std::size_t k = 1; k < o.operands.size(); ++k) {
    static_cast<void>(scalar_integer(o, o.operands[k]));
    i.operands.push_back(whole(o, o.operands[k]));
  }
  i.first_stride = 1 + o.index.count;
  to.push_back(std::move(i));
}

void preparer::view_shape(const operation& o, sequence& to) {
  const tileir::type& t = type_of(o.operands[0]);
  const bool of_tensor = o.what == opcode::get_tensor_shape;
  need(o, of_tensor ? t.is(kind::tensor_view) : t.is_view(), fmt::format("of {}", t.text));
  need(o, o.results.size() == t.shape.size(), "it has a result a dimension");
  instruction i = start(of_tensor ? step::tensor_shape : step::index_space_shape, o);
  i.view_type = &t;
  i.operands.push_back(whole(o, o.operands[0]));
  for (const value_id v : o.results) {
    static_cast<void>(scalar_integer(o, v));
    i.results.push_back(whole(o, v));
  }
  to.push_back(std::move(i));
}

} // namespace tilesim::interpreter
