// Walking the stack later, from another one: the same frames as at once, registers and all.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/fiber.hpp"
#include "sim/debug_info/call_chain.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

namespace {

struct two_walks {
  std::vector<host_frame> at_once;
  std::vector<host_frame> later;
};

void ask(void* argument) {
  auto& both = *static_cast<two_walks*>(argument);
  const auto frames = waiting_host::current()->frames();
  both.later.assign(frames.begin(), frames.end());
}

/// The innermost frame, in which both walks are made.
[[gnu::noinline]] void walk(two_walks& both) {
  const waiting_host later(this_stack_place());
  both.at_once = waiting_frames();
  stack_pool pool(1 << 18);
  fiber f(pool.take(), ask, &both);
  f.resume();
  REQUIRE(later.frames().data() == waiting_host::current()->frames().data());
}

/// Callers with much in registers that calls preserve, and frames of several sizes.
[[gnu::noinline]] std::uint64_t caller(unsigned depth, two_walks& both, std::uint64_t a) {
  std::uint64_t b = a * 3 + depth;
  std::uint64_t c = b ^ a;
  std::uint64_t d = c * 7;
  if (depth == 0) {
    walk(both);
  } else {
    volatile char large[4096];
    large[depth] = static_cast<char>(a);
    b += caller(depth - 1, both, a + static_cast<unsigned char>(large[depth]));
  }
  return a + b + c + d;
}

} // namespace

TEST_CASE("frames that are walked later are those that wait") {
  two_walks both;
  CHECK(caller(5, both, 11) != 0);
  REQUIRE(both.at_once.size() >= 7);
  // At once it begins inside the walk itself, where that is in the program, too.
  const auto first = both.at_once.end() - static_cast<std::ptrdiff_t>(both.later.size());
  REQUIRE(first >= both.at_once.begin());
  for (std::size_t i = 0; i < both.later.size(); ++i) {
    CAPTURE(i);
    const host_frame& now = first[static_cast<std::ptrdiff_t>(i)];
    const host_frame& then = both.later[i];
    CHECK(then.cfa == now.cfa);
    CHECK(then.sp == now.sp);
    if (i != 0) { // which has gone on from one call to the other
      CHECK(then.pc == now.pc);
      CHECK(then.preserved == now.preserved);
    }
  }
}
