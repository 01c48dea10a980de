// Stepping through plain code.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/scalar_code.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/error_analysis/analysis.hpp"
#include "sim/error_analysis/instruction.hpp"
#include "sim/execution/vector_operand.hpp"
#include "sim/process/keyed_pages.hpp"
#include "sim/process/sections.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <ucontext.h>

namespace tilesim::sim::errors {

namespace {

using machine::opcode;

#if defined(__x86_64__)
constexpr bool can_step = true;
#else
constexpr bool can_step = false;
#endif

#if defined(__x86_64__)
scalar_code* stepping = nullptr;

constexpr greg_t trap_flag = 0x100;

// What the system writes to a stack a sanitizer does not see: to it, two fibers with a frame of a
// signal at one place race.
__attribute__((no_sanitize("thread"))) registers registers_of(const ucontext_t& at) noexcept {
  registers r;
  for (std::size_t i = 0; i < x86_register_places.size(); ++i) {
    r.general[i] = static_cast<std::uint64_t>(at.uc_mcontext.gregs[x86_register_places[i]]);
    std::memcpy(r.vector[i].data(), at.uc_mcontext.fpregs->_xmm[i].element, sizeof r.vector[i]);
  }
  r.next = static_cast<std::uintptr_t>(at.uc_mcontext.gregs[REG_RIP]);
  return r;
}

// The library's sections are set by hand: their ends would step on, in here. Whether it is a step
// is seen by the flag, which nobody else sets: a virtual machine may lose the reason, and then the
// signal's code is not TRAP_TRACE.
__attribute__((no_sanitize("thread"))) bool on_trap(void* context) {
  auto& at = *static_cast<ucontext_t*>(context);
  if ((at.uc_mcontext.gregs[REG_EFL] & trap_flag) == 0) {
    return false;
  }
  const int error = errno;
  const unsigned outside = current_sections();
  set_sections(outside + 1);
  keyed_pages::reopen_in_handler();
  const bool goes_on = outside == 0 && stepping != nullptr && stepping->step(at);
  set_sections(outside);
  if (!goes_on) {
    at.uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  }
  errno = error;
  return true;
}
#endif

opcode operation_of(std::uint8_t code) noexcept {
  switch (code) {
  case 0x51:
    return opcode::sqrt;
  case 0x58:
    return opcode::addf;
  case 0x59:
    return opcode::mulf;
  case 0x5c:
    return opcode::subf;
  case 0x5d:
    return opcode::minf;
  case 0x5e:
    return opcode::divf;
  default:
    return opcode::maxf;
  }
}

/// One instruction of a thread.
class instruction_rule {
public:
  instruction_rule(error_analysis& analysis,
                   const sim_thread& t,
                   const instruction& i,
                   const void* site)
      : analysis_(analysis)
      , thread_(t)
      , instruction_(i)
      , site_(site)
      , kind_(i.wide ? element::f64 : element::f32) {}

  void apply() {
    for (unsigned lane = 0; lane < instruction_.lanes; ++lane) {
      apply(lane);
    }
  }

private:
  using what = instruction::what;

  [[nodiscard]] std::uint64_t bits(const std::array<std::uint64_t, 2>& from, unsigned lane) const {
    return instruction_.lane(from, lane);
  }
  [[nodiscard]] enclosure value(std::uint64_t bits) const {
    return analysis_.scalar_value(thread_, kind_, bits);
  }
  [[nodiscard]] bool is_inexact(std::uint64_t bits) const { return !value(bits).is_point(); }

  void apply(unsigned lane) {
    const std::uint64_t a = bits(instruction_.left, lane);
    const std::uint64_t b = bits(instruction_.right, lane);
    switch (instruction_.is) {
    case what::computes:
      computes(a, b, lane);
      break;
    case what::converts: {
      const element to = instruction_.wide ? element::f32 : element::f64;
      analysis_.scalar(thread_, site_, opcode::ftof, to, kind_, std::array{b});
      break;
    }
    case what::compares:
      if (!is_decided(value(a), value(b))) {
        analysis_.divert(site_, "plain C++ code compares numbers that may be off");
      }
      break;
    case what::to_integer:
      if (!is_one_integer(value(b))) {
        analysis_.divert(site_, "plain C++ code rounds a number that may be off");
      }
      break;
    case what::masks:
      masks(a, b);
      break;
    case what::unknown:
      if (is_inexact(a) || is_inexact(b)) {
        analysis_.divert(site_, "an instruction of plain C++ code that is not followed");
      }
      break;
    }
  }

  void computes(std::uint64_t a, std::uint64_t b, unsigned lane) {
    const std::uint64_t sign = sign_bit();
    if (instruction_.fused) {
      const std::uint64_t c = bits(instruction_.third, lane) ^ (instruction_.subtracts ? sign : 0);
      const std::uint64_t first = a ^ (instruction_.negates_product ? sign : 0);
      note_negated(a, first);
      note_negated(bits(instruction_.third, lane), c);
      analysis_.scalar(thread_, site_, opcode::fma, kind_, kind_, std::array{first, b, c});
    } else if (instruction_.unary) {
      analysis_.scalar(
          thread_, site_, operation_of(instruction_.opcode), kind_, kind_, std::array{b});
    } else {
      analysis_.scalar(
          thread_, site_, operation_of(instruction_.opcode), kind_, kind_, std::array{a, b});
    }
  }

