// PTX instructions, one function each.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/ptx_reader_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace tilesim::memmodel::litmus {

namespace {

constexpr std::array<std::string_view, 6> proxy_mnemonics{
    "tld", "suld", "cold", "sust", "suatom", "sured"};

} // namespace

instruction ptx_reader::read_instruction() {
  const token name = in_.word("an instruction");
  if (std::ranges::find(proxy_mnemonics, name.text) != proxy_mnemonics.end()) {
    proxies(name.at);
  }
  if (name.text == "goto" || name.text == "bra") {
    return jump();
  }
  if (const auto c = branch_condition(name.text)) {
    return branch(*c);
  }
  if (name.text == "membar") {
    return membar();
  }
  const modifiers m = read_modifiers(name.text);
  if (name.text == "ld") {
    return load(name, m);
  }
  if (name.text == "st") {
    return store(name, m);
  }
  if (name.text == "atom" || name.text == "red") {
    return atomic(name, m);
  }
  if (name.text == "fence") {
    return fence(name, m);
  }
  if (name.text == "bar" || name.text == "barrier") {
    return barrier(name, m);
  }
  if (name.text == "mov") {
    return move(m);
  }
  if (const auto op = arithmetic(name.text)) {
    return compute(*op, m);
  }
  cursor::fail(
      name.at,
      fmt::format(
          "'{}' is no instruction of the format; it has ld, st, atom, red, fence, membar, bar, "
          "mov, add, sub, mul, div, rem, and, or, xor, min, max, goto and beq, bne, blt, ble, "
          "bgt, bge",
          name.text));
}

