// Writes litmus tests as kernels, and tables for the harness.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/gpu_code.hpp"

#include "memmodel/litmus/final_states.hpp"
#include "memmodel/words.hpp"
#include "tools/litmus/gpu_thread.hpp"
#include "tools/litmus/gpu_tile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace tilesim::tools {

using namespace memmodel::litmus;
using memmodel::memory_order;

namespace {

constexpr std::size_t most_locations = 8; // as in harness.cu
constexpr std::size_t most_roles = 64;
constexpr std::size_t most_operands = 30; // of an asm statement
constexpr std::size_t most_warps = 8;     // of a block

bool accesses(const instruction& i) {
  return i.op == opcode::load || i.op == opcode::store || i.op == opcode::rmw;
}

bool has_pointers(const test& t) {
  return std::ranges::any_of(t.threads, [](const thread& p) {
    return std::ranges::any_of(
        p.code, [](const instruction& i) { return accesses(i) && i.address.pointer.has_value(); });
  });
}

bool has_barriers(const test& t) {
  return std::ranges::any_of(t.threads, [](const thread& p) {
    return std::ranges::any_of(p.code,
                               [](const instruction& i) { return i.op == opcode::barrier; });
  });
}

/// The location that a value is the address of, in a test that has pointers.
std::optional<std::size_t> pointee(const test& t, value v) {
  for (std::size_t l = 0; has_pointers(t) && l < t.locations.size(); ++l) {
    if (static_cast<std::uint64_t>(v) == t.locations[l].address) {
      return l;
    }
  }
  return {};
}

std::string why_not_atomic(const instruction& i) {
  if (elements(i) > 1) {
    return "PTX has vector atomics of floating-point numbers alone";
  }
  if (i.type.size < 4) {
    return fmt::format("PTX has no such atomic of {} bits", 8 * i.type.size);
  }
  if (i.operation == binary::mul || i.operation == binary::div || i.operation == binary::rem) {
    return "PTX has no such atomic";
  }
  if (!i.compare_exchange && (i.operation == binary::inc || i.operation == binary::dec) &&
      i.type.size != 4) {
    return "PTX has atomic inc and dec of 32 bits alone";
  }
  if (i.reduction && i.order != memory_order::relaxed && i.order != memory_order::release) {
    return fmt::format("PTX has no red.{}", memmodel::ptx_word(i.order));
  }
  return {};
}

std::string why_not(const instruction& i) {
  switch (i.op) {
  case opcode::barrier:
    return i.barrier_id.reg || i.barrier_resource.reg || i.barrier_threads.reg
               ? "a barrier whose name is in a register is not built"
               : "";
  case opcode::rmw:
    return why_not_atomic(i);
  case opcode::load:
  case opcode::store:
    if (elements(i) > 4 || elements(i) * i.type.size > 16) {
      return fmt::format("sm_90 has no access of {} times {} bits", elements(i), 8 * i.type.size);
    }
    return {};
  case opcode::compute:
    return i.type.size == 8 ? "" : "arithmetic narrower than 64 bits is not built";
  default:
    return {};
  }
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return out + "\"";
}

std::uint64_t step_hash(std::uint64_t h, std::uint64_t v) { // as in harness.cu
  h = (h ^ v) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 29U);
}

std::uint64_t state_hash(const std::vector<value>& state) {
  std::uint64_t h = 1;
  for (const value v : state) {
    h = step_hash(h, static_cast<std::uint64_t>(v));
  }
  return h == 0 ? 1 : h;
}

/// Bytes of the largest variable, at least 8: how far cells lie apart.
std::size_t span(const test& t) {
  std::size_t most = 8;
  for (const location& l : t.locations) {
    most = std::max(most, l.initial.size() * l.type.size);
  }
  return most;
}

std::size_t registers(const test& t) {
  std::size_t n = 0;
  for (const thread& p : t.threads) {
    n = std::accumulate(p.widths.begin(), p.widths.end(), n);
  }
  return n;
}

std::string thread_text(const test& t, std::size_t p, std::size_t first_register) {
  const thread& run = t.threads[p];
  std::string out =
      fmt::format("  {}if (s.role == {}) {{ // {}\n", p == 0 ? "" : "} else ", p, run.name);
  std::vector<std::string> operands;
  for (std::size_t r = 0; r < run.registers.size(); ++r) {
    const value v = run.initial[r].front();
    const auto l = pointee(t, v);
    out += fmt::format("    u64 r{} = {}; // {}\n",
                       r,
                       l ? fmt::format("m{}", *l)
                         : fmt::format("{}ull", static_cast<std::uint64_t>(v)),
                       run.registers[r]);
    operands.push_back(fmt::format("\"+l\"(r{})", r));
  }
  operands.emplace_back("\"+r\"(left)");
  std::vector<std::string> cells;
  for (std::size_t l = 0; l < t.locations.size(); ++l) {
    cells.push_back(fmt::format("\"l\"(m{})", l));
  }
  out += fmt::format("    asm volatile(\n{}        : {}\n        : {}\n        : \"memory\");\n",
                     thread_statement(t, run),
                     fmt::join(operands, ", "),
                     fmt::join(cells, ", "));
  for (std::size_t r = 0; r < run.registers.size(); ++r) {
    out += fmt::format("    {}keep(a, s, {}, r{});\n",
                       has_barriers(t) ? "if (!s.ghost) " : "",
                       first_register + r,
                       r);
  }
  return out;
}

