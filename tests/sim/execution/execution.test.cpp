// Launches: every block once, blocks that wait for one another, launches that wait for the host.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"

#include "sim/core/context.hpp"

#include <tilesim/detail/machine.hpp>

#include <atomic>
#include <chrono>
#include <set>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <thread>
#include <tuple>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

options with_schedule(const char* name, std::uint64_t seed = 0) {
  options o;
  o.schedule = name;
  o.seed = seed;
  return o;
}

int* make_ints(context& c, std::size_t count) {
  return static_cast<int*>(c.mem.allocate(memory_kind::managed, count * sizeof(int), nullptr));
}

} // namespace

TEST_CASE("every block of a grid runs once") {
  const auto* schedule = GENERATE("round-robin", "random");
  context c(with_schedule(schedule));
  std::set<std::tuple<unsigned, unsigned, unsigned>> seen;
  submit(c, dim3(3, 4, 5), dim3(1), kernel_kind::tile, [&] {
    const machine::index3 id = machine::get_tile_block_id();
    const machine::index3 count = machine::get_num_tile_blocks();
    seen.insert({id.x, id.y, id.z});
    if (id.x >= count.x || id.y >= count.y || id.z >= count.z) {
      seen.clear();
    }
  });
  c.exec->finish();
  CHECK(seen.size() == 60);
  CHECK(c.exec->idle());
}

TEST_CASE("an empty grid is done at once") {
  context c{options{}};
  const launch_id id = submit(c, dim3(0), dim3(1), kernel_kind::tile, [] {});
  CHECK(c.exec->done(id));
  c.exec->finish(id);
}

