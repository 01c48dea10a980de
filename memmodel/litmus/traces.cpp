// What one thread of a litmus test may do.
//
// A read is guessed: the run goes on once for every value that memory might hold there; reads-from
// justifies the guess later. Registers carry the reads that their value depends on, as written.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace tilesim::memmodel::litmus {

value apply(binary op, value a, value b) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  switch (op) {
  case binary::add:
    return static_cast<value>(x + y);
  case binary::sub:
    return static_cast<value>(x - y);
  case binary::mul:
    return static_cast<value>(x * y);
  case binary::div:
    return b == 0 ? 0 : b == -1 ? static_cast<value>(0 - x) : a / b;
  case binary::rem:
    return b == 0 || b == -1 ? 0 : a % b;
  case binary::bit_and:
    return a & b;
  case binary::bit_or:
    return a | b;
  case binary::bit_xor:
    return a ^ b;
  case binary::min:
    return std::min(a, b);
  case binary::max:
    return std::max(a, b);
  case binary::inc: // [PTX: atom.inc]
    return x >= y ? 0 : static_cast<value>(x + 1);
  case binary::dec: // [PTX: atom.dec]
    return x == 0 || x > y ? b : static_cast<value>(x - 1);
  case binary::exchange:
    return b;
  case binary::left:
    return a;
  case binary::eq:
    return a == b;
  case binary::ne:
    return a != b;
  case binary::lt:
    return a < b;
  case binary::le:
    return a <= b;
  case binary::gt:
    return a > b;
  case binary::ge:
    return a >= b;
  }
  return 0;
}

value narrow(value v, const element_type& t) {
  const unsigned unused = 64 - 8 * t.size;
  const auto up = static_cast<std::uint64_t>(v) << unused;
  return t.is_signed ? static_cast<value>(up) >> unused : static_cast<value>(up >> unused);
}

std::string name_of(const test& t, const observable& o) {
  if (o.thread) {
    const thread& p = t.threads[*o.thread];
    return fmt::format("{}:{}", p.name, p.registers[o.index]) +
           (p.widths[o.index] > 1 ? fmt::format("[{}]", o.element) : "");
  }
  const location& l = t.locations[o.index];
  return l.array ? fmt::format("{}[{}]", l.name, o.element) : l.name;
}

namespace {

/// Elements, and for each the reads that its value depends on.
struct register_value {
  std::vector<value> elements{0};
  std::vector<read_set> reads{0};

  register_value() = default;
  explicit register_value(std::vector<value> v)
      : elements(std::move(v))
      , reads(elements.size(), 0) {}

  [[nodiscard]] value at(std::size_t i) const { return elements[elements.size() == 1 ? 0 : i]; }
  [[nodiscard]] read_set reads_at(std::size_t i) const { return reads[reads.size() == 1 ? 0 : i]; }
};

struct loop_entry {
  std::vector<register_value> registers;
  std::uint32_t event = 0;
};

/// Numbers for the writes of all runs: the same place, the same time round, the same element is the
/// same write.
class write_numbers {
public:
  write_set of(std::uint32_t thread, std::uint32_t pc, std::uint32_t round, std::uint32_t element) {
    const auto [at, added] = numbers_.try_emplace({thread, pc, round, element}, numbers_.size());
    return at->second < 64 ? write_set{1} << at->second : 0;
  }

private:
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t>
      numbers_;
};

struct state {
  std::uint32_t pc = 0;
  std::vector<register_value> registers;
  read_set ctrl = 0;
  std::uint32_t reads = 0;
  std::uint32_t step = 0; ///< instructions begun
  std::vector<trace_event> events;
  std::vector<std::vector<write_set>> origins;    ///< by event; of reads: of the value
  std::vector<std::uint32_t> read_events;         ///< by read
  std::map<std::uint32_t, std::uint32_t> rounds;  ///< by instruction: how often it began
  std::map<std::uint32_t, std::uint32_t> jumps;   ///< backward branches taken, by their place
  std::map<std::uint32_t, loop_entry> iterations; ///< by loop head: how its running iteration began
};

/// Runs one thread, all ways.
class runner {
public:
  runner(const test& t,
         std::uint32_t thread,
         const possible_values& memory,
         const limits& l,
         write_numbers* numbers,
         std::vector<trace>& out)
      : test_(t)
      , number_(thread)
      , thread_(t.threads[thread])
      , memory_(memory)
      , limits_(l)
      , numbers_(numbers)
      , out_(out) {
    heads_.resize(thread_.code.size() + 1);
    for (std::uint32_t i = 0; i < thread_.code.size(); ++i) {
      if (thread_.code[i].op == opcode::branch && thread_.code[i].target <= i) {
        heads_[thread_.code[i].target] = true;
      }
    }
  }

