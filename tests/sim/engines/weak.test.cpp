// The weak engine: strong reads of kernels are given older writes by every road, where the model
// allows that, and by none where it does not.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/hooks.hpp"
#include "sim/core/thread.hpp"
#include "sim/engines/detect_engine.hpp"

#include <tilesim/detail/atomic_access.hpp>

#include <algorithm>
#include <cstdint>
#include <cuda_runtime.h>
#include <span>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <utility>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

extern "C" {
void tilesim_hook___tsan_volatile_read4(void* p);
void tilesim_hook___tsan_volatile_write4(void* p);
}

namespace {

using detail::order;
constexpr auto device = detail::scope::device;

/// As old as it may be, so many writes back at most.
struct as_told final : read_choices {
  bool considers(const read_about_to_be& /*r*/) override { return back > 0; }
  std::size_t choose(const read_about_to_be& r,
                     std::span<const detect::older_value> older) override {
    seen.push_back(r.number);
    return std::min(back, older.size());
  }
  bool over() const override { return false; }

  std::size_t back = 0;
  std::vector<std::uint64_t> seen;
};

/// Ints of device memory, 0, of a run with that engine.
struct weak_run {
  weak_run() {
    auto made = std::make_unique<as_told>();
    choices = made.get();
    c.exec->use(make_detect_engine(c, std::move(made)));
    REQUIRE(cudaMalloc(&data, 4 * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, 4 * sizeof(int)) == cudaSuccess);
  }
  ~weak_run() {
    cudaFree(data);
    c.exec->use(make_direct_engine());
  }
  weak_run(const weak_run&) = delete;
  weak_run& operator=(const weak_run&) = delete;

  /// Two blocks of one launch: the first to its end, then the second.
  template <class First, class Second>
  void run(First first, Second second) {
    const auto kernel = [&] { machine::get_tile_block_id().x == 0 ? first() : second(); };
    c.exec->finish(submit(c, dim3(2), dim3(1), kernel_kind::tile, kernel));
  }

  /// What the second block's read sees, which looks so many writes back, of 0, 1, 2, 3.
  template <class Read>
  int seen(std::size_t back, Read read) {
    int got = -1;
    run(
        [this] {
          for (const int v : {1, 2, 3}) {
            detail::atomic_store(data, v, order::relaxed, device);
          }
        },
        [&] {
          choices->back = back;
          got = read(data);
          choices->back = 0;
        });
    return got;
  }

  context& c = context::current();
  as_told* choices = nullptr;
  int* data = nullptr;
};

int relaxed_load(int* p) {
  return detail::atomic_load(p, order::relaxed, device);
}

int as_it_is(const volatile int* p) {
  return *p;
}

} // namespace

TEST_CASE("every strong read may be given an older write, and memory keeps the newest") {
  weak_run run;
  const std::size_t back = GENERATE(0U, 1U, 2U, 3U, 9U);
  const int want = back > 3 ? 0 : 3 - static_cast<int>(back);
  SECTION("of cuda::atomic_ref") {
    CHECK(run.seen(back, relaxed_load) == want);
  }
  SECTION("of a tile") {
    CHECK(run.seen(back, [](int* p) { return load(p); }) == want); // which acquires, from nobody
  }
  SECTION("volatile in a tile kernel, which is weak: the newest") {
    CHECK(run.seen(back, [](int* p) {
      tilesim_hook___tsan_volatile_read4(p);
      return as_it_is(p);
    }) == 3);
  }
  const scoped_access open(run.c.mem);
  CHECK(*run.data == 3);
}

TEST_CASE("other reads see the newest write") {
  weak_run run;
  SECTION("an update") { // atomicity
    CHECK(run.seen(3, [](int* p) {
      return detail::atomic_fetch_add(p, 10, order::relaxed, device);
    }) == 3);
  }
  SECTION("a weak load") {
    CHECK(run.seen(3, [](int* p) {
      int value = -1;
      machine::load_ptr_tko({machine::memory_order::weak, {}},
                            {&int_scalar, &value},
                            {&int_pointer, &p},
                            nullptr,
                            nullptr);
      return value;
    }) == 3);
  }
  SECTION("one behind another of the same block: coherence") {
    CHECK(run.seen(1, [&](int* p) {
      const int first = relaxed_load(p);
      run.choices->back = 9;
      return (10 * first) + relaxed_load(p);
    }) == 22);
  }
}