std::string locations_text(const test& t, const std::string& n) {
  std::string variables;
  std::size_t next = 0;
  for (const observable& o : all_observables(t)) {
    const std::string name = literal(name_of(t, o));
    if (o.thread) {
      variables += fmt::format("    {{{}, {}, 0, 0, 8, true}},\n", name, next++);
    } else {
      const element_type& type = t.locations[o.index].type;
      variables += fmt::format("    {{{}, -1, {}, {}, {}, {}}},\n",
                               name,
                               o.index,
                               o.element * type.size,
                               type.size,
                               type.is_signed);
    }
  }
  std::string initials;
  for (std::size_t l = 0; l < t.locations.size(); ++l) {
    const location& at = t.locations[l];
    for (std::size_t e = 0; e < at.initial.size(); ++e) {
      const auto to = pointee(t, at.initial[e]);
      initials += fmt::format("    {{{}, {}, {}, {}ull, {}}},\n",
                              l,
                              e * at.type.size,
                              at.type.size,
                              static_cast<std::uint64_t>(at.initial[e]),
                              to ? static_cast<long>(*to) : -1L);
    }
  }
  return fmt::format("const variable variables_{0}[] = {{\n{1}}};\n"
                     "const initial initials_{0}[] = {{\n{2}}};\n",
                     n,
                     variables,
                     initials);
}

} // namespace

gpu_seats seats_of(const test& t) {
  gpu_seats s;
  // By cluster and block of the test; the host's threads are a cluster each.
  std::map<std::int64_t, std::map<std::int32_t, std::vector<std::int32_t>>> places;
  for (std::size_t p = 0; p < t.threads.size(); ++p) {
    const memmodel::place& at = t.threads[p].place;
    const bool host = at.gpu == memmodel::place::host;
    places[host ? (std::int64_t{1} << 40) + static_cast<std::int64_t>(p) : at.cluster]
          [host ? 0 : at.cta]
              .push_back(static_cast<std::int32_t>(p));
  }
  for (const auto& [cluster, blocks] : places) {
    s.cluster = std::max(s.cluster, static_cast<std::uint32_t>(blocks.size()));
    for (const auto& [block, threads] : blocks) {
      s.width = std::max(s.width, static_cast<std::uint32_t>(threads.size()));
    }
  }
  s.units = static_cast<std::uint32_t>(places.size());
  s.roles.assign(std::size_t{s.units} * s.cluster * s.width, -1);
  std::size_t unit = 0;
  for (const auto& [cluster, blocks] : places) {
    std::size_t rank = 0;
    for (const auto& [block, threads] : blocks) {
      std::ranges::copy(threads,
                        s.roles.begin() +
                            static_cast<std::ptrdiff_t>((unit * s.cluster + rank) * s.width));
      ++rank;
    }
    ++unit;
  }
  return s;
}

namespace {

/// A thread is a warp here, whose other lanes come to the barriers alone: they must not go other
/// ways. A wait cannot be bounded, so it has to be certain that all come.
std::string why_no_barriers(const test& t) {
  if (has_pointers(t)) {
    return "barriers and pointers together are not built";
  }
  for (const auto& [name, use] : barriers_of(t)) {
    if (use.number > 15) {
      return "a block has more than 15 barriers";
    }
    // The model lets who comes late go on; an H100 lets it wait for as many others again.
    if (use.arrivals % use.threads != 0) {
      return fmt::format("{} come to a barrier of {}: the GPU waits for the rest, and hangs",
                         use.arrivals,
                         use.threads);
    }
  }
  for (const thread& p : t.threads) {
    for (const instruction& i : p.code) {
      if (i.op == opcode::branch) {
        return fmt::format(
            "'{}' in line {}: branches beside barriers are not built", i.text, i.at.line);
      }
    }
  }
  const auto answer = enumerate(t, memmodel::ptx());
  return answer.terminates.value_or(false)
             ? ""
             : "a thread may wait at a barrier for ever, and then the GPU hangs";
}

std::string why_no_ptx(const test& t) {
  for (const thread& p : t.threads) {
    for (const instruction& i : p.code) {
      if (const std::string reason = why_not(i); !reason.empty()) {
        return fmt::format("'{}' in line {}: {}", i.text, i.at.line, reason);
      }
    }
    if (p.registers.size() + 1 + t.locations.size() > most_operands) {
      return fmt::format("{} has {} registers", p.name, p.registers.size());
    }
  }
  return has_barriers(t) ? why_no_barriers(t) : "";
}

} // namespace