  void run() {
    state s;
    for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
      s.registers.emplace_back(r < thread_.initial.size() ? thread_.initial[r]
                                                          : std::vector<value>{0});
    }
    run(std::move(s));
  }

private:
  void run(state s) {
    while (s.pc < thread_.code.size()) {
      if (heads_[s.pc] && !s.iterations.contains(s.pc)) {
        s.iterations[s.pc] = {s.registers, static_cast<std::uint32_t>(s.events.size())};
      }
      const instruction& i = thread_.code[s.pc];
      ++s.step;
      ++s.rounds[s.pc];
      switch (i.op) {
      case opcode::load:
      case opcode::rmw: {
        const std::size_t n = get(s, i.address.index).elements.size();
        access_from(std::move(s), i, 0, register_value(std::vector<value>(n, 0)));
        return;
      }
      case opcode::store:
        if (!store(s, i)) {
          return;
        }
        break;
      case opcode::fence:
        add_event(s, i, event_kind::fence);
        break;
      case opcode::barrier: {
        trace_event& e = add_event(s, i, event_kind::barrier);
        e.what.waits = i.waits;
        e.barrier = {
            scalar(s, i.barrier_id), scalar(s, i.barrier_resource), scalar(s, i.barrier_threads)};
        break;
      }
      case opcode::compute:
        compute(s, i);
        break;
      case opcode::branch:
        if (!branch(s, i)) {
          return;
        }
        continue;
      }
      ++s.pc;
    }
    finish(std::move(s), trace_end::finished, 0);
  }

  void finish(state s, trace_end end, std::uint32_t last_iteration) {
    if (out_.size() >= limits_.traces) {
      throw limit_reached{fmt::format("{} has more than {} runs", thread_.name, limits_.traces)};
    }
    trace t;
    t.events = std::move(s.events);
    t.origins = std::move(s.origins);
    for (const trace_event& e : t.events) {
      if (e.what.kind == event_kind::barrier) {
        t.barriers.push_back(e.barrier);
      }
    }
    for (register_value& r : s.registers) {
      t.registers.push_back(std::move(r.elements));
    }
    t.end = end;
    t.last_iteration = last_iteration;
    out_.push_back(std::move(t));
  }

