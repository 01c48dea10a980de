// Litmus tests, executed.
//
// SPDX-License-Identifier: Apache-2.0
#include "litmus_sampler.hpp"

#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/final_states.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilesim::litmus_sampler {

namespace {

using namespace memmodel::litmus;
using memmodel::memory_order;
using sim::access_kind;
using sim::detect::newest_write;
using sim::detect::write_name;

class machine {
public:
  machine(const test& t, sim::rng& draw)
      : test_(t)
      , draw_(draw)
      , running_(t.threads.size()) {
    detector_.keep_writes(true);
    detector_.on_race = [this](const sim::detect::race&) { racy_ = true; };
    for (const location& l : t.locations) {
      for (std::size_t i = 0; i < l.initial.size(); ++i) {
        put(l.address + (i * l.type.size), l.type.size, l.initial[i]);
      }
    }
    begin();
    for (std::size_t p = 0; p < t.threads.size(); ++p) {
      for (std::size_t r = 0; r < t.threads[p].registers.size(); ++r) {
        running_[p].registers.push_back(r < t.threads[p].initial.size() ? t.threads[p].initial[r]
                                                                        : std::vector<value>{0});
      }
    }
  }

  outcome run() {
    for (;;) {
      std::vector<std::size_t> ready;
      for (std::size_t p = 0; p < running_.size(); ++p) {
        if (running_[p].pc < test_.threads[p].code.size()) {
          ready.push_back(p);
        }
      }
      if (ready.empty()) {
        return {state(), racy_};
      }
      step(ready[draw_.below(ready.size())]);
    }
  }

private:
  using elements = std::vector<value>;
  struct thread_state {
    std::size_t pc = 0;
    std::vector<elements> registers;
    sim::detect::agent_id agent = 0;
  };

  /// A task for each block, none ordered before another.
  void begin() {
    std::map<std::pair<bool, std::int32_t>, std::vector<std::size_t>> blocks;
    for (std::size_t p = 0; p < test_.threads.size(); ++p) {
      const memmodel::place& at = test_.threads[p].place;
      const bool host = at.gpu == memmodel::place::host;
      blocks[{host, host ? static_cast<std::int32_t>(p) : at.cta}].push_back(p);
    }
    std::uint32_t lane = 0;
    for (const auto& [name, members] : blocks) {
      using sim::detect::task_kind;
      auto agent = detector_.begin_task(
          {.lane = lane, .number = 1, .before = std::vector<std::uint32_t>(blocks.size(), 0)},
          1,
          members.size(),
          name.first ? task_kind::host : task_kind::simt);
      ++lane;
      for (const std::size_t p : members) {
        running_[p].agent = agent++;
      }
    }
  }

  [[nodiscard]] static value at(const elements& e, std::size_t i) {
    return e[e.size() == 1 ? 0 : i];
  }
  elements get(const thread_state& t, const operand& o) const {
    if (o.reg) {
      return t.registers[*o.reg];
    }
    if (o.list.empty()) {
      return o.constants;
    }
    elements all;
    for (const operand& one : o.list) {
      all.push_back(get(t, one).front());
    }
    return all;
  }
  void put(std::uint64_t address, std::uint32_t size, value v) {
    for (std::uint32_t b = 0; b < size; ++b) {
      memory_[address + b] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(v) >> (8 * b));
    }
  }
  [[nodiscard]] std::uint64_t bits_at(std::uint64_t address, std::uint32_t size) const {
    std::uint64_t v = 0;
    for (std::uint32_t b = 0; b < size; ++b) {
      v |= std::uint64_t{memory_.at(address + b)} << (8 * b);
    }
    return v;
  }

  void step(std::size_t p) {
    thread_state& t = running_[p];
    const instruction& i = test_.threads[p].code[t.pc];
    switch (i.op) {
    case opcode::load:
    case opcode::rmw:
    case opcode::store:
      access(t, i);
      break;
    case opcode::fence:
      detector_.fence(t.agent, i.order, i.scope);
      break;
    case opcode::compute: {
      const elements a = get(t, i.a);
      const elements b = get(t, i.b);
      elements result(std::max(a.size(), b.size()));
      for (std::size_t e = 0; e < result.size(); ++e) {
        result[e] = narrow(apply(i.operation, at(a, e), at(b, e)), i.type);
      }
      deliver(t, i, result);
      break;
    }
    case opcode::branch:
      if (apply(i.operation, get(t, i.a).front(), get(t, i.b).front()) != 0) {
        t.pc = i.target;
        return;
      }
      break;
    case opcode::barrier:
      break;
    }
    ++t.pc;
  }

  static void deliver(thread_state& t, const instruction& i, const elements& result) {
    if (i.dst.size() == 1) {
      t.registers[i.dst.front()] = result;
      return;
    }
    for (std::size_t e = 0; e < i.dst.size(); ++e) {
      t.registers[i.dst[e]] = {at(result, e)};
    }
  }

