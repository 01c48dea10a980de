// One thread of a litmus test, instruction by instruction.
//
// Registers carry the set of reads that their value depends on, so that the dependencies come out
// as in the litmus practice: syntactically.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::memmodel::litmus {
namespace {

std::uint64_t bits(value v, const element_type& t) {
  return static_cast<std::uint64_t>(narrow(v, {t.size, false}));
}

bool same_values(const std::vector<register_value>& a, const std::vector<register_value>& b) {
  return std::ranges::equal(a, b, {}, &register_value::elements, &register_value::elements);
}

} // namespace

interpreter::interpreter(const test& t, std::uint32_t thread, std::uint32_t bound)
    : test_(&t)
    , thread_(&t.threads[thread])
    , bound_(bound)
    , heads_(thread_->code.size() + 1) {
  for (std::uint32_t i = 0; i < thread_->code.size(); ++i) {
    if (thread_->code[i].op == opcode::branch && thread_->code[i].target <= i) {
      heads_[thread_->code[i].target] = true;
    }
  }
}

run_state interpreter::start() const {
  run_state s;
  for (std::size_t r = 0; r < thread_->registers.size(); ++r) {
    s.registers.emplace_back(r < thread_->initial.size() ? thread_->initial[r]
                                                         : std::vector<value>{0});
  }
  return s;
}

next_access interpreter::advance(run_state& s) const {
  while (s.pc < thread_->code.size()) {
    if (heads_[s.pc] && !s.iterations.contains(s.pc)) {
      s.iterations[s.pc] = {s.registers, static_cast<std::uint32_t>(s.events.size())};
    }
    const instruction& i = thread_->code[s.pc];
    ++s.step;
    ++s.rounds[s.pc];
    switch (i.op) {
    case opcode::load:
    case opcode::store:
    case opcode::rmw:
    case opcode::fence:
    case opcode::barrier:
      return {&i, trace_end::finished, 0};
    case opcode::compute:
      compute(s, i);
      ++s.pc;
      break;
    case opcode::branch:
      if (const auto end = branch(s, i)) {
        return *end;
      }
      break;
    }
  }
  return {};
}

read_set
interpreter::read(run_state& s, const instruction& i, std::size_t element, value old) const {
  if (s.reads == 64) {
    throw limit_reached{fmt::format("a run of {} reads more than 64 elements", thread_->name)};
  }
  const read_set own = read_set{1} << s.reads++;
  s.read_events.push_back(static_cast<std::uint32_t>(s.events.size()));
  memory_event(s, i, event_kind::read, element, old, 0);
  if (i.op == opcode::rmw) {
    // The halves of an atomic share its order: a read cannot release, a write cannot acquire.
    s.events.back().what.order = read_half(i.order);
    s.events.back().what.reduction = i.reduction;
  }
  return own | mask_reads(s, i, element) | address_reads(s, i, element);
}

void interpreter::write(run_state& s, const instruction& i, std::size_t element) const {
  const register_value v = get(s, i.a);
  memory_event(
      s, i, event_kind::write, element, checked(v, element, i, "value"), v.reads_at(element));
}

void interpreter::barrier(run_state& s, const instruction& i) {
  trace_event& e = add_event(s, i, event_kind::barrier);
  e.what.waits = i.waits;
  e.barrier = {
      scalar(s, i.barrier_id), scalar(s, i.barrier_resource), scalar(s, i.barrier_threads)};
}

trace_event& interpreter::add_event(run_state& s, const instruction& i, event_kind kind) {
  trace_event e;
  e.what.instruction = s.step;
  e.what.kind = kind;
  e.what.order = i.order;
  e.what.scope = i.scope;
  e.code = s.pc;
  e.ctrl = s.ctrl;
  s.events.push_back(e);
  s.origins.emplace_back();
  return s.events.back();
}

register_value interpreter::get(const run_state& s, const operand& o) {
  if (o.reg) {
    return s.registers[*o.reg];
  }
  if (o.list.empty()) {
    return register_value(o.constants);
  }
  register_value all(std::vector<value>(o.list.size()));
  for (std::size_t e = 0; e < o.list.size(); ++e) {
    const register_value one = get(s, o.list[e]);
    all.elements[e] = one.elements.front();
    all.reads[e] = one.reads.front();
  }
  return all;
}
value interpreter::scalar(const run_state& s, const operand& o) {
  const register_value v = get(s, o);
  return v.elements.empty() ? 0 : v.elements.front();
}

byte_range interpreter::range(const run_state& s, const instruction& i, std::size_t element) const {
  const address_operand& a = i.address;
  const value index = get(s, a.index).elements[element];
  const std::uint64_t base =
      a.pointer ? static_cast<std::uint64_t>(s.registers[*a.pointer].elements.front())
                : test_->locations[a.location].address;
  const byte_range r{base + a.offset + static_cast<std::uint64_t>(index) * a.stride, i.type.size};
  for (const location& l : test_->locations) {
    if (r.address >= l.address && r.end() <= l.address + l.type.size * l.initial.size() &&
        (a.pointer || &l == &test_->locations[a.location])) {
      return r;
    }
  }
  throw program_error{i.at,
                      a.pointer ? fmt::format("'{}' accesses address {}, which is no variable's",
                                              i.text,
                                              static_cast<value>(r.address))
                                : fmt::format("'{}' accesses element {} of '{}', which has {}",
                                              i.text,
                                              index,
                                              test_->locations[a.location].name,
                                              test_->locations[a.location].initial.size())};
}

