// Litmus tests, explored.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/litmus.hpp"

#include "memmodel/assertion.hpp"
#include "memmodel/litmus/final_states.hpp"

#include <algorithm>
#include <unordered_set>

namespace tilesim::memmodel::explore {

// --- Threads.

namespace {

/// An operand of a barrier, which no instruction of the thread changes.
/// @throws not_explored
litmus::value constant(const litmus::thread& t, const litmus::operand& o) {
  if (!o.reg) {
    return o.constants.empty() ? 0 : o.constants.front();
  }
  for (const litmus::instruction& i : t.code) {
    if (std::ranges::find(i.dst, *o.reg) != i.dst.end()) {
      throw not_explored{"a barrier whose number is computed"};
    }
  }
  return *o.reg < t.initial.size() && !t.initial[*o.reg].empty() ? t.initial[*o.reg].front() : 0;
}

} // namespace

litmus_threads::litmus_threads(const litmus::test& t, std::uint32_t bound)
    : test_(t)
    , bound_(bound) {
  for (std::uint32_t p = 0; p < t.threads.size(); ++p) {
    runs_.push_back({litmus::interpreter(t, p, bound), {}, {}});
  }
  const auto is_barrier = [](const litmus::instruction& i) {
    return i.op == litmus::opcode::barrier;
  };
  only_reads_ = std::ranges::none_of(t.threads, [&](const litmus::thread& its) {
    return std::ranges::any_of(its.code, is_barrier);
  });
}

std::vector<place> litmus_threads::places() const {
  std::vector<place> out;
  for (const litmus::thread& t : test_.threads) {
    out.push_back(t.place);
  }
  return out;
}

std::uint64_t litmus_threads::initial(const byte_range& bytes) const {
  std::uint64_t out = 0;
  for (const litmus::location& l : test_.locations) {
    for (std::uint32_t b = 0; b < bytes.size; ++b) {
      const std::uint64_t address = bytes.address + b;
      if (address < l.address || address >= l.address + l.type.size * l.initial.size()) {
        continue;
      }
      const std::uint64_t into = address - l.address;
      const auto value = static_cast<std::uint64_t>(l.initial[into / l.type.size]);
      out |= (value >> (8 * (into % l.type.size)) & 0xffU) << (8 * b);
    }
  }
  return out;
}

/// The thread as it is after `performed` instructions with these values: from where it was the same
/// before.
litmus_threads::point&
litmus_threads::at(thread_id t, std::span<const std::uint64_t> values, std::size_t performed) {
  run& r = runs_[t];
  if (r.points.empty()) {
    point& first = r.points.emplace_back();
    first.state = r.code.start();
    first.stop = r.code.advance(first.state);
  }
  const auto same =
      static_cast<std::size_t>(std::ranges::mismatch(r.taken, values).in1 - r.taken.begin());
  while (r.points.size() > performed + 1 || r.points.back().values > same) {
    r.points.pop_back();
  }
  while (r.points.size() < performed + 1) {
    point next;
    perform(r, r.points.back(), values, next);
    r.points.push_back(std::move(next));
  }
  r.taken.assign(values.begin(),
                 values.begin() + static_cast<std::ptrdiff_t>(r.points.back().values));
  return r.points.back();
}

void litmus_threads::perform(const run& r,
                             const point& from,
                             std::span<const std::uint64_t> values,
                             point& to) {
  using litmus::opcode;
  const litmus::instruction& i = *from.stop.at;
  to.state = from.state;
  to.values = from.values;
  switch (i.op) {
  case opcode::fence:
    litmus::interpreter::fence(to.state, i);
    break;
  case opcode::barrier:
    litmus::interpreter::barrier(to.state, i);
    break;
  case opcode::store:
    for (std::size_t e = 0; e < litmus::interpreter::elements(to.state, i); ++e) {
      if (litmus::interpreter::active(to.state, i, e)) {
        r.code.write(to.state, i, e);
      }
    }
    break;
  default: {
    litmus::register_value result(
        std::vector<litmus::value>(litmus::interpreter::elements(to.state, i), 0));
    for (std::size_t e = 0; e < result.elements.size(); ++e) {
      if (!litmus::interpreter::active(from.state, i, e)) {
        result.elements[e] = litmus::interpreter::masked_out(from.state, i, e);
        result.reads[e] = litmus::interpreter::mask_reads(from.state, i, e);
        continue;
      }
      const litmus::value old =
          litmus::narrow(static_cast<litmus::value>(values[to.values++]), i.type);
      result.elements[e] = old;
      result.reads[e] = r.code.read(to.state, i, e, old);
      if (i.op == opcode::rmw) {
        r.code.modify(to.state, i, e, old);
      }
    }
    litmus::interpreter::deliver(to.state, i, std::move(result));
  }
  }
  ++to.state.pc;
  to.stop = r.code.advance(to.state);
}

std::shared_ptr<const instruction>
litmus_threads::next(thread_id t, std::span<const std::uint64_t> values, std::size_t performed) {
  point& p = at(t, values, performed);
  if (!p.described) {
    p.described = describe(t, p);
  }
  return p.described;
}

std::shared_ptr<const instruction> litmus_threads::describe(thread_id t, const point& p) {
  using litmus::opcode;
  auto out = std::make_shared<instruction>();
  if (p.stop.at == nullptr) {
    out->kind = p.stop.end == litmus::trace_end::finished ? step_kind::end : step_kind::stuck;
    bound_reached_ |= out->kind == step_kind::stuck;
    return out;
  }
  const litmus::instruction& i = *p.stop.at;
  out->number = p.state.step;
  out->order = i.order;
  out->scope = i.scope;
  out->reduction = i.reduction;
  litmus::run_state s = p.state; // to see what events it makes
  const std::size_t before = s.events.size();
  switch (i.op) {
  case opcode::fence:
    out->kind = step_kind::fence;
    return out;
  case opcode::barrier:
    describe_barrier(t, s, *out);
    out->waits = i.waits;
    return out;
  case opcode::store:
    out->kind = step_kind::store;
    break;
  default:
    out->kind = i.op == opcode::rmw ? step_kind::update : step_kind::load;
  }
  for (std::size_t e = 0; e < litmus::interpreter::elements(s, i); ++e) {
    if (litmus::interpreter::active(p.state, i, e)) {
      if (out->kind == step_kind::store) {
        runs_[t].code.write(s, i, e);
      } else {
        runs_[t].code.read(s, i, e, 0);
      }
    }
  }
  for (std::size_t k = before; k < s.events.size(); ++k) {
    const litmus::trace_event& made = s.events[k];
    const read_set depends = made.addr | made.data | made.ctrl;
    out->order = made.what.order;
    out->elements.push_back(
        {made.what.element, made.what.bytes, {made.what.value, depends}, depends});
  }
  out->write_order = i.order == memory_order::acquire   ? memory_order::relaxed
                     : i.order == memory_order::acq_rel ? memory_order::release
                                                        : i.order;
  return out;
}

void litmus_threads::describe_barrier(thread_id t, const litmus::run_state& s, instruction& out) {
  const litmus::instruction& i = *runs_[t].points.back().stop.at;
  litmus::run_state with = s;
  litmus::interpreter::barrier(with, i);
  const litmus::barrier_name name = with.events.back().barrier;
  const place& here = test_.threads[t].place;
  out.kind = step_kind::barrier;
  out.barrier = barriers_.try_emplace({here.gpu, here.cluster, here.cta, name}, barriers_.size())
                    .first->second;
  if (name.threads > 0) {
    out.expected = static_cast<std::uint32_t>(name.threads);
    return;
  }
  // All of the block that come to it: those in whose code it stands.
  for (const litmus::thread& other : test_.threads) {
    const auto is = [&](const litmus::operand& o, litmus::value v) {
      return constant(other, o) == v;
    };
    out.expected +=
        other.place == here && std::ranges::any_of(other.code, [&](const litmus::instruction& b) {
          return b.op == litmus::opcode::barrier && is(b.barrier_id, name.id) &&
                 is(b.barrier_resource, name.resource) && is(b.barrier_threads, name.threads);
        });
  }
}

std::optional<written> litmus_threads::modified(thread_id t,
                                                std::span<const std::uint64_t> values,
                                                std::size_t performed,
                                                const instruction&,
                                                std::size_t element,
                                                std::uint64_t old) {
  const point& p = at(t, values, performed);
  const litmus::instruction& i = *p.stop.at;
  litmus::run_state s = p.state;
  std::size_t which = 0; // among all elements
  for (std::size_t active = 0;; ++which) {
    if (litmus::interpreter::active(p.state, i, which)) {
      if (active == element) {
        break;
      }
      runs_[t].code.read(s, i, which, 0); // elements before it have their numbers among the reads
      ++active;
    }
  }
  const litmus::value v = litmus::narrow(static_cast<litmus::value>(old), i.type);
  runs_[t].code.read(s, i, which, v);
  if (!runs_[t].code.modify(s, i, which, v)) {
    return std::nullopt;
  }
  const litmus::trace_event& w = s.events.back();
  return written{w.what.value, w.addr | w.data | w.ctrl};
}

void litmus_threads::look_ahead() {
  outlooks_.resize(test_.threads.size());
  // A circle takes two threads that write behind a read.
  const auto writes_behind_a_read = [](const litmus::thread& t) {
    // A loop may bring any instruction behind any other.
    bool reads = false;
    for (std::uint32_t i = 0; i < t.code.size(); ++i) {
      reads |= t.code[i].op == litmus::opcode::branch && t.code[i].target <= i;
    }
    return std::ranges::any_of(t.code, [&](const litmus::instruction& i) {
      reads |= i.op == litmus::opcode::load || i.op == litmus::opcode::rmw;
      return reads && (i.op == litmus::opcode::store || i.op == litmus::opcode::rmw);
    });
  };
  if (std::ranges::count_if(test_.threads, writes_behind_a_read) < 2) {
    return;
  }
  outlooks_.clear();
  const auto same_device = [&](const litmus::thread& t) {
    return t.place.gpu == test_.threads.front().place.gpu;
  };
  const scope wide = std::ranges::all_of(test_.threads, same_device) ? scope::gpu : scope::sys;
  litmus::limits l;
  l.bound = bound_;
  for (const std::vector<litmus::trace>& runs : litmus::all_traces(test_, l).of) {
    outlook& out = outlooks_.emplace_back();
    for (const litmus::trace& run : runs) {
      std::vector<std::uint32_t> reads; // so far
      decltype(out.times) times;
      for (const litmus::trace_event& e : run.events) {
        if (e.what.is_read()) {
          reads.push_back(e.what.instruction);
        } else if (e.what.is_write() && !reads.empty()) {
          out.before_writes.insert(reads.begin(), reads.end());
          reads.assign(1, reads.front());
          const auto [address, size] = e.what.bytes;
          out.written.insert({address, size, e.what.value});
          for (const std::optional<std::uint64_t> of : {std::optional(e.what.value), {}}) {
            std::uint32_t& n = times[{address, size, of}];
            n = e.what.strong() && e.what.scope >= wide ? n + 1 : any_number / 2;
          }
        }
      }
      for (const auto& [of, n] : times) {
        out.times[of] = std::max(out.times[of], n);
      }
    }
  }
}

std::vector<std::uint64_t>
litmus_threads::promises(thread_id t, thread_id from, const instruction& i, const element& e) {
  if (outlooks_.empty()) {
    look_ahead();
  }
  std::set<std::uint64_t> values;
  for (thread_id other = from; other < outlooks_.size(); ++other) {
    if (other == t || !outlooks_[t].before_writes.contains(i.number)) {
      continue;
    }
    const auto& written = outlooks_[other].written;
    for (auto w = written.lower_bound({e.bytes.address, e.bytes.size, 0});
         w != written.end() && std::get<0>(*w) == e.bytes.address &&
         std::get<1>(*w) == e.bytes.size;
         ++w) {
      values.insert(std::get<2>(*w));
    }
  }
  return {values.begin(), values.end()};
}

std::uint32_t litmus_threads::most_writes(thread_id writer,
                                          const byte_range& bytes,
                                          std::optional<std::uint64_t> value) {
  const auto& times = outlooks_[writer].times;
  const auto found = times.find({bytes.address, bytes.size, value});
  return found == times.end() ? 0 : found->second;
}

const std::vector<litmus::register_value>& litmus_threads::registers(
    thread_id t, std::span<const std::uint64_t> values, std::size_t performed) {
  return at(t, values, performed).state.registers;
}

// --- Final states.

namespace {

/// The states that an execution may end in: any coherence-maximal write may be a byte's last.
class ends {
public:
  ends(const litmus::test& t, litmus_threads& program, litmus_result& into)
      : test_(t)
      , program_(program)
      , into_(into)
      , index_(t) {}

