// Explorations in parts: together they are the whole, each execution once, in the same order.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/brute_force.hpp"
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/random_program.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

using namespace tilesim;
using namespace tilesim::memmodel;
using explore::part;
using explore::pass;

namespace {

/// An execution by what its reads take and from whom.
using seen = std::vector<std::tuple<thread_id, std::uint64_t, std::uint64_t, std::uint64_t>>;

seen seen_of(const explore::found_execution& x) {
  seen out;
  for (event_id e = 0; e < x.what.size(); ++e) {
    const graph_event& it = x.what[e];
    const event_id from = it.source[0];
    out.emplace_back(it.what.thread,
                     it.tag,
                     it.what.value,
                     from < initial_write ? x.what[from].tag * 8 + x.what[from].what.thread
                                          : ~0ULL);
  }
  return out;
}

/// What an explorer finds in a part, and what it leaves: of a pass with load buffering the
/// executions that have it, by name.
struct found {
  std::vector<seen> executions;
  std::set<explore::execution_name> names;
  std::vector<part> rest;
  double share = 0;
};

found explore_part(const litmus::test& t,
                   const model& m,
                   pass which,
                   const part& of,
                   const std::function<bool()>& stop) {
  explore::litmus_threads program(t, 1); // as another process would have it
  explore::explorer one(program, {&m, true});
  found out;
  const auto keep = [&](const explore::found_execution& x) {
    if (x.buffered) {
      CHECK(out.names.insert(x.name).second);
    } else {
      out.executions.push_back(seen_of(x));
    }
    return true;
  };
  explore::explorer::part_result r = one.run_part(which, of, keep, keep, stop);
  out.rest = std::move(r.rest);
  out.share = r.share;
  return out;
}

/// Parts, and parts that are left of them, in an order of chance.
found in_parts(const litmus::test& t,
               const model& m,
               pass which,
               std::vector<part> parts,
               std::mt19937& random) {
  std::map<part, found> all;
  while (!parts.empty()) {
    std::swap(parts[random() % parts.size()], parts.back());
    const part next = parts.back();
    parts.pop_back();
    unsigned left = random() % 8;
    const auto stop = [&] { return left-- == 0; };
    found here =
        explore_part(t, m, which, next, random() % 4 == 0 ? std::function<bool()>{} : stop);
    REQUIRE(std::ranges::is_sorted(here.rest));
    for (const part& p : here.rest) {
      REQUIRE(std::ranges::equal(next, std::span(p).first(std::min(p.size(), next.size()))));
      parts.push_back(p);
    }
    REQUIRE(all.emplace(next, std::move(here)).second);
  }
  found out;
  for (const auto& [name, here] : all) {
    std::ranges::copy(here.executions, std::back_inserter(out.executions));
    out.names.insert(here.names.begin(), here.names.end());
  }
  return out;
}

void compare(const std::string& text, std::mt19937& random) {
  const litmus::test t = litmus::read_test(text);
  CAPTURE(text);
  for (const model* m : {&ptx(), &sc()}) {
    for (const pass which : {pass::plain, pass::buffering}) {
      const found whole = explore_part(t, *m, which, {}, {});
      CHECK(whole.rest.empty());
      CHECK(std::abs(whole.share - 1) < 1e-9);
      const found begun = in_parts(t, *m, which, {{}}, random);
      REQUIRE(begun.executions == whole.executions);
      REQUIRE(begun.names == whole.names);

      explore::litmus_threads program(t, 1);
      explore::explorer divider(program, {m, true});
      const std::vector<part> parts = divider.divided(which, 5);
      REQUIRE(std::ranges::is_sorted(parts));
      REQUIRE(divider.divided(which, 5) == parts);
      const found divided = in_parts(t, *m, which, parts, random);
      REQUIRE(divided.executions == whole.executions);
      REQUIRE(divided.names == whole.names);
    }
  }
}

} // namespace

TEST_CASE("parts: of random programs they are the whole") {
  std::mt19937 random(GENERATE(1U, 2U));
  for (int i = 0; i < 300;) {
    const random_programs::program p =
        random_programs::random_program(random, {3, 2, 3, false, true});
    if (brute_force::cost(p) > 3'000) {
      continue;
    }
    ++i;
    compare(random_programs::text_of(p), random);
  }
}

TEST_CASE("parts: what nobody else sees makes none") {
  // P0's own places, and loads that have one write to take, are no choice.
  const std::string text = R"(PTX private
{ x=0; y=0; z=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
 st.relaxed.gpu z, 1  | st.relaxed.gpu y, 1  ;
 ld.relaxed.gpu r1, z | ld.relaxed.gpu r0, x ;
 st.relaxed.gpu x, 1  |                      ;
 ld.relaxed.gpu r0, y |                      ;
exists (P0:r0 == 0)
)";
  const litmus::test t = litmus::read_test(text);
  explore::litmus_threads program(t, 1);
  explore::explorer one(program, {&ptx(), false});
  CHECK(one.divided(pass::plain, 2).size() == 2);
  for (const part& p : one.divided(pass::plain, 100)) {
    CHECK(p.size() <= 2);
  }
  CHECK(one.divided(pass::plain, 100).size() == 4);
}
