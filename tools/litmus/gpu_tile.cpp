// Writes tile litmus tests as tile kernels: a branch for each thread of the test, and in it a
// statement for each of its operations.
//
// A register is a tile of 64-bit integers. Its elements are as many as the test's, or the next
// power of two: those that are too many take part in nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/gpu_tile.hpp"

#include "memmodel/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace tilesim::tools {

using namespace memmodel::litmus;
using memmodel::memory_order;

namespace {

std::string element_text(const element_type& t) {
  switch (t.size) {
  case 1:
    return t.is_signed ? "signed char" : "unsigned char";
  case 2:
    return t.is_signed ? "short" : "unsigned short";
  case 4:
    return t.is_signed ? "int" : "unsigned";
  default:
    return t.is_signed ? "long long" : "unsigned long long";
  }
}

const char* operator_text(binary b) {
  switch (b) {
  case binary::add:
    return "+";
  case binary::sub:
    return "-";
  case binary::mul:
    return "*";
  case binary::bit_and:
    return "&";
  case binary::bit_or:
    return "|";
  case binary::bit_xor:
    return "^";
  case binary::eq:
    return "==";
  case binary::ne:
    return "!=";
  case binary::lt:
    return "<";
  case binary::le:
    return "<=";
  case binary::gt:
    return ">";
  default:
    return ">=";
  }
}

bool is_comparison(binary b) {
  return b == binary::eq || b == binary::ne || b == binary::lt || b == binary::le ||
         b == binary::gt || b == binary::ge;
}

const char* update_name(binary b) {
  switch (b) {
  case binary::add:
    return "add";
  case binary::sub:
    return "sub";
  case binary::bit_and:
    return "and";
  case binary::bit_or:
    return "or";
  case binary::bit_xor:
    return "xor";
  case binary::min:
    return "min";
  case binary::max:
    return "max";
  default:
    return "xchg";
  }
}

std::string constant_text(value v) {
  return fmt::format("static_cast<long long>({}ull)", static_cast<std::uint64_t>(v));
}

/// The statements of one thread.
class block_writer {
public:
  explicit block_writer(const thread& p)
      : thread_(p) {}

  std::string write(std::size_t first_register) {
    for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
      line(fmt::format("lanes<{}> r{} = {}; // {}",
                       lanes_of(thread_.widths[r]),
                       r,
                       constants(thread_.initial[r], lanes_of(thread_.widths[r])),
                       thread_.registers[r]));
    }
    statements(0, thread_.code.size());
    for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
      line(fmt::format("keep_lanes<{}>(regs, instances, instance, {}, r{});",
                       thread_.widths[r],
                       first_register,
                       r));
      first_register += thread_.widths[r];
    }
    return out_;
  }