  static trace_event& add_event(state& s, const instruction& i, event_kind kind) {
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

  [[nodiscard]] static register_value get(const state& s, const operand& o) {
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
  [[nodiscard]] static value scalar(const state& s, const operand& o) {
    const register_value v = get(s, o);
    return v.elements.empty() ? 0 : v.elements.front();
  }

  [[nodiscard]] byte_range range(const state& s, const instruction& i, std::size_t element) const {
    const address_operand& a = i.address;
    const value index = get(s, a.index).elements[element];
    const std::uint64_t base =
        a.pointer ? static_cast<std::uint64_t>(s.registers[*a.pointer].elements.front())
                  : test_.locations[a.location].address;
    const byte_range r{base + a.offset + static_cast<std::uint64_t>(index) * a.stride, i.type.size};
    for (const location& l : test_.locations) {
      if (r.address >= l.address && r.end() <= l.address + l.type.size * l.initial.size() &&
          (a.pointer || &l == &test_.locations[a.location])) {
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
                                                test_.locations[a.location].name,
                                                test_.locations[a.location].initial.size())};
  }

  [[nodiscard]] static read_set
  address_reads(const state& s, const instruction& i, std::size_t element) {
    read_set reads = get(s, i.address.index).reads_at(element);
    if (i.address.pointer) {
      reads |= s.registers[*i.address.pointer].reads.front();
    }
    return reads;
  }

  /// Whether an element takes part, and what deciding so depended on.
  [[nodiscard]] static bool active(const state& s, const instruction& i, std::size_t element) {
    return !i.mask || checked(get(s, *i.mask), element, i, "mask") != 0;
  }
  [[nodiscard]] static read_set
  mask_reads(const state& s, const instruction& i, std::size_t element) {
    return i.mask ? get(s, *i.mask).reads_at(element) : 0;
  }

  [[nodiscard]] static value
  checked(const register_value& v, std::size_t element, const instruction& i, const char* what) {
    if (v.elements.size() != 1 && element >= v.elements.size()) {
      throw program_error{i.at,
                          fmt::format("the {} of '{}' has {} elements, the operation more",
                                      what,
                                      i.text,
                                      v.elements.size())};
    }
    return v.at(element);
  }

  void memory_event(state& s,
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

  [[nodiscard]] static std::uint64_t bits(value v, const element_type& t) {
    return static_cast<std::uint64_t>(narrow(v, {t.size, false}));
  }

  /// Finds what the write that was just added is made from. False if from itself alone.
  bool find_origins(state& s) const {
    s.origins.back() = {0};
    if (numbers_ == nullptr) {
      return true;
    }
    const trace_event& w = s.events.back();
    const write_set own = numbers_->of(number_, w.code, s.rounds[w.code], w.what.element);
    std::vector<write_set> sets{own};
    const read_set reads = w.addr | w.data | w.ctrl;
    for (std::uint32_t r = 0; r < s.read_events.size(); ++r) {
      if ((reads >> r & 1U) == 0) {
        continue;
      }
      std::vector<write_set> more;
      for (const write_set a : sets) {
        for (const write_set b : s.origins[s.read_events[r]]) {
          if ((b & own) == 0) {
            add_minimal(more, a | b);
          }
        }
      }
      sets = std::move(more);
    }
    s.origins.back() = std::move(sets);
    return !s.origins.back().empty();
  }

  /// False if no execution performs it.
  bool store(state& s, const instruction& i) const {
    const register_value v = get(s, i.a);
    for (std::size_t e = 0; e < get(s, i.address.index).elements.size(); ++e) {
      if (active(s, i, e)) {
        memory_event(s, i, event_kind::write, e, checked(v, e, i, "value"), v.reads_at(e));
        if (!find_origins(s)) {
          return false;
        }
      }
    }
    return true;
  }

  /// A load or an atomic, from `element` on: guesses one read, and goes on for every guess.
  void access_from(state s, const instruction& i, std::size_t element, register_value result) {
    for (; element < result.elements.size() && !active(s, i, element); ++element) {
      result.elements[element] = masked_out(s, i, element);
      result.reads[element] = mask_reads(s, i, element);
    }
    if (element == result.elements.size()) {
      deliver(s, i, std::move(result));
      ++s.pc;
      run(std::move(s));
      return;
    }
    const byte_range bytes = range(s, i, element);
    for (const possible_value& guess : memory_.of(bytes)) {
      state next = s;
      const value old = narrow(static_cast<value>(guess.bits), i.type);
      if (next.reads == 64) {
        throw limit_reached{fmt::format("a run of {} reads more than 64 elements", thread_.name)};
      }
      const read_set own = read_set{1} << next.reads++;
      next.read_events.push_back(static_cast<std::uint32_t>(next.events.size()));
      memory_event(next, i, event_kind::read, element, old, 0);
      next.origins.back() = guess.origins;
      if (i.op == opcode::rmw) {
        // The halves of an atomic share its order: a read cannot release, a write cannot acquire.
        next.events.back().what.order = read_half(i.order);
        next.events.back().what.reduction = i.reduction;
        if (!modify(next, i, element, old, own)) {
          continue;
        }
      }
      register_value partial = result;
      partial.elements[element] = old;
      partial.reads[element] = own | mask_reads(s, i, element) | address_reads(s, i, element);
      access_from(std::move(next), i, element + 1, std::move(partial));
    }
  }

  /// The result goes into one register, or an element each into several.
  static void deliver(state& s, const instruction& i, register_value result) {
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

  [[nodiscard]] static memory_order read_half(memory_order o) {
    return o == memory_order::release   ? memory_order::relaxed
           : o == memory_order::acq_rel ? memory_order::acquire
                                        : o;
  }
  [[nodiscard]] static memory_order write_half(memory_order o) {
    return o == memory_order::acquire   ? memory_order::relaxed
           : o == memory_order::acq_rel ? memory_order::release
                                        : o;
  }

  [[nodiscard]] static value masked_out(const state& s, const instruction& i, std::size_t element) {
    if (i.compare_exchange) {
      return checked(get(s, i.a), element, i, "comparison value");
    }
    return i.pad ? checked(get(s, *i.pad), element, i, "padding") : 0;
  }

  /// The write half, if there is one. False if no execution performs it.
  bool modify(state& s, const instruction& i, std::size_t element, value old, read_set own) const {
    const register_value a = get(s, i.a);
    const value operand = narrow(checked(a, element, i, "operand"), i.type);
    value v = 0;
    read_set data = a.reads_at(element);
    read_set ctrl = 0;
    if (i.compare_exchange) {
      const register_value b = get(s, i.b);
      const bool equal = bits(old, i.type) == bits(operand, i.type);
      if (!equal && !i.writes_on_failure) {
        return true;
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
    return find_origins(s);
  }

  static void compute(state& s, const instruction& i) {
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

  /// False when the run ends here.
  bool branch(state& s, const instruction& i) {
    const register_value a = get(s, i.a);
    const register_value b = get(s, i.b);
    s.ctrl |= a.reads.front() | b.reads.front();
    if (apply(i.operation, a.elements.front(), b.elements.front()) == 0) {
      s.jumps.erase(s.pc);
      ++s.pc;
      return true;
    }
    if (i.target > s.pc) {
      s.pc = i.target;
      return true;
    }
    if (++s.jumps[s.pc] >= limits_.bound) {
      const loop_entry& entry = s.iterations[i.target];
      const bool still = same_values(entry.registers, s.registers) &&
                         std::all_of(s.events.begin() + entry.event,
                                     s.events.end(),
                                     [](const trace_event& e) { return e.what.is_read(); });
      const std::uint32_t first = entry.event;
      finish(std::move(s), still ? trace_end::spinning : trace_end::cut, first);
      return false;
    }
    // Loops inside this one begin anew.
    s.jumps.erase(s.jumps.lower_bound(i.target), s.jumps.lower_bound(s.pc));
    s.iterations.erase(s.iterations.upper_bound(i.target), s.iterations.lower_bound(s.pc));
    s.iterations[i.target] = {s.registers, static_cast<std::uint32_t>(s.events.size())};
    s.pc = i.target;
    return true;
  }

  [[nodiscard]] static bool same_values(const std::vector<register_value>& a,
                                        const std::vector<register_value>& b) {
    return std::ranges::equal(a, b, {}, &register_value::elements, &register_value::elements);
  }

  const test& test_;
  std::uint32_t number_;
  const thread& thread_;
  const possible_values& memory_;
  const limits& limits_;
  write_numbers* numbers_; ///< null: what writes are made from is not asked
  std::vector<trace>& out_;
  std::vector<bool> heads_;
};

} // namespace

std::vector<trace> cut_at_waits(const trace& t) {
  std::vector<trace> out;
  for (std::size_t i = 0; i < t.events.size(); ++i) {
    if (t.events[i].what.kind == event_kind::barrier && t.events[i].what.waits) {
      trace cut = t;
      cut.events.resize(i + 1);
      cut.end = trace_end::waiting;
      out.push_back(std::move(cut));
    }
  }
  return out;
}

possible_values initial_memory(const test& t) {
  possible_values memory;
  for (const location& loc : t.locations) {
    for (std::size_t i = 0; i < loc.initial.size(); ++i) {
      memory.add({loc.address + i * loc.type.size, loc.type.size},
                 static_cast<std::uint64_t>(narrow(loc.initial[i], {loc.type.size, false})));
    }
  }
  return memory;
}

thread_traces all_traces(const test& t, const limits& l, bool dependencies_by_value) {
  possible_values memory = initial_memory(t);
  write_numbers numbers;
  for (std::size_t round = 0;; ++round) {
    thread_traces traces;
    std::size_t writes = 0;
    bool news = false;
    possible_values next = memory;
    for (std::uint32_t p = 0; p < t.threads.size(); ++p) {
      std::vector<trace>& runs = traces.of.emplace_back();
      runner(t, p, memory, l, dependencies_by_value ? nullptr : &numbers, runs).run();
      std::size_t most = 0;
      for (const trace& r : runs) {
        std::size_t here = 0;
        for (std::size_t e = 0; e < r.events.size(); ++e) {
          if (r.events[e].what.is_write()) {
            news |= next.add(r.events[e].what.bytes, r.events[e].what.value, r.origins[e]);
            ++here;
          }
        }
        most = std::max(most, here);
        traces.bound_reached |= r.end != trace_end::finished;
      }
      writes += most;
    }
    // A chain of dependent values passes each write once at most, also where the origins were given
    // up.
    if (!news || round > writes) {
      return traces;
    }
    memory = std::move(next);
  }
}

} // namespace tilesim::memmodel::litmus