// [PTX: causality order]
TEST_CASE("what was released and acquired hides what was there before") {
  weak_run run;
  int got = -1;
  const auto pass = [&](order written, order read) {
    run.run(
        [&] {
          detail::atomic_store(run.data, 7, order::relaxed, device);
          detail::atomic_store(run.data + 1, 1, written, device);
        },
        [&] {
          CHECK(detail::atomic_load(run.data + 1, read, device) == 1);
          run.choices->back = 9;
          got = relaxed_load(run.data);
        });
    return got;
  };
  SECTION("so it is the message") {
    CHECK(pass(order::release, order::acquire) == 7);
  }
  SECTION("not so without the release") {
    CHECK(pass(order::relaxed, order::acquire) == 0);
  }
  SECTION("nor without the acquire") {
    CHECK(pass(order::release, order::relaxed) == 0);
  }
}

TEST_CASE("a read that is given an old flag acquires nothing from the new one") {
  weak_run run;
  int got = -1;
  run.run(
      [&] {
        detail::atomic_store(run.data, 7, order::relaxed, device);
        detail::atomic_store(run.data + 1, 1, order::release, device);
      },
      [&] {
        run.choices->back = 1;
        CHECK(detail::atomic_load(run.data + 1, order::acquire, device) == 0);
        got = relaxed_load(run.data);
      });
  CHECK(got == 0);
}

TEST_CASE("who polls and is given old values comes to an end, whatever is drawn") {
  context& c = context::current();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    c.exec->use(make_detect_engine(c, make_drawn_choices(seed)));
    int* data = nullptr;
    REQUIRE(cudaMalloc(&data, 2 * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, 2 * sizeof(int)) == cudaSuccess);
    const bool raw = seed % 2 == 0;
    const auto kernel = [&] {
      if (machine::get_tile_block_id().x == 0) {
        detail::atomic_store(data, 1, order::release, device);
        while (relaxed_load(data + 1) == 0) {
        }
      } else {
        const auto poll = [&] {
          if (!raw) {
            return relaxed_load(data);
          }
          tilesim_hook___tsan_volatile_read4(data);
          return as_it_is(data);
        };
        while (poll() == 0) {
        }
        detail::atomic_store(data + 1, 1, order::relaxed, device);
      }
    };
    c.exec->finish(submit(c, dim3(2), dim3(1), kernel_kind::tile, kernel));
    cudaFree(data);
  }
  c.exec->use(make_direct_engine());
}

TEST_CASE("a list says which reads are stale, and what could not be followed is told") {
  const read_about_to_be first{.launch = 1, .thread = 2, .number = 0};
  const std::vector<detect::older_value> two(2);
  const auto listed = make_listed_choices({{1, 2, 0, 2}, {1, 2, 3, 1}});
  CHECK(listed->considers(first));
  CHECK_FALSE(listed->considers({.launch = 1, .thread = 2, .number = 1}));
  CHECK_FALSE(listed->considers({.launch = 2, .thread = 2, .number = 0}));
  CHECK(listed->choose(first, two) == 2);
  CHECK_FALSE(listed->over());
  CHECK_FALSE(listed->unfollowed(false));
  CHECK(listed->unfollowed(true) ==
        std::optional<std::string>("stale read 2@3:1: the block makes fewer strong reads"));
  CHECK(listed->choose({.launch = 1, .thread = 2, .number = 3}, {}) == 0);
  CHECK(listed->unfollowed(false) ==
        std::optional<std::string>("stale read 2@3:1: there are no older writes that it may read"));
}

TEST_CASE("stale reads are named as a schedule has them, and told with what they pass over") {
  weak_run run;
  run.seen(2, relaxed_load);
  const std::string name = run.c.exec->memory().stale_reads();
  const auto read = parse_stale_choices(name);
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  CHECK(read->front().thread == 1);
  CHECK(read->front().back == 2);
  const auto told = run.c.exec->memory().explained_stale_reads(8);
  REQUIRE(told.size() == 1);
  CHECK(told.front().message.find("reads 1, although 3 was written there before") !=
        std::string::npos);
  CHECK(told.front().message.find("behind another write") != std::string::npos);
}
