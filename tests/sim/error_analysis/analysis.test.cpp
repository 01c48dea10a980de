// The error analysis of whole launches: values from operation to operation, through memory, copies
// and plain C++ code; and where it must not decide.
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/analysis.hpp"

#include "sim/memory/allocations.hpp"
#include "sim/ops/elementwise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;
using errors::error_analysis;
using machine::opcode;
using machine::rounding;
using how = errors::error_analysis::judgement::how;

namespace {

constexpr std::uint32_t shape8[] = {8};
constexpr std::uint32_t shape1[] = {1};
constexpr std::uint32_t shape2x4[] = {2, 4};
constexpr std::uint32_t shape4x2[] = {4, 2};
constexpr machine::tile_type
type_of(element e, element pointee, unsigned rank, unsigned count, const std::uint32_t* extents) {
  return {e, pointee, 4, false, rank == 0, static_cast<std::uint8_t>(rank), count, extents};
}
constexpr auto f32x8 = type_of(element::f32, element::f32, 1, 8, shape8);
constexpr auto f32x2x4 = type_of(element::f32, element::f32, 2, 8, shape2x4);
constexpr auto f32x4x2 = type_of(element::f32, element::f32, 2, 8, shape4x2);
constexpr auto f32x1 = type_of(element::f32, element::f32, 1, 1, shape1);
constexpr auto i32x8 = type_of(element::i32, element::i32, 1, 8, shape8);
constexpr auto i32x1 = type_of(element::i32, element::i32, 1, 1, shape1);
constexpr auto i1x8 = type_of(element::i1, element::i1, 1, 8, shape8);
constexpr auto ptrx8 = type_of(element::ptr, element::f32, 1, 8, shape8);
constexpr auto ptr_scalar = type_of(element::ptr, element::f32, 0, 1, nullptr);
constexpr auto f32_scalar = type_of(element::f32, element::f32, 0, 1, nullptr);
constexpr machine::access weak{};

using floats = std::array<float, 8>;
using pointers = std::array<float*, 8>;

/// A run with an analysis and two arrays.
struct analysed {
  context c;
  error_analysis& analysis;
  float* x;
  float* y;

  explicit analysed(bool contracts = false)
      : c(hardware())
      , analysis(static_cast<error_analysis&>(
            c.exec->attach(std::make_unique<error_analysis>(c, contracts))))
      , x(array())
      , y(array()) {}

  static options hardware() {
    options o;
    o.arithmetic = ops::arithmetic::hardware;
    return o;
  }
  float* array() {
    auto* const p = static_cast<float*>(c.mem.allocate(memory_kind::managed, 64, nullptr));
    for (int i = 0; i < 16; ++i) {
      p[i] = 0.25F + (static_cast<float>(i) / 4);
    }
    return p;
  }

  template <class Kernel>
  void run(Kernel kernel, unsigned blocks = 1, bool moves = false) {
    scoped_access open(c.mem);
    analysis.begin(moves ? altered_values::numbers : altered_values::nothing);
    c.exec->finish(submit(c, dim3(blocks), dim3(1), kernel_kind::tile, std::move(kernel)));
  }

