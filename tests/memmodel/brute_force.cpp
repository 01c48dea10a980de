// The memory model once more, in the most naive way.
//
// One file in spite of its length: a second reading of the whole chapter, which shares nothing with
// the first and is to be read as one.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/brute_force.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>

namespace tilesim::brute_force {
namespace {

using namespace tilesim::random_programs;

using pair = std::pair<int, int>;
using pairs = std::set<pair>;

// --- Sets of pairs.

pairs united(pairs a, const pairs& b) {
  a.insert(b.begin(), b.end());
  return a;
}

pairs composed(const pairs& a, const pairs& b) {
  pairs out;
  for (const auto& [x, y] : a) {
    for (auto i = b.lower_bound({y, -1}); i != b.end() && i->first == y; ++i) {
      out.emplace(x, i->second);
    }
  }
  return out;
}

pairs closed(pairs r) {
  for (std::size_t before = 0; before != r.size();) {
    before = r.size();
    r = united(r, composed(r, r));
  }
  return r;
}

bool reflexive(const pairs& r) {
  return std::ranges::any_of(r, [](const pair& p) { return p.first == p.second; });
}

bool cyclic(const pairs& r) {
  return reflexive(closed(r));
}

// --- Events of one run of each thread: which way its guards go and whether its swaps succeed is
// guessed.

struct event {
  int thread = -1; ///< -1: initial
  int instruction = 0;
  char what = 'W'; ///< R, W, F
  random_programs::order order = order::weak;
  random_programs::scope scope = scope::sys;
  unsigned location = 0, offset = 0, size = 2;
  bool of_red = false;

  // Of a write: constant, or what a read saw, or that plus a constant.
  std::int64_t constant = 0;
  int value_of = -1;
  std::set<int> data, ctrl; ///< reads

  [[nodiscard]] bool memory() const { return what != 'F'; }
  [[nodiscard]] bool strong() const { return what == 'F' || order != order::weak; }
  [[nodiscard]] bool releases() const {
    return order == order::release || order == order::acq_rel || order == order::sc;
  }
  [[nodiscard]] bool acquires() const {
    return order == order::acquire || order == order::acq_rel || order == order::sc;
  }
  [[nodiscard]] bool holds(unsigned byte) const { return byte >= offset && byte < offset + size; }
};

/// What a read must have seen for the guesses to be right.
struct demand {
  int read = 0;
  std::int64_t value = 0;
  bool equal = true;
};

struct run {
  std::vector<event> events;
  pairs po, rmw;
  std::vector<demand> demands;
  std::vector<std::vector<int>> registers; ///< by thread and register: the read, or -1
};

std::int64_t cut(std::int64_t v, unsigned size) {
  return v & (size == 1 ? 0xff : 0xffff);
}

/// Appends thread t to the run. Bit k of `guesses`: the k-th guard lets through, the k-th swap
/// succeeds. Returns how many guesses it used. One function in spite of its length: what an
/// instruction does is in one place.
unsigned append(run& r, const program& p, int t, unsigned guesses) {
  unsigned used = 0;
  std::vector<int>& registers =
      r.registers.emplace_back(p.registers[static_cast<std::size_t>(t)], -1);
  std::set<int> ctrl;
  std::vector<int> before;
  int position = 0;
  const auto add = [&](event e) {
    const int id = static_cast<int>(r.events.size());
    e.thread = t;
    e.instruction = position;
    e.ctrl.insert(ctrl.begin(), ctrl.end());
    r.events.push_back(e);
    for (const int b : before) {
      r.po.emplace(b, id);
    }
    before.push_back(id);
    return id;
  };
  for (const instruction& i : p.threads[static_cast<std::size_t>(t)].code) {
    ++position;
    event e;
    e.order = i.order;
    e.scope = i.scope;
    e.location = i.location;
    e.offset = i.offset;
    e.size = i.size;
    if (i.kind == kind::guard) {
      const int read = registers[i.source];
      const bool through = (guesses >> used++ & 1U) != 0;
      if (read >= 0) {
        r.demands.push_back({read, i.operand, through});
        ctrl.insert(read);
      } else if ((i.operand == 0) != through) {
        r.demands.push_back({-1, 0, true}); // a register that nothing has set is zero
      }
      if (!through) {
        break;
      }
      continue;
    }
    if (i.kind == kind::fence) {
      e.what = 'F';
      add(e);
      continue;
    }
    int read = -1;
    if (i.kind != kind::store) {
      event half = e;
      half.what = 'R';
      half.of_red = i.kind == kind::red;
      if (i.kind != kind::load) {
        half.order = i.order == order::acq_rel   ? order::acquire
                     : i.order == order::release ? order::relaxed
                                                 : i.order;
      }
      read = add(half);
      if (has_result(i)) {
        registers[i.dst] = read;
      }
    }
    if (i.kind == kind::load) {
      continue;
    }
    if (i.kind != kind::store) {
      e.order = i.order == order::acq_rel   ? order::release
                : i.order == order::acquire ? order::relaxed
                                            : i.order;
    }
    switch (i.kind) {
    case kind::store:
    case kind::exchange:
      if (!i.from_register) {
        e.constant = i.source;
      } else if (registers[i.source] >= 0) {
        e.value_of = registers[i.source];
        e.data = {e.value_of};
      }
      break;
    case kind::add:
    case kind::red:
      e.value_of = read;
      e.constant = i.operand;
      e.data = {read};
      break;
    default: { // a swap
      const bool success = (guesses >> used++ & 1U) != 0;
      r.demands.push_back({read, cut(i.compare, i.size), success});
      if (!success) {
        continue; // an atomic is a write if it results in one
      }
      e.constant = i.operand;
      e.ctrl = {read};
      break;
    }
    }
    const int write = add(e);
    if (read >= 0) {
      r.rmw.emplace(read, write);
    }
  }
  return used;
}

unsigned guesses_of(const program& p, std::size_t t) {
  return static_cast<unsigned>(std::ranges::count_if(p.threads[t].code, [](const instruction& i) {
    return i.kind == kind::guard || i.kind == kind::compare_and_swap;
  }));
}

// --- One candidate after another.

class judge {
public:
  judge(const program& p, answer& out)
      : p_(p)
      , out_(out) {}