  void operator()(const found_execution& x, bool mixed_sizes_undo) {
    std::set<std::vector<litmus::value>> states;
    std::optional<race> raced;
    const std::vector<litmus::value> registers = registers_of(x);
    x.what.judge(
        [&](const graph::judged& j) {
          collect(j, registers, states);
          if (const auto r = find_race(j.derived); r && (!raced || r->mixed_size)) {
            raced = r;
          }
          return true;
        },
        fence_orders::telling);
    bool counted = false;
    for (const std::vector<litmus::value>& s : states) {
      if (test_.filter && !litmus::satisfies(*test_.filter, s, index_)) {
        continue;
      }
      counted = true;
      litmus::outcome_count& c = into_.outcomes[s];
      ++c.executions;
      c.racy |= raced.has_value();
    }
    if (counted) {
      into_.racy += raced ? 1U : 0U;
      into_.mixed_size_race |= raced && raced->mixed_size && mixed_sizes_undo;
    }
  }

private:
  std::vector<litmus::value> registers_of(const found_execution& x) {
    std::vector<litmus::value> out;
    for (const litmus::observable& o : into_.observables) {
      if (o.thread) {
        const auto& elements =
            program_.registers(*o.thread, x.values[*o.thread], x.performed[*o.thread])[o.index]
                .elements;
        out.push_back(o.element < elements.size() ? elements[o.element] : elements.front());
      }
    }
    return out;
  }

