// Fibers: left and re-entered, many at once, exceptions inside, modes of floating point.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/fiber.hpp"

#include "sim/core/floating_modes.hpp"
#include "sim/memory/hash.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <support/catch.hpp>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace tilesim::sim;

namespace {

struct job {
  fiber* self = nullptr;
  int steps = 0;
  bool caught = false;
};

void count_to_three(void* argument) {
  auto& j = *static_cast<job*>(argument);
  for (int i = 0; i < 3; ++i) {
    ++j.steps;
    j.self->suspend();
  }
  for (;;) {
    j.self->suspend();
  }
}

void throw_inside(void* argument) {
  auto& j = *static_cast<job*>(argument);
  try {
    j.self->suspend();
    throw std::runtime_error("inside");
  } catch (const std::runtime_error&) {
    j.caught = true;
  }
  for (;;) {
    j.self->suspend();
  }
}

} // namespace

TEST_CASE("a fiber goes on where it was left") {
  stack_pool pool(1 << 16);
  job j;
  fiber f(pool.take(), count_to_three, &j);
  j.self = &f;
  for (int i = 1; i <= 3; ++i) {
    f.resume();
    CHECK(j.steps == i);
  }
}

TEST_CASE("fibers keep apart") {
  stack_pool pool(1 << 16);
  constexpr std::size_t count = 100;
  std::vector<job> jobs(count);
  std::vector<std::unique_ptr<fiber>> fibers;
  for (job& j : jobs) {
    fibers.push_back(std::make_unique<fiber>(pool.take(), count_to_three, &j));
    j.self = fibers.back().get();
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < i % 4; ++k) {
      fibers[i]->resume();
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(jobs[i].steps == static_cast<int>(i % 4));
  }
}

TEST_CASE("an exception inside a fiber is caught there") {
  stack_pool pool(1 << 18);
  job j;
  fiber f(pool.take(), throw_inside, &j);
  j.self = &f;
  f.resume();
  f.resume();
  CHECK(j.caught);
}

namespace {

/// Fibers that pass control on to the next one, round and round.
struct runner {
  fiber* self = nullptr;
  runner* next = nullptr;
  std::vector<int>* order = nullptr;
  int number = 0;
  int laps = 0;
  bool whole = true; ///< what lies on the stack and in registers is as it was left
};

void run_laps(void* argument) {
  auto& r = *static_cast<runner*>(argument);
  alignas(16) volatile double on_stack[2] = {r.number + 0.5, 0};
  const bool aligned = reinterpret_cast<std::uintptr_t>(on_stack) % 16 == 0;
  // More than registers that calls preserve.
  long a = r.number, b = a * 3, c = a * 5, d = a * 7, e = a * 11, f = a * 13, g = a * 17;
  for (int lap = 0; lap < r.laps; ++lap) {
    r.order->push_back(r.number);
    r.self->pass_to(*r.next->self);
    a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, g += 7;
    const long l = lap + 1;
    const long n = r.number;
    r.whole = r.whole && aligned && on_stack[0] == r.number + 0.5 && a == n + l &&
              b == n * 3 + 2 * l && c == n * 5 + 3 * l && d == n * 7 + 4 * l &&
              e == n * 11 + 5 * l && f == n * 13 + 6 * l && g == n * 17 + 7 * l;
  }
  for (;;) {
    r.self->suspend();
  }
}

} // namespace

TEST_CASE("fibers pass control on, and whoever resumed the first goes on behind the last") {
  if (!fiber::can_pass()) {
    return; // sanitizers follow resume() and suspend() alone
  }
  stack_pool pool(1 << 16);
  constexpr std::size_t count = 5;
  constexpr int laps = 4;
  std::vector<int> order;
  std::vector<runner> runners(count);
  std::vector<std::unique_ptr<fiber>> fibers;
  for (std::size_t i = 0; i < count; ++i) {
    fibers.push_back(std::make_unique<fiber>(pool.take(), run_laps, &runners[i]));
    runners[i] = {fibers[i].get(), &runners[(i + 1) % count], &order, static_cast<int>(i), laps};
  }
  fibers[2]->resume();
  REQUIRE(order.size() == count * laps);
  for (std::size_t i = 0; i < order.size(); ++i) {
    CHECK(order[i] == static_cast<int>((i + 2) % count));
  }
  CHECK(runners[2].whole);
  fibers[3]->resume(); // it was left in its last lap, too
  CHECK(runners[3].whole);
}

