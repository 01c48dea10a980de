// Makes mutants of litmus tests.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tilesim::tools {

using namespace memmodel::litmus;
using memmodel::memory_order;
using memmodel::scope;

namespace {

/// Bounds one enumeration: a mutant that takes longer is left out.
constexpr std::uint64_t most_candidates = 2'000'000;

class mutant_maker {
public:
  explicit mutant_maker(const test& t)
      : test_(t) {}

  std::vector<mutant> make() {
    for (thread_ = 0; thread_ < test_.threads.size(); ++thread_) {
      for (code_ = 0; code_ < test_.threads[thread_].code.size(); ++code_) {
        const instruction& i = test_.threads[thread_].code[code_];
        if (i.op == opcode::fence) {
          fence(i);
          scopes(i);
        } else if (i.op == opcode::load || i.op == opcode::store || i.op == opcode::rmw) {
          access(i);
          if (i.order != memory_order::weak) {
            scopes(i);
          }
        }
      }
    }
    return std::move(out_);
  }

private:
  void access(const instruction& i) {
    if (i.order == memory_order::acq_rel) {
      order(memory_order::acquire, "acq_rel to acquire");
      order(memory_order::release, "acq_rel to release");
    } else if (i.order == memory_order::acquire) {
      order(memory_order::relaxed, "acquire to relaxed");
    } else if (i.order == memory_order::release) {
      order(memory_order::relaxed, "release to relaxed");
    } else if (i.order == memory_order::relaxed && i.op != opcode::rmw) {
      order(memory_order::weak, "relaxed to weak");
    }
  }

  void fence(const instruction& i) {
    if (i.order == memory_order::sc) {
      order(memory_order::acq_rel, "sc to acq_rel");
    }
    if (i.order == memory_order::acq_rel) {
      order(memory_order::acquire, "acq_rel to acquire");
      order(memory_order::release, "acq_rel to release");
    }
    add("fence left away", [](instruction& left) {
      left = instruction{}; // a move of a constant into no register
      left.op = opcode::branch;
      left.operation = binary::ne;
      left.a.constants = left.b.constants = {0};
    });
  }

  void scopes(const instruction& i) {
    if (i.scope == scope::sys) {
      narrower(scope::gpu, "sys to gpu");
    }
    if (i.scope == scope::sys || i.scope == scope::gpu) {
      narrower(scope::cta, i.scope == scope::sys ? "sys to cta" : "gpu to cta");
    }
    if (i.scope == scope::cluster) {
      narrower(scope::cta, "cluster to cta");
    }
  }

  void order(memory_order o, const char* what) {
    add(what, [o](instruction& i) { i.order = o; });
  }
  void narrower(scope s, const char* what) {
    add(what, [s](instruction& i) { i.scope = s; });
  }

  template <class F>
  void add(const char* what, F change) {
    mutant m{fmt::format("{}.{} {}", test_.threads[thread_].name, code_, what), test_};
    instruction& i = m.test.threads[thread_].code[code_];
    const position at = i.at;
    i.text.clear(); // written from what it says now: no volatile access, no membar
    change(i);
    i.at = at;
    i.target = i.op == opcode::branch ? static_cast<std::uint32_t>(code_ + 1) : i.target;
    out_.push_back(std::move(m));
  }

  const test& test_;
  std::size_t thread_ = 0, code_ = 0;
  std::vector<mutant> out_;
};

} // namespace

std::vector<mutant> mutants_of(const test& t) {
  return mutant_maker(t).make();
}

allowed_states allowed_by(const test& t, const memmodel::model& m) {
  allowed_states out;
  limits l;
  l.candidates = most_candidates;
  try {
    const result r = enumerate(t, m, l);
    for (const auto& [state, count] : r.outcomes) {
      out.states.insert(state);
    }
    out.everything = r.mixed_size_race;
    out.cut = r.bound_reached;
  } catch (const limit_reached& reached) {
    out.limit = reached.what;
  }
  return out;
}

state_set killing_states(const allowed_states& original, const allowed_states& of) {
  state_set out;
  const auto answers = [](const allowed_states& a) {
    return a.limit.empty() && !a.everything && !a.cut;
  };
  if (answers(original) && answers(of)) {
    std::ranges::set_difference(of.states, original.states, std::inserter(out, out.end()));
  }
  return out;
}

} // namespace tilesim::tools