  void all() { choose_run({}, 0); }

private:
  // Every combination of guesses of every thread.
  void choose_run(std::vector<unsigned> guesses, std::size_t t) {
    if (t < p_.threads.size()) {
      for (unsigned g = 0; g < 1U << guesses_of(p_, t); ++g) {
        guesses.push_back(g);
        choose_run(guesses, t + 1);
        guesses.pop_back();
      }
      return;
    }
    r_ = {};
    for (unsigned l = 0; l < p_.locations; ++l) {
      event init;
      init.location = l;
      r_.events.push_back(init);
    }
    for (std::size_t k = 0; k < guesses.size(); ++k) {
      // A guess that is not asked for must be 0, or one run would count twice.
      if (guesses[k] >> append(r_, p_, static_cast<int>(k), guesses[k]) != 0) {
        return;
      }
    }
    n_ = static_cast<int>(r_.events.size());
    fix_relations();
    source_.assign(r_.events.size(), {-1, -1});
    choose_sources(0);
  }

  [[nodiscard]] const event& at(int e) const { return r_.events[static_cast<std::size_t>(e)]; }

  // What the events alone fix.
  [[nodiscard]] bool overlap(int a, int b) const {
    return at(a).memory() && at(b).memory() && at(a).location == at(b).location &&
           ((at(a).holds(0) && at(b).holds(0)) || (at(a).holds(1) && at(b).holds(1)));
  }
  [[nodiscard]] bool same_bytes(int a, int b) const {
    return at(a).location == at(b).location && at(a).offset == at(b).offset &&
           at(a).size == at(b).size;
  }
  [[nodiscard]] bool scope_holds(int a, int b) const {
    const thread& x = p_.threads[static_cast<std::size_t>(at(a).thread)];
    const thread& y = p_.threads[static_cast<std::size_t>(at(b).thread)];
    switch (at(a).scope) {
    case scope::sys:
      return true;
    case scope::gpu:
      return x.gpu == y.gpu;
    case scope::cluster:
      return x.gpu == y.gpu && x.cluster == y.cluster;
    case scope::cta:
      return x.gpu == y.gpu && x.cluster == y.cluster && x.cta == y.cta;
    }
    return false;
  }
  [[nodiscard]] bool morally_strong(int a, int b) const {
    if (a == b || at(a).thread < 0 || at(b).thread < 0) {
      return false;
    }
    const bool in_order = r_.po.contains({a, b}) || r_.po.contains({b, a});
    if (!in_order &&
        !(at(a).strong() && at(b).strong() && scope_holds(a, b) && scope_holds(b, a))) {
      return false;
    }
    return !(at(a).memory() && at(b).memory()) || same_bytes(a, b);
  }
  void fix_relations() {
    ms_.clear();
    for (int a = 0; a < n_; ++a) {
      for (int b = 0; b < n_; ++b) {
        if (morally_strong(a, b)) {
          ms_.emplace(a, b);
        }
      }
    }
  }

