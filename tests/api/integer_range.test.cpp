// irange: which values it gives, up to the ends of its type.  [integer range]
//
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cuda_tile.h>
#include <limits>
#include <tests/support/catch.hpp>
#include <vector>

namespace ct = cuda::tiles;

namespace {

template <class T>
std::vector<long> values(ct::irange<T> range) {
  std::vector<long> v;
  for (const auto i : range) {
    v.push_back(static_cast<long>(i));
  }
  CHECK(static_cast<long>(range.size()) == static_cast<long>(v.size()));
  CHECK(range.empty() == v.empty());
  return v;
}

using list = std::vector<long>;

} // namespace

TEST_CASE("irange counts from the lower bound in steps, below the upper", "[api][integer range]") {
  CHECK(values(ct::irange(5, 12, 2)) == list{5, 7, 9, 11});
  CHECK(values(ct::irange(0, 3)) == list{0, 1, 2});
  CHECK(values(ct::irange(3, 3)).empty());
  CHECK(values(ct::irange(4, 3)).empty());
  CHECK(values(ct::irange(-3, 3, 3)) == list{-3, 0});
}

TEST_CASE("irange stops where one more step would leave its type", "[api][integer range]") {
  constexpr auto top = std::numeric_limits<std::uint8_t>::max();
  CHECK(values(ct::irange(std::uint8_t{250}, top, std::uint8_t{3})) == list{250, 253});
  constexpr int most = std::numeric_limits<int>::max();
  CHECK(values(ct::irange(most - 1, most, 100)) == list{most - 1});
  CHECK(values(ct::irange(std::numeric_limits<std::int8_t>::min(),
                          std::numeric_limits<std::int8_t>::max(),
                          std::int8_t{100})) == list{-128, -28, 72});
}