  /// One access of all elements; a compare-exchange that fails is a read, unless it writes back.
  void access(thread_state& t, const instruction& i) {
    const elements index = get(t, i.address.index);
    const std::uint64_t base = i.address.pointer
                                   ? static_cast<std::uint64_t>(t.registers[*i.address.pointer][0])
                                   : test_.locations[i.address.location].address;
    elements result(index.size(), 0);
    std::vector<std::uintptr_t> addresses;
    std::vector<std::size_t> which;
    for (std::size_t e = 0; e < index.size(); ++e) {
      if (i.mask && at(get(t, *i.mask), e) == 0) {
        result[e] = i.compare_exchange ? at(get(t, i.a), e) : i.pad ? at(get(t, *i.pad), e) : 0;
        continue;
      }
      addresses.push_back(base + i.address.offset +
                          (static_cast<std::uint64_t>(index[e]) * i.address.stride));
      which.push_back(e);
    }
    if (!addresses.empty()) {
      if (i.op == opcode::load) {
        load(t, i, addresses, which, result);
      } else {
        write(t, i, addresses, which, result);
      }
    }
    if (i.op != opcode::store) {
      deliver(t, i, result);
    }
  }

  [[nodiscard]] sim::detect::operation described(const thread_state& t,
                                                 const instruction& i,
                                                 const std::vector<std::uintptr_t>& addresses,
                                                 access_kind kind) const {
    return {.agent = t.agent,
            .kind = kind,
            .order = i.order,
            .scope = i.scope,
            .bytes = i.type.size,
            .count = addresses.size(),
            .addresses = addresses.data()};
  }

  void load(thread_state& t,
            const instruction& i,
            const std::vector<std::uintptr_t>& addresses,
            const std::vector<std::size_t>& which,
            elements& result) {
    std::vector<write_name> sources;
    for (std::size_t k = 0; k < addresses.size(); ++k) {
      std::vector<sim::detect::older_value> offered;
      if (i.order != memory_order::weak) {
        detector_.readable({.agent = t.agent}, addresses[k], i.type.size, offered);
      }
      const auto n = draw_.below(offered.size() + 1);
      const bool newest = n == offered.size();
      sources.push_back(newest ? newest_write : offered[n].name);
      result[which[k]] =
          narrow(static_cast<value>(newest ? bits_at(addresses[k], i.type.size) : offered[n].value),
                 i.type);
    }
    auto o = described(t, i, addresses, access_kind::read);
    o.sources = sources.data();
    detector_.perform(o);
  }

  void write(thread_state& t,
             const instruction& i,
             const std::vector<std::uintptr_t>& addresses,
             const std::vector<std::size_t>& which,
             elements& result) {
    const elements a = get(t, i.a);
    // Compare-exchanges of several elements that fail in part are several operations to PTX; the
    // tests have none.
    access_kind kind = i.op == opcode::store ? access_kind::write : access_kind::read_write;
    if (i.compare_exchange && !i.writes_on_failure) {
      const bool fails = bits_at(addresses[0], i.type.size) !=
                         static_cast<std::uint64_t>(narrow(at(a, which[0]), {i.type.size, false}));
      kind = fails ? access_kind::read : kind;
    }
    auto o = described(t, i, addresses, kind);
    if (kind == access_kind::read && o.order == memory_order::release) {
      o.order = memory_order::relaxed;
    } else if (kind == access_kind::read && o.order == memory_order::acq_rel) {
      o.order = memory_order::acquire;
    }
    detector_.perform(o);
    for (std::size_t k = 0; k < addresses.size(); ++k) {
      const std::uint64_t held = bits_at(addresses[k], i.type.size);
      const value old = narrow(static_cast<value>(held), i.type);
      const value operand = narrow(at(a, which[k]), i.type);
      result[which[k]] = old;
      if (kind == access_kind::read) {
        continue;
      }
      value now = operand;
      if (i.compare_exchange) {
        now = narrow(old, {i.type.size, false}) == narrow(operand, {i.type.size, false})
                  ? at(get(t, i.b), which[k])
                  : old;
      } else if (i.op == opcode::rmw) {
        now = apply(i.operation, old, operand);
      }
      put(addresses[k], i.type.size, now);
      if (i.order != memory_order::weak) {
        detector_.overwrote(static_cast<std::uint32_t>(k), addresses[k], i.type.size, held);
      }
    }
  }

  [[nodiscard]] std::vector<value> state() const {
    std::vector<value> final;
    for (const observable& o : all_observables(test_)) {
      if (o.thread) {
        final.push_back(at(running_[*o.thread].registers[o.index], o.element));
      } else {
        const location& l = test_.locations[o.index];
        final.push_back(
            narrow(static_cast<value>(bits_at(l.address + (o.element * l.type.size), l.type.size)),
                   l.type));
      }
    }
    return final;
  }

  const test& test_;
  sim::rng& draw_;
  sim::detect::detector detector_;
  std::vector<thread_state> running_;
  std::map<std::uint64_t, std::uint8_t> memory_;
  bool racy_ = false;
};

} // namespace

const char* obstacle(const test& t) {
  for (const thread& p : t.threads) {
    if (p.place.gpu > 0) {
      return "several devices";
    }
    for (std::size_t pc = 0; pc < p.code.size(); ++pc) {
      const instruction& i = p.code[pc];
      if (i.op == opcode::barrier) {
        return "a barrier";
      }
      if (i.op == opcode::branch && i.target <= pc) {
        return "a loop";
      }
      if (i.order != memory_order::weak && i.scope == memmodel::scope::cluster) {
        return "clusters";
      }
      if (i.reduction) {
        return "a reduction without a result";
      }
      if (i.compare_exchange && !i.writes_on_failure && i.address.index.constants.size() > 1) {
        return "a compare-exchange of several elements";
      }
    }
  }
  return nullptr;
}

outcome sample(const test& t, sim::rng& draw) {
  return machine(t, draw).run();
}

} // namespace tilesim::litmus_sampler