  // Every write for every byte of every read.
  void choose_sources(int e) {
    while (e < n_ && at(e).what != 'R') {
      ++e;
    }
    if (e == n_) {
      sources_chosen();
      return;
    }
    // One write gives all bytes, unless some write overlaps the read in part.
    bool partial = false;
    for (int w = 0; w < n_; ++w) {
      partial |= at(w).what == 'W' && at(w).thread >= 0 && overlap(w, e) && !same_bytes(w, e) &&
                 !r_.rmw.contains({e, w});
    }
    for (int low = 0; low < n_; ++low) {
      for (int high = 0; high < n_; ++high) {
        const auto fits = [&](int w, unsigned byte) {
          return at(e).holds(byte)
                     ? at(w).what == 'W' && at(w).location == at(e).location && at(w).holds(byte)
                     : w == 0; // not read: one choice
        };
        if (!fits(low, 0) || !fits(high, 1)) {
          continue;
        }
        if (!partial && at(e).size == 2 && low != high) {
          continue;
        }
        source_[static_cast<std::size_t>(e)] = {at(e).holds(0) ? low : -1,
                                                at(e).holds(1) ? high : -1};
        choose_sources(e + 1);
      }
    }
  }

  void sources_chosen() {
    rf_.clear();
    seen_.clear();
    for (int e = 0; e < n_; ++e) {
      for (const int w : source_[static_cast<std::size_t>(e)]) {
        if (at(e).what == 'R' && w >= 0) {
          rf_.emplace(w, e);
        }
      }
    }
    // No-Thin-Air.
    pairs dependencies = rf_;
    for (int e = 0; e < n_; ++e) {
      for (const int r : at(e).data) {
        dependencies.emplace(r, e);
      }
      for (const int r : at(e).ctrl) {
        dependencies.emplace(r, e);
      }
    }
    if (cyclic(dependencies)) {
      return;
    }
    for (const demand& d : r_.demands) {
      if (d.read < 0 || (value(d.read) == d.value) != d.equal) {
        return;
      }
    }
    fences_.clear();
    for (int a = 0; a < n_; ++a) {
      for (int b = a + 1; b < n_; ++b) {
        if (at(a).what == 'F' && at(b).what == 'F' && at(a).order == order::sc &&
            at(b).order == order::sc && ms_.contains({a, b})) {
          fences_.emplace_back(a, b);
        }
      }
    }
    choose_fences();
  }

  /// What an access reads or writes; no value depends on itself here.
  [[nodiscard]] std::int64_t value(int e) const {
    if (at(e).thread < 0) {
      return 0;
    }
    if (at(e).what == 'W') {
      return cut(at(e).constant + (at(e).value_of >= 0 ? value(at(e).value_of) : 0), at(e).size);
    }
    std::int64_t v = 0;
    for (unsigned byte = 0; byte < 2; ++byte) {
      if (const int w = source_[static_cast<std::size_t>(e)][byte]; w >= 0) {
        v |= (value(w) >> (8 * (byte - at(w).offset)) & 0xff) << (8 * (byte - at(e).offset));
      }
    }
    return v;
  }

  // Every order of every pair of fences that has one.
  void choose_fences() {
    for (unsigned choice = 0; choice < 1U << fences_.size(); ++choice) {
      sc_.clear();
      for (std::size_t k = 0; k < fences_.size(); ++k) {
        sc_.insert((choice >> k & 1U) != 0 ? pair(fences_[k].second, fences_[k].first)
                                           : fences_[k]);
      }
      if (!cyclic(sc_)) {
        fences_chosen();
      }
    }
  }

