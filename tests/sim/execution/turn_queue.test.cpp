// Threads are taken out of a queue in the order in which they came, also from its middle.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/turn_queue.hpp"

#include "sim/ops/rng.hpp"

#include <algorithm>
#include <cstddef>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

namespace {

/// The queue knows of workers no more than where they lie.
worker* worker_of(thread_number n) {
  return reinterpret_cast<worker*>(8 * (n + 1)); // NOLINT(performance-no-int-to-ptr)
}

/// A queue and what it has to hold.
struct followed {
  turn_queue queue;
  std::vector<thread_number> expected;
  thread_number next = 0;

  void add(std::size_t count) {
    const auto places = queue.add(count);
    for (std::size_t i = 0; i < count; ++i) {
      places.all[i] = worker_of(next);
      places.numbers[i] = next;
      expected.push_back(next++);
    }
  }
  void push_back() {
    queue.push_back(worker_of(next), next);
    expected.push_back(next++);
  }
  bool take(std::size_t index) {
    const worker* const w = worker_of(expected[index]);
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(index));
    return queue.take(index) == w;
  }
  bool agrees() {
    std::vector<const worker*> wanted;
    std::ranges::transform(expected, std::back_inserter(wanted), worker_of);
    bool same = queue.size() == expected.size() && queue.empty() == expected.empty() &&
                std::ranges::equal(queue, wanted);
    if (!expected.empty()) {
      same = same && queue.front() == wanted.front() && queue.back() == wanted.back();
    }
    return same;
  }
  bool numbers_agree() { return std::ranges::equal(queue.numbers(expected.size()), expected); }
};

} // namespace

TEST_CASE("a queue of turns keeps its order, whoever is taken", "[execution]") {
  for (const std::size_t block : {std::size_t{32}, std::size_t{1000}, std::size_t{9000}}) {
    rng draw(block);
    followed f;
    for (int round = 0; round < 40; ++round) {
      f.add(1 + draw.below(block));
      for (std::size_t i = draw.below(block); i != 0 && !f.expected.empty(); --i) {
        const bool from_ends = draw.below(4) == 0;
        const std::size_t last = f.expected.size() - 1;
        REQUIRE(f.take(from_ends ? (draw.below(2) == 0 ? 0 : last) : draw.below(last + 1)));
        if (draw.below(8) == 0) {
          f.push_back();
        }
      }
      REQUIRE(f.agrees());
      if (draw.below(3) == 0) {
        REQUIRE(f.numbers_agree());
        REQUIRE(f.agrees());
      }
    }
    while (!f.expected.empty()) {
      REQUIRE(f.take(draw.below(f.expected.size())));
    }
    CHECK(f.agrees());
    f.push_back();
    CHECK(f.agrees());
  }
}
