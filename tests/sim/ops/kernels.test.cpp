// What holds of every kernel: both variants agree, a splat is its spread, one call is many.
// SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"
#include "samples.hpp"
#include "sim/ops/tables.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <utility>

namespace tilesim::test {
namespace {

using sim::ops::elementwise_args;
using sim::ops::table_entry;

struct opcode_row {
  opcode op;
  const char* name;
  bool is_elementwise;
};
constexpr std::string_view elementwise = "elementwise";
const opcode_row opcodes[]{
#define TILESIM_OPCODE(name, family) {opcode::name, #name, elementwise == #family},
#include <tilesim/detail/opcodes.def>
};

std::vector<attributes> all_modes() {
  std::vector<attributes> found;
  for (unsigned sign = 0; sign < 2; ++sign) {
    for (unsigned wrap = 0; wrap < 4; ++wrap) {
      found.push_back({.sign = machine::signedness(sign),
                       .wrap = machine::overflow(wrap),
                       .round = machine::rounding::zero});
    }
    for (unsigned pred = 0; pred < 6; ++pred) {
      found.push_back({.sign = machine::signedness(sign),
                       .pred = machine::predicate(pred),
                       .order = machine::ordering(sign)});
    }
  }
  for (unsigned round = 0; round < 8; ++round) {
    for (const bool flag : {false, true}) {
      found.push_back(
          {.round = machine::rounding(round), .flush_to_zero = flag, .propagate_nan = flag});
    }
  }
  return found;
}

/// Calls `visit` for each operation that there is.
template <class Visit>
void for_each_entry(const Visit& visit) {
  for (const auto& row : opcodes) {
    for (unsigned r = 0; r < element_kinds; ++r) {
      for (unsigned a = 0; a < element_kinds; ++a) {
        std::set<sim::ops::elementwise_kernel> seen;
        for (const attributes& modes : all_modes()) {
          const table_entry found =
              sim::ops::find_entry(row.op, modes, element(r), element(a), arithmetic::page);
          if (found.baseline != nullptr && seen.insert(found.baseline).second) {
            visit(row, found, element(r), element(a));
          }
        }
      }
    }
  }
}

constexpr std::size_t count = 700; // more than one piece of a splat

struct cells {
  std::vector<unsigned char> bytes = std::vector<unsigned char>(count * 8);
  explicit cells(std::uint64_t seed, bool bits) {
    generator next(seed);
    for (auto& b : bytes) {
      b = static_cast<unsigned char>(bits ? next() & 1U : next());
    }
  }
};

} // namespace

TEST_CASE("every elementwise opcode has a kernel, and no other has", "[ops]") {
  std::set<std::string> found;
  for_each_entry(
      [&](const opcode_row& row, const table_entry&, element, element) { found.insert(row.name); });
  for (const auto& row : opcodes) {
    CAPTURE(row.name);
    CHECK(found.contains(row.name) == (row.is_elementwise && row.op != opcode::offset));
  }
}

TEST_CASE("an operation on float is one on half, bfloat16 and double", "[ops]") {
  std::set<std::pair<std::string, element>> found;
  for_each_entry([&](const opcode_row& row, const table_entry&, element result, element operand) {
    if (result == operand) {
      found.insert({row.name, operand});
    }
  });
  for (const auto& row : opcodes) {
    CAPTURE(row.name);
    for (const element e : {element::f16, element::bf16, element::f64}) {
      CHECK(found.contains({row.name, e}) == found.contains({row.name, element::f32}));
    }
  }
}

TEST_CASE("baseline and fast kernels agree, splats are what they stand for", "[ops]") {
  const bool has_fast = sim::ops::has_fast_kernels();
  int kernels = 0;
  int wrong = 0;
  for_each_entry([&](const opcode_row& row,
                     const table_entry& entry,
                     element result,
                     element operand) {
    const bool bits = operand == element::i1 && row.op != opcode::select;
    const cells a(1, bits || row.op == opcode::select), b(2, bits), c(3, bits);
    std::vector<unsigned char> plain(count * 8), other(count * 8);
    const auto run = [&](auto kernel,
                         std::vector<unsigned char>& to,
                         const void* x,
                         const void* y,
                         const void* z,
                         unsigned splats) {
      std::fill(to.begin(), to.end(), static_cast<unsigned char>(0));
      return kernel(elementwise_args{
          to.data(), {x, y, z}, {(splats & 1) != 0, (splats & 2) != 0, (splats & 4) != 0}, count});
    };
    ++kernels;
    const bool bad = run(entry.baseline, plain, a.bytes.data(), b.bytes.data(), c.bytes.data(), 0);
    if (has_fast && entry.fast != nullptr) {
      const bool fast_bad =
          run(entry.fast, other, a.bytes.data(), b.bytes.data(), c.bytes.data(), 0);
      wrong += fast_bad != bad || plain != other;
    }
    // Operand 1 as a splat, and spread by hand. Its size: select's is the result's, else the
    // operand's.
    const unsigned size = size_of(row.op == opcode::select ? result : operand);
    std::vector<unsigned char> spread(count * 8);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(b.bytes.begin(), size, spread.begin() + static_cast<std::ptrdiff_t>(i * size));
    }
    const bool splat_bad =
        run(entry.baseline, plain, a.bytes.data(), b.bytes.data(), c.bytes.data(), 2);
    const bool spread_bad =
        run(entry.baseline, other, a.bytes.data(), spread.data(), c.bytes.data(), 0);
    wrong += splat_bad != spread_bad || plain != other;
    if (wrong != 0) {
      FAIL_CHECK(row.name << " " << name(operand) << " to " << name(result));
      wrong = 0;
    }
  });
  CHECK(kernels > 500);
}