  void fences_chosen() {
    observe();
    synchronize();
    base_ = closed(united(r_.po, sync_));
    // Fence-SC.
    for (const auto& [a, b] : sc_) {
      if (base_.contains({b, a})) {
        return;
      }
    }
    cause_.clear();
    pairs preserved;
    for (const auto& [a, b] : base_) {
      if (overlap(a, b)) {
        preserved.emplace(a, b);
      }
    }
    cause_ = united(preserved, composed(obs_, preserved));
    choose_coherence();
  }

  void observe() {
    obs_.clear();
    for (const auto& p : rf_) {
      if (ms_.contains(p)) {
        obs_.insert(p);
      }
    }
    for (std::size_t before = 0; before != obs_.size();) {
      before = obs_.size();
      obs_ = united(obs_, composed(composed(obs_, r_.rmw), obs_));
    }
  }

  void synchronize() {
    pairs release;
    pairs acquire;
    for (int a = 0; a < n_; ++a) {
      for (int b = 0; b < n_; ++b) {
        const bool same_place = at(a).memory() && at(b).memory() && overlap(a, b);
        if (at(b).what == 'W' && at(b).thread >= 0 && at(b).strong() && at(a).releases() &&
            at(a).what != 'R' &&
            (a == b || (r_.po.contains({a, b}) &&
                        (at(a).what == 'F' || (at(a).what == 'W' && same_place))))) {
          release.emplace(a, b);
        }
        if (at(a).what == 'R' && at(a).strong() && !at(a).of_red && at(b).acquires() &&
            at(b).what != 'W' &&
            (a == b || (r_.po.contains({a, b}) &&
                        (at(b).what == 'F' || (at(b).what == 'R' && same_place))))) {
          acquire.emplace(a, b);
        }
      }
    }
    sync_ = sc_;
    for (const auto& [first, w] : release) {
      for (const auto& [r, last] : acquire) {
        if (obs_.contains({w, r}) && ms_.contains({first, last})) {
          sync_.emplace(first, last);
        }
      }
    }
  }

  // Every order of every pair of writes that has one.
  void choose_coherence() {
    std::vector<pair> undecided;
    for (int a = 0; a < n_; ++a) {
      for (int b = a + 1; b < n_; ++b) {
        if (at(a).what == 'W' && at(b).what == 'W' && overlap(a, b) && ms_.contains({a, b})) {
          undecided.emplace_back(a, b);
        }
      }
    }
    std::set<pairs> seen;
    for (unsigned choice = 0; choice < 1U << undecided.size(); ++choice) {
      pairs co;
      for (std::size_t k = 0; k < undecided.size(); ++k) {
        co.insert((choice >> k & 1U) != 0 ? pair(undecided[k].second, undecided[k].first)
                                          : undecided[k]);
      }
      for (int a = 0; a < n_; ++a) {
        for (int b = 0; b < n_; ++b) {
          if (at(a).what == 'W' && at(b).what == 'W' && overlap(a, b) && a != b &&
              (cause_.contains({a, b}) || (at(a).thread < 0 && at(b).thread >= 0))) {
            co.emplace(a, b); // Coherence, and the initial value first
          }
        }
      }
      co_ = closed(co);
      if (!reflexive(co_) && seen.insert(co_).second && axioms_hold()) {
        consistent();
      }
    }
  }

  [[nodiscard]] bool axioms_hold() {
    fr_.clear();
    for (int r = 0; r < n_; ++r) {
      for (unsigned byte = 0; byte < 2; ++byte) {
        if (const int from = source_[static_cast<std::size_t>(r)][byte]; from >= 0) {
          for (int w = 0; w < n_; ++w) {
            if (at(w).what == 'W' && at(w).location == at(r).location && at(w).holds(byte) &&
                co_.contains({from, w})) {
              fr_.emplace(r, w);
            }
          }
        }
      }
    }
    // Single-copy atomicity: not some bytes of a write and older ones besides.
    for (const auto& [w, r] : rf_) {
      if (ms_.contains({w, r}) && fr_.contains({r, w})) {
        return false;
      }
    }
    // Atomicity of read-modify-writes: no write between the halves.
    for (const auto& [r, w] : r_.rmw) {
      for (int between = 0; between < n_; ++between) {
        if (fr_.contains({r, between}) && ms_.contains({r, between}) &&
            co_.contains({between, w}) && ms_.contains({between, w})) {
          return false;
        }
      }
    }
    // Causality.
    if (reflexive(cause_)) {
      return false;
    }
    for (const auto& [a, b] : united(rf_, fr_)) {
      if (cause_.contains({b, a})) {
        return false;
      }
    }
    return per_location({}, 0);
  }

