// Sampled executions of litmus tests against the reference enumerator: none that the model forbids,
// and all whose program order, reads-from, coherence and order of fences go one way.
//
// That is what sampling makes: what is executed later is no read's source (load buffering), nor
// earlier in coherence order (as 2+2W needs), and elements of one operation come one after the
// other, with nobody's between them.
//
// SPDX-License-Identifier: Apache-2.0
#include "litmus_sampler.hpp"
#include "memmodel/litmus/final_states.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/litmus/search.hpp"
#include "memmodel/race.hpp"
#include "random_execution.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace {

using namespace tilesim;
using namespace tilesim::memmodel;
using litmus::value;
using states = std::set<std::vector<value>>;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Whether an execution can be performed operation by operation.
bool goes_one_way(const execution& x, const relations& r) {
  relation same(x.events.size()); // operation
  relation in_order(x.events.size());
  for (event_id a = 0; a < x.events.size(); ++a) {
    for (event_id b = 0; b < x.events.size(); ++b) {
      const event& p = x.events[a];
      const event& q = x.events[b];
      if (a == b || (!p.initial() && p.thread == q.thread && p.instruction == q.instruction)) {
        same.add(a, b);
        if (p.element < q.element) {
          in_order.add(a, b);
        }
      }
    }
  }
  relation across(x.events.size());

  same.then(x.po | x.rf | r.co | x.sc).then(same).for_each([&](event_id a, event_id b) {
    if (!same(a, b)) { // what happens inside an operation orders nothing outside it
      across.add(a, b);
    }
  });
  return !across.closure().reflexive_point() &&
         !(in_order | x.rf | r.co).closure().reflexive_point();
}

struct allowed {
  states all;
  states in_order; ///< of executions that go one way
  bool racy = false;
};

allowed allowed_by_model(const litmus::test& t) {
  allowed out;
  const std::vector<litmus::observable> observables = litmus::all_observables(t);
  const litmus::limits limits;
  litmus::search s(t, ptx(), limits);
  s.wanted = litmus::finished;
  s.on_consistent = [&](const execution& x, const relations& r) {
    out.racy = out.racy || find_race(r).has_value();
    const bool one_way = goes_one_way(x, r);
    litmus::final_states(t, observables)
        .for_each(s.chosen, x, r, [&](const std::vector<value>& state) {
          out.all.insert(state);
          if (one_way) {
            out.in_order.insert(state);
          }
        });
  };
  s.run(litmus::all_traces(t, limits));
  return out;
}

std::string shown(const states& all) {
  std::string out;
  for (const auto& state : all) {
    for (const value v : state) {
      out += std::to_string(v) + " ";
    }
    out += "\n";
  }
  return out;
}

states without(const states& a, const states& b) {
  states out;
  std::ranges::set_difference(a, b, std::inserter(out, out.end()));
  return out;
}

} // namespace

// For more executions of each: TILESIM_OLDER_SAMPLES=100000
TEST_CASE("sampled outcomes of litmus tests are those of the executions that go one way") {
  const auto samples = random_executions::setting("TILESIM_OLDER_SAMPLES", 30000);
  std::size_t equal = 0;
  std::size_t racy = 0;
  std::vector<std::string> wrong;
  for (const char* folder : {"ptx", "tile"}) {
    for (const auto& file : std::filesystem::directory_iterator(
             std::filesystem::path(TILESIM_LITMUS_TESTS) / folder)) {
      if (file.path().extension() != ".litmus") {
        continue;
      }
      const litmus::test t = litmus::read_test(text_of(file.path()));
      if (litmus_sampler::obstacle(t) != nullptr) {
        continue;
      }
      const allowed want = allowed_by_model(t);
      states seen;
      bool found_racy = false;
      sim::rng draw(7);
      for (std::uint64_t i = 0; i < samples; ++i) {
        if (i >= samples / 100 && (want.racy || seen == want.in_order)) {
          break; // nothing more is expected
        }
        auto one = litmus_sampler::sample(t, draw);
        found_racy = found_racy || one.racy;
        seen.insert(std::move(one.state));
      }
      const std::string name = file.path().filename().string();
      if (const states forbidden = without(seen, want.all); !forbidden.empty()) {
        wrong.push_back(name + ": forbidden:\n" + shown(forbidden));
      }
      // Of racing writes the model does not say which is the last, nor who sees which.
      if (want.racy) {
        ++racy;
        continue;
      }
      if (found_racy) {
        wrong.push_back(name + ": a race in a test that has none");
      }
      if (seen != want.in_order) {
        wrong.push_back(name + ": missing:\n" + shown(without(want.in_order, seen)) +
                        "too many:\n" + shown(without(seen, want.in_order)));
      }
      ++equal;
    }
  }
  std::string text;
  for (const std::string& w : wrong) {
    text += w;
  }
  INFO(text);
  CHECK(wrong.empty());
  CHECK(equal > 60);
  CHECK(racy > 40);
}