TEST_CASE("where a tile lies in memory changes nothing", "[ops]") {
  struct alignas(64) placed {
    unsigned char bytes[count * 8 + 64];
  };
  const auto at = std::make_unique<std::array<placed, 4>>(); // the result, the operands
  int wrong = 0;
  for_each_entry(
      [&](const opcode_row& row, const table_entry& entry, element result, element operand) {
        const bool bits = operand == element::i1 && row.op != opcode::select;
        const cells operands[]{
            cells(1, bits || row.op == opcode::select), cells(2, bits), cells(3, bits)};
        const auto run = [&](sim::ops::elementwise_kernel kernel, std::size_t by) {
          for (std::size_t k = 0; k < 3; ++k) {
            std::ranges::copy(operands[k].bytes, (*at)[k + 1].bytes + by);
          }
          std::ranges::fill((*at)[0].bytes, static_cast<unsigned char>(0xa5));
          const bool bad = kernel(
              elementwise_args{(*at)[0].bytes + by,
                               {(*at)[1].bytes + by, (*at)[2].bytes + by, (*at)[3].bytes + by},
                               {},
                               count});
          // All that it may have written: which of a result's types there are, the caller knows.
          const unsigned char* const all = (*at)[0].bytes;
          wrong += !std::all_of(all, all + by, [](unsigned char c) { return c == 0xa5; });
          return std::pair{bad, std::vector<unsigned char>(all + by, all + by + count * 8)};
        };
        for (const auto kernel : {entry.baseline, entry.fast}) {
          if (kernel == nullptr || (kernel == entry.fast && !sim::ops::has_fast_kernels())) {
            continue;
          }
          const auto expected = run(kernel, 0);
          for (const std::size_t by : {8U, 16U, 40U}) {
            wrong += run(kernel, by) != expected;
          }
        }
        if (wrong != 0) {
          FAIL_CHECK(row.name << " " << name(operand) << " to " << name(result));
          wrong = 0;
        }
      });
}

TEST_CASE("an undefined element before the first whole vector is reported", "[ops]") {
  alignas(32) std::int32_t cells[3][count + 8];
  const auto f = sim::ops::find_elementwise(
      opcode::addi, {.wrap = machine::overflow::no_signed_wrap}, element::i32, element::i32);
  for (std::size_t from = 0; from < 8; ++from) {
    for (std::size_t bad = 0; bad < 16; ++bad) {
      for (auto& all : cells) {
        std::ranges::fill(all, 1);
      }
      CHECK_FALSE(f.run({cells[0] + from, {cells[1] + from, cells[2] + from, nullptr}, {}, count}));
      cells[1][from + bad] = 0x7fffffff;
      CHECK(f.run({cells[0] + from, {cells[1] + from, cells[2] + from, nullptr}, {}, count}));
    }
  }
}

TEST_CASE("an undefined element anywhere is reported", "[ops]") {
  const auto f = sim::ops::find_elementwise(
      opcode::addi, {.wrap = machine::overflow::no_signed_wrap}, element::i32, element::i32);
  for (std::size_t at = 0; at < count; at += 23) {
    std::vector<std::int32_t> a(count, 1), b(count, 2), result(count);
    CHECK_FALSE(f.run({result.data(), {a.data(), b.data(), nullptr}, {}, count}));
    a[at] = 0x7fffffff;
    CHECK(f.run({result.data(), {a.data(), b.data(), nullptr}, {}, count}));
    CHECK(f.run({result.data(), {a.data(), b.data(), nullptr}, {false, true, false}, count}));
  }
}

TEST_CASE("select", "[ops]") {
  const std::uint8_t condition[]{1, 0};
  const double a[]{1, 2}, b[]{3, 4};
  double result[2]{};
  const auto f = sim::ops::find_elementwise(opcode::select, {}, element::f64, element::i1);
  CHECK_FALSE(f.run({result, {condition, a, b}, {}, 2}));
  CHECK(result[0] == 1);
  CHECK(result[1] == 4);
  CHECK_FALSE(f.run({result, {condition, a, b}, {true, false, true}, 2}));
  CHECK(result[1] == 2);
}

} // namespace tilesim::test