  /// Sequential consistency per location, as the text has it: in no set of overlapping, pairwise
  /// morally strong operations does communication contradict program order.
  [[nodiscard]] bool per_location(const std::vector<int>& set, int next) const {
    for (int e = next; e < n_; ++e) {
      if (!at(e).memory() || std::ranges::any_of(set, [&](int o) {
            return !overlap(o, e) || !ms_.contains({o, e});
          })) {
        continue;
      }
      std::vector<int> larger = set;
      larger.push_back(e);
      pairs order;
      for (const int a : larger) {
        for (const int b : larger) {
          if (r_.po.contains({a, b}) || rf_.contains({a, b}) || co_.contains({a, b}) ||
              fr_.contains({a, b})) {
            order.emplace(a, b);
          }
        }
      }
      if (cyclic(order) || !per_location(larger, e + 1)) {
        return false;
      }
    }
    return true;
  }

  void consistent() {
    bool race = false;
    // An atomic is one operation: its read comes before what its write comes before.
    const pairs ordered = united(cause_, composed(r_.rmw, cause_));
    for (int a = 0; a < n_; ++a) {
      for (int b = 0; b < n_; ++b) {
        if (a != b && overlap(a, b) && (at(a).what == 'W' || at(b).what == 'W') &&
            at(a).thread >= 0 && at(b).thread >= 0 && !ms_.contains({a, b}) &&
            !ordered.contains({a, b}) && !ordered.contains({b, a})) {
          race = true;
          out_.mixed_size_race |= !same_bytes(a, b);
        }
      }
    }
    // The order of fences does not count.
    pairs order;
    for (const auto& [a, b] : co_) {
      if (ms_.contains({a, b})) {
        order.emplace(a, b);
      }
    }
    const auto [known, is_new] = seen_.try_emplace(std::move(order), false);
    out_.executions += is_new ? 1U : 0U;
    out_.racy += race && !known->second ? 1U : 0U;
    known->second |= race;
    std::vector<std::int64_t> state;
    for (const auto& registers : r_.registers) {
      for (const int read : registers) {
        state.push_back(read < 0 ? 0 : value(read));
      }
    }
    final_memory(state, 0, race);
  }

  /// Any last write of each location; of each byte, where some write overlaps it in part.
  void final_memory(const std::vector<std::int64_t>& state, unsigned location, bool race) {
    if (location == p_.locations) {
      out_.outcomes[state] |= race;
      return;
    }
    std::array<std::set<int>, 2> last;
    bool whole = true;
    for (int w = 0; w < n_; ++w) {
      if (at(w).what != 'W' || at(w).location != location) {
        continue;
      }
      whole &= at(w).size == 2;
      for (unsigned byte = 0; byte < 2; ++byte) {
        bool maximal = at(w).holds(byte);
        for (int v = 0; v < n_; ++v) {
          maximal &= !(co_.contains({w, v}) && at(v).holds(byte));
        }
        if (maximal) {
          last[byte].insert(w);
        }
      }
    }
    std::set<std::int64_t> values;
    for (const int low : last[0]) {
      for (const int high : last[1]) {
        if (!whole || low == high) {
          values.insert((value(low) & 0xff) | (value(high) >> (8 * (1 - at(high).offset)) & 0xff)
                                                  << 8);
        }
      }
    }
    for (const std::int64_t v : values) {
      std::vector<std::int64_t> longer = state;
      longer.push_back(v);
      final_memory(longer, location + 1, race);
    }
  }