  /// What is said of an element if the other machine has this.
  how judged(const float* at, float there) {
    scoped_access open(c.mem);
    return analysis
        .judge(reinterpret_cast<std::uintptr_t>(at),
               [&](std::uintptr_t, std::size_t) { return &there; })
        .is;
  }
  errors::enclosure allowed(const float* at) {
    scoped_access open(c.mem);
    return analysis
        .judge(reinterpret_cast<std::uintptr_t>(at),
               [&](std::uintptr_t, std::size_t) { return at; })
        .allowed;
  }
  /// Why the run is diverted; empty: it is not.
  [[nodiscard]] std::string diverted() const {
    return analysis.diverted() ? analysis.diverted()->why : "";
  }
  float value(const float* at) {
    scoped_access open(c.mem);
    return *at;
  }
};

pointers from(float* p) {
  pointers all{};
  for (int i = 0; i < 8; ++i) {
    all[static_cast<std::size_t>(i)] = p + i;
  }
  return all;
}

floats load(float* p) {
  floats tile{};
  const pointers at = from(p);
  machine::load_ptr_tko(weak, {&f32x8, tile.data()}, {&ptrx8, at.data()}, nullptr, nullptr);
  return tile;
}

void store(float* p, const floats& tile, const std::array<bool, 8>* mask = nullptr) {
  const pointers at = from(p);
  const machine::in m{&i1x8, mask != nullptr ? mask->data() : nullptr};
  machine::store_ptr_tko(
      weak, {&ptrx8, at.data()}, {&f32x8, tile.data()}, mask != nullptr ? &m : nullptr);
}

floats computed(opcode op, const machine::attributes& modes, const floats& a) {
  floats result{};
  const machine::in operand{&f32x8, a.data()};
  machine::elementwise(op, modes, {&f32x8, result.data()}, &operand, 1);
  return result;
}

floats computed(opcode op, const floats& a, const floats& b) {
  floats result{};
  const machine::in operands[] = {{&f32x8, a.data()}, {&f32x8, b.data()}};
  machine::elementwise(op, {}, {&f32x8, result.data()}, operands, 2);
  return result;
}

floats exponentials(const floats& a) {
  return computed(opcode::exp2, machine::attributes{}, a);
}

floats all(float x) {
  floats result{};
  const machine::in operand{&f32_scalar, &x};
  machine::rearrange(opcode::constant, {&f32x8, result.data()}, &operand, 1);
  return result;
}

/// Atomically, each to where its pointer points: what was there.
floats added(const pointers& to, const floats& values) {
  floats old{};
  machine::atomic_rmw_tko({machine::memory_order::relaxed, machine::memory_scope::device},
                          machine::rmw_mode::addf,
                          {},
                          {&f32x8, old.data()},
                          {&ptrx8, to.data()},
                          {&f32x8, values.data()},
                          nullptr);
  return old;
}

pointers all_at(float* p) {
  pointers all{};
  all.fill(p);
  return all;
}

float summed(const floats& a) {
  std::array<float, 1> total{};
  machine::reduce({opcode::addf, {}}, {&f32x1, total.data()}, {&f32x8, a.data()}, 0);
  return total[0];
}

float up(float x, int steps) {
  for (int i = 0; i < steps; ++i) {
    x = std::nextafter(x, std::numeric_limits<float>::infinity());
  }
  return x;
}

} // namespace

TEST_CASE("what is computed approximately is bounded in memory, what is not is exact") {
  analysed r;
  r.run([&] {
    const floats x = load(r.x);
    store(r.y, exponentials(x));
    store(r.x + 8, x);
  });
  CHECK(r.judged(r.y, up(r.value(r.y), 2)) == how::inside);
  CHECK(r.judged(r.y, up(r.value(r.y), 9)) == how::outside);
  CHECK(r.judged(r.x + 8, 1) == how::exact);
  CHECK(r.judged(r.y + 9, 1) == how::exact); // nobody has written there
  CHECK(r.diverted() == "");
}

TEST_CASE("enclosures go through copies, rearrangements, memory and the next operation") {
  analysed r;
  r.run([&] {
    const floats first = exponentials(load(r.x));
    floats copy{};
    std::memcpy(copy.data(), first.data(), sizeof copy); // as C++ does, unseen
    floats turned{};
    const machine::in operand{&f32x2x4, copy.data()};
    const std::int64_t order[] = {1, 0};
    machine::rearrange(opcode::permute, {&f32x4x2, turned.data()}, &operand, 1, order, 2);
    store(r.y, turned);
    store(r.x, computed(opcode::addf, load(r.y), all(1)));
  });
  CHECK(r.allowed(r.y).lo < static_cast<double>(r.value(r.y)));
  // Element 1 is the one that was element 4: its enclosure has its number in it.
  const errors::enclosure e = r.allowed(r.y + 1);
  CHECK(e.lo <= static_cast<double>(r.value(r.y + 1)));
  CHECK(e.hi >= static_cast<double>(r.value(r.y + 1)));
  CHECK(e.hi - e.lo < 1e-5);
  CHECK(r.judged(r.x, up(r.value(r.x), 1)) == how::inside);
}

