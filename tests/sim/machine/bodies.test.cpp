// Reductions and scans by a body: several values that are combined together.
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/watcher.hpp"
#include "sim/machine/perform.hpp"
#include "sim/ops/combine.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <support/catch.hpp>
#include <sys/wait.h>
#include <tests/sim/kernel_fixture.hpp>
#include <unistd.h>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;
using machine::in;
using machine::opcode;
using machine::out;
using ops::combining_body;

namespace {

constexpr char reduction = 0; // places
constexpr char in_body = 0;

/// A tile, by its shape.
struct shaped {
  std::vector<std::uint32_t> extents;
  machine::tile_type type;

  shaped(element e, std::vector<std::uint32_t> sizes)
      : extents(std::move(sizes))
      , type{e, e, 0, false, false, static_cast<std::uint8_t>(extents.size()), 1, extents.data()} {
    for (const std::uint32_t n : extents) {
      type.count *= n;
    }
  }
  shaped(const shaped&) = delete;
  shaped& operator=(const shaped&) = delete;
};

/// (value, index): the larger value, of equal ones the smaller index.
void larger(const void* /*self*/, const out* results, const in* a, const in* b, unsigned values) {
  CHECK(values == 2);
  for (std::uint32_t i = 0; i < results[0].type->count; ++i) {
    const float x = static_cast<const float*>(a[0].data)[i];
    const float y = static_cast<const float*>(b[0].data)[i];
    const std::int32_t k = static_cast<const std::int32_t*>(a[1].data)[i];
    const std::int32_t l = static_cast<const std::int32_t*>(b[1].data)[i];
    const bool first = x > y || (x == y && k < l);
    static_cast<float*>(results[0].data)[i] = first ? x : y;
    static_cast<std::int32_t*>(results[1].data)[i] = first ? k : l;
  }
}

/// (m, c): x → m·x + c, first the one and then the other, which does not commute. m has 16 bits.
void then(const void* /*self*/, const out* results, const in* a, const in* b, unsigned values) {
  CHECK(values == 2);
  for (std::uint32_t i = 0; i < results[0].type->count; ++i) {
    const std::uint16_t m = static_cast<const std::uint16_t*>(a[0].data)[i];
    const std::uint32_t c = static_cast<const std::uint32_t*>(a[1].data)[i];
    const std::uint16_t n = static_cast<const std::uint16_t*>(b[0].data)[i];
    const std::uint32_t d = static_cast<const std::uint32_t*>(b[1].data)[i];
    static_cast<std::uint16_t*>(results[0].data)[i] = static_cast<std::uint16_t>(m * unsigned{n});
    static_cast<std::uint32_t*>(results[1].data)[i] = (c * n + d) & 0xffff;
  }
}

constexpr combining_body argmax{&larger, nullptr};
constexpr combining_body compose{&then, nullptr};

/// The exit code of a process that does that.
template <class F>
int status_of(F what) {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stderr) == nullptr) {
      _exit(1);
    }
    what();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_CASE("a body of two values is argmax, along every dimension and in every order") {
  const std::uint64_t seed = GENERATE(range(0U, 6U));
  const shaped values(element::f32, {3, 200, 2});
  const shaped indices(element::i32, {3, 200, 2});
  std::vector<float> x(values.type.count);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>((i * 7919) % 331); // with equal ones
  }
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::vector<std::uint32_t> left = values.extents;
    const std::uint32_t length = std::exchange(left[dim], 1);
    const shaped max(element::f32, left);
    const shaped at(element::i32, left);
    std::uint32_t inner = 1;
    for (unsigned d = dim + 1; d < 3; ++d) {
      inner *= values.extents[d];
    }
    std::vector<std::int32_t> k(x.size());
    for (std::uint32_t i = 0; i < k.size(); ++i) {
      k[i] = static_cast<std::int32_t>(i / inner % length);
    }
    std::vector<float> largest(max.type.count);
    std::vector<std::int32_t> where(max.type.count);
    std::vector<std::int32_t> expected(max.type.count);
    context c{options{.seed = seed, .random_order = seed != 0}};
    run_block(c, [&] {
      const in operands[] = {{&values.type, x.data()}, {&indices.type, k.data()}};
      const out results[] = {{&max.type, largest.data()}, {&at.type, where.data()}};
      machine::perform::reduce(argmax, results, operands, 2, dim, {nullptr, &reduction});
      machine::reduce_index({opcode::maxf, {}}, {&at.type, expected.data()}, operands[0], dim);
    });
    CHECK(where == expected);
    for (std::uint32_t i = 0; i < where.size(); ++i) {
      const std::uint32_t lane = i / inner * length * inner + i % inner;
      CHECK(largest[i] == x[lane + static_cast<std::uint32_t>(where[i]) * inner]);
    }
  }
}

