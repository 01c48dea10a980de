// Rearranging operations: the pages' examples, and random shapes against index arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/rearrange.hpp"

#include "samples.hpp"

#include <algorithm>
#include <numeric>
#include <support/catch.hpp>
#include <vector>

namespace tilesim::test {
namespace {

using machine::opcode;
namespace ops = sim::ops;

/// A tile of 16-bit cells with a shape.
struct tile {
  std::vector<std::uint32_t> extents;
  std::vector<std::uint16_t> cells;
  machine::tile_type type{};

  explicit tile(std::vector<std::uint32_t> shape)
      : extents(std::move(shape)) {
    std::uint32_t count = 1;
    for (const auto e : extents) {
      count *= e;
    }
    cells.resize(count);
    std::iota(cells.begin(), cells.end(), std::uint16_t{0});
    type = {element::i16,
            element::i16,
            2,
            true,
            extents.empty(),
            static_cast<std::uint8_t>(extents.size()),
            count,
            extents.data()};
  }
  tile(const tile&) = delete;
  tile& operator=(const tile&) = delete;
  operator machine::in() const { return {&type, cells.data()}; }
  operator machine::out() { return {&type, cells.data()}; }
  [[nodiscard]] std::uint16_t at(const std::vector<std::uint32_t>& index) const {
    std::size_t flat = 0;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      flat = flat * extents[k] + index[k];
    }
    return cells[flat];
  }
};

/// Every index of a shape in row-major order.
template <class Visit>
void each_index(const std::vector<std::uint32_t>& extents, const Visit& visit) {
  std::vector<std::uint32_t> index(extents.size(), 0);
  for (;;) {
    visit(index);
    std::size_t k = extents.size();
    while (k > 0 && ++index[k - 1] == extents[k - 1]) {
      index[--k] = 0;
    }
    if (k == 0) {
      return;
    }
  }
}

} // namespace

TEST_CASE("constant, iota, reshape", "[ops][tile]") {
  const tile one({});
  tile filled({4, 2});
  ops::constant(filled, one);
  CHECK(filled.cells == std::vector<std::uint16_t>(8, 0));
  tile counted({2, 4});
  ops::constant(counted, one);
  ops::iota(counted);
  CHECK(counted.cells == std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 7});
  ops::reshape(filled, counted);
  CHECK(filled.at({1, 1}) == 3);
}

TEST_CASE("iota of bool has two elements", "[ops][tile]") {
  const std::uint32_t extents[]{2};
  const machine::tile_type type{element::i1, element::i1, 1, true, false, 1, 2, extents};
  std::uint8_t cells[2]{7, 7};
  ops::iota({&type, cells});
  CHECK(cells[0] == 0);
  CHECK(cells[1] == 1);
}