  void collect(const graph::judged& j,
               const std::vector<litmus::value>& registers,
               std::set<std::vector<litmus::value>>& states) const {
    std::vector<std::vector<litmus::value>> choices;
    for (const litmus::observable& o : into_.observables) {
      if (!o.thread) {
        choices.push_back(last_values(j, o));
      }
    }
    std::vector<litmus::value> state = registers;
    const auto combine = [&](const auto& self, std::size_t i) -> void {
      if (i == choices.size()) {
        states.insert(state);
        return;
      }
      for (const litmus::value v : choices[i]) {
        state.push_back(v);
        self(self, i + 1);
        state.pop_back();
      }
    };
    combine(combine, 0);
  }

  [[nodiscard]] std::vector<litmus::value> last_values(const graph::judged& j,
                                                       const litmus::observable& o) const {
    const litmus::location& l = test_.locations[o.index];
    const byte_range range = litmus::observed_bytes(l, o);
    const std::vector<event>& events = j.what.events;
    const auto value_of = [&](event_id w) {
      return w < j.initial ? program_.initial(events[w].bytes) : events[w].value;
    };
    std::vector<std::uint64_t> values{0};
    bool whole = true;
    for (const event& e : events) {
      whole &= !e.is_write() || !overlap(e.bytes, range) || e.bytes == range;
    }
    for (std::uint32_t b = 0; b < (whole ? 1 : range.size); ++b) {
      const byte_range part = whole ? range : byte_range{range.address + b, 1};
      std::set<std::uint64_t> last;
      for (event_id w = 0; w < events.size(); ++w) {
        if (!events[w].is_write() || !overlap(events[w].bytes, part)) {
          continue;
        }
        bool maximal = true;
        j.derived.co.for_each_successor(
            w, [&](event_id v) { maximal &= !overlap(events[v].bytes, part); });
        if (maximal) {
          last.insert(whole
                          ? value_of(w)
                          : value_of(w) >> (8 * (part.address - events[w].bytes.address)) & 0xffU);
        }
      }
      if (last.empty()) {
        last.insert(program_.initial(part));
      }
      std::vector<std::uint64_t> longer;
      for (const std::uint64_t low : values) {
        for (const std::uint64_t v : last) {
          longer.push_back(low | v << (whole ? 0 : 8 * b));
        }
      }
      values = std::move(longer);
    }
    std::set<litmus::value> distinct;
    for (const std::uint64_t v : values) {
      distinct.insert(litmus::narrow(static_cast<litmus::value>(v), l.type));
    }
    return {distinct.begin(), distinct.end()};
  }

