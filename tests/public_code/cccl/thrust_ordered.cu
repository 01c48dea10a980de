// What Thrust and CUB do with two ordered ranges: merges, with values, too, and operations of sets.
// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_merge.cuh>
#include <thrust/device_vector.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

int wrong = 0;

void expect(const char* what, const std::vector<int>& want, const thrust::device_vector<int>& got) {
  std::vector<int> host(want.size());
  thrust::copy(got.begin(), got.begin() + static_cast<long>(want.size()), host.begin());
  if (host != want) {
    std::printf("%s is wrong\n", what);
    ++wrong;
  }
}

template <class Standard, class Thrust>
void set_operation(const char* what, const std::vector<int>& a, const std::vector<int>& b, Standard standard, Thrust there) {
  std::vector<int> want;
  standard(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
  const thrust::device_vector<int> x(a.begin(), a.end()), y(b.begin(), b.end());
  thrust::device_vector<int> out(a.size() + b.size(), -1);
  const auto end = there(x.begin(), x.end(), y.begin(), y.end(), out.begin());
  wrong += end - out.begin() != static_cast<long>(want.size());
  expect(what, want, out);
}

} // namespace

#define SETS(name)                                                                                                         \
  set_operation(                                                                                                           \
      #name, a, b, [](auto... i) { std::name(i...); }, [](auto... i) { return thrust::name(i...); })

int main() {
  std::vector<int> a, b;
  for (int i = 0; i < 1500; ++i) {
    a.push_back(2 * i);
    b.push_back(3 * i);
  }
  std::vector<int> merged(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), merged.begin());
  const thrust::device_vector<int> x(a.begin(), a.end()), y(b.begin(), b.end());
  thrust::device_vector<int> out(merged.size()), values(merged.size());
  thrust::merge(x.begin(), x.end(), y.begin(), y.end(), out.begin());
  expect("merge", merged, out);
  thrust::merge_by_key(x.begin(), x.end(), y.begin(), y.end(), x.begin(), y.begin(), out.begin(), values.begin());
  expect("keys", merged, out);
  expect("values", merged, values);
  thrust::fill(out.begin(), out.end(), -1);
  std::size_t bytes = 0;
  thrust::device_vector<char> storage;
  for (int i = 0; i < 2; ++i) {
    cub::DeviceMerge::MergeKeys(thrust::raw_pointer_cast(storage.data()),
                                bytes,
                                thrust::raw_pointer_cast(x.data()),
                                static_cast<int>(x.size()),
                                thrust::raw_pointer_cast(y.data()),
                                static_cast<int>(y.size()),
                                thrust::raw_pointer_cast(out.data()));
    storage.resize(bytes);
  }
  expect("DeviceMerge", merged, out);
  SETS(set_union);
  SETS(set_intersection);
  SETS(set_difference);
  SETS(set_symmetric_difference);
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
