// Pointers formed far outside their array: undefined, and what this hardware gives then.
// Differences in bytes and in elements. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

template <class T, class Index>
__tile_global__ void offsets(std::uint64_t* result, T* base, const Index* offset, int count) {
  const auto i =
      ct::iota<ct::tile<int, ct::shape<block>>>() + static_cast<int>(ct::bid().x) * block;
  const auto k = ct::load(offset + i);
  const auto p = base + k;
  const auto address = ct::element_bitcast<std::uint64_t>(ct::full<decltype(p)>(base));
  ct::store(result + i, ct::element_bitcast<std::uint64_t>(p) - address);
  ct::store(result + count + i, ct::element_bitcast<std::uint64_t>(p - base));
  ct::store(result + 2 * count + i, ct::element_bitcast<std::uint64_t>(base - k) - address);
}

template <class T, class Index>
void run_pointer() {
  const device_array<T> array(block);
  const arrays values = operands::singles(element<Index>::layout, 1024);
  const int count = static_cast<int>(values[0].size());
  const device_array<Index> offset(values[0]);
  const device_array<std::uint64_t> result(3 * values[0].size());
  offsets<T, Index><<<static_cast<unsigned>(count / block), 1>>>(
      result.data(), array.data(), offset.data(), count);
  result.retrieve(std::string("pointers out of range, ") + element<T>::name + ", offset " +
                  element<Index>::name);
  ++operations;
}

int main() {
  for_each(list<std::int8_t, std::int16_t, float, double>{},
           []<class T>() { for_each(integers{}, []<class Index>() { run_pointer<T, Index>(); }); });
  return done();
}