TEST_CASE("a scan by a body that does not commute keeps the elements' order") {
  const std::uint64_t seed = GENERATE(range(0U, 6U));
  const bool reverse = GENERATE(false, true);
  const shaped factors(element::i16, {3, 75, 2});
  const shaped terms(element::i32, {3, 75, 2});
  std::vector<std::uint16_t> m(factors.type.count);
  std::vector<std::uint32_t> t(m.size());
  for (std::uint32_t i = 0; i < m.size(); ++i) {
    m[i] = static_cast<std::uint16_t>(i * 12345 + 3);
    t[i] = (i * 40503 + 7) & 0xffff;
  }
  for (unsigned dim = 0; dim < 3; ++dim) {
    const std::uint32_t length = factors.extents[dim];
    std::uint32_t inner = 1;
    for (unsigned d = dim + 1; d < 3; ++d) {
      inner *= factors.extents[d];
    }
    std::vector<std::uint16_t> all_m(m.size());
    std::vector<std::uint32_t> all_t(m.size());
    context c{options{.seed = seed, .random_order = seed != 0}};
    run_block(c, [&] {
      const in operands[] = {{&factors.type, m.data()}, {&terms.type, t.data()}};
      const out results[] = {{&factors.type, all_m.data()}, {&terms.type, all_t.data()}};
      machine::perform::scan(compose, reverse, results, operands, 2, dim, {nullptr, &reduction});
    });
    for (std::uint32_t first = 0; first < m.size(); ++first) {
      if (first / inner % length != 0) {
        continue;
      }
      std::uint16_t want_m = 1;
      std::uint32_t want_t = 0;
      for (std::uint32_t k = 0; k < length; ++k) {
        const std::uint32_t i = first + (reverse ? length - 1 - k : k) * inner;
        want_t = (want_t * m[i] + t[i]) & 0xffff;
        want_m = static_cast<std::uint16_t>(want_m * unsigned{m[i]});
        REQUIRE(all_m[i] == want_m);
        REQUIRE(all_t[i] == want_t);
      }
    }
  }
}

// Pairs that no order of combining forms are not asked for: the body has something to report.
TEST_CASE("a body performs operations of its own, which are reported where they stand") {
  const shaped tile(element::i32, {64});
  std::vector<std::int32_t> x(64, 1);
  x[63] = INT32_MAX;
  std::vector<std::int32_t> sums(64);
  context c{options{}};
  struct counting final : watcher {
    explicit counting(std::vector<const void*>& to)
        : sites(to) {}
    void operation(const operation_event& e) override { sites.push_back(e.site); }
    std::vector<const void*>& sites;
  };
  std::vector<const void*> sites;
  c.exec->attach(std::make_unique<counting>(sites));
  const combining_body add{
      [](const void* /*self*/, const out* results, const in* a, const in* b, unsigned /*values*/) {
        const in operands[] = {a[0], b[0]};
        machine::perform::elementwise(opcode::addi,
                                      {.wrap = machine::overflow::no_signed_wrap},
                                      results[0],
                                      operands,
                                      2,
                                      {nullptr, &in_body});
      },
      nullptr};
  run_block(c, [&] {
    const in operand{&tile.type, x.data()};
    const out result{&tile.type, sums.data()};
    machine::perform::scan(add, false, &result, &operand, 1, 0, {nullptr, &reduction});
  });
  CHECK(sums[62] == 63);
  REQUIRE(!sites.empty());
  CHECK(sites.front() == &in_body);
  CHECK(sites.back() == &reduction);
  REQUIRE(c.found.all().findings.size() == 1);
  CHECK(c.found.all().findings[0].kind == finding_kind::signed_overflow);
}

TEST_CASE("bodies of what does not fit are a front door's bug") {
  const shaped tile(element::i32, {4});
  const shaped longer(element::i32, {5});
  const shaped one(element::i32, {1});
  std::array<std::int32_t, 8> cells{};
  const auto reduces = [&](const combining_body& body,
                           const shaped& second,
                           const shaped& result,
                           unsigned values,
                           unsigned dim) {
    return status_of([&] {
      context c{options{}};
      run_block(c, [&] {
        std::array<std::int32_t, 8> sums{};
        std::array<std::int32_t, 8> other{};
        const in operands[] = {{&tile.type, cells.data()}, {&second.type, cells.data()}};
        const out results[] = {{&result.type, sums.data()}, {&result.type, other.data()}};
        machine::perform::reduce(body, results, operands, values, dim, {nullptr, &reduction});
      });
    });
  };
  const combining_body nothing_done{
      [](const void* /*self*/, const out* /*r*/, const in* /*a*/, const in* /*b*/, unsigned) {},
      nullptr};
  CHECK(reduces(nothing_done, tile, one, 2, 0) == 0);
  CHECK(reduces(nothing_done, longer, one, 2, 0) == 70); // shapes
  CHECK(reduces(nothing_done, tile, tile, 2, 0) == 70);  // of a result
  CHECK(reduces(nothing_done, tile, one, 0, 0) == 70);   // no value
  CHECK(reduces(nothing_done, tile, one, 2, 1) == 70);   // no such dimension
  CHECK(reduces({nullptr, nullptr}, tile, one, 2, 0) == 70);
}
