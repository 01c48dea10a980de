// Writes the threads of PTX litmus tests: an `asm` statement each, with its instructions as the
// file has them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/gpu_thread.hpp"

#include "memmodel/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace tilesim::tools {

using namespace memmodel::litmus;
using memmodel::memory_order;
using memmodel::ptx_word;
using memmodel::scope;

std::size_t elements(const instruction& i) {
  return std::max<std::size_t>(i.address.index.constants.size(), 1);
}

namespace {

value constant_of(const operand& o) {
  return o.constants.empty() ? 0 : o.constants.front();
}

barrier_name name_of_barrier(const thread& p, const instruction& i) {
  return {p.place.cluster,
          p.place.cta,
          constant_of(i.barrier_id),
          constant_of(i.barrier_resource),
          constant_of(i.barrier_threads)};
}

std::string_view operation_word(binary b) {
  switch (b) {
  case binary::add:
    return "add";
  case binary::sub:
    return "sub";
  case binary::mul:
    return "mul.lo";
  case binary::div:
    return "div";
  case binary::rem:
    return "rem";
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
  case binary::inc:
    return "inc";
  case binary::dec:
    return "dec";
  case binary::exchange:
    return "exch";
  case binary::eq:
    return "eq";
  case binary::ne:
    return "ne";
  case binary::lt:
    return "lt";
  case binary::le:
    return "le";
  case binary::gt:
    return "gt";
  case binary::ge:
    return "ge";
  case binary::left:
    return "mov";
  }
  return "";
}

bool bitwise(binary b) {
  return b == binary::bit_and || b == binary::bit_or || b == binary::bit_xor ||
         b == binary::exchange;
}

bool says(const instruction& i, std::string_view word) {
  const std::string_view text = i.text;
  return text.substr(0, text.find_first_of(" \t")).find(word) != std::string_view::npos;
}

} // namespace

barrier_numbers barriers_of(const test& t) {
  barrier_numbers out;
  std::map<barrier_name, std::set<const thread*>> comers;
  std::map<std::pair<value, value>, unsigned> used; // of each block
  for (const thread& p : t.threads) {
    for (const instruction& i : p.code) {
      if (i.op == opcode::barrier) {
        const barrier_name name = name_of_barrier(p, i);
        comers[name].insert(&p);
        const auto [at, added] = out.try_emplace(name);
        if (added) {
          at->second.number = ++used[{name[0], name[1]}]; // 0 is __syncthreads()
        }
        ++at->second.arrivals;
      }
    }
  }
  for (auto& [name, use] : out) {
    use.threads = name.back() > 0 ? static_cast<std::size_t>(name.back()) : comers[name].size();
  }
  return out;
}

namespace {

/// The statement of one thread.
class thread_writer {
public:
  thread_writer(const test& t, const thread& p)
      : test_(t)
      , thread_(p)
      , left_(p.registers.size()) {}

  std::string write() {
    std::set<std::size_t> targets;
    for (const instruction& i : thread_.code) {
      if (i.op == opcode::branch) {
        targets.insert(i.target);
      }
    }
    line("{");
    line(".reg .b64 va, vb, vc, vd;");
    line(".reg .b32 wa, wb, wc;");
    line(".reg .pred p, q;");
    for (at_ = 0; at_ < thread_.code.size(); ++at_) {
      if (targets.contains(at_)) {
        line(fmt::format("I{}:", at_));
      }
      one(thread_.code[at_]);
    }
    line(fmt::format("I{}:", at_));
    line(fmt::format("mov.u32 %{0}, %{0};", left_));
    line("}");
    return out_;
  }

private:
  void line(const std::string& text) { out_ += fmt::format("        \"{}\\n\\t\"\n", text); }

  static std::string reg(std::uint32_t r) { return fmt::format("%{}", r); }

  /// An operand of one element in a register: its own, or `temporary`.
  std::string in_register(const operand& o, std::string_view temporary) {
    if (o.reg) {
      return reg(*o.reg);
    }
    line(fmt::format("mov.b64 {}, {};", temporary, o.constants.empty() ? 0 : o.constants.front()));
    return std::string(temporary);
  }

  [[nodiscard]] std::string address(const instruction& i) const {
    const std::string base = i.address.pointer ? reg(*i.address.pointer)
                                               : fmt::format("%{}", left_ + 1 + i.address.location);
    return i.address.offset == 0 ? fmt::format("[{}]", base)
                                 : fmt::format("[{}+{}]", base, i.address.offset);
  }

  static std::string access(const instruction& i) {
    std::string out;
    if (says(i, ".volatile")) {
      out = ".volatile";
    } else if (says(i, ".mmio")) {
      out = ".mmio.relaxed.sys";
    } else {
      out = fmt::format(".{}", ptx_word(i.order));
      if (i.order != memory_order::weak) {
        out += fmt::format(".{}", ptx_word(i.scope));
      }
    }
    out += ".global";
    if (elements(i) > 1) {
      out += fmt::format(".v{}", elements(i));
    }
    return out + fmt::format(".{}{}", i.type.is_signed ? 's' : 'u', 8 * i.type.size);
  }

