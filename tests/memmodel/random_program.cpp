// Small random programs, and their text as PTX litmus tests.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/random_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilesim::random_programs {
namespace {

constexpr std::array<const char*, 6> order_names{
    "weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
constexpr std::array<const char*, 4> scope_names{"cta", "cluster", "gpu", "sys"};

std::string strength(const instruction& i) {
  const char* name = order_names[static_cast<std::size_t>(i.order)];
  if (i.order == order::weak) {
    return name;
  }
  return fmt::format("{}.{}", name, scope_names[static_cast<std::size_t>(i.scope)]);
}

std::string place(const instruction& i) {
  return fmt::format("x{}{}", i.location, i.offset == 0 ? "" : fmt::format("+{}", i.offset));
}

std::string written(const instruction& i) {
  return i.from_register ? fmt::format("r{}", i.source) : fmt::format("{}", i.source);
}

std::string text_of(const instruction& i) {
  const unsigned bits = 8 * i.size;
  switch (i.kind) {
  case kind::load:
    return fmt::format("ld.{}.u{} r{}, {}", strength(i), bits, i.dst, place(i));
  case kind::store:
    return fmt::format("st.{}.u{} {}, {}", strength(i), bits, place(i), written(i));
  case kind::add:
    return fmt::format(
        "atom.{}.add.u{} r{}, {}, {}", strength(i), bits, i.dst, place(i), i.operand);
  case kind::exchange:
    return fmt::format(
        "atom.{}.exch.u{} r{}, {}, {}", strength(i), bits, i.dst, place(i), written(i));
  case kind::compare_and_swap:
    return fmt::format("atom.{}.cas.u{} r{}, {}, {}, {}",
                       strength(i),
                       bits,
                       i.dst,
                       place(i),
                       i.compare,
                       i.operand);
  case kind::red:
    return fmt::format("red.{}.add.u{} {}, {}", strength(i), bits, place(i), i.operand);
  case kind::fence:
    return fmt::format("fence.{}", strength(i));
  case kind::guard:
    return fmt::format("bne r{}, {}, END", i.source, i.operand);
  }
  return "";
}

} // namespace

bool has_result(const instruction& i) {
  return i.kind == kind::load || i.kind == kind::add || i.kind == kind::exchange ||
         i.kind == kind::compare_and_swap;
}

std::vector<order> orders_of(kind k) {
  using enum order;
  switch (k) {
  case kind::load:
    return {weak, relaxed, acquire};
  case kind::store:
    return {weak, relaxed, release};
  case kind::add:
  case kind::exchange:
  case kind::compare_and_swap:
    return {relaxed, acquire, release, acq_rel};
  case kind::red:
    return {relaxed, release};
  case kind::fence:
    return {acquire, release, acq_rel, sc};
  case kind::guard:
    return {weak};
  }
  return {};
}

bool at_least(order b, order a) {
  if (a == order::acquire && b == order::release) {
    return false;
  }
  return static_cast<int>(b) >= static_cast<int>(a);
}

program random_program(std::mt19937& random, const shape& s) {
  const auto any = [&](unsigned n) { return below(random, n); };
  program p;
  p.locations = 1 + any(s.locations);
  const unsigned threads = 2 + any(s.threads - 1);
  for (unsigned t = 0; t < threads; ++t) {
    thread& th = p.threads.emplace_back();
    th.gpu = any(8) == 0 ? 1 : 0;
    th.cluster = any(2);
    th.cta = any(2);
    unsigned results = 0;
    const unsigned n = 1 + any(s.instructions);
    for (unsigned k = 0; k < n; ++k) {
      instruction i;
      static constexpr std::array kinds{kind::load,
                                        kind::load,
                                        kind::load,
                                        kind::store,
                                        kind::store,
                                        kind::store,
                                        kind::exchange,
                                        kind::compare_and_swap,
                                        kind::add,
                                        kind::red,
                                        kind::fence,
                                        kind::guard};
      i.kind = kinds[any(kinds.size())];
      if (i.kind == kind::guard && (!s.guards || results == 0)) {
        i.kind = kind::fence;
      }
      const std::vector<order> orders = orders_of(i.kind);
      i.order = orders[any(static_cast<unsigned>(orders.size()))];
      // Mostly scopes that hold the others, so that there is something to forbid.
      i.scope = static_cast<scope>(any(3) == 0 ? any(4) : 2 + any(2));
      i.location = any(p.locations);
      if (s.mixed_sizes && any(2) == 0) {
        i.size = 1;
        i.offset = any(2);
      }
      // Low and high byte differ, so that halves can be told apart.
      const auto constant = [&] {
        const unsigned unit = s.mixed_sizes && i.size == 2 ? 257 : 1;
        return unit * (1 + any(2));
      };
      i.from_register =
          (i.kind == kind::store || i.kind == kind::exchange) && results != 0 && any(2) == 0;
      i.source =
          i.from_register || i.kind == kind::guard ? (results == 0 ? 0 : any(results)) : constant();
      i.operand = i.kind == kind::guard ? any(2) : constant();
      i.compare = any(2);
      i.dst = results;
      results += has_result(i) ? 1U : 0U;
      th.code.push_back(i);
    }
    p.registers.push_back(results);
  }
  return p;
}

std::string text_of(const program& p) {
  std::string out = "PTX random\n{";
  for (unsigned l = 0; l < p.locations; ++l) {
    out += fmt::format(" u16 x{}=0;", l);
  }
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    for (unsigned r = 0; r < p.registers[t]; ++r) {
      out += fmt::format(" P{}:r{}=0;", t, r);
    }
  }
  out += " }\n";
  std::size_t rows = 0;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    const thread& th = p.threads[t];
    out += fmt::format(
        "{}P{}@cta {},cluster {},gpu {}", t == 0 ? " " : " | ", t, th.cta, th.cluster, th.gpu);
    rows = std::max(rows, th.code.size());
  }
  out += " ;\n";
  for (std::size_t row = 0; row <= rows; ++row) {
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      const std::vector<instruction>& code = p.threads[t].code;
      out += t == 0 ? " " : " | ";
      out += row < code.size() ? text_of(code[row]) : row == rows ? "END:" : "";
    }
    out += " ;\n";
  }
  return out;
}

} // namespace tilesim::random_programs
