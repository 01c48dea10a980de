// What one thread of a litmus test may do.
//
// A read is guessed: the run goes on once for every value that memory might hold there; reads-from
// justifies the guess later.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/traces.hpp"

#include "memmodel/litmus/interpreter.hpp"

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

/// Runs one thread, all ways.
class runner {
public:
  runner(const test& t,
         std::uint32_t thread,
         const possible_values& memory,
         const limits& l,
         write_numbers* numbers,
         std::vector<trace>& out)
      : number_(thread)
      , thread_(t.threads[thread])
      , memory_(memory)
      , limits_(l)
      , numbers_(numbers)
      , out_(out)
      , code_(t, thread, l.bound) {}

  void run() { run(code_.start()); }

private:
  void run(run_state s) {
    for (;;) {
      const next_access next = code_.advance(s);
      if (next.at == nullptr) {
        finish(std::move(s), next.end, next.last_iteration);
        return;
      }
      const instruction& i = *next.at;
      switch (i.op) {
      case opcode::store:
        if (!store(s, i)) {
          return;
        }
        break;
      case opcode::fence:
        interpreter::fence(s, i);
        break;
      case opcode::barrier:
        interpreter::barrier(s, i);
        break;
      default: {
        const std::size_t n = interpreter::elements(s, i);
        access_from(std::move(s), i, 0, register_value(std::vector<value>(n, 0)));
        return;
      }
      }
      ++s.pc;
    }
  }

  void finish(run_state s, trace_end end, std::uint32_t last_iteration) {
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

  /// Finds what the write that was just added is made from. False if from itself alone.
  bool find_origins(run_state& s) const {
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
  bool store(run_state& s, const instruction& i) const {
    for (std::size_t e = 0; e < interpreter::elements(s, i); ++e) {
      if (interpreter::active(s, i, e)) {
        code_.write(s, i, e);
        if (!find_origins(s)) {
          return false;
        }
      }
    }
    return true;
  }

  /// A load or an atomic, from `element` on: guesses one read, and goes on for every guess.
  void access_from(run_state s, const instruction& i, std::size_t element, register_value result) {
    for (; element < result.elements.size() && !interpreter::active(s, i, element); ++element) {
      result.elements[element] = interpreter::masked_out(s, i, element);
      result.reads[element] = interpreter::mask_reads(s, i, element);
    }
    if (element == result.elements.size()) {
      interpreter::deliver(s, i, std::move(result));
      ++s.pc;
      run(std::move(s));
      return;
    }
    const byte_range bytes = code_.range(s, i, element);
    for (const possible_value& guess : memory_.of(bytes)) {
      run_state next = s;
      const value old = narrow(static_cast<value>(guess.bits), i.type);
      const read_set on = code_.read(next, i, element, old);
      next.origins.back() = guess.origins;
      if (i.op == opcode::rmw && code_.modify(next, i, element, old) && !find_origins(next)) {
        continue;
      }
      register_value partial = result;
      partial.elements[element] = old;
      partial.reads[element] = on;
      access_from(std::move(next), i, element + 1, std::move(partial));
    }
  }

  std::uint32_t number_;
  const thread& thread_;
  const possible_values& memory_;
  const limits& limits_;
  write_numbers* numbers_; ///< null: what writes are made from is not asked
  std::vector<trace>& out_;
  interpreter code_;
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