  const program& p_;
  answer& out_;
  run r_;
  int n_ = 0;
  std::vector<std::array<int, 2>> source_; ///< by event and byte
  std::vector<pair> fences_;
  pairs ms_, rf_, sc_, obs_, sync_, base_, cause_, co_, fr_;
  std::map<pairs, bool>
      seen_; ///< of this reads-from, by the order of writes: whether it has a race
};

} // namespace

double cost(const program& p) {
  double sources = 1;
  std::array<double, 8> writes{};
  writes.fill(1);
  double fences = 0;
  double stores = 0;
  for (const thread& t : p.threads) {
    for (const instruction& i : t.code) {
      const bool writer = i.kind != kind::load && i.kind != kind::fence && i.kind != kind::guard;
      writes[i.location] += writer ? 1 : 0;
      stores += writer ? 1 : 0;
      fences += i.kind == kind::fence && i.order == order::sc ? 1 : 0;
      if (i.kind == kind::guard || i.kind == kind::compare_and_swap) {
        sources *= 2;
      }
    }
  }
  bool mixed = false;
  for (const thread& t : p.threads) {
    for (const instruction& i : t.code) {
      mixed |= i.size == 1;
    }
  }
  for (const thread& t : p.threads) {
    for (const instruction& i : t.code) {
      if (has_result(i) || i.kind == kind::red) {
        sources *=
            mixed && i.size == 2 ? writes[i.location] * writes[i.location] : writes[i.location];
      }
    }
  }
  return sources * (1 + fences * fences) * (1 + stores * stores);
}

answer ptx(const program& p) {
  answer out;
  judge(p, out).all();
  return out;
}

namespace {

struct machine {
  std::vector<std::size_t> next; ///< by thread
  std::vector<std::vector<std::int64_t>> registers;
  std::vector<std::int64_t> memory;

  friend auto operator<=>(const machine&, const machine&) = default;
};

/// Thread t takes its next step.
void step(machine& m, const program& p, std::size_t t) {
  const instruction& i = p.threads[t].code[m.next[t]++];
  std::vector<std::int64_t>& registers = m.registers[t];
  std::int64_t& cell = m.memory[i.location];
  const auto written = [&] {
    return i.from_register ? registers[i.source] : std::int64_t{i.source};
  };
  const std::int64_t old = cut(cell >> (8 * i.offset), i.size);
  const auto write = [&](std::int64_t v) {
    const std::int64_t mask = cut(-1, i.size) << (8 * i.offset);
    cell = (cell & ~mask) | cut(v, i.size) << (8 * i.offset);
  };
  if (i.kind == kind::guard) {
    if (registers[i.source] != i.operand) {
      m.next[t] = p.threads[t].code.size();
    }
    return;
  }
  const std::int64_t operand = i.from_register || i.kind == kind::store || i.kind == kind::exchange
                                   ? written()
                                   : std::int64_t{i.operand};
  if (has_result(i)) {
    registers[i.dst] = old;
  }
  if (i.kind == kind::store || i.kind == kind::exchange) {
    write(operand);
  } else if (i.kind == kind::add || i.kind == kind::red) {
    write(old + operand);
  } else if (i.kind == kind::compare_and_swap && old == cut(i.compare, i.size)) {
    write(operand);
  }
}

void explore(const machine& m, const program& p, std::set<machine>& seen, answer& out) {
  if (!seen.insert(m).second) {
    return;
  }
  bool ended = true;
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    if (m.next[t] == p.threads[t].code.size()) {
      continue;
    }
    ended = false;
    machine after = m;
    step(after, p, t);
    explore(after, p, seen, out);
  }
  if (!ended) {
    return;
  }
  std::vector<std::int64_t> state;
  for (const auto& registers : m.registers) {
    state.insert(state.end(), registers.begin(), registers.end());
  }
  state.insert(state.end(), m.memory.begin(), m.memory.end());
  out.outcomes.emplace(std::move(state), false);
}

} // namespace

answer interleavings(const program& p) {
  answer out;
  machine m;
  m.next.assign(p.threads.size(), 0);
  for (const unsigned n : p.registers) {
    m.registers.emplace_back(n, 0);
  }
  m.memory.assign(p.locations, 0);
  std::set<machine> seen;
  explore(m, p, seen, out);
  return out;
}

} // namespace tilesim::brute_force
