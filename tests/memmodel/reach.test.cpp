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

bool is_found(const litmus::test& t, const final_memory& end) {
  explore::litmus_threads threads(t, 1);
  sought wanted(t, end);
  explore::reach_counts counts;
  return explore::reach(threads, wanted, counts);
}

/// What memory may hold at the end of sequentially consistent executions.
std::set<final_memory> ends_of(const litmus::test& t) {
  const litmus::result all = litmus::enumerate(t, sc());
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

/// n threads, each of which puts its number, from 1, in x, and what was there in a place of its
/// own.
litmus::test chain(unsigned n) {
  std::string text = "PTX chain\n{ x=0; ";
  std::string threads;
  std::string exchanges;
  std::string stores;
  std::string last = "x == 0";
  for (unsigned t = 0; t < n; ++t) {
    const char* const between = t == 0 ? "" : " | ";
    text += fmt::format("y{}=0; ", t);
    threads += fmt::format("{}P{}@cta {},gpu 0", between, t, t);
    exchanges += fmt::format("{}atom.relaxed.gpu.exch r0, x, {}", between, t + 1);
    stores += fmt::format("{}st.weak y{}, r0", between, t);
    last += fmt::format(" /\\ y{} == 0", t);
  }
  return litmus::read_test(text + "}\n" + threads + " ;\n" + exchanges + " ;\n" + stores +
                           " ;\nexists (" + last + ")\n");
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
    const std::set<final_memory> ends = ends_of(t);
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
  CHECK(found * 10 > there * 6); // most others differ in the order of weak stores alone
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