private:
  static std::size_t lanes_of(std::size_t width) { return std::bit_ceil(width); }

  void line(const std::string& text) { out_ += std::string(6 + (2 * depth_), ' ') + text + "\n"; }

  static std::string constants(const std::vector<value>& of, std::size_t lanes) {
    std::string out = fmt::format("every<{}>({})", lanes, constant_text(of.back()));
    const bool same = std::ranges::all_of(of, [&](value v) { return v == of.back(); });
    for (std::size_t e = of.size() - 1; !same && e-- > 0;) {
      out = fmt::format("ct::select(lane<{0}>() == {1}, every<{0}>({2}), {3})",
                        lanes,
                        e,
                        constant_text(of[e]),
                        out);
    }
    return out;
  }

  [[nodiscard]] std::size_t width_of(const operand& o) const {
    return o.reg ? thread_.widths[*o.reg] : o.constants.size();
  }

  /// An operand of an operation of so many lanes.
  [[nodiscard]] std::string operand_text(const operand& o, std::size_t lanes) const {
    if (!o.reg) {
      return constants(o.constants.empty() ? std::vector<value>{0} : o.constants, lanes);
    }
    return lanes_of(width_of(o)) == lanes
               ? fmt::format("r{}", *o.reg)
               : fmt::format("ct::broadcast<ct::shape<{}>>(r{})", lanes, *o.reg);
  }

  [[nodiscard]] static std::string scalar(const operand& o) {
    return o.reg ? fmt::format("static_cast<long long>(r{})", *o.reg)
                 : constant_text(o.constants.empty() ? 0 : o.constants.front());
  }

  [[nodiscard]] static std::string condition_text(const instruction& i) {
    return fmt::format("{} {} {}", scalar(i.a), operator_text(i.operation), scalar(i.b));
  }

  // --- Control flow: the reader made branches of it; here it is put together again.

  void statements(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end;) {
      std::size_t back = end;
      for (std::size_t k = end; k-- > at && back == end;) {
        const instruction& i = thread_.code[k];
        back = i.op == opcode::branch && i.target == at ? k : end;
      }
      const instruction& i = thread_.code[at];
      if (back != end) {
        line("do {");
        inside(at, back);
        line(fmt::format("}} while ({} && --left > 0);", condition_text(thread_.code[back])));
        at = back + 1;
      } else if (i.op == opcode::branch) {
        at = condition(at, end);
      } else {
        one(i);
        ++at;
      }
    }
  }

  void inside(std::size_t begin, std::size_t end) {
    ++depth_;
    statements(begin, end);
    --depth_;
  }

  /// The branch jumps over what is done where its condition does not hold.
  std::size_t condition(std::size_t at, std::size_t end) {
    const instruction& i = thread_.code[at];
    const std::size_t past = std::min<std::size_t>(i.target, end);
    line(fmt::format("if (!({})) {{", condition_text(i)));
    const instruction* const last = past > at + 1 ? &thread_.code[past - 1] : nullptr;
    if (last == nullptr || last->op != opcode::branch || last->target < past) {
      inside(at + 1, past);
      line("}");
      return past;
    }
    const std::size_t out = std::min<std::size_t>(last->target, end);
    inside(at + 1, past - 1);
    line("} else {");
    inside(past, out);
    line("}");
    return out;
  }

  // --- Operations.

  struct access_text {
    std::size_t lanes = 1;
    std::string places;
    std::string mask;   ///< empty: all lanes take part
    std::string modes;  ///< "<ct::memory_order::relaxed, ct::thread_scope::device>"; empty: weak
    std::string suffix; ///< "_masked"
  };

  [[nodiscard]] access_text access(const instruction& i) const {
    access_text a;
    const std::size_t width = width_of(i.address.index);
    a.lanes = lanes_of(width);
    a.places = fmt::format("places<{}>(m{}, {})",
                           element_text(i.type),
                           i.address.location,
                           operand_text(i.address.index, a.lanes));
    if (i.mask) {
      a.mask = fmt::format("({} != every<{}>(0))", operand_text(*i.mask, a.lanes), a.lanes);
    }
    if (width != a.lanes) {
      a.mask += fmt::format("{}(lane<{}>() < {})", a.mask.empty() ? "" : " & ", a.lanes, width);
    }
    a.suffix = a.mask.empty() ? "" : "_masked";
    if (i.order != memory_order::weak) {
      a.modes = fmt::format("<ct::memory_order::{}, ct::thread_scope::{}>",
                            memmodel::cpp_word(i.order),
                            memmodel::cpp_word(i.scope));
    }
    return a;
  }

  [[nodiscard]] std::string cast(const instruction& i, const operand& o, std::size_t lanes) const {
    return fmt::format("ct::element_cast<{}>({})", element_text(i.type), operand_text(o, lanes));
  }

  void one(const instruction& i) {
    switch (i.op) {
    case opcode::load:
      return load(i);
    case opcode::store:
      return store(i);
    case opcode::rmw:
      return update(i);
    case opcode::compute:
      return compute(i);
    default:
      return;
    }
  }

  void load(const instruction& i) {
    const access_text a = access(i);
    const char* const atomic = a.modes.empty() ? "" : "atomic_";
    std::string words = a.places;
    if (!a.mask.empty()) {
      operand zero;
      zero.constants = {0};
      words += ", " + a.mask + ", " + cast(i, i.pad.value_or(zero), a.lanes);
    }
    assign(i, fmt::format("ct::{}load{}{}({})", atomic, a.suffix, a.modes, words));
  }

  void store(const instruction& i) {
    const access_text a = access(i);
    line(fmt::format("ct::{}store{}{}({}, {}{});",
                     a.modes.empty() ? "" : "atomic_",
                     a.suffix,
                     a.modes,
                     a.places,
                     cast(i, i.a, a.lanes),
                     a.mask.empty() ? "" : ", " + a.mask));
  }

  void update(const instruction& i) {
    const access_text a = access(i);
    const std::string mask = a.mask.empty() ? "" : ", " + a.mask;
    std::string text;
    if (i.compare_exchange) {
      text = fmt::format("ct::atomic_compare_exchange{}{}({}, {}, {}{})",
                         a.suffix,
                         a.modes,
                         a.places,
                         cast(i, i.a, a.lanes),
                         cast(i, i.b, a.lanes),
                         mask);
    } else {
      text = fmt::format("ct::atomic_{}{}{}({}, {}{})",
                         update_name(i.operation),
                         a.suffix,
                         a.modes,
                         a.places,
                         cast(i, i.a, a.lanes),
                         mask);
      if (!mask.empty()) { // what is masked out is unspecified: 0, as the model has it
        text = fmt::format("ct::select({0}, {1}, ct::element_cast<{2}>(every<{3}>(0)))",
                           a.mask,
                           text,
                           element_text(i.type),
                           a.lanes);
      }
    }
    assign(i, text);
  }

  void compute(const instruction& i) {
    const std::size_t lanes = lanes_of(thread_.widths[i.dst.front()]);
    const std::string a = operand_text(i.a, lanes);
    assign(i,
           i.operation == binary::left
               ? a
               : fmt::format("{} {} {}", a, operator_text(i.operation), operand_text(i.b, lanes)));
  }

  void assign(const instruction& i, const std::string& text) {
    if (i.dst.empty()) {
      line(text + ";");
    } else if (i.op == opcode::compute && !is_comparison(i.operation)) {
      line(fmt::format("r{} = {};", i.dst.front(), text));
    } else {
      line(fmt::format("r{} = ct::element_cast<long long>({});", i.dst.front(), text));
    }
  }

  const thread& thread_;
  std::size_t depth_ = 0;
  std::string out_;
};

