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
  std::unique_ptr<read_choices> copy() const override { return std::make_unique<as_told>(*this); }
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

// --- By hand

namespace {

/// A read of ints that is about to be made.
struct ints_to_read final : coming_read {
  explicit ints_to_read(std::vector<int*> places)
      : places_(std::move(places)) {
    order = memmodel::memory_order::relaxed;
    scope = memmodel::scope::gpu;
    bytes = sizeof(int);
  }
  void elements(std::vector<std::uintptr_t>& addresses,
                std::vector<std::uint8_t>& active) const override {
    addresses.clear();
    active.clear();
    for (const int* p : places_) {
      addresses.push_back(reinterpret_cast<std::uintptr_t>(p));
    }
  }
  std::vector<int*> places_;
};

/// What the values that a read may be given are, the newest first.
std::vector<std::uint64_t> values(const offered_read& r) {
  std::vector<std::uint64_t> all;
  for (const offered_write& w : r.writes) {
    all.push_back(w.value);
  }
  return all;
}

/// Runs with choices by hand over others; nullptr: none.
struct run_by_hand : weak_run {
  explicit run_by_hand(std::unique_ptr<read_choices> others = nullptr) {
    c.exec->use(make_detect_engine(c, make_choices_by_hand(std::move(others))));
  }
  [[nodiscard]] memory_engine& memory() const { return c.exec->memory(); }
  [[nodiscard]] std::vector<offered_read> offers(const coming_read& r) const {
    return memory().offers(*execution::current(), r);
  }
  /// Stores 1, 2, 3 by the first block, and what the second does.
  template <class Second>
  void stores_and(Second second) {
    run(
        [this] {
          for (const int v : {1, 2, 3}) {
            detail::atomic_store(data, v, order::relaxed, device);
          }
        },
        second);
  }
};

} // namespace

TEST_CASE("what is offered by hand is what the read takes, and asking changes nothing") {
  const std::uint64_t back = GENERATE(0U, 1U, 2U, 3U);
  run_by_hand run;
  CHECK(run.memory().lets_choose());
  run.stores_and([&] {
    const ints_to_read read({run.data});
    const auto first = run.offers(read);
    REQUIRE(first.size() == 1);
    CHECK(values(first[0]) == std::vector<std::uint64_t>{3, 2, 1, 0});
    CHECK(first[0].takes == 0);
    CHECK(first[0].writes[0].by.find("relaxed store of device scope by tile block (0,0,0)") == 0);
    CHECK(first[0].writes[3].by.empty()); // the host's memset
    CHECK(first[0].bound.empty());
    const offered_read& r = first[0];
    run.memory().choose({{r.launch, r.thread, r.number, back}});
    const auto second = run.offers(read);
    CHECK(second[0].number == r.number);
    CHECK(second[0].takes == back);
    CHECK(relaxed_load(run.data) == 3 - static_cast<int>(back));
    const auto made =
        run.memory().were_offered(*execution::current(), execution::current()->run_operation);
    REQUIRE(made.size() == 1);
    CHECK(values(made[0]) == values(first[0]));
    CHECK(made[0].takes == back);
    // [PTX: coherence] Nothing older than what was read; if that was the last, all is hidden.
    const auto behind = run.offers(read);
    CHECK(behind[0].writes.size() == back + 1);
    CHECK(behind[0].number == r.number + 1);
    CHECK(behind[0].bound.empty() == (back == 3));
    CHECK((back == 3 ||
           behind[0].bound.find("comes before this one and has read") != std::string::npos));
  });
  CHECK(run.memory().stale_reads().empty() == (back == 0));
}