  /// What is known of a value is known of its negative, which no register holds.
  void note_negated(std::uint64_t from, std::uint64_t to) {
    if (from != to) {
      analysis_.scalar(thread_, site_, opcode::negf, kind_, kind_, std::array{from});
    }
  }

  [[nodiscard]] std::uint64_t sign_bit() const noexcept {
    return std::uint64_t{1} << (instruction_.wide ? 63U : 31U);
  }

  static bool is_decided(const enclosure& a, const enclosure& b) noexcept {
    return (a.is_certain() && b.is_certain()) ||
           (a.open == 0 && b.open == 0 && (a.hi < b.lo || b.hi < a.lo));
  }

  static bool is_one_integer(const enclosure& e) noexcept {
    return e.is_certain() ||
           (e.open == 0 && std::floor(e.lo) == std::floor(e.hi) &&
            std::ceil(e.lo) == std::ceil(e.hi) && std::nearbyint(e.lo) == std::nearbyint(e.hi));
  }

  /// Signs are set so, and values chosen by a comparison's mask, which has been looked at.
  void masks(std::uint64_t a, std::uint64_t b) {
    if (!is_inexact(a) && !is_inexact(b)) {
      return;
    }
    const std::uint64_t sign = sign_bit();
    const std::uint64_t all = (sign - 1) | sign;
    const bool is_and = instruction_.opcode == 0x54 || instruction_.opcode == 0xdb;
    const bool is_and_not = instruction_.opcode == 0x55 || instruction_.opcode == 0xdf;
    if (is_and_not) {
      a ^= all; // it chooses what is left of b
    }
    if (is_inexact(b) || is_and_not) {
      std::swap(a, b); // a is the number, b the mask
    }
    if (is_inexact(b) && a != b) {
      analysis_.divert(site_, "plain C++ code that joins the bits of numbers that may be off");
    } else if (is_and || is_and_not) {
      if (b == (all ^ sign)) {
        analysis_.scalar(thread_, site_, opcode::absf, kind_, kind_, std::array{a});
      } else if (b != 0 && b != all) {
        analysis_.divert(site_, "plain C++ code that cuts off bits of a number that may be off");
      }
    } else if (b == sign && (instruction_.opcode == 0x57 || instruction_.opcode == 0xef)) {
      analysis_.scalar(thread_, site_, opcode::negf, kind_, kind_, std::array{a});
    } else if (b != 0 && a != b) {
      analysis_.divert(site_, "plain C++ code that changes bits of a number that may be off");
    }
  }

  error_analysis& analysis_;
  const sim_thread& thread_;
  const instruction& instruction_;
  const void* site_;
  const element kind_;
};

} // namespace

bool scalar_code::follows(element kind) noexcept {
  return can_step && (kind == element::f32 || kind == element::f64 || kind == element::f16 ||
                      kind == element::bf16);
}

void scalar_code::begin() {
  if (active_) {
    return;
  }
  active_ = true;
  code_.clear();
  library_.clear();
  void* const sine = dlsym(RTLD_DEFAULT, "sin");
  for (const segment& s : loaded_segments()) {
    if (s.of_program && s.executable) {
      code_.push_back(s);
    } else if (s.contains(reinterpret_cast<std::uintptr_t>(sine))) {
      library_.push_back(s);
    }
  }
#if defined(__x86_64__)
  stepping = this;
  step_through_program(&on_trap);
#else
  analysis_.divert(nullptr, "plain C++ code, which is followed on x86-64 alone");
#endif
}

void scalar_code::end() {
  if (!active_) {
    return;
  }
  active_ = false;
  step_through_program(nullptr);
#if defined(__x86_64__)
  stepping = nullptr;
#endif
}

bool scalar_code::step(ucontext_t& at) {
#if defined(__x86_64__)
  const sim_thread* const t = execution::current();
  if (t == nullptr || !analysis_.follows_scalars(*t)) {
    return false;
  }
  const registers r = registers_of(at);
  const auto holds = [&](const segment& s) { return s.contains(r.next); };
  const void* const site = reinterpret_cast<const void*>(r.next + 1);
  if (std::ranges::any_of(library_, holds)) {
    analysis_.divert(site, "a mathematical function of the C library's, in plain C++ code");
  } else if (std::ranges::any_of(code_, holds)) {
    if (const auto i = decode(r)) {
      instruction_rule(analysis_, *t, *i, site).apply();
    }
  }
  return true;
#else
  static_cast<void>(at);
  return false;
#endif
}

} // namespace tilesim::sim::errors
