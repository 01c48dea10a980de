// The one road to memory: an engine that gives any permitted value is seen by every kind of access.
//
// Not the model: "permitted" here is coherence alone. [PTX: coherence order] A read gives any write
// of its location that is not older than the newest which the reader has seen there.
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/hooks.hpp"
#include "sim/core/thread.hpp"
#include "sim/memory/passing_engine.hpp"

#include <tilesim/detail/atomic_access.hpp>

#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <utility>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

extern "C" {
void tilesim_hook___tsan_read4(void* p);
void tilesim_hook___tsan_write4(void* p);
void tilesim_hook___tsan_volatile_read4(void* p);
void* tilesim_hook_memcpy(void* to, const void* from, std::size_t n);
std::uint32_t tilesim_hook___tsan_atomic32_load(const volatile std::uint32_t* p, int order);
}

namespace {

/// Objects of four bytes, each with all that was ever written to it.
class choosing_engine final : public passing_engine {
public:
  using passing_engine::compare_exchange;
  using passing_engine::update;

  /// How many writes back the next reads look, as far as they may.
  std::size_t back = 0;
  /// The next so many; those behind them see the newest. 0: all.
  std::size_t patience = 0;

  void load(sim_thread& t, const tile_access& a, void* out) override {
    settle();
    for (std::size_t i = 0; i < a.count; ++i) {
      const std::uint32_t value = chosen(&t, a.addresses[i]);
      std::memcpy(static_cast<std::byte*>(out) + (i * sizeof value), &value, sizeof value);
    }
  }
  void store(sim_thread& t, const tile_access& a, const void* values) override {
    settle();
    passing_engine::store(t, a, values);
    for (std::size_t i = 0; i < a.count; ++i) {
      written(&t, a.addresses[i]);
    }
  }
  void load(const accessor& who, const plain_access& a, void* out) override {
    settle();
    const std::uint32_t value = chosen(who.thread, a.address);
    std::memcpy(out, &value, sizeof value);
  }
  bool store(const accessor& who, const plain_access& a, const void* value) override {
    settle();
    const bool changed = passing_engine::store(who, a, value);
    written(who.thread, a.address);
    return changed;
  }
  // Atomicity: what is read stands immediately before what is written. [PTX: atomicity]
  bool
  update(const accessor& who, const plain_access& a, const object_change& f, void* old) override {
    settle();
    const bool changed = passing_engine::update(who, a, f, old);
    written(who.thread, a.address);
    return changed;
  }
  void raw(const accessor& who, const plain_access& a, access_kind kind, bool same_call) override {
    if (same_call) {
      place_again();
    } else {
      settle();
      lent_.clear();
    }
    for (std::uintptr_t at = a.address; at < a.address + a.bytes; at += 4) {
      if (kind != access_kind::read) {
        to_come_.emplace_back(who.thread, at);
      } else {
        lent_.push_back({at, chosen(who.thread, at)});
      }
    }
    place_again();
  }
  void copy(const accessor& who,
            const void* /*site*/,
            const byte_place& to,
            const byte_place& from,
            std::size_t bytes) override {
    settle();
    for (std::size_t i = 0; i < bytes; i += 4) {
      const auto target = reinterpret_cast<std::uintptr_t>(to.at) + i;
      put(target, chosen(who.thread, reinterpret_cast<std::uintptr_t>(from.at) + i));
      written(who.thread, target);
    }
  }
  void fill(const accessor& who,
            const void* site,
            const byte_place& to,
            unsigned char value,
            std::size_t bytes) override {
    settle();
    passing_engine::fill(who, site, to, value, bytes);
    for (std::size_t i = 0; i < bytes; i += 4) {
      written(who.thread, reinterpret_cast<std::uintptr_t>(to.at) + i);
    }
  }

private:
  void put_back() override {
    for (const auto& [at, value] : lent_) {
      put(at, histories_[at].back());
    }
    for (const auto& [thread, at] : std::exchange(to_come_, {})) {
      written(thread, at);
    }
  }

  static std::uint32_t word_at(std::uintptr_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    return value;
  }
  static void put(std::uintptr_t at, std::uint32_t value) {
    std::memcpy(reinterpret_cast<void*>(at), &value, sizeof value);
  }
  /// A block, or the host: 0.
  static std::uint64_t who(const sim_thread* t) { return t == nullptr ? 0 : t->number + 1; }
  std::vector<std::uint32_t>& history(std::uintptr_t at) {
    std::vector<std::uint32_t>& all = histories_[at];
    if (all.empty()) {
      all.push_back(word_at(at)); // the initial write
    }
    return all;
  }
  void written(const sim_thread* by, std::uintptr_t at) {
    history(at).push_back(word_at(at));
    seen_[{who(by), at}] = histories_[at].size() - 1;
  }
  std::uint32_t chosen(const sim_thread* by, std::uintptr_t at) {
    const std::vector<std::uint32_t>& all = history(at);
    std::size_t& oldest = seen_[{who(by), at}];
    if (patience != 0 && --patience == 0) {
      back = 0;
    }
    oldest = std::max(oldest, all.size() - 1 - std::min(back, all.size() - 1));
    return all[oldest];
  }
  void place_again() {
    for (const auto& [at, value] : lent_) {
      put(at, value);
    }
  }

