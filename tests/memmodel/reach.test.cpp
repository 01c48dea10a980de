// An execution that ends with given memory, looked for: what is found is one of the enumerator's,
// and where who has come when shows in memory it is found.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/reach.hpp"

#include "memmodel/brute_force.hpp"
#include "memmodel/explore/interleaving.hpp"
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/random_program.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace tilesim;
using namespace tilesim::memmodel;

namespace {

/// By location, each of one element.
using final_memory = std::vector<litmus::value>;

class sought final : public explore::wanted_memory {
public:
  sought(const litmus::test& t, final_memory end)
      : test_(t)
      , end_(std::move(end)) {}

  [[nodiscard]] std::optional<std::uint64_t> at(const byte_range& bytes) const override {
    for (std::size_t i = 0; i < end_.size(); ++i) {
      if (bytes == range_of(i)) {
        return low(i, static_cast<std::uint64_t>(end_[i]));
      }
    }
    return {};
  }
  [[nodiscard]] bool all_changes(const std::function<bool(std::uint64_t)>& is_so) const override {
    for (std::size_t i = 0; i < end_.size(); ++i) {
      const std::uint64_t before =
          low(i, static_cast<std::uint64_t>(test_.locations[i].initial.front()));
      const std::uint64_t changed = low(i, static_cast<std::uint64_t>(end_[i])) ^ before;
      for (std::uint32_t b = 0; b < range_of(i).size; ++b) {
        if ((changed >> (8 * b) & 0xffU) != 0 && !is_so(range_of(i).address + b)) {
          return false;
        }
      }
    }
    return true;
  }
  [[nodiscard]] bool is_reached(const explore::interleaving& by) override {
    for (std::size_t i = 0; i < end_.size(); ++i) {
      if (by.value(range_of(i)) != low(i, static_cast<std::uint64_t>(end_[i]))) {
        return false;
      }
    }
    return true;
  }

private:
  [[nodiscard]] byte_range range_of(std::size_t i) const {
    const litmus::location& l = test_.locations[i];
    return {l.address, static_cast<std::uint32_t>(l.type.size)};
  }
  [[nodiscard]] std::uint64_t low(std::size_t i, std::uint64_t value) const {
    const std::uint32_t bits = range_of(i).size * 8;
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  }

  const litmus::test& test_;
  final_memory end_;
};

explore::reached sought_end(const litmus::test& t, const final_memory& end) {
  explore::litmus_threads threads(t, 1);
  sought wanted(t, end);
  explore::reach_counts counts;
  int steps = 0;
  constexpr int most_steps = 2'000; // numbers that a thread copies and others add to have no end
  return explore::reach(threads, wanted, counts, [&] { return ++steps > most_steps; });
}

bool is_found(const litmus::test& t, const final_memory& end) {
  return sought_end(t, end) == explore::reached::one_is;
}

/// What memory may hold at the end of executions that the model allows.
std::set<final_memory> ends_of(const litmus::test& t, const model& m) {
  const litmus::result all = litmus::enumerate(t, m);
  REQUIRE((!all.mixed_size_race && !all.bound_reached));
  std::set<final_memory> out;
  for (const auto& [state, count] : all.outcomes) {
    final_memory end(t.locations.size());
    for (std::size_t i = 0; i < all.observables.size(); ++i) {
      if (!all.observables[i].thread) {
        end[all.observables[i].index] = state[i];
      }
    }
    out.insert(end);
  }
  return out;
}

/// n threads, of which each does `update(its number, from 1)` with r0 for what was in x, and leaves
/// that in a place of its own.
template <class F>
litmus::test updates(unsigned n, const char* type, const F& update) {
  std::string text = fmt::format("PTX updates\n{{ {} x=0; ", type);
  std::string threads;
  std::string all;
  std::string stores;
  std::string last = "x == 0";
  for (unsigned t = 0; t < n; ++t) {
    const char* const between = t == 0 ? "" : " | ";
    text += fmt::format("{} y{}=0; ", type, t);
    threads += fmt::format("{}P{}@cta {},gpu 0", between, t, t);
    all += fmt::format("{}{}", between, update(t + 1));
    stores += fmt::format("{}st.weak.{} y{}, r0", between, type, t);
    last += fmt::format(" /\\ y{} == 0", t);
  }
  return litmus::read_test(text + "}\n" + threads + " ;\n" + all + " ;\n" + stores +
                           " ;\nexists (" + last + ")\n");
}

/// Each puts its number there.
litmus::test chain(unsigned n) {
  return updates(
      n, "s32", [](unsigned t) { return fmt::format("atom.relaxed.gpu.exch.s32 r0, x, {}", t); });
}

/// Each adds so much.
litmus::test counter(unsigned n, const char* type, unsigned step) {
  return updates(n, type, [&](unsigned) {
    return fmt::format("atom.relaxed.gpu.add.{} r0, x, {}", type, step);
  });
}

bool is_excluded(const litmus::test& t, const final_memory& end) {
  return sought_end(t, end) == explore::reached::none_is;
}

} // namespace