  void one(const instruction& i) {
    switch (i.op) {
    case opcode::load:
      load(i);
      break;
    case opcode::store:
      store(i);
      break;
    case opcode::rmw:
      atomic(i);
      break;
    case opcode::fence:
      fence(i);
      break;
    case opcode::compute:
      compute(i);
      break;
    case opcode::branch:
      branch(i);
      break;
    case opcode::barrier:
      barrier(i);
      break;
    }
  }

  /// A thread is a warp: so many lanes come.
  void barrier(const instruction& i) {
    const barrier_use use = barriers_of(test_).at(name_of_barrier(thread_, i));
    line(fmt::format(
        "barrier.cta.{} {}, {};", i.waits ? "sync" : "arrive", use.number, 32 * use.threads));
  }

  void load(const instruction& i) {
    std::vector<std::string> names;
    for (const std::uint32_t r : i.dst) {
      names.push_back(reg(r));
    }
    const std::string to =
        names.size() == 1 ? names.front() : fmt::format("{{{}}}", fmt::join(names, ", "));
    line(fmt::format("ld{} {}, {};", access(i), to, address(i)));
  }

  void store(const instruction& i) {
    static constexpr std::array<std::string_view, 4> temporaries{"va", "vb", "vc", "vd"};
    std::vector<std::string> names;
    for (std::size_t e = 0; e < elements(i); ++e) {
      names.push_back(in_register(i.a.list.empty() ? i.a : i.a.list[e], temporaries[e]));
    }
    const std::string from =
        names.size() == 1 ? names.front() : fmt::format("{{{}}}", fmt::join(names, ", "));
    line(fmt::format("st{} {}, {};", access(i), address(i), from));
  }

  void atomic(const instruction& i) {
    const bool narrow = i.type.size == 4;
    const bool negative = !i.compare_exchange && i.operation == binary::sub;
    std::string a = in_register(i.a, "va");
    std::string b = i.compare_exchange ? in_register(i.b, "vb") : "";
    if (negative) {
      line(fmt::format("neg.s64 va, {};", a));
      a = "va";
    }
    if (narrow) {
      line(fmt::format("cvt.u32.u64 wa, {};", a));
      a = "wa";
      if (i.compare_exchange) {
        line(fmt::format("cvt.u32.u64 wb, {};", b));
        b = "wb";
      }
    }
    const std::string_view word = i.compare_exchange ? "cas"
                                  : negative         ? "add"
                                                     : operation_word(i.operation);
    const char kind = i.compare_exchange || bitwise(i.operation) ? 'b'
                      : i.operation == binary::min || i.operation == binary::max
                          ? (i.type.is_signed ? 's' : 'u')
                          : 'u';
    const std::string result = narrow ? "wc" : i.dst.empty() ? "vc" : reg(i.dst.front());
    line(fmt::format("{}.{}.{}.global.{}.{}{} {}{}, {}{};",
                     i.reduction ? "red" : "atom",
                     ptx_word(i.order),
                     ptx_word(i.scope),
                     word,
                     kind,
                     8 * i.type.size,
                     i.reduction ? "" : result + ", ",
                     address(i),
                     a,
                     b.empty() ? "" : ", " + b));
    if (narrow && !i.dst.empty()) {
      line(fmt::format(
          "cvt.{} {}, wc;", i.type.is_signed ? "s64.s32" : "u64.u32", reg(i.dst.front())));
    }
  }

  void fence(const instruction& i) {
    if (says(i, "membar")) {
      line(fmt::format("membar.{};", i.scope == scope::gpu ? "gl" : ptx_word(i.scope)));
    } else {
      line(fmt::format("fence.{}.{};", ptx_word(i.order), ptx_word(i.scope)));
    }
  }

  void compute(const instruction& i) {
    const std::string a = in_register(i.a, "va");
    if (i.operation == binary::left) {
      line(fmt::format("mov.b64 {}, {};", reg(i.dst.front()), a));
      return;
    }
    const std::string b = in_register(i.b, "vb");
    line(fmt::format("{}.{}64 {}, {}, {};",
                     operation_word(i.operation),
                     bitwise(i.operation) ? 'b' : 's',
                     reg(i.dst.front()),
                     a,
                     b));
  }

  void branch(const instruction& i) {
    const std::string a = in_register(i.a, "va");
    const std::string b = in_register(i.b, "vb");
    line(fmt::format("setp.{}.s64 p, {}, {};", operation_word(i.operation), a, b));
    if (i.target > at_) {
      line(fmt::format("@p bra I{};", i.target));
      return;
    }
    // Back: so often and no more.
    line(fmt::format("@!p bra N{};", at_));
    line(fmt::format("sub.u32 %{0}, %{0}, 1;", left_));
    line(fmt::format("setp.eq.u32 q, %{}, 0;", left_));
    line(fmt::format("@q bra I{};", thread_.code.size()));
    line(fmt::format("bra I{};", i.target));
    line(fmt::format("N{}:", at_));
  }

  const test& test_;
  const thread& thread_;
  std::size_t left_; ///< the operand that counts backward branches
  std::size_t at_ = 0;
  std::string out_;
};

} // namespace

std::string thread_statement(const test& t, const thread& p) {
  return thread_writer(t, p).write();
}

} // namespace tilesim::tools
