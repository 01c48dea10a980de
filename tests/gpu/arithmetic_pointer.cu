// Pointer arithmetic: offsets, differences, comparisons, null. Addresses differ from run to run, so
// what is kept are differences and truths. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

constexpr int count = block; // elements of the array that the pointers point into

using indices = ct::tile<int, ct::shape<block>>;

template <class T, class Index>
__tile_global__ void offsets(std::int64_t* result, T* base, const Index* offset) {
  const auto i = ct::iota<indices>();
  const auto k = ct::load(offset + i);
  const auto p = base + k;
  const auto q = k + base;
  ct::store(result + i, p - base);
  ct::store(result + count + i, q - base);
  ct::store(result + 2 * count + i, (p - k) - base);
  ct::store(result + 3 * count + i, +p - q);
  // In bytes.
  ct::store(result + 4 * count + i,
            ct::element_bitcast<std::int64_t>(p) -
                ct::element_bitcast<std::int64_t>(ct::full<decltype(p)>(base)));
}

template <class T>
__tile_global__ void comparisons(bool* result, T* base, const int* left, const int* right) {
  const auto i = ct::iota<indices>();
  const auto p = base + ct::load(left + i);
  const auto q = base + ct::load(right + i);
  ct::store(result + i, p == q);
  ct::store(result + count + i, p != q);
  ct::store(result + 2 * count + i, p < q);
  ct::store(result + 3 * count + i, p <= q);
  ct::store(result + 4 * count + i, p > q);
  ct::store(result + 5 * count + i, p >= q);
  const auto some = ct::select(p < q, p, ct::full<decltype(p)>(static_cast<T*>(nullptr)));
  ct::store(result + 6 * count + i, some == nullptr);
  ct::store(result + 7 * count + i, nullptr != some);
  ct::store(result + 8 * count + i, some && q);
  ct::store(result + 9 * count + i, some || ct::full<decltype(p)>(static_cast<T*>(nullptr)));
  ct::store(result + 10 * count + i, !some);
  ct::store(result + 11 * count + i, ct::element_cast<bool>(some));
}

/// Indices below `count` that fit the type.
template <class Index>
std::vector<bits> inside(bits seed) {
  operands::generator next(seed);
  std::vector<bits> made;
  constexpr format f = element<Index>::layout;
  while (made.size() < count) {
    const bits x = next() % count;
    if (operands::fits(f, x)) {
      made.push_back(x);
    }
  }
  return made;
}

template <class T>
void run_type() {
  const device_array<T> array(count + 1);
  for_each(integers{}, [&]<class Index>() {
    const device_array<Index> offset(inside<Index>(1));
    const device_array<std::int64_t> result(5 * count);
    offsets<T, Index><<<1, 1>>>(result.data(), array.data(), offset.data());
    result.retrieve(std::string("pointer offsets and differences, ") + element<T>::name +
                    ", offset " + element<Index>::name);
    ++operations;
  });
  const device_array<int> left(inside<int>(2));
  const device_array<int> right(inside<int>(3));
  const device_array<bool> result(12 * count);
  comparisons<T><<<1, 1>>>(result.data(), array.data(), left.data(), right.data());
  result.retrieve(std::string("pointer comparisons, ") + element<T>::name);
  ++operations;
}

int main() {
  for_each(list<bool, std::int8_t, std::int16_t, __nv_bfloat16, float, std::int64_t, double>{},
           []<class T>() { run_type<T>(); });
  return done();
}