TEST_CASE("blocks that do not wait share one stack") {
  context c{options{}};
  int ran = 0;
  submit(c, dim3(10'000), dim3(1), kernel_kind::tile, [&] { ++ran; });
  c.exec->finish();
  CHECK(ran == 10'000);
  CHECK(c.exec->stacks() == 1);
}

TEST_CASE("threads of a SIMT block run one by one") {
  context c{options{}};
  int ran = 0;
  submit(c, dim3(3), dim3(8, 2), kernel_kind::simt, [&] { ++ran; });
  c.exec->finish();
  CHECK(ran == 48);
}

TEST_CASE("a block that polls lets the other one run, whatever the order") {
  const auto seed = GENERATE(range<std::uint64_t>(0, 20));
  context c(seed == 0 ? options{} : with_schedule("random", seed));
  int* flag = make_ints(c, 2);
  int received = 0;
  submit(c, dim3(2), dim3(1), kernel_kind::tile, [&, flag] {
    if (machine::get_tile_block_id().x == 0) {
      while (load(flag) == 0) {
      }
      received = load(flag + 1);
    } else {
      store(flag + 1, 42);
      store(flag, 1);
    }
  });
  c.exec->finish();
  CHECK(received == 42);
}

TEST_CASE("a launch that waits for the host is suspended and goes on") {
  context c{options{}};
  int* flag = make_ints(c, 1);
  bool through = false;
  const launch_id id = submit(c, dim3(1), dim3(1), kernel_kind::tile, [&, flag] {
    while (load(flag) == 0) {
    }
    through = true;
  });
  c.exec->run();
  CHECK_FALSE(c.exec->done(id));
  *flag = 1;
  c.exec->finish(id);
  CHECK(through);
}

TEST_CASE("two launches may wait for one another") {
  context c{options{}};
  int* flags = make_ints(c, 2);
  submit(c, dim3(1), dim3(1), kernel_kind::tile, [flags] {
    while (load(flags) == 0) {
    }
    store(flags + 1, 1);
  });
  c.exec->run();
  submit(c, dim3(1), dim3(1), kernel_kind::tile, [flags] {
    store(flags, 1);
    while (load(flags + 1) == 0) {
    }
  });
  c.exec->finish();
  CHECK(c.exec->idle());
}

TEST_CASE("a loop that gives up after a thousand polls is no deadlock") {
  context c{options{}};
  int* flag = make_ints(c, 2);
  submit(c, dim3(1), dim3(1), kernel_kind::tile, [flag] {
    int polls = 0;
    while (load(flag) == 0 && polls < 1000) {
      ++polls;
    }
    store(flag + 1, polls);
  });
  c.exec->finish();
  CHECK(flag[1] == 1000);
}

TEST_CASE("a loop of a hundred thousand polls is no deadlock either") {
  context c{options{}};
  int* flag = make_ints(c, 2);
  submit(c, dim3(1), dim3(1), kernel_kind::tile, [flag] {
    int polls = 0;
    while (load(flag) == 0 && polls < 100'000) {
      ++polls;
    }
    store(flag + 1, polls);
  });
  c.exec->finish();
  CHECK(flag[1] == 100'000);
}

TEST_CASE("a loop that counts its polls in memory by accesses that are not seen is no deadlock") {
  context c{options{}};
  int* flag = make_ints(c, 2);
  submit(c, dim3(3), dim3(1), kernel_kind::tile, [flag] {
    while (load(flag) == 0 && flag[1] < 1000) {
      ++flag[1];
    }
  });
  c.exec->finish();
  CHECK(flag[1] == 1000);
}

TEST_CASE("what a block waits for may be written by an access that is not seen") {
  context c{options{}};
  int* flags = make_ints(c, 3);
  submit(c, dim3(2), dim3(1), kernel_kind::tile, [flags] {
    if (machine::get_tile_block_id().x == 0) {
      while (load(flags) == 0 && flags[1] == 0) {
      }
      flags[2] = 1;
    } else {
      flags[1] = 1;
      while (load(flags + 2) == 0) {
      }
    }
  });
  c.exec->finish();
  CHECK(c.exec->idle());
}

TEST_CASE("a few of many that count their polls get all that they need") {
  context c{options{}};
  int* flag = make_ints(c, 2);
  submit(c, dim3(500), dim3(1), kernel_kind::tile, [flag] {
    const bool counts = machine::get_tile_block_id().x % 250 == 7;
    for (int polls = 0; load(flag) == 0; polls += counts ? 1 : 0) {
      if (polls == 100'000) {
        store(flag, 1);
      }
    }
  });
  c.exec->finish();
  CHECK(c.exec->idle());
}

TEST_CASE("a block that writes while it polls lets the others start") {
  context c{options{}};
  int* flag = make_ints(c, 2);
  submit(c, dim3(2), dim3(1), kernel_kind::tile, [flag] {
    if (machine::get_tile_block_id().x == 0) {
      for (int tries = 0; load(flag) == 0; ++tries) {
        store(flag + 1, tries);
      }
    } else {
      store(flag, 1);
    }
  });
  c.exec->finish();
  CHECK(c.exec->idle());
}

TEST_CASE("a kernel may wait for another thread of the host") {
  context c{options{}};
  int* flag = make_ints(c, 1);
  submit(c, dim3(1), dim3(1), kernel_kind::tile, [flag] {
    while (load(flag) == 0) {
    }
  });
  std::thread setter([flag] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::atomic_ref<int>(*flag).store(1);
  });
  c.exec->finish();
  setter.join();
  CHECK(c.exec->idle());
}

TEST_CASE("a launch frees its closure when it is done") {
  context c{options{}};
  struct counted {
    int* alive;
    explicit counted(int* n)
        : alive(n) {
      ++*alive;
    }
    counted(const counted& o)
        : alive(o.alive) {
      ++*alive;
    }
    ~counted() { --*alive; }
    counted& operator=(const counted&) = delete;
    void operator()() const {}
  };
  int alive = 0;
  submit(c, dim3(4), dim3(1), kernel_kind::tile, counted(&alive));
  CHECK(alive == 1);
  c.exec->finish();
  CHECK(alive == 0);
}
