// Algorithms of Thrust's with device_vector, each beside what the host computes: reductions, scans, sorts, selections.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <vector>

struct is_even {
  __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};
struct square {
  __host__ __device__ int operator()(int v) const { return v * v; }
};

static int wrong = 0;
static void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("wrong: %s\n", what);
    ++wrong;
  }
}
static bool same(const thrust::device_vector<int>& d, const std::vector<int>& h) {
  thrust::host_vector<int> back = d;
  return back.size() == h.size() && std::equal(h.begin(), h.end(), back.begin());
}
static std::vector<int> mixed(int n) {
  std::vector<int> made(n);
  for (int i = 0; i < n; ++i) {
    made[i] = (i * 7919 + 13) % 1009;
  }
  return made;
}

// One function in spite of its length: a list of algorithms.
int main() {
  const int n = 3000;
  std::vector<int> h = mixed(n);
  thrust::device_vector<int> d(h.begin(), h.end());
  expect(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0), "reduce");
  expect(thrust::transform_reduce(d.begin(), d.end(), square(), 0, thrust::plus<int>()) ==
             std::inner_product(h.begin(), h.end(), h.begin(), 0), "transform_reduce");
  expect(thrust::inner_product(d.begin(), d.end(), d.begin(), 0) ==
             std::inner_product(h.begin(), h.end(), h.begin(), 0), "inner_product");
  expect(thrust::count_if(d.begin(), d.end(), is_even()) == std::count_if(h.begin(), h.end(), is_even()), "count_if");
  expect(*thrust::max_element(d.begin(), d.end()) == *std::max_element(h.begin(), h.end()), "max_element");
  thrust::device_vector<int> out(n);
  std::vector<int> made(n);
  thrust::inclusive_scan(d.begin(), d.end(), out.begin());
  std::partial_sum(h.begin(), h.end(), made.begin());
  expect(same(out, made), "inclusive_scan");
  thrust::exclusive_scan(d.begin(), d.end(), out.begin());
  expect(out[0] == 0 && out[n - 1] == made[n - 2], "exclusive_scan");
  const auto end = thrust::copy_if(d.begin(), d.end(), out.begin(), is_even());
  made.clear();
  std::copy_if(h.begin(), h.end(), std::back_inserter(made), is_even());
  expect(end - out.begin() == static_cast<long>(made.size()) && std::equal(made.begin(), made.end(), thrust::host_vector<int>(out.begin(), end).begin()), "copy_if");
  thrust::sort(d.begin(), d.end());
  std::sort(h.begin(), h.end());
  expect(same(d, h), "sort");
  thrust::sort(d.begin(), d.end(), thrust::greater<int>());
  expect(d[0] == h.back() && d[n - 1] == h.front(), "sort by greater");
  thrust::reverse(d.begin(), d.end());
  expect(same(d, h), "reverse");
  expect(thrust::lower_bound(d.begin(), d.end(), 500) - d.begin() == std::lower_bound(h.begin(), h.end(), 500) - h.begin(), "lower_bound");
  thrust::device_vector<int> keys(n), sums(n);
  const auto ends = thrust::reduce_by_key(d.begin(), d.end(), d.begin(), keys.begin(), sums.begin());
  expect(ends.first - keys.begin() == std::unique(h.begin(), h.end()) - h.begin(), "reduce_by_key");
  const auto last = thrust::unique(d.begin(), d.end());
  expect(last - d.begin() == ends.first - keys.begin(), "unique");
  std::vector<int> values = mixed(n);
  thrust::device_vector<int> k(values.begin(), values.end()), v(n);
  thrust::sequence(v.begin(), v.end());
  thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
  thrust::host_vector<int> order = v;
  bool sorted = true;
  for (int i = 1; i < n; ++i) {
    const int a = values[order[i - 1]], b = values[order[i]];
    sorted = sorted && (a < b || (a == b && order[i - 1] < order[i]));
  }
  expect(sorted, "stable_sort_by_key");
  thrust::device_vector<int> gathered(n);
  thrust::device_vector<int> source(values.begin(), values.end());
  thrust::gather(v.begin(), v.end(), source.begin(), gathered.begin());
  expect(gathered == k, "gather");
  std::printf("%d wrong\n", wrong);
  return wrong;
}
