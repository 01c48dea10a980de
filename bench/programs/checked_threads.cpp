// The loops of checked.cu on threads of the host, to be compiled with -fsanitize=thread: what
// ThreadSanitizer costs, as a yardstick. Each of four threads takes a quarter of the elements.
//
// Prints one line per measurement for bench/run.py.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <thread>
#include <vector>

constexpr int n = 1 << 20;
constexpr int bins = 256;
constexpr int workers = 4;
constexpr int repeats = 9;

/// Wall time of all threads together, on the one core that they are pinned to; see checked.cu.
double wall_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

template <class Body>
void measure(const char* name, Body body) {
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const double start = wall_ns();
    std::vector<std::thread> threads;
    for (int t = 0; t < workers; ++t) {
      threads.emplace_back([=] {
        for (int k = t * (n / workers); k < (t + 1) * (n / workers); ++k) {
          body(k);
        }
      });
    }
    for (std::thread& t : threads) {
      t.join();
    }
    best = std::min(best, wall_ns() - start);
  }
  std::printf("threads %s ns_per_element %.3f\n", name, best / n);
}

int main() {
  static std::vector<float> x(n, 1.0f), y(n, 1.0f);
  static std::vector<int> values(n), places(n);
  static std::vector<std::atomic<int>> counts(bins);
  std::iota(places.begin(), places.end(), 0);
  unsigned state = 1;
  const auto draw = [&state] { return (state = state * 1664525U + 1013904223U) >> 8U; };
  for (int i = n - 1; i > 0; --i) {
    std::swap(places[i], places[draw() % (i + 1)]);
    values[i] = static_cast<int>(draw() % bins);
  }
  measure("saxpy", [](int i) { y[i] = 2.0f * x[i] + y[i]; });
  measure("histogram", [](int i) { counts[values[i]].fetch_add(1, std::memory_order_relaxed); });
  measure("scatter", [](int i) { y[places[i]] = x[i]; });
}