std::optional<binary> ptx_reader::branch_condition(std::string_view name) {
  static const std::map<std::string_view, binary> all{{"beq", binary::eq},
                                                      {"bne", binary::ne},
                                                      {"blt", binary::lt},
                                                      {"ble", binary::le},
                                                      {"bgt", binary::gt},
                                                      {"bge", binary::ge}};
  const auto found = all.find(name);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::optional<binary> ptx_reader::arithmetic(std::string_view name) {
  static const std::map<std::string_view, binary> all{{"add", binary::add},
                                                      {"sub", binary::sub},
                                                      {"mul", binary::mul},
                                                      {"div", binary::div},
                                                      {"rem", binary::rem},
                                                      {"and", binary::bit_and},
                                                      {"or", binary::bit_or},
                                                      {"xor", binary::bit_xor},
                                                      {"min", binary::min},
                                                      {"max", binary::max}};
  const auto found = all.find(name);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

instruction ptx_reader::load(const token& name, const modifiers& m) {
  instruction i;
  i.op = opcode::load;
  strength(i, name, m);
  only(name,
       i.order,
       {memory_order::weak, memory_order::relaxed, memory_order::acquire},
       "'.weak', '.relaxed' or '.acquire'");
  if (m.elements() == 1) {
    i.dst = {reg()};
  } else {
    in_.expect("{", fmt::format("and {} registers", m.elements()));
    for (std::uint32_t e = 0; e < m.elements(); ++e) {
      if (e != 0) {
        in_.expect(",", "between the registers");
      }
      i.dst.push_back(reg());
    }
    in_.expect("}", "behind the registers");
  }
  in_.expect(",", "behind the register");
  // The published format writes a move as a load of a number.
  if (in_.at_number() || at_register()) {
    i.op = opcode::compute;
    i.operation = binary::left;
    i.a = register_or_number("what the register becomes");
    i.b.constants = {0};
    return i;
  }
  address(i, m);
  return i;
}

instruction ptx_reader::store(const token& name, const modifiers& m) {
  instruction i;
  i.op = opcode::store;
  strength(i, name, m);
  only(name,
       i.order,
       {memory_order::weak, memory_order::relaxed, memory_order::release},
       "'.weak', '.relaxed' or '.release'");
  address(i, m);
  in_.expect(",", "behind the address");
  i.a = value_operand("the value", m.elements());
  return i;
}

instruction ptx_reader::atomic(const token& name, const modifiers& m) {
  instruction i;
  i.op = opcode::rmw;
  i.reduction = name.text == "red";
  i.order = m.order.value_or(memory_order::relaxed); // [PTX: atom, red] defaults
  i.scope = m.scope.value_or(scope::gpu);
  // PTX gives `red` relaxed and release only; the published tests use acq_rel too.
  only(name,
       i.order,
       {memory_order::relaxed, memory_order::acquire, memory_order::release, memory_order::acq_rel},
       "'.relaxed', '.acquire', '.release' or '.acq_rel'");
  if (!m.operation && !m.compare_exchange) {
    cursor::fail(
        name.at,
        fmt::format("'{}' needs an operation: .add, .exch, .cas, .and, .or, .xor, .min, .max, "
                    ".inc, .dec, .sub",
                    name.text));
  }
  if (i.reduction && (m.compare_exchange || m.operation == binary::exchange)) {
    cursor::fail(name.at, "'red' has neither .exch nor .cas: nobody would see what was there");
  }
  if (!i.reduction) {
    i.dst = {reg()};
    in_.expect(",", "behind the register");
  }
  address(i, m);
  in_.expect(",", "behind the address");
  i.compare_exchange = m.compare_exchange;
  if (m.compare_exchange) {
    i.a = value_operand("the value to compare with", m.elements());
    in_.expect(",", "behind the value to compare with");
    i.b = value_operand("the new value", m.elements());
  } else {
    i.operation = *m.operation;
    i.a = value_operand("the operand", m.elements());
  }
  return i;
}

instruction ptx_reader::fence(const token& name, const modifiers& m) {
  instruction i;
  i.op = opcode::fence;
  i.order = m.order.value_or(memory_order::acq_rel); // [PTX: fence] default
  only(name,
       i.order,
       {memory_order::sc, memory_order::acq_rel, memory_order::acquire, memory_order::release},
       "'.sc', '.acq_rel', '.acquire' or '.release'");
  if (!m.scope) {
    cursor::fail(name.at, "'fence' needs a scope: .cta, .cluster, .gpu or .sys");
  }
  i.scope = *m.scope;
  return i;
}

instruction ptx_reader::membar() {
  in_.expect(".", "and a level behind 'membar'");
  const token level = in_.word("a level: cta, gl or sys");
  if (level.text == "proxy") {
    proxies(level.at);
  }
  instruction i;
  i.op = opcode::fence;
  i.order = memory_order::sc;
  if (level.text == "cta") {
    i.scope = scope::cta;
  } else if (level.text == "gl") {
    i.scope = scope::gpu;
  } else if (level.text == "sys") {
    i.scope = scope::sys;
  } else {
    cursor::fail(level.at,
                 fmt::format("expected a level of membar: cta, gl or sys, found '{}'", level.text));
  }
  return i;
}

instruction ptx_reader::barrier(const token& name, const modifiers& m) {
  if (m.scope.value_or(scope::cta) != scope::cta) {
    cursor::fail(name.at, "only barriers of a block are modelled: 'bar.cta'");
  }
  if (!m.waits) {
    cursor::fail(name.at, "'bar' needs .sync or .arrive");
  }
  instruction i;
  i.op = opcode::barrier;
  i.waits = *m.waits;
  i.barrier_id = register_or_number("the barrier's number");
  if (in_.accept(",")) {
    i.barrier_resource = register_or_number("the barrier's resource");
  }
  if (in_.accept(",")) {
    i.barrier_threads = register_or_number("the number of threads");
  }
  return i;
}

instruction ptx_reader::move(const modifiers& m) {
  instruction i;
  i.operation = binary::left;
  i.type = m.type.value_or(element_type{});
  i.dst = {reg()};
  in_.expect(",", "behind the register");
  i.a = register_or_number("what the register becomes");
  i.b.constants = {0};
  return i;
}

instruction ptx_reader::compute(binary op, const modifiers& m) {
  instruction i;
  i.operation = op;
  i.type = m.type.value_or(element_type{});
  i.dst = {reg()};
  in_.expect(",", "behind the register");
  i.a = register_or_number("the left operand");
  in_.expect(",", "behind the left operand");
  i.b = register_or_number("the right operand");
  return i;
}

instruction ptx_reader::branch(binary condition) {
  instruction i;
  i.op = opcode::branch;
  i.operation = condition;
  i.a = register_or_number("the left operand");
  in_.expect(",", "behind the left operand");
  i.b = register_or_number("the right operand");
  in_.expect(",", "behind the right operand");
  branches_[at_].push_back({thread_->code.size(), in_.word("a label")});
  return i;
}

instruction ptx_reader::jump() {
  instruction i;
  i.op = opcode::branch;
  i.operation = binary::eq;
  i.a.constants = {0};
  i.b.constants = {0};
  branches_[at_].push_back({thread_->code.size(), in_.word("a label")});
  return i;
}

} // namespace tilesim::memmodel::litmus