namespace {

floating_modes modes_that_round(int direction) {
  const int before = std::fegetround();
  std::fesetround(direction);
  const floating_modes m = current_floating_modes();
  std::fesetround(before);
  return m;
}

/// To nearest, and subnormal numbers are taken for 0.
floating_modes modes_that_flush() {
  floating_modes m = kernel_floating_modes;
#if defined(__x86_64__)
  m.mxcsr |= 0x8040;
#else
  m.fpcr |= 1U << 24;
#endif
  return m;
}

/// Sets modes, and lets others run: of what it finds then.
struct mode_setter {
  fiber* self = nullptr;
  fiber* next = nullptr; ///< whom it passes control on to; nullptr: it is left for who resumed it
  floating_modes wanted{};
  floating_modes begun_with = modes_that_flush();
  int kept = 0;
};

void set_modes(void* argument) {
  auto& s = *static_cast<mode_setter*>(argument);
  s.begun_with = current_floating_modes();
  set_floating_modes(s.wanted);
  for (;;) {
    if (s.next != nullptr) {
      s.self->pass_to(*s.next);
    } else {
      s.self->suspend();
    }
    s.kept += current_floating_modes() == s.wanted ? 1 : 0;
  }
}

/// Puts the test's own back.
class modes_of_host {
public:
  explicit modes_of_host(const floating_modes& m) { set_floating_modes(m); }
  ~modes_of_host() { set_floating_modes(before_); }
  modes_of_host(const modes_of_host&) = delete;
  modes_of_host& operator=(const modes_of_host&) = delete;

private:
  floating_modes before_ = current_floating_modes();
};

} // namespace

TEST_CASE("how a fiber rounds is its own business, and a GPU's at first") {
  stack_pool pool(1 << 16);
  std::vector<mode_setter> setters(3);
  setters[0].wanted = modes_that_round(FE_UPWARD);
  setters[1].wanted = modes_that_flush();
  setters[2].wanted = kernel_floating_modes;
#if defined(__x86_64__)
  setters[2].wanted.x87 = 0x27f; // double precision, and nothing else
#endif
  const bool passes = GENERATE(false, true);
  if (passes && !fiber::can_pass()) {
    return; // sanitizers follow resume() and suspend() alone
  }
  std::vector<std::unique_ptr<fiber>> fibers;
  for (mode_setter& s : setters) {
    fibers.push_back(std::make_unique<fiber>(pool.take(), set_modes, &s));
    s.self = fibers.back().get();
  }
  for (std::size_t i = 0; passes && i + 1 < setters.size(); ++i) {
    setters[i].next = setters[i + 1].self; // the last one is left for the host
  }
  const floating_modes host = modes_that_round(FE_DOWNWARD);
  int host_kept = 0;
  {
    const modes_of_host set(host);
    for (int i = 0; i < 3; ++i) {
      for (std::size_t n = 0; n < (passes ? 1 : fibers.size()); ++n) {
        fibers[n]->resume();
        host_kept += current_floating_modes() == host ? 1 : 0;
      }
    }
  }
  CHECK(host_kept == (passes ? 3 : 9));
  for (const mode_setter& s : setters) {
    CHECK(s.begun_with == kernel_floating_modes);
    CHECK(s.kept == 2);
  }
}

namespace {

/// A hash of what is on its stack, of its own.
struct stack_hasher {
  fiber* self = nullptr;
  std::uint64_t hash = 0;
};

void hash_own_stack(void* argument) {
  auto& h = *static_cast<stack_hasher*>(argument);
#if defined(__x86_64__)
  asm volatile("" : : : "rbx", "r12", "r13", "r14", "r15"); // it saves them
#else
  asm volatile("" : : : "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28");
#endif
  const auto low = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 128;
  h.hash = hash_bytes(0, low, h.self->begins_at() - low);
  for (;;) {
    h.self->suspend();
  }
}

[[gnu::noinline]] void resume_from(fiber& f, int depth) {
  volatile char frame[256] = {};
  frame[0] = static_cast<char>(depth);
  if (depth == 0) {
    f.resume();
  } else {
    resume_from(f, depth - 1);
  }
  frame[1] = frame[0];
}

} // namespace

