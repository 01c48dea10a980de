// The C++ type that holds one cell of each floating-point element kind.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fp/cells.hpp"

#include <tilesim/element.hpp>

namespace tilesim::sim::ops {

/// Calls action.operator()<Cell>() for the cell type of a floating-point kind; otherwise returns
/// `none`.
template <class Result, class Action>
Result with_float_cell(element kind, Result none, const Action& action) noexcept {
  switch (kind) {
  case element::f16:
    return action.template operator()<fp::f16>();
  case element::bf16:
    return action.template operator()<fp::bf16>();
  case element::tf32:
    return action.template operator()<fp::tf32>();
  case element::f32:
    return action.template operator()<float>();
  case element::f64:
    return action.template operator()<double>();
  case element::f8e4m3:
    return action.template operator()<fp::e4m3>();
  case element::f8e5m2:
    return action.template operator()<fp::e5m2>();
  case element::i1:
  case element::i8:
  case element::i16:
  case element::i32:
  case element::i64:
  case element::ptr:
    break;
  }
  return none;
}

} // namespace tilesim::sim::ops