  const litmus::test& test_;
  litmus_threads& program_;
  litmus_result& into_;
  litmus::observable_index index_;
};

} // namespace

litmus_result explore(const litmus::test& t, const settings& s, std::uint32_t bound) {
  litmus_result out;
  out.observables = litmus::all_observables(t);
  litmus_threads program(t, bound);
  explorer all(program, s);
  ends end(t, program, out);
  all.run([&](const found_execution& x) {
    end(x, s.judge->mixed_sizes_undo);
    return true;
  });
  out.counted = all.counted();
  out.bound_reached = program.bound_reached();
  return out;
}

litmus_result
sample(const litmus::test& t, const settings& s, std::uint64_t count, std::uint64_t seed) {
  litmus_result out;
  out.observables = litmus::all_observables(t);
  litmus_threads program(t, 1);
  explorer all(program, s);
  ends end(t, program, out);
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < count; ++i) {
    all.sample(
        seed + i,
        [&](const found_execution& x) {
          if (seen.insert(x.name.first).second) {
            end(x, s.judge->mixed_sizes_undo);
          }
          return true;
        },
        [](const found_execution&) { return true; });
  }
  out.counted = all.counted();
  out.counted.executions = seen.size();
  out.bound_reached = program.bound_reached();
  return out;
}

} // namespace tilesim::memmodel::explore