std::string why_no_operation(const instruction& i) {
  switch (i.op) {
  case opcode::rmw:
    return i.type.size < 4
               ? fmt::format("cuda::tiles has no such atomic of {} bits", 8 * i.type.size)
               : "";
  case opcode::compute:
    return i.operation == binary::div || i.operation == binary::rem
               ? "division is not built: by zero it is undefined"
               : "";
  default:
    return {};
  }
}

} // namespace

std::string why_no_tile_kernel(const test& t) {
  std::set<std::pair<std::int32_t, std::int32_t>> blocks;
  for (const thread& p : t.threads) {
    if (p.place.gpu != memmodel::place::host && !blocks.insert({p.place.gpu, p.place.cta}).second) {
      return "two of its threads are in one block, and a tile block is one thread";
    }
    for (const instruction& i : p.code) {
      if (const std::string reason = why_no_operation(i); !reason.empty()) {
        return fmt::format("'{}' in line {}: {}", i.text, i.at.line, reason);
      }
    }
  }
  return {};
}

std::string tile_kernel_text(const gpu_test& g, std::size_t number) {
  const test& t = g.test;
  const gpu_seats seats = seats_of(t);
  std::string role = std::to_string(seats.roles.back());
  for (std::size_t part = seats.roles.size() - 1; part-- > 0;) {
    role = fmt::format("part == {} ? {} : {}", part, seats.roles[part], role);
  }
  std::string out = fmt::format("// {}{}{}\n"
                                "__tile_global__ void test_{}(TILE_PARAMETERS) {{\n"
                                "  const unsigned unit = unit_of[ct::bid().x];\n"
                                "  if (unit >= groups * test_units) {{\n"
                                "    tile_stress(scratch, stress_rounds, stress_pattern);\n"
                                "    return;\n  }}\n"
                                "  const unsigned part = unit / groups;\n"
                                "  const int role = {};\n"
                                "  for (unsigned slot = 0; slot < slots; ++slot) {{\n"
                                "    const u64 instance = tile_instance(unit, part, slot, slots, "
                                "groups, shift);\n",
                                t.name,
                                g.mutant ? " ~ " : "",
                                g.mutant.value_or(""),
                                number,
                                role);
  for (std::size_t l = 0; l < t.locations.size(); ++l) {
    out += fmt::format("    unsigned char* const m{0} = cells + base{0} + "
                       "(instance * mul{0} + off{0}) % instances * stride; // {1}\n",
                       l,
                       t.locations[l].name);
  }
  out += fmt::format("    int left = loop_bound;\n    tile_meet(meet + instance, {}, spins);\n",
                     t.threads.size());
  std::size_t first = 0;
  for (std::size_t p = 0; p < t.threads.size(); ++p) {
    out += fmt::format(
        "    {}if (role == {}) {{ // {}\n", p == 0 ? "" : "} else ", p, t.threads[p].name);
    out += block_writer(t.threads[p]).write(first);
    for (const std::uint32_t w : t.threads[p].widths) {
      first += w;
    }
  }
  return out + "    }\n    if (left <= 0) {\n      cut[instance] = 1;\n    }\n  }\n}\n";
}

} // namespace tilesim::tools