  struct lent_word {
    std::uintptr_t at;
    std::uint32_t value;
  };
  std::map<std::uintptr_t, std::vector<std::uint32_t>> histories_;
  std::map<std::pair<std::uint64_t, std::uintptr_t>, std::size_t> seen_;
  std::vector<lent_word> lent_; ///< what the raw access under way is to read
  std::vector<std::pair<const sim_thread*, std::uintptr_t>> to_come_; ///< raw writes
};

/// Two ints of device memory, 0, of a run with that engine. The process's own: cudaMemcpy has no
/// other.
struct weak_run {
  weak_run() {
    auto made = std::make_unique<choosing_engine>();
    engine = made.get();
    c.exec->use(std::move(made));
    REQUIRE(cudaMalloc(&data, 2 * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, 2 * sizeof(int)) == cudaSuccess);
    // Three writes, by a block that is over when the others look.
    run_block(c, [this] {
      for (const int value : {1, 2, 3}) {
        store(data, value);
      }
    });
  }
  ~weak_run() {
    cudaFree(data);
    c.exec->use(make_direct_engine());
  }
  weak_run(const weak_run&) = delete;
  weak_run& operator=(const weak_run&) = delete;

  /// What another block's accesses see that look so many writes back.
  template <class Read>
  std::vector<int> seen(const std::vector<std::size_t>& back, Read read) {
    std::vector<int> got;
    run_block(c, [&] {
      for (const std::size_t b : back) {
        engine->back = b;
        got.push_back(read(data));
      }
    });
    return got;
  }

  context& c = context::current();
  choosing_engine* engine = nullptr;
  int* data = nullptr;
};

/// What lies there, by an instruction of which nobody is told.
int as_it_is(const volatile int* p) {
  return *p;
}

int raw_load(int* p) {
  tilesim_hook___tsan_read4(p);
  return as_it_is(p);
}

} // namespace

TEST_CASE("every kind of load sees the write that the engine chooses") {
  weak_run run;
  // None older than one that was seen: coherence.
  const std::vector<std::size_t> back{3, 1, 2, 0};
  const std::vector<int> values{0, 2, 2, 3};
  SECTION("of a tile") {
    CHECK(run.seen(back, [](int* p) { return load(p); }) == values);
  }
  SECTION("raw") {
    CHECK(run.seen(back, raw_load) == values);
  }
  SECTION("volatile") {
    CHECK(run.seen(back, [](int* p) {
      tilesim_hook___tsan_volatile_read4(p);
      return *static_cast<volatile int*>(p);
    }) == values);
  }
  SECTION("of cuda::atomic_ref") {
    CHECK(run.seen(back, [](int* p) {
      return detail::atomic_load(p, detail::order::relaxed, detail::scope::device);
    }) == values);
  }
  SECTION("of std::atomic") {
    CHECK(run.seen(back, [](int* p) {
      return static_cast<int>(tilesim_hook___tsan_atomic32_load(
          reinterpret_cast<const std::uint32_t*>(p), __ATOMIC_RELAXED));
    }) == values);
  }
  SECTION("by libc, which reads before it writes") {
    CHECK(run.seen(back, [](int* p) {
      int to = -1;
      tilesim_hook_memcpy(&to, p, sizeof to);
      return to;
    }) == values);
  }
  SECTION("by libc, to memory that others see") {
    CHECK(run.seen(back, [](int* p) {
      tilesim_hook_memcpy(p + 1, p, sizeof *p);
      return raw_load(p + 1);
    }) == values);
  }
  // Nothing of that lies in memory now.
  const scoped_access open(run.c.mem);
  CHECK(*run.data == 3);
}

// Who polls waits for another value than the one that it was given, whatever memory holds.
TEST_CASE("a loop that reads old values until the engine gives a new one comes to its end") {
  weak_run run;
  const auto polls = [&](auto read) {
    run.engine->back = 3;
    run.engine->patience = 3'000'000; // longer than a wait may be in vain
    run_block(run.c, [&] {
      while (read() != 3) {
      }
    });
    CHECK(run.engine->patience == 0);
  };
  SECTION("of a tile") {
    polls([&] { return load(run.data); });
  }
  SECTION("of cuda::atomic_ref") {
    polls([&] {
      return detail::atomic_load(run.data, detail::order::relaxed, detail::scope::device);
    });
  }
}

TEST_CASE("an update sees the newest write whatever is chosen") {
  weak_run run;
  CHECK(run.seen({3, 3}, [](int* p) {
    return detail::atomic_fetch_add(p, 10, detail::order::relaxed, detail::scope::device);
  }) == std::vector<int>{3, 13});
}

TEST_CASE("a raw store is there for whoever comes next, and behind it nothing older") {
  weak_run run;
  CHECK(run.seen({3, 2, 0}, [n = 10](int* p) mutable {
    tilesim_hook___tsan_write4(p);
    *static_cast<volatile int*>(p) = ++n;
    return load(p);
  }) == std::vector<int>{11, 12, 13});
}

// [CUDA Runtime API: cudaMemcpy]
TEST_CASE("a copy within the device copies the write that the engine chooses") {
  weak_run run;
  run.engine->back = 2;
  REQUIRE(cudaMemcpy(run.data + 1, run.data, sizeof(int), cudaMemcpyDeviceToDevice) == cudaSuccess);
  run.engine->back = 0;
  int got = -1;
  REQUIRE(cudaMemcpy(&got, run.data + 1, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(got == 1);
}

TEST_CASE("a thread that leaves its turn leaves memory as it was written last") {
  weak_run run;
  std::vector<int> order;
  const auto kernel = [&] {
    const machine::index3 block = machine::get_tile_block_id();
    run.engine->back = 3;
    if (block.x == 0) {
      tilesim_hook___tsan_read4(run.data);
      execution::yield();
      order.push_back(as_it_is(run.data)); // its value is gone: it let others go
    } else {
      order.push_back(as_it_is(run.data));
    }
  };
  run.c.exec->finish(submit(run.c, dim3(2), dim3(1), kernel_kind::tile, kernel));
  CHECK(order == std::vector<int>{3, 3});
}
