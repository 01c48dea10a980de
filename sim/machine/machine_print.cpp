// printf in tile kernels: each conversion held against its argument, and all printed in one piece.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/machine/machine_checks.hpp"
#include "sim/machine/perform.hpp"
#include "sim/machine/print_format.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/opcode_name.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <optional>

namespace tilesim::machine::perform {
namespace {

using namespace tilesim::sim;

/// "an int", "an i32 tile [4]": an argument as its programmer knows it.
std::string kind_text(const tile_type& type) {
  if (type.count == 0) {
    return "an object of a class";
  }
  if (!type.is_scalar) {
    return type_text(type);
  }
  switch (type.elem) {
  case element::i32:
    return type.is_unsigned ? "an unsigned int" : "an int";
  case element::i64:
    return type.is_unsigned ? "an unsigned long" : "a long";
  case element::ptr:
    return type.pointee == element::i8 && type.pointee_size == 1 ? "a string" : "a pointer";
  default:
    return "a double";
  }
}

const char* wish_text(wanted what) {
  switch (what) {
  case wanted::integer:
    return "an integer of 32 bits";
  case wanted::integer8:
    return "an integer of 64 bits";
  case wanted::number:
    return "a floating-point number";
  case wanted::string:
    return "a string";
  case wanted::pointer:
    return "a pointer";
  default:
    return "nothing";
  }
}

bool is_string(const tile_type& type) {
  return type.elem == element::ptr && type.pointee == element::i8 && type.pointee_size == 1 &&
         type.is_scalar;
}

bool is_null(const in& argument) {
  return argument.type->is_scalar && argument.type->elem == element::ptr &&
         printed_bits(element::ptr, argument.data) == 0;
}

bool fits(wanted what, const tile_type& type) {
  switch (what) {
  case wanted::integer:
    return is_integer(type.elem) && type.elem != element::i64;
  case wanted::integer8:
    return type.elem == element::i64;
  case wanted::number:
    return is_floating(type.elem);
  case wanted::string:
    return is_string(type);
  case wanted::pointer:
    return type.elem == element::ptr;
  default:
    return true;
  }
}

/// What to write instead.
std::string remedy_of(wanted what, const tile_type& type) {
  if (type.count == 0) {
    return "print its members";
  }
  if (is_floating(type.elem)) {
    return "print floating-point numbers with %f, %e, %g or %a";
  }
  if (type.elem == element::ptr) {
    return is_string(type) ? "print strings with %s" : "print pointers with %p";
  }
  return what == wanted::integer && type.elem == element::i64
             ? "print 64-bit integers with %ld, %lu or %lx"
             : "print integers of up to 32 bits with %d, %u or %x, those of 64 bits with %ld, %lu "
               "or %lx";
}

/// One printf under way.
class printing {
public:
  printing(sim_thread& t, const in* operands, unsigned count)
      : thread_(t)
      , operands_(operands)
      , count_(count) {}

  void piece(const format_piece& p) {
    if (p.what == wanted::nothing) {
      text_ += p.text;
      return;
    }
    ++conversions_;
    if (next_ == count_) {
      report(
          fmt::format("printf: there is no argument for {}, conversion {}", p.text, conversions_),
          "give it one, or write %% for a percent sign");
      text_ += p.text;
      return;
    }
    const in& argument = operands_[next_++];
    if (p.what == wanted::unknown) {
      report(
          fmt::format("printf: {} is not known in tile code, and is printed as it stands", p.text),
          "use %ld or %lu for size_t and the like, %f for long double");
      text_ += p.text;
      return;
    }
    if (argument.type->count == 0 || !fits(p.what, *argument.type)) {
      report(fmt::format("printf: {} takes {}, and argument {} is {}",
                         p.text,
                         wish_text(p.what),
                         next_,
                         kind_text(*argument.type)),
             remedy_of(p.what, *argument.type));
    }
    // Of what is no string, no characters are read.
    const bool readable =
        argument.type->count > 0 &&
        (p.what != wanted::string || is_string(*argument.type) || is_null(argument));
    text_ += readable ? tile(p, argument) : std::string(p.text);
  }

  void finish() {
    if (next_ < count_) {
      report(fmt::format("printf: {} of {} arguments are left over", count_ - next_, count_),
             "drop them, or give each a conversion");
    }
    if (sim::control_trail* const trail = thread_.owner->exec->desk().following) {
      trail->prints(thread_, text_);
    }
    std::fwrite(text_.data(), 1, text_.size(), stdout);
  }

private:
  /// A scalar, or a tile of rank 0, as it is; other tiles in brackets, one pair for each dimension.
  static std::string tile(const format_piece& p, const in& argument) {
    const tile_type& type = *argument.type;
    const auto* cell = static_cast<const std::byte*>(argument.data);
    std::string text;
    for (std::uint32_t i = 0; i < type.count; ++i, cell += size_of(type.elem)) {
      std::uint32_t group = 1; // elements in a bracket
      std::string before;
      std::string after;
      for (unsigned d = type.rank; d-- > 0;) {
        group *= type.extents[d];
        before += i % group == 0 ? "[" : "";
        after += i % group == group - 1 ? "]" : "";
      }
      text += i > 0 ? ", " : "";
      text += before;
      text += formatted(p, printed_bits(type.elem, cell));
      text += after;
    }
    return text;
  }

  void report(const std::string& message, const char* remedy) {
    report(message, std::string(remedy));
  }
  void report(const std::string& message, std::string remedy) {
    if (thread_.owner->opts.reports(finding_kind::print_format)) {
      thread_.owner->found.add(
          thread_.site,
          {.kind = finding_kind::print_format,
           .message = message,
           .details = {fmt::format("by {} of {}", thread_.name(), thread_.launch->kernel.name)},
           .remedy = std::move(remedy),
           .group = message});
    }
  }

  sim_thread& thread_;
  const in* operands_;
  unsigned count_;
  unsigned next_ = 0;
  unsigned conversions_ = 0;
  std::string text_;
};

} // namespace

int print_tko(const char* format, const in* operands, unsigned count, caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::print_tko));
  printing p(t, operands, count);
  for (const format_piece& piece : pieces_of(format)) {
    p.piece(piece);
  }
  p.finish();
  if (sim::value_follower* const values = t.owner->exec->desk().values) {
    values->decides(t, operands, count, "printf prints");
  }
  tell(t, opcode::print_tko, nullptr, nullptr, nullptr, operands, count);
  return static_cast<int>(count);
}

} // namespace tilesim::machine::perform