TEST_CASE("broadcast", "[ops][tile]") {
  struct row {
    std::vector<std::uint32_t> from, to;
  };
  const std::vector<row> rows{{{}, {4}},
                              {{1}, {2, 8}},
                              {{8}, {4, 8}},
                              {{4, 1}, {4, 8}},
                              {{2, 1, 4}, {2, 2, 8, 4}},
                              {{1, 4, 1}, {2, 4, 16}},
                              {{4, 8}, {4, 8}},
                              {{1, 1}, {1, 1}}};
  for (const auto& r : rows) {
    const tile from(r.from);
    tile to(r.to);
    ops::broadcast(to, from);
    int wrong = 0;
    each_index(r.to, [&](const auto& index) {
      std::vector<std::uint32_t> source(r.from.size());
      for (std::size_t k = 0; k < source.size(); ++k) {
        source[k] = r.from[k] == 1 ? 0 : index[k + r.to.size() - r.from.size()];
      }
      wrong += to.at(index) != from.at(source);
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("permute", "[ops][tile]") {
  struct row {
    std::vector<std::uint32_t> from;
    std::vector<std::int64_t> permutation;
  };
  // The page's example first: 2x4x8 with [2, 0, 1] is 8x2x4.
  const std::vector<row> rows{{{2, 4, 8}, {2, 0, 1}},
                              {{2, 4, 8}, {1, 0, 2}},
                              {{64, 128}, {1, 0}},
                              {{4, 1, 8}, {2, 1, 0}},
                              {{2, 2, 2, 2}, {3, 1, 0, 2}},
                              {{4, 8}, {0, 1}},
                              {{1, 1}, {1, 0}},
                              {{2, 4, 8}, {0, 2, 1}}};
  for (const auto& r : rows) {
    const tile from(r.from);
    std::vector<std::uint32_t> shape;
    for (const auto p : r.permutation) {
      shape.push_back(r.from[static_cast<std::size_t>(p)]);
    }
    tile to(shape);
    ops::permute(to, from, r.permutation.data());
    int wrong = 0;
    each_index(shape, [&](const auto& index) {
      std::vector<std::uint32_t> source(index.size());
      for (std::size_t k = 0; k < index.size(); ++k) {
        source[static_cast<std::size_t>(r.permutation[k])] = index[k];
      }
      wrong += to.at(index) != from.at(source);
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("cat", "[ops][tile]") {
  const tile a({2, 4}), b({2, 4});
  tile rows({4, 4}), columns({2, 8});
  const std::int64_t first = 0, second = 1;
  const machine::in both[]{a, b};
  CHECK_FALSE(ops::rearrange(opcode::cat, rows, both, &first));
  CHECK(rows.at({3, 1}) == b.at({1, 1}));
  CHECK(rows.at({1, 3}) == a.at({1, 3}));
  CHECK_FALSE(ops::rearrange(opcode::cat, columns, both, &second));
  CHECK(columns.at({1, 5}) == b.at({1, 1}));
  CHECK(columns.at({0, 3}) == a.at({0, 3}));
}

TEST_CASE("extract counts sub-tiles", "[ops][tile]") {
  const tile from({4, 8});
  tile to({2, 2});
  const std::int64_t inside[]{1, 3};
  CHECK_FALSE(ops::extract(to, from, inside));
  CHECK(to.at({0, 0}) == from.at({2, 6}));
  CHECK(to.at({1, 1}) == from.at({3, 7}));
  const std::int64_t outside[]{2, 0};
  CHECK(ops::extract(to, from, outside));
  const std::int64_t negative[]{0, -1};
  CHECK(ops::extract(to, from, negative));
  const tile scalar({});
  tile same_scalar({});
  CHECK_FALSE(ops::extract(same_scalar, scalar, nullptr));
}

namespace {

/// 1 to 5 dimensions of 1 to 16 elements, powers of two, 1024 elements at most.
std::vector<std::uint32_t> random_shape(generator& next) {
  std::vector<std::uint32_t> shape(1 + next() % 5);
  std::uint32_t room = 10; // bits
  for (auto& extent : shape) {
    const auto bits = static_cast<std::uint32_t>(next() % (std::min(room, 4U) + 1));
    extent = 1U << bits;
    room -= bits;
  }
  return shape;
}

std::vector<std::int64_t> random_order(std::size_t rank, generator& next) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = rank; i > 1; --i) {
    std::swap(order[i - 1], order[next() % i]);
  }
  return order;
}

std::vector<std::uint32_t> permuted(const std::vector<std::uint32_t>& shape,
                                    const std::vector<std::int64_t>& order) {
  std::vector<std::uint32_t> result;
  for (const auto p : order) {
    result.push_back(shape[static_cast<std::size_t>(p)]);
  }
  return result;
}

} // namespace

TEST_CASE("random shapes: permute by a map and by its inverse", "[ops][tile][property]") {
  generator next(1);
  for (int turn = 0; turn < 300; ++turn) {
    const tile from(random_shape(next));
    const auto order = random_order(from.extents.size(), next);
    std::vector<std::int64_t> inverse(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      inverse[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
    }
    tile there(permuted(from.extents, order)), back(from.extents);
    ops::permute(there, from, order.data());
    ops::permute(back, there, inverse.data());
    CAPTURE(from.extents, order);
    CHECK(back.cells == from.cells);
    // and by two maps one after the other as by their composition
    const auto second = random_order(order.size(), next);
    std::vector<std::int64_t> both;
    for (const auto p : second) {
      both.push_back(order[static_cast<std::size_t>(p)]);
    }
    tile twice(permuted(there.extents, second)), once(permuted(from.extents, both));
    ops::permute(twice, there, second.data());
    ops::permute(once, from, both.data());
    CHECK(twice.cells == once.cells);
  }
}

TEST_CASE("random shapes: extract undoes cat, cat undoes extract", "[ops][tile][property]") {
  generator next(2);
  for (int turn = 0; turn < 300; ++turn) {
    const auto shape = random_shape(next);
    tile first(shape), second(shape);
    for (auto& cell : second.cells) {
      cell = static_cast<std::uint16_t>(cell + 5000);
    }
    const auto dimension = static_cast<std::int64_t>(next() % shape.size());
    auto doubled = shape;
    doubled[static_cast<std::size_t>(dimension)] *= 2;
    tile whole(doubled), part(shape), again(doubled);
    const machine::in parts[]{first, second};
    REQUIRE_FALSE(ops::rearrange(opcode::cat, whole, parts, &dimension));
    std::vector<std::int64_t> at(shape.size(), 0);
    CAPTURE(shape, dimension);
    REQUIRE_FALSE(ops::extract(part, whole, at.data()));
    CHECK(part.cells == first.cells);
    at[static_cast<std::size_t>(dimension)] = 1;
    REQUIRE_FALSE(ops::extract(part, whole, at.data()));
    CHECK(part.cells == second.cells);
    const machine::in same_parts[]{first, part};
    REQUIRE_FALSE(ops::rearrange(opcode::cat, again, same_parts, &dimension));
    CHECK(again.cells == whole.cells);
  }
}

TEST_CASE("random shapes: reshape keeps the order, broadcast repeats it", "[ops][tile][property]") {
  generator next(3);
  for (int turn = 0; turn < 300; ++turn) {
    const tile from(random_shape(next));
    auto split = from.extents; // the last dimension halved, or one of 1 put before
    if (split.back() > 1) {
      split.back() /= 2;
      split.push_back(2);
    } else {
      split.insert(split.begin(), 1);
    }
    tile other(split), back(from.extents);
    ops::reshape(other, from);
    ops::reshape(back, other);
    CAPTURE(from.extents);
    CHECK(other.cells == from.cells);
    CHECK(back.cells == from.cells);
    auto more = from.extents;
    more.insert(more.begin(), 4);
    tile four(more);
    ops::broadcast(four, from);
    int wrong = 0;
    for (std::size_t i = 0; i < four.cells.size(); ++i) {
      wrong += four.cells[i] != from.cells[i % from.cells.size()];
    }
    CHECK(wrong == 0);
  }
}

} // namespace tilesim::test