TEST_CASE("by hand, what others draw stays as it is, also behind what is chosen") {
  // What the second block reads, whose read number 8 is chosen to be the newest.
  const auto reads = [](weak_run& run, bool chooses) {
    std::vector<int> got;
    run.run(
        [&run] {
          for (int v = 1; v <= 40; ++v) {
            detail::atomic_store(run.data + (v % 4), v, order::relaxed, device);
          }
        },
        [&] {
          const sim_thread& t = *execution::current();
          if (chooses) {
            run.c.exec->memory().choose({{t.launch->id, t.linear_thread(), 8, 0}});
          }
          for (int n = 0; n < 40; ++n) {
            got.push_back(relaxed_load(run.data + (n % 4)));
          }
        });
    return got;
  };
  int stale = 0;
  int replaced = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    weak_run drawn;
    drawn.c.exec->use(make_detect_engine(drawn.c, make_drawn_choices(seed)));
    const auto want = reads(drawn, false);
    run_by_hand without(make_drawn_choices(seed));
    CHECK(reads(without, false) == want);
    run_by_hand with(make_drawn_choices(seed));
    const auto got = reads(with, true);
    CHECK(got[8] == 40);
    CHECK(std::equal(got.begin(), got.begin() + 8, want.begin()));
    stale += std::ranges::count_if(want, [](int v) { return v < 37; }) != 0 ? 1 : 0;
    replaced += want[8] != 40 ? 1 : 0;
  }
  CHECK(stale > 10);
  CHECK(replaced > 0);
}

TEST_CASE("by hand, a sequentially consistent read is offered what its fence leaves") {
  // [libcu++: lowering of orders] fence.sc, then the access; [PTX: Fence-SC order]
  run_by_hand run;
  const auto kernel = [&] {
    if (detail::block_index.x == 0) {
      detail::atomic_store(run.data, 1, order::seq_cst, device);
      detail::fence(order::seq_cst, device);
      return;
    }
    ints_to_read read({run.data});
    CHECK(run.offers(read)[0].writes.size() == 2);
    read.order = memmodel::memory_order::sc;
    const auto offered = run.offers(read);
    CHECK(offered[0].writes.size() == 1);
    CHECK(offered[0].bound.find("comes before this read") != std::string::npos);
    CHECK(detail::atomic_load(run.data, order::seq_cst, device) == 1);
  };
  run.c.exec->finish(submit(run.c, dim3(2), dim3(1), kernel_kind::simt, kernel));
}

TEST_CASE("by hand, what cannot be followed is told, and what writes too is offered nothing") {
  run_by_hand run;
  std::string name;
  run.stores_and([&] {
    ints_to_read read({run.data, run.data + 1});
    const auto offered = run.offers(read);
    REQUIRE(offered.size() == 2);
    CHECK(offered[1].writes.size() == 1);
    CHECK(offered[1].number == offered[0].number + 1);
    read.updates = true;
    CHECK(run.offers(read).empty());
    const offered_read& r = offered[0];
    run.memory().choose({{r.launch, r.thread, r.number, 9}});
    name = to_string(std::vector{
        stale_choice{.launch = r.launch, .thread = r.thread, .read = r.number, .back = 9}});
    CHECK(relaxed_load(run.data) == 3);
  });
  CHECK(run.memory().unfollowed(false) ==
        std::optional("stale read " + name + ": there are 3 older writes that it may read"));
}

TEST_CASE("without choices nothing is offered") {
  weak_run run;
  CHECK_FALSE(run.c.exec->memory().lets_choose());
  run.c.exec->use(make_direct_engine());
  run.run(
      [] {},
      [&] {
        CHECK(run.c.exec->memory().offers(*execution::current(), ints_to_read({run.data})).empty());
      });
}

TEST_CASE("stale reads of several launches are named so that they can be read again") {
  weak_run run;
  run.seen(2, relaxed_load);
  run.seen(1, relaxed_load);
  const auto reads = parse_stale_choices(run.c.exec->memory().stale_reads());
  REQUIRE(reads);
  REQUIRE(reads->size() == 2);
  CHECK((*reads)[1].launch == (*reads)[0].launch + 1);
}