read_set interpreter::address_reads(const run_state& s, const instruction& i, std::size_t element) {
  read_set reads = get(s, i.address.index).reads_at(element);
  if (i.address.pointer) {
    reads |= s.registers[*i.address.pointer].reads.front();
  }
  return reads;
}

value interpreter::checked(const register_value& v,
                           std::size_t element,
                           const instruction& i,
                           const char* what) {
  if (v.elements.size() != 1 && element >= v.elements.size()) {
    throw program_error{
        i.at,
        fmt::format(
            "the {} of '{}' has {} elements, the operation more", what, i.text, v.elements.size())};
  }
  return v.at(element);
}

void interpreter::memory_event(run_state& s,
                               const instruction& i,
                               event_kind kind,
                               std::size_t element,
                               value v,
                               read_set data) const {
  const byte_range bytes = range(s, i, element);
  const read_set addr = address_reads(s, i, element);
  const read_set mask = mask_reads(s, i, element);
  trace_event& e = add_event(s, i, kind);
  e.what.element = static_cast<std::uint32_t>(element);
  e.what.bytes = bytes;
  e.what.value = bits(v, i.type);
  e.addr = addr;
  e.data = data;
  e.ctrl |= mask;
}

void interpreter::deliver(run_state& s, const instruction& i, register_value result) {
  if (i.dst.size() == 1) {
    s.registers[i.dst.front()] = std::move(result);
    return;
  }
  for (std::size_t e = 0; e < i.dst.size(); ++e) {
    register_value one(std::vector<value>{result.at(e)});
    one.reads.front() = result.reads_at(e);
    s.registers[i.dst[e]] = std::move(one);
  }
}

value interpreter::masked_out(const run_state& s, const instruction& i, std::size_t element) {
  if (i.compare_exchange) {
    return checked(get(s, i.a), element, i, "comparison value");
  }
  return i.pad ? checked(get(s, *i.pad), element, i, "padding") : 0;
}

bool interpreter::modify(run_state& s, const instruction& i, std::size_t element, value old) const {
  const read_set own = read_set{1} << (s.reads - 1);
  const register_value a = get(s, i.a);
  const value operand = narrow(checked(a, element, i, "operand"), i.type);
  value v = 0;
  read_set data = a.reads_at(element);
  read_set ctrl = 0;
  if (i.compare_exchange) {
    const register_value b = get(s, i.b);
    const bool equal = bits(old, i.type) == bits(operand, i.type);
    if (!equal && !i.writes_on_failure) {
      return false;
    }
    v = equal ? checked(b, element, i, "new value") : old;
    data = equal ? b.reads_at(element) : own;
    ctrl = own | a.reads_at(element); // whether it was equal decides what is written
  } else {
    v = apply(i.operation, old, operand);
    if (i.operation != binary::exchange) {
      data |= own;
    }
  }
  memory_event(s, i, event_kind::write, element, v, data);
  trace_event& write = s.events.back();
  write.what.order = write_half(i.order);
  write.write_half = true;
  write.ctrl |= ctrl;
  return true;
}

void interpreter::compute(run_state& s, const instruction& i) {
  const register_value a = get(s, i.a);
  const register_value b = get(s, i.b);
  const std::size_t n = std::max(a.elements.size(), b.elements.size());
  register_value result{std::vector<value>(n)};
  for (std::size_t e = 0; e < n; ++e) {
    result.elements[e] = narrow(
        apply(i.operation, checked(a, e, i, "left operand"), checked(b, e, i, "right operand")),
        i.type);
    result.reads[e] = a.reads_at(e) | b.reads_at(e);
  }
  deliver(s, i, std::move(result));
}

/// Takes it or not; the end, if the run ends here.
std::optional<next_access> interpreter::branch(run_state& s, const instruction& i) const {
  const register_value a = get(s, i.a);
  const register_value b = get(s, i.b);
  s.ctrl |= a.reads.front() | b.reads.front();
  if (apply(i.operation, a.elements.front(), b.elements.front()) == 0) {
    s.jumps.erase(s.pc);
    ++s.pc;
    return std::nullopt;
  }
  if (i.target > s.pc) {
    s.pc = i.target;
    return std::nullopt;
  }
  if (++s.jumps[s.pc] >= bound_) {
    const loop_entry& entry = s.iterations[i.target];
    const bool still = same_values(entry.registers, s.registers) &&
                       std::all_of(s.events.begin() + entry.event,
                                   s.events.end(),
                                   [](const trace_event& e) { return e.what.is_read(); });
    return next_access{nullptr, still ? trace_end::spinning : trace_end::cut, entry.event};
  }
  // Loops inside this one begin anew.
  s.jumps.erase(s.jumps.lower_bound(i.target), s.jumps.lower_bound(s.pc));
  s.iterations.erase(s.iterations.upper_bound(i.target), s.iterations.lower_bound(s.pc));
  s.iterations[i.target] = {s.registers, static_cast<std::uint32_t>(s.events.size())};
  s.pc = i.target;
  return std::nullopt;
}

} // namespace tilesim::memmodel::litmus