TEST_CASE(
    "which NaN an operation gives is open, and its bits with it; numbers beside it are exact") {
  analysed r;
  std::array<std::int32_t, 8> bits{};
  r.run([&] {
    floats x = load(r.x);
    const floats none = computed(opcode::subf, all(INFINITY), all(INFINITY));
    x[3] = none[3];
    const floats y = computed(opcode::addf, x, all(1));
    store(r.y, y);
    store(r.y + 8, computed(opcode::maxf, none, all(2))); // a number whichever NaN it is
    const machine::in operand{&f32x8, y.data()};
    machine::elementwise(opcode::bitcast, {}, {&i32x8, bits.data()}, &operand, 1);
    const pointers at = from(r.x);
    machine::store_ptr_tko(weak, {&ptrx8, at.data()}, {&i32x8, bits.data()}, nullptr);
  });
  CHECK(r.judged(r.y + 3, std::bit_cast<float>(0x7f800001U)) == how::inside);
  CHECK(r.judged(r.y + 3, 1) == how::outside);
  CHECK(r.judged(r.y + 2, 1) == how::exact);
  CHECK(r.judged(r.y + 8, 1) == how::exact);
  CHECK(r.judged(r.x + 3, 1) == how::open);
  CHECK(r.judged(r.x + 2, 1) == how::exact);
  CHECK(r.diverted() == "");
}

// Values are known by their bytes [docs/diff.md: values that are known by their bytes].
TEST_CASE("an exact value has the bounds of one with its bytes, unless results are moved") {
  for (const bool moves : {false, true}) {
    analysed r;
    const auto kernel = [&] {
      store(r.y, exponentials(all(0)));
      store(r.x, all(1));
    };
    r.run(kernel, 1, moves);
    CHECK(r.analysis.has_movable());
    CHECK((r.value(r.y) != 1) == moves);
    CHECK(r.judged(r.y, 1) == how::inside);
    CHECK(r.judged(r.y, up(1, 2)) == how::inside);
    CHECK(r.judged(r.y, up(1, 9)) == how::outside);
    CHECK(r.value(r.x) == 1);
    CHECK(r.judged(r.x, up(1, 1)) == (moves ? how::exact : how::inside));
  }
}

TEST_CASE("what is moved leaves exact what is exact, and enclosures as wide as they are") {
  analysed plain;
  analysed moved;
  for (analysed* const r : {&plain, &moved}) {
    r->run(
        [&] {
          const floats e = exponentials(load(r->x));
          store(r->y, computed(opcode::mulf, e, all(3)));
          store(r->y + 8, all(summed(e)));
          store(r->x + 8, computed(opcode::addf, load(r->x), all(1)));
        },
        1,
        r == &moved);
  }
  for (int i = 0; i < 16; ++i) {
    const errors::enclosure e = moved.allowed(moved.y + i);
    CHECK(e.lo == plain.allowed(plain.y + i).lo);
    CHECK(e.hi == plain.allowed(plain.y + i).hi);
    CHECK(moved.judged(moved.y + i, moved.value(moved.y + i)) == how::inside);
    CHECK(moved.judged(moved.y + i, plain.value(plain.y + i)) == how::inside);
    CHECK(moved.value(moved.x + i) == plain.value(plain.x + i));
  }
}

TEST_CASE("an exact store makes memory exact again") {
  analysed r;
  r.run([&] {
    store(r.y, exponentials(load(r.x)));
    store(r.y, all(3));
  });
  CHECK(r.judged(r.y, 4) == how::exact);
}

TEST_CASE("an open choice is open in memory, and so is an open mask") {
  analysed r;
  r.run([&] {
    const floats e = exponentials(load(r.x));
    std::array<bool, 8> above{};
    const floats same = e; // compared with itself as though it were exact: an error may turn that
    floats limit{};
    std::memcpy(limit.data(), same.data(), sizeof limit);
    const machine::in operands[] = {{&f32x8, e.data()}, {&f32x8, limit.data()}};
    machine::elementwise(opcode::cmpf,
                         {.pred = machine::predicate::greater_than_or_equal},
                         {&i1x8, above.data()},
                         operands,
                         2);
    const floats one = all(1);
    const floats two = all(2);
    floats chosen{};
    const machine::in choice[] = {
        {&i1x8, above.data()}, {&f32x8, one.data()}, {&f32x8, two.data()}};
    machine::elementwise(opcode::select, {}, {&f32x8, chosen.data()}, choice, 3);
    store(r.y, chosen);
    store(r.x, two, &above);
  });
  CHECK(r.value(r.y) == 1);
  CHECK(r.judged(r.y, 2) == how::open);
  CHECK(r.judged(r.x, 0.25F) == how::open);
  CHECK(r.diverted() == "");
}

