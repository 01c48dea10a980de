// Threads that are alike: of the executions that differ in which of them does what some are left
// out, never all.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/brute_force.hpp"
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/passing_threads.hpp"
#include "memmodel/random_program.hpp"
#include "memmodel/seen.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace tilesim;
using namespace tilesim::memmodel;

namespace {

/// The threads of a litmus test, of which the first so many are alike.
class alike_threads final : public passing_threads {
public:
  alike_threads(const litmus::test& t, std::uint32_t alike)
      : passing_threads(t)
      , alike_(alike) {}

  [[nodiscard]] std::vector<std::uint32_t> alike() const override {
    std::vector<std::uint32_t> out;
    for (std::uint32_t t = 0; t < places().size(); ++t) {
      out.push_back(t < alike_ ? 0 : t);
    }
    return out;
  }

private:
  std::uint32_t alike_;
};

/// The same for all that differ in which of the first threads does what.
seen up_to_names(const explore::found_execution& x, std::uint32_t alike) {
  std::vector<thread_id> names;
  for (thread_id t = 0; t < alike; ++t) {
    names.push_back(t);
  }
  seen least = seen_of(x, names);
  while (std::ranges::next_permutation(names).found) {
    least = std::min(least, seen_of(x, names));
  }
  return least;
}

struct found {
  std::set<seen> classes;
  std::size_t executions = 0;
};

found explored(const litmus::test& t, std::uint32_t alike, const explore::settings& s) {
  alike_threads program(t, alike);
  explore::explorer all(program, s);
  found out;
  std::set<seen> each;
  const auto keep = [&](const explore::found_execution& x) {
    CHECK(each.insert(seen_of(x, {})).second);
    out.classes.insert(up_to_names(x, alike));
    ++out.executions;
    return true;
  };
  all.run(keep, keep);
  return out;
}

struct totals {
  std::size_t all = 0;
  std::size_t symmetric = 0;
  std::size_t classes = 0;
};

void compare(const std::string& text, std::uint32_t alike, totals& sum) {
  CAPTURE(text, alike);
  const litmus::test t = litmus::read_test(text);
  for (const model* m : {&ptx(), &sc()}) {
    for (const std::optional<std::size_t> bound : {std::optional<std::size_t>(), {0}, {1}}) {
      CAPTURE(m->name, bound.value_or(99));
      const found full = explored(t, alike, {m, false, bound, false});
      const found few = explored(t, alike, {m, false, bound, true});
      REQUIRE(few.classes == full.classes);
      REQUIRE(few.executions <= full.executions);
      sum.all += full.executions;
      sum.symmetric += few.executions;
      sum.classes += full.classes.size();
    }
  }
}

/// A random program whose first threads have one code, and stand to all others alike.
random_programs::program with_alike(std::mt19937& random, unsigned threads, unsigned alike) {
  random_programs::program p =
      random_programs::random_program(random, {threads, 2, 3, false, true});
  while (p.threads.size() != threads) {
    p = random_programs::random_program(random, {threads, 2, 3, false, true});
  }
  const unsigned where = random_programs::below(random, 3);
  for (unsigned t = 0; t < threads; ++t) {
    random_programs::thread& it = p.threads[t];
    if (t < alike) {
      it.code = p.threads[0].code;
      p.registers[t] = p.registers[0];
      it.gpu = 0;
      it.cluster = where == 0 ? t : 0;
      it.cta = where == 1 ? t : 0;
    } else {
      it.gpu = random_programs::below(random, 2);
      it.cluster = 9;
      it.cta = 9;
    }
  }
  return p;
}

/// n threads, each with the same one instruction.
std::string each(unsigned n, const std::string& instruction) {
  std::string text = "PTX each\n{ x=0; }\n";
  std::string row;
  for (unsigned p = 0; p < n; ++p) {
    text += fmt::format("{} P{}@cta {},gpu 0", p == 0 ? "" : " |", p, p);
    row += fmt::format("{} {}", p == 0 ? "" : " |", instruction);
  }
  return text + " ;\n" + row + " ;\nexists (x == 0)\n";
}

} // namespace

TEST_CASE("symmetry: of random programs no execution is missing, but for the names of threads") {
  const auto [threads, alike, programs] =
      GENERATE(std::tuple(2U, 2U, 800), std::tuple(3U, 2U, 600), std::tuple(3U, 3U, 600));
  std::mt19937 random(500 + 10 * threads + alike);
  totals sum;
  for (int i = 0; i < programs;) {
    const random_programs::program p = with_alike(random, threads, alike);
    if (brute_force::cost(p) > 3'000) {
      continue;
    }
    ++i;
    compare(random_programs::text_of(p), alike, sum);
  }
  CAPTURE(sum.all, sum.symmetric, sum.classes);
  // Most of what can be left out is.
  CHECK((sum.symmetric - sum.classes) * 2 < sum.all - sum.classes);
}

// By hand: `memmodel_explore_tests '[many]'`.
TEST_CASE("symmetry: many random programs", "[.][many]") {
  std::mt19937 random(GENERATE(range(1U, 11U)));
  totals sum;
  for (int i = 0; i < 10'000;) {
    const unsigned threads = 2 + random_programs::below(random, 3);
    const unsigned alike = 2 + random_programs::below(random, threads - 1);
    const random_programs::program p = with_alike(random, threads, alike);
    if (brute_force::cost(p) > 5'000) {
      continue;
    }
    ++i;
    compare(random_programs::text_of(p), alike, sum);
  }
}

TEST_CASE("symmetry: numbers that are known") {
  const auto executions = [](unsigned n, const std::string& instruction) {
    return explored(litmus::read_test(each(n, instruction)), n, {&ptx(), false, {}, true})
        .executions;
  };
  for (unsigned n = 1; n <= 7; ++n) {
    CAPTURE(n);
    CHECK(executions(n, "atom.relaxed.gpu.add r0, x, 1") == 1);
    CHECK(executions(n, "st.relaxed.gpu x, 1") == 1);
    CHECK(executions(n, "st.weak x, 1") == 1);
    // One takes the place of 0; to which of the others it was given first makes no difference.
    CHECK(executions(n, "atom.relaxed.gpu.cas r0, x, 0, 1") == 1);
  }
}