TEST_CASE("what a fiber has on its stack is the same wherever it was resumed from") {
  stack_pool pool(1 << 16);
  const stack_memory stack = pool.take();
  std::optional<fiber> f;
  stack_hasher h;
  std::set<std::uint64_t> hashes;
  for (int depth = 0; depth < 4; ++depth) {
    stack.forget_frames();
    std::memset(reinterpret_cast<void*>(stack.high - 16384), 0, 16384);
    f.reset();
    f.emplace(stack, hash_own_stack, &h);
    h.self = &*f;
    resume_from(*f, depth);
    hashes.insert(h.hash);
    CHECK(f->begins_at() <= stack.high);
  }
  CHECK(hashes.size() == 1);
}

TEST_CASE("a stack knows its own addresses and its guard") {
  stack_pool pool(1 << 16);
  const stack_memory s = pool.take();
  REQUIRE(s.low != 0);
  CHECK(s.contains(s.low));
  CHECK(s.contains(s.high - 1));
  CHECK_FALSE(s.contains(s.high));
  CHECK(s.overflowed_at(s.low - 1));
  CHECK_FALSE(s.overflowed_at(s.low));
  pool.give_back(s);
  CHECK(pool.take().low == s.low);
}

TEST_CASE("of a stack that is given back a few pages stay, whatever its user has touched") {
  constexpr std::size_t size = 1 << 20;
  stack_pool pool(size);
  const auto pages = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto resident = [&](const stack_memory& s) {
    std::vector<unsigned char> each(size / pages);
    REQUIRE(mincore(reinterpret_cast<void*>(s.low), each.size() * pages, each.data()) == 0);
    return static_cast<std::size_t>(
               std::ranges::count_if(each, [](unsigned char p) { return (p & 1U) != 0; })) *
           pages;
  };
  const std::size_t depth = GENERATE(4096UL, 60UL << 10U, 70UL << 10U, 300UL << 10U, 900UL << 10U);
  const stack_memory s = pool.take();
  for (std::size_t at = 0; at < depth; at += 4096) { // as frames are probed
    *reinterpret_cast<volatile char*>(s.high - at - 1) = 1;
  }
  CHECK(resident(s) + 2 * pages >= depth);
  pool.give_back(s);
  CHECK(resident(s) <= (64U << 10U) + pages);
  CHECK(resident(s) + 2 * pages >= std::min<std::size_t>(depth, 64U << 10U));
}

TEST_CASE("stacks of a pool begin at different places of a cache") {
  constexpr std::size_t bytes = 1 << 20;
  constexpr std::uintptr_t cache = 1 << 15;
  stack_pool pool(bytes);
  std::set<std::uintptr_t> lines;
  for (int i = 0; i < 32; ++i) {
    const stack_memory stack = pool.take();
    CHECK(stack.bytes == bytes);
    CHECK(stack.high % 64 == 0);
    CHECK(stack.high <= stack.low + bytes);
    CHECK(stack.high > stack.low + bytes - bytes / 16);
    lines.insert(stack.high % cache / 64);
  }
  CHECK(lines.size() > 16);
}

namespace {

/// Whether the system could read the byte.
bool readable(std::uintptr_t at, int to) {
  return write(to, reinterpret_cast<const void*>(at), 1) == 1;
}

} // namespace

TEST_CASE("there are more stacks than mappings, each with a guard") {
  constexpr std::size_t bytes = 64 << 10;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  constexpr std::size_t more_than_mappings = 70'000; // vm.max_map_count is 65 530
  constexpr int install = 102;                       // MADV_GUARD_INSTALL
  void* const probe =
      mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(probe != MAP_FAILED);
  const bool lightly = madvise(probe, page, install) == 0;
  munmap(probe, page);
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  {
    stack_pool pool(bytes);
    std::set<std::uintptr_t> known;
    while (known.size() < more_than_mappings) {
      const stack_memory stack = pool.take();
      if (stack.low == 0) {
        break;
      }
      known.insert(stack.low);
      if (known.size() % 7'000 == 1) {
        CHECK(readable(stack.low, ends[1]));
        CHECK(readable(stack.high - 1, ends[1]));
        CHECK_FALSE(readable(stack.low - 1, ends[1]));
        CHECK_FALSE(readable(stack.low - page, ends[1]));
      }
    }
    CHECK(known.size() > 20'000);
    // Before Linux 6.13 each guard parts a mapping.
    CHECK((!lightly || known.size() == more_than_mappings));
  }
  close(ends[0]);
  close(ends[1]);
}