TEST_CASE("an address that depends on what may be off diverts the run, at the decision") {
  analysed r;
  r.run([&] {
    const floats e = exponentials(load(r.x)); // 2^0.25 … 2^2, of which 2^1 is 2 or just below
    std::array<std::int32_t, 8> index{};
    const machine::in operand{&f32x8, e.data()};
    machine::elementwise(opcode::ftoi,
                         {.round = rounding::nearest_int_to_zero},
                         {&i32x8, index.data()},
                         &operand,
                         1);
    pointers at = from(r.y);
    pointers moved{};
    const machine::in operands[] = {{&ptrx8, at.data()}, {&i32x8, index.data()}};
    machine::elementwise(opcode::offset, {}, {&ptrx8, moved.data()}, operands, 2);
    const floats one = all(1);
    machine::store_ptr_tko(weak, {&ptrx8, moved.data()}, {&f32x8, one.data()}, nullptr);
  });
  CHECK(r.diverted() == "a conversion to an integer of what may be off");
}

TEST_CASE("an integer scalar that may be another diverts the run: plain code may branch on it") {
  analysed r;
  r.run([&] {
    const float total = summed(exponentials(load(r.x)));
    std::int32_t whole = 0;
    const machine::in operand{&f32x1, &total};
    machine::elementwise(
        opcode::ftoi, {.round = rounding::nearest_int_to_zero}, {&i32x1, &whole}, &operand, 1);
  });
#if defined(__x86_64__) // elsewhere plain code is not followed, so that any scalar that may be off
                        // diverts [docs/diff.md]
  CHECK(r.diverted() == ""); // it is the same at both ends
#endif
  r.run([&] {
    std::int32_t whole = 0;
    float two = exponentials(all(1))[0];
    floats both = exponentials(all(1));
    std::array<float, 1> least{};
    machine::reduce({opcode::minf, {}}, {&f32x1, least.data()}, {&f32x8, both.data()}, 0);
    static_cast<void>(two);
    const machine::in operand{&f32x1, least.data()};
    machine::elementwise(
        opcode::ftoi, {.round = rounding::nearest_int_to_zero}, {&i32x1, &whole}, &operand, 1);
  });
  CHECK_FALSE(r.diverted().empty()); // 2, or a little less
}

TEST_CASE("atomic additions in any order bound what they leave; whole numbers are exact") {
  analysed r;
  r.run(
      [&] {
        added(all_at(r.y), load(r.x));                                     // multiples of a quarter
        added(all_at(r.y + 1), computed(opcode::divf, load(r.x), all(3))); // not
      },
      4);
  CHECK(r.judged(r.y, 1) == how::exact);
  CHECK(r.judged(r.y + 1, up(r.value(r.y + 1), 1)) == how::inside);
  CHECK(r.judged(r.y + 1, r.value(r.y + 1) + 0.5F) == how::outside);
}

TEST_CASE("the old value of an atomic addition is open where it is used") {
  analysed r;
  r.run([&] {
    const floats old = added(from(r.y), load(r.x));
    store(r.x + 8, old);
  });
  CHECK(r.judged(r.x + 8, 7) == how::open);
}

TEST_CASE("a sum that the same launch reads is moved, too") {
  for (const bool moves : {false, true}) {
    analysed r;
    {
      scoped_access open(r.c.mem);
      std::fill(r.y, r.y + 8, 0.0F);
    }
    r.run(
        [&] {
          added(all_at(r.y), computed(opcode::divf, load(r.x), all(3)));
          const floats sum = load(r.y);
          store(r.x + 8, sum);
          store(r.y, sum);
        },
        1,
        moves);
    CHECK((r.value(r.x + 8) != 3) == moves); // the sum of 1/4, 1/2, … 2, by 3
    CHECK(r.judged(r.x + 8, 3) == how::inside);
    CHECK(r.judged(r.y, 4) == how::outside);
    CHECK(r.value(r.x + 9) == 0);
    CHECK(r.judged(r.x + 9, 1) == how::exact);
  }
}