TEST_CASE("reach: what is found of random programs is an interleaving's end") {
  std::mt19937 random(11);
  std::size_t there = 0;
  std::size_t found = 0;
  std::size_t others = 0;
  for (int i = 0; i < 2'000;) {
    const random_programs::program p =
        random_programs::random_program(random, {3, 2, 3, false, true});
    if (brute_force::cost(p) > 3'000) {
      continue;
    }
    ++i;
    const std::string text = random_programs::text_of(p);
    const litmus::test t = litmus::read_test(text);
    const std::set<final_memory> ends = ends_of(t, sc());
    CAPTURE(text);
    for (const final_memory& end : ends) {
      ++there;
      found += is_found(t, end) ? 1U : 0U;
      for (std::size_t l = 0; l < end.size(); ++l) {
        final_memory other = end;
        other[l] ^= 1;
        if (!ends.contains(other)) {
          ++others;
          REQUIRE(!is_found(t, other));
        }
      }
    }
  }
  INFO(fmt::format("{} of {}, and {} others", found, there, others));
  CHECK(others > 4'000);
  CHECK(found * 10 > there * 9); // most others are weak executions
}

TEST_CASE("reach: what is told to be no end is none of any execution that the model allows") {
  std::mt19937 random(12);
  std::size_t allowed = 0;
  std::size_t others = 0;
  std::size_t none = 0;
  for (int i = 0; i < 1'500;) {
    const auto one_of = [&](unsigned from, unsigned n) {
      return from + random_programs::below(random, n);
    };
    const random_programs::shape shape{.threads = one_of(2, 3),
                                       .locations = one_of(1, 2),
                                       .instructions = one_of(2, 3),
                                       .mixed_sizes = false,
                                       .guards = one_of(0, 2) == 0};
    const random_programs::program p = random_programs::random_program(random, shape);
    if (brute_force::cost(p) > 3'000) {
      continue;
    }
    ++i;
    const std::string text = random_programs::text_of(p);
    const litmus::test t = litmus::read_test(text);
    std::set<final_memory> ends = ends_of(t, ptx());
    ends.merge(ends_of(t, ptx_values()));
    CAPTURE(text);
    for (const final_memory& end : ends) {
      ++allowed;
      CAPTURE(fmt::format("{}", fmt::join(end, " ")));
      REQUIRE(sought_end(t, end) != explore::reached::none_is);
      for (std::size_t l = 0; l < end.size(); ++l) {
        final_memory other = end;
        other[l] = static_cast<litmus::value>(one_of(0, 6));
        if (!ends.contains(other)) {
          ++others;
          none += sought_end(t, other) == explore::reached::none_is ? 1U : 0U;
        }
      }
    }
  }
  INFO(fmt::format("{} allowed, {} others, of which {} are told", allowed, others, none));
  CHECK(none * 10 > others * 8);
}

TEST_CASE("reach: every order of exchanges is found, and none that has no beginning") {
  const litmus::test t = chain(5);
  std::vector<litmus::value> order(5);
  std::iota(order.begin(), order.end(), 1);
  do {
    final_memory end(6);
    end[0] = order.back();
    for (std::size_t i = 0; i < order.size(); ++i) {
      end[static_cast<std::size_t>(order[i])] = i == 0 ? 0 : order[i - 1];
    }
    REQUIRE(is_found(t, end));
    final_memory round = end;
    round[static_cast<std::size_t>(order[0])] = order.back(); // behind the last one
    REQUIRE(!is_found(t, round));
    final_memory torn = end;
    torn[0] = order.front();
    REQUIRE(!is_found(t, torn));
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE(
    "reach: every order of tickets is found, and lost ones and those that two have are told") {
  const litmus::test t = counter(6, "s32", 1);
  std::vector<litmus::value> order(6);
  std::iota(order.begin(), order.end(), 0);
  do {
    final_memory end{6};
    end.insert(end.end(), order.begin(), order.end());
    REQUIRE(is_found(t, end));
    final_memory lost = end;
    lost[0] = 5;
    REQUIRE(is_excluded(t, lost));
    final_memory of_two = end;
    of_two[1] = end[2];
    REQUIRE(is_excluded(t, of_two));
    final_memory beyond = end;
    beyond[1] = 6;
    REQUIRE(is_excluded(t, beyond));
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("reach: a number that goes round comes to the same again") {
  const litmus::test t = counter(2, "u8", 128);
  CHECK(is_found(t, {0, 0, -128}));
  CHECK(is_found(t, {0, -128, 0}));
  CHECK(is_excluded(t, {0, 0, 0}));
  CHECK(is_excluded(t, {-128, 0, -128}));
  const litmus::test more = counter(4, "u8", 128);
  CHECK(is_found(more, {0, 0, -128, 0, -128}));
  CHECK(is_excluded(more, {0, 0, -128, 0, 0}));
}

TEST_CASE("reach: a weak read may take what comes behind its own thread's addition") {
  const litmus::test t = litmus::read_test(R"(PTX behind
{ x=0; y=0; }
P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
ld.weak r0, x | red.relaxed.gpu.add x, 2 ;
red.relaxed.gpu.add x, 1 | ;
st.weak y, r0 | ;
exists (x == 0)
)");
  const std::set<final_memory> ends = ends_of(t, ptx());
  for (litmus::value seen = 0; seen < 5; ++seen) {
    const final_memory end{3, seen};
    CAPTURE(seen);
    CHECK((!ends.contains(end) || !is_excluded(t, end)));
    CHECK(is_excluded(t, {2, seen}));
  }
  CHECK(is_excluded(t, {3, 4}));
}

TEST_CASE("reach: pairs that look at each other, whoever is first") {
  std::string text = "PTX pairs\n{ ";
  std::string threads;
  std::string stores;
  std::string loads;
  std::string kept;
  for (unsigned t = 0; t < 12; ++t) {
    const char* const between = t == 0 ? "" : " | ";
    text += fmt::format("x{}=0; y{}=0; ", t, t);
    threads += fmt::format("{}P{}@cta {},gpu 0", between, t, t);
    stores += fmt::format("{}st.relaxed.gpu x{}, 1", between, t);
    loads += fmt::format("{}ld.relaxed.gpu r0, x{}", between, t ^ 1U);
    kept += fmt::format("{}st.weak y{}, r0", between, t);
  }
  const litmus::test t = litmus::read_test(text + "}\n" + threads + " ;\n" + stores + " ;\n" +
                                           loads + " ;\n" + kept + " ;\nexists (x0 == 0)\n");
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i) {
    final_memory end(24, 1);
    for (std::size_t pair = 0; pair < 6; ++pair) {
      const unsigned who = random_programs::below(random, 3); // or both see the other
      if (who < 2) {
        end[(2 * pair + who) * 2 + 1] = 0;
      }
    }
    CHECK(is_found(t, end));
    end[1] = 2;
    CHECK(is_excluded(t, end));
  }
}