std::string why_not_on_gpu(const test& t, bool tile) {
  std::optional<std::int32_t> gpu;
  for (const thread& p : t.threads) {
    if (p.place.gpu != memmodel::place::host && p.place.gpu != gpu.value_or(p.place.gpu)) {
      return "it has threads on two GPUs";
    }
    gpu = p.place.gpu == memmodel::place::host ? gpu : p.place.gpu;
  }
  if (std::string reason = tile ? why_no_tile_kernel(t) : why_no_ptx(t); !reason.empty()) {
    return reason;
  }
  if (t.locations.size() > most_locations) {
    return fmt::format(
        "it has {} variables, and the harness places {}", t.locations.size(), most_locations);
  }
  if (t.locations.empty()) {
    return "it has no variables";
  }
  const gpu_seats s = seats_of(t);
  if (has_barriers(t) && s.width > most_warps) {
    return fmt::format("a block has {} threads, and here warps for {}", s.width, most_warps);
  }
  if (s.cluster > 8 || s.roles.size() > most_roles) {
    return fmt::format(
        "it needs {} places of threads, in clusters of {}", s.roles.size(), s.cluster);
  }
  return {};
}

std::string kernel_text(const gpu_test& g, std::size_t number) {
  const test& t = g.test;
  if (g.tile) {
    return tile_kernel_text(g, number);
  }
  std::string out = fmt::format("// {}{}{}\n"
                                "__global__ void __launch_bounds__(block_threads) test_{}("
                                "const launch_args a) {{\n"
                                "  const seat s = take_seat(a);\n"
                                "  if (s.role < 0) {{\n    return;\n  }}\n",
                                t.name,
                                g.mutant ? " ~ " : "",
                                g.mutant.value_or(""),
                                number);
  const bool warps = has_barriers(t);
  for (std::size_t l = 0; l < t.locations.size(); ++l) {
    out += fmt::format("  const u64 m{0} = cell{2}; // {1}\n",
                       l,
                       t.locations[l].name,
                       warps ? fmt::format("_of(a, {}, s)", l)
                             : fmt::format("(a, {}, s.instance)", l));
  }
  out += fmt::format("  unsigned left = loop_bound;\n  {}meet(a, s, {});\n{}",
                     warps ? "if (!s.ghost)\n    " : "",
                     t.threads.size(),
                     warps ? "  __syncwarp();\n" : "");
  std::size_t first = 0;
  for (std::size_t p = 0; p < t.threads.size(); ++p) {
    out += thread_text(t, p, first);
    first += t.threads[p].registers.size();
  }
  return out + "  }\n  if (left == 0) {\n    a.cut[s.instance] = 1;\n  }\n}\n";
}

std::string tables_text(const gpu_test& g, std::size_t number) {
  const test& t = g.test;
  const std::string n = std::to_string(number);
  std::string out = locations_text(t, n);
  out += fmt::format(
      "const signed char roles_{}[] = {{{}}};\n", n, fmt::join(seats_of(t).roles, ", "));
  if (has_pointers(t)) {
    std::vector<std::string> addresses;
    for (const location& l : t.locations) {
      addresses.push_back(fmt::format("{}ull", l.address));
    }
    out += fmt::format("const u64 addresses_{}[] = {{{}}};\n", n, fmt::join(addresses, ", "));
  }
  std::vector<std::string> states;
  for (const auto& s : g.marks.sc) {
    states.push_back(fmt::format("{}ull", state_hash(s)));
  }
  return out + fmt::format("const u64 sc_{}[] = {{{}}};\n",
                           n,
                           states.empty() ? "0" : fmt::format("{}", fmt::join(states, ", ")));
}

std::string row_text(const gpu_test& g, std::size_t number) {
  const test& t = g.test;
  const gpu_seats s = seats_of(t);
  const std::size_t variables = all_observables(t).size();
  std::size_t initials = 0;
  for (const location& l : t.locations) {
    initials += l.initial.size();
  }
  return fmt::format(
      "    {{{1}, {2}, {3}, {4}ull, (const void*)test_{0}, {5}, {6}, {7}, {8}, {9}, {10}, {11}, "
      "{12}, {13},\n     roles_{0}, variables_{0}, initials_{0}, {14}, sc_{0}, {15}, {16}, "
      "{17}, {18}, {19}}},\n",
      number,
      literal(t.name),
      literal(g.file),
      g.mutant ? literal(*g.mutant) : "nullptr",
      g.hash,
      s.units,
      s.cluster,
      s.width,
      t.threads.size(),
      t.locations.size(),
      registers(t),
      variables,
      initials,
      span(t),
      has_pointers(t) ? fmt::format("addresses_{}", number) : "nullptr",
      g.marks.sc.size(),
      g.marks.known,
      g.marks.weak,
      g.tile,
      has_barriers(t));
}

} // namespace tilesim::tools