TEST_CASE("an old value that is zero is open, and other zeros are not where results are moved") {
  for (const bool moves : {false, true}) {
    analysed r;
    {
      scoped_access open(r.c.mem);
      std::fill(r.y, r.y + 8, 0.0F);
    }
    r.run(
        [&] {
          const floats old = added(from(r.y), load(r.x));
          const floats copy = old; // as C++ does, unseen
          store(r.x + 8, copy);
          store(r.y + 8, all(0));
        },
        1,
        moves);
    CHECK(r.judged(r.x + 8, 7) == how::open);
    CHECK(r.judged(r.y + 8, 7) == (moves ? how::exact : how::open));
    CHECK(r.diverted() == "");
  }
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

[[gnu::noinline]] float twice_and_one(float x) {
  return (x * 2) + 1;
}
[[gnu::noinline]] float chosen(float x, float limit) {
  return x > limit ? 1 : 2;
}
[[gnu::noinline]] int cut_off(float x) {
  return static_cast<int>(x);
}
[[gnu::noinline]] double widened(float x) {
  return -static_cast<double>(x) / 3;
}

} // namespace

TEST_CASE("plain C++ code that computes with scalars is followed") {
  analysed r;
  float before = 0;
  r.run([&] {
    const float total = summed(exponentials(load(r.x)));
    before = total;
    const float other = twice_and_one(total);
    float* const to = r.y;
    machine::store_ptr_tko(weak, {&ptr_scalar, &to}, {&f32_scalar, &other}, nullptr);
    const auto narrow = static_cast<float>(widened(total));
    float* const next = r.y + 1;
    machine::store_ptr_tko(weak, {&ptr_scalar, &next}, {&f32_scalar, &narrow}, nullptr);
  });
  CHECK(r.diverted() == "");
  CHECK(r.judged(r.y, up(r.value(r.y), 1)) == how::inside);
  CHECK(r.judged(r.y, r.value(r.y) + 1) == how::outside);
  CHECK(r.allowed(r.y).hi - r.allowed(r.y).lo < 1e-3);
  CHECK(r.judged(r.y + 1, up(r.value(r.y + 1), 1)) == how::inside);
  CHECK(r.allowed(r.y + 1).hi < 0);
}

TEST_CASE("plain C++ code that branches on what may be off diverts the run") {
  for (const bool near : {false, true}) {
    analysed r;
    r.run([&] {
      const float total = summed(exponentials(load(r.x)));
      const float limit = near ? total : 3;
      volatile float kept = chosen(total, limit);
      static_cast<void>(kept);
    });
    CHECK(r.diverted().empty() != near);
    if (near) {
      CHECK(r.diverted() == "plain C++ code compares numbers that may be off");
    }
  }
}

TEST_CASE(
    "plain C++ code that cuts off what may be off diverts the run, unless it is one integer") {
  for (const bool near : {false, true}) {
    analysed r;
    r.run([&] {
      const floats x = near ? all(1) : all(1.5F);
      const floats e = exponentials(x);
      std::array<float, 1> largest{};
      machine::reduce({opcode::maxf, {}}, {&f32x1, largest.data()}, {&f32x8, e.data()}, 0);
      volatile int whole = cut_off(largest[0]);
      static_cast<void>(whole);
    });
    CHECK(r.diverted().empty() != near);
  }
}

TEST_CASE("a product and a sum in plain C++ code may be contracted") {
  analysed r(true);
  r.run([&] {
    const floats x = all(1 + 0x1p-12F);
    std::array<float, 1> largest{};
    machine::reduce({opcode::maxf, {}}, {&f32x1, largest.data()}, {&f32x8, x.data()}, 0);
    volatile float factor = largest[0];
    const float a = factor;
    const float b = factor;
    volatile float rest = -(1 + 0x1p-11F);
    float sum = (a * b) + rest;
    float* const to = r.y;
    machine::store_ptr_tko(weak, {&ptr_scalar, &to}, {&f32_scalar, &sum}, nullptr);
  });
  CHECK(r.value(r.y) == 0);
  CHECK(r.judged(r.y, 0x1p-24F) == how::inside); // docs/hardware.md
  CHECK(r.judged(r.y, 0x1p-22F) == how::outside);
}

#endif
