// A tile of cells with a shape, for operations that know shapes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilesim::test {

template <class Cell>
struct shaped {
  std::vector<std::uint32_t> extents;
  std::vector<Cell> cells;
  machine::tile_type type{};

  shaped(element kind, std::vector<std::uint32_t> shape)
      : extents(std::move(shape)) {
    std::uint32_t count = 1;
    for (const auto e : extents) {
      count *= e;
    }
    cells.resize(count);
    type = {kind,
            kind,
            0,
            false,
            false,
            static_cast<std::uint8_t>(extents.size()),
            count,
            extents.data()};
  }
  shaped(element kind, std::vector<std::uint32_t> shape, std::vector<Cell> values)
      : shaped(kind, std::move(shape)) {
    cells = std::move(values);
  }
  shaped(const shaped&) = delete;
  shaped& operator=(const shaped&) = delete;
  operator machine::in() const { return {&type, cells.data()}; }
  operator machine::out() { return {&type, cells.data()}; }
};

/// The shape with length 1 along dim.
inline std::vector<std::uint32_t> flattened(std::vector<std::uint32_t> shape, unsigned dim) {
  shape[dim] = 1;
  return shape;
}

/// The linear indices of the elements along dim, for each lane: lane by lane in row-major order.
inline std::vector<std::vector<std::size_t>> lanes_of(const std::vector<std::uint32_t>& shape,
                                                      unsigned dim) {
  std::size_t outer = 1, inner = 1;
  for (unsigned k = 0; k < shape.size(); ++k) {
    (k < dim ? outer : inner) *= k == dim ? 1 : shape[k];
  }
  std::vector<std::vector<std::size_t>> found;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      std::vector<std::size_t> lane;
      for (std::size_t k = 0; k < shape[dim]; ++k) {
        lane.push_back((((o * shape[dim]) + k) * inner) + i);
      }
      found.push_back(std::move(lane));
    }
  }
  return found;
}

} // namespace tilesim::test
