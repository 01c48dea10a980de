// Blocks of several threads that are alike: of the executions that differ in which of them does
// what some are left out, never all.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/litmus.hpp"
#include "memmodel/litmus/reader.hpp"
#include "memmodel/passing_threads.hpp"
#include "memmodel/random_program.hpp"
#include "memmodel/seen.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tilesim;
using namespace tilesim::memmodel;
using random_programs::below;

namespace {

/// What the test is about: blocks of one code, then threads of their own.
struct program {
  unsigned blocks = 2;
  unsigned threads = 2;  ///< of a block
  unsigned compared = 0; ///< of them, the one that stands for its block
  unsigned before = 0;   ///< threads of another kernel that come first
  std::string text;
};

/// A random program, as text. Of a block each thread has code of its own, and what a block has for
/// itself is named by it: `s`, and `w` of each thread, which is written once and waited for.
class random_blocks {
public:
  explicit random_blocks(std::mt19937& random)
      : random_(random) {}

  program made(unsigned blocks, unsigned threads) {
    program p{blocks, threads, below(random_, threads), 0, {}};
    const unsigned barriers = below(random_, 3);
    const bool tells = below(random_, 3) == 0;
    std::vector<std::vector<std::string>> code; // by thread of a block
    for (unsigned t = 0; t < threads; ++t) {
      code.push_back(of_thread(t, threads, barriers, tells));
    }
    std::vector<std::vector<std::string>> columns;
    std::string heads;
    std::string names = "x=0; y=0;";
    const auto head = [&](unsigned block, unsigned gpu) {
      heads += fmt::format("{} P{}@cluster {},cta {},gpu {}",
                           columns.empty() ? "" : " |",
                           columns.size(),
                           block,
                           block,
                           gpu);
    };
    const auto add_other = [&] {
      head(blocks, below(random_, 2));
      columns.push_back(of_thread(0, 1, 0, false));
      std::erase_if(columns.back(),
                    [](const std::string& line) { return line.find('@') != std::string::npos; });
    };
    const unsigned other = below(random_, 6);
    if (other == 0) {
      p.before = 1;
      add_other();
    }
    for (unsigned b = 0; b < blocks; ++b) {
      names += fmt::format(" s{}=0;", b);
      for (unsigned t = 0; t < threads; ++t) {
        names += fmt::format(" w{}{}=0;", b, t);
        head(b, 0);
        columns.push_back(code[t]);
        for (std::string& line : columns.back()) {
          std::ranges::replace(line, '@', static_cast<char>('0' + b));
        }
      }
    }
    if (other == 1) {
      add_other();
    }
    p.text = "PTX blocks\n{ " + names + " }\n" + heads + " ;\n";
    for (unsigned line = 0; line < most_lines; ++line) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        p.text += (c == 0 ? " " : " | ") + (line < columns[c].size()    ? columns[c][line]
                                            : line == columns[c].size() ? std::string("END:")
                                                                        : std::string());
      }
      p.text += " ;\n";
    }
    p.text += "exists (x == 0)\n";
    return p;
  }

private:
  static constexpr unsigned most_lines = 12;

  [[nodiscard]] std::string one_of(const std::vector<std::string>& all) {
    return all[below(random_, static_cast<unsigned>(all.size()))];
  }
  std::string place() { return one_of({"x", "x", "y", "s@"}); }
  /// Of one block's threads, or of all.
  std::string scope() { return one_of({"cta", "cluster", "gpu", "gpu", "sys"}); }
  std::string value() {
    return results_ != 0 && below(random_, 2) == 0 ? fmt::format("r{}", below(random_, results_))
                                                   : fmt::format("{}", 1 + below(random_, 2));
  }
  std::string access(bool guards) {
    const std::string of = scope();
    switch (below(random_, guards && results_ != 0 ? 8 : 7)) {
    case 0:
    case 1: {
      const std::string how = one_of({"weak", "relaxed", "relaxed", "acquire"});
      return fmt::format(
          "ld.{} r{}, {}", how == "weak" ? how : how + "." + of, results_++, place());
    }
    case 2:
    case 3: {
      const std::string how = one_of({"weak", "relaxed", "relaxed", "release"});
      return fmt::format("st.{} {}, {}", how == "weak" ? how : how + "." + of, place(), value());
    }
    case 4:
      return fmt::format("fence.{}.{}", one_of({"acq_rel", "sc", "acquire", "release"}), of);
    case 5: {
      const std::string how = one_of({"relaxed", "acquire", "release", "acq_rel"});
      return fmt::format("atom.{}.{}.add r{}, {}, 1", how, of, results_++, place());
    }
    case 6:
      return fmt::format("atom.relaxed.{}.cas r{}, {}, {}, {}",
                         of,
                         results_++,
                         place(),
                         below(random_, 2),
                         1 + below(random_, 2));
    default:
      return fmt::format("bne r{}, {}, END", below(random_, results_), below(random_, 2));
    }
  }

  std::vector<std::string> of_thread(unsigned t, unsigned threads, unsigned barriers, bool tells) {
    results_ = 0;
    std::vector<std::string> out;
    const unsigned accesses = 1 + below(random_, threads > 2 ? 2 : 3);
    const unsigned told = below(random_, accesses);
    unsigned met = 0;
    for (unsigned k = 0; k < accesses; ++k) {
      while (met < barriers && below(random_, 2) == 0) {
        out.push_back(fmt::format("bar.cta.sync {}, 1, {}", 1 + met++, threads));
      }
      if (tells && k == told) {
        out.push_back(fmt::format("st.relaxed.cta w@{}, {}", t, value()));
        out.push_back(fmt::format("ld.relaxed.cta r{}, w@{}", results_++, (t + 1) % threads));
      }
      out.push_back(access(met == barriers && (!tells || k >= told)));
    }
    while (met < barriers) {
      out.push_back(fmt::format("bar.cta.sync {}, 1, {}", 1 + met++, threads));
    }
    return out;
  }

  std::mt19937& random_;
  unsigned results_ = 0; ///< of the thread's reads, so far
};

/// Thrown where a program takes too long.
struct too_large {};

/// The threads of such a program.
class blocks_of_threads final : public passing_threads {
public:
  blocks_of_threads(const litmus::test& t, const program& p)
      : passing_threads(t)
      , program_(p) {
    for (const litmus::location& l : t.locations) {
      if (l.name.starts_with('w')) {
        awaited_.insert(l.address);
      }
    }
  }

  [[nodiscard]] std::shared_ptr<const explore::instruction>
  next(thread_id t, std::span<const std::uint64_t> values, std::size_t performed) override {
    if (++asked_ > most_asked) {
      throw too_large{};
    }
    auto plain = passing_threads::next(t, values, performed);
    if (plain->kind != explore::step_kind::load ||
        !awaited_.contains(plain->elements[0].bytes.address)) {
      return plain;
    }
    return awaiting(*plain);
  }
  [[nodiscard]] std::vector<std::uint32_t> alike() const override {
    std::vector<std::uint32_t> out;
    for (std::uint32_t t = 0; t < places().size(); ++t) {
      const std::uint32_t n = t - program_.before;
      const bool stands = t >= program_.before && n < program_.blocks * program_.threads &&
                          n % program_.threads == program_.compared;
      out.push_back(stands ? program_.before + program_.compared : t);
    }
    return out;
  }

private:
  static constexpr std::size_t most_asked = 50'000;

  const program& program_;
  std::size_t asked_ = 0;
  std::set<std::uint64_t> awaited_;
};

/// The same execution with all names of blocks.
std::set<seen> orbit_of(const explore::found_execution& x, const program& p) {
  std::set<seen> out;
  std::vector<thread_id> blocks;
  for (unsigned b = 0; b < p.blocks; ++b) {
    blocks.push_back(b);
  }
  do {
    std::vector<thread_id> names;
    for (unsigned t = 0; t < p.before; ++t) {
      names.push_back(t);
    }
    for (const thread_id b : blocks) {
      for (unsigned t = 0; t < p.threads; ++t) {
        names.push_back(p.before + (b * p.threads) + t);
      }
    }
    out.insert(seen_of(x, names));
  } while (std::ranges::next_permutation(blocks).found);
  return out;
}

struct found {
  std::map<seen, std::size_t> classes; ///< up to the names of blocks: how many are in each
  std::size_t executions = 0;
  [[nodiscard]] std::size_t in_classes() const {
    std::size_t all = 0;
    for (const auto& [least, size] : classes) {
      all += size;
    }
    return all;
  }
};

constexpr std::size_t most_executions = 500;

/// Nothing: there are too many.
std::optional<found> explored(const litmus::test& t, const program& p, const explore::settings& s) {
  blocks_of_threads threads(t, p);
  explore::explorer all(threads, s);
  found out;
  std::set<seen> each;
  const auto keep = [&](const explore::found_execution& x) {
    CHECK(each.insert(seen_of(x, {})).second);
    const std::set<seen> orbit = orbit_of(x, p);
    out.classes.emplace(*orbit.begin(), orbit.size());
    return ++out.executions < most_executions;
  };
  try {
    return all.run(keep, keep) ? std::optional(out) : std::nullopt;
  } catch (const too_large&) {
    return {};
  }
}

struct totals {
  std::size_t programs = 0;
  std::size_t all = 0;
  std::size_t symmetric = 0;
  std::size_t classes = 0;
};

/// False: it is too large.
bool compare(const program& p, const explore::settings& s, totals& sum) {
  CAPTURE(p.text, p.blocks, p.threads, p.compared, s.judge->name, s.load_buffering);
  const litmus::test t = litmus::read_test(p.text);
  explore::settings with = s;
  with.symmetry = true;
  const std::optional<found> full = explored(t, p, s);
  if (!full) {
    return false;
  }
  const std::optional<found> few = explored(t, p, with);
  REQUIRE(few.has_value());
  REQUIRE(few->classes == full->classes);
  // With all names each has so many executions: together all of them.
  REQUIRE(few->in_classes() == full->executions);
  REQUIRE(few->executions <= full->executions);
  sum.all += full->executions;
  sum.symmetric += few->executions;
  sum.classes += full->classes.size();
  ++sum.programs;
  return true;
}

void compare_random(std::mt19937& random, std::size_t programs, totals& sum) {
  random_blocks blocks(random);
  const std::array<explore::settings, 4> kinds{explore::settings{&ptx(), false, {}, false},
                                               explore::settings{&ptx(), true, {}, false},
                                               explore::settings{&sc(), false, {}, false},
                                               explore::settings{&ptx(), false, 1, false}};
  while (sum.programs < programs) {
    const unsigned three = below(random, 4);
    const program p = blocks.made(three == 0 ? 3 : 2, three == 1 ? 3 : 2);
    // With and without load buffering; some by the others.
    const std::size_t first = below(random, 6) == 0 ? 2 : 0;
    if (compare(p, kinds[first], sum)) {
      compare(p, kinds[first + 1], sum);
    }
  }
}

std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

} // namespace

// More of them: TILESIM_ALIKE_PROGRAMS=200000 TILESIM_ALIKE_SEED=7.
TEST_CASE("alike blocks: of random programs no execution is missing, but for the names of blocks") {
  std::mt19937 random(
      static_cast<std::mt19937::result_type>(from_environment("TILESIM_ALIKE_SEED", 1)));
  totals sum;
  compare_random(random, from_environment("TILESIM_ALIKE_PROGRAMS", 2'000), sum);
  CAPTURE(sum.programs, sum.all, sum.symmetric, sum.classes);
  // Some of what can be left out is; with load buffering nothing of what has it.
  CHECK(sum.symmetric * 10 < sum.all * 9);
  if (std::getenv("TILESIM_ALIKE_PROGRAMS") != nullptr) {
    WARN(fmt::format("{} programs: {} executions, {} symmetric, {} classes",
                     sum.programs,
                     sum.all,
                     sum.symmetric,
                     sum.classes));
  }
}

// What a revisit keeps of an update's read it keeps of its write: of a thread that comes behind
// another of its block the read may be younger than what is revisited.
TEST_CASE("alike blocks: both halves of an update come before what is compared with it") {
  const program p{2, 2, 1, 0, R"(PTX halves
{ x=0; y=0; s0=0; s1=0; }
 P0@cluster 0,cta 0,gpu 0        | P1@cluster 0,cta 0,gpu 0        | P2@cluster 1,cta 1,gpu 0        | P3@cluster 1,cta 1,gpu 0        ;
 atom.relaxed.gpu.cas r0, x, 1, 1 | atom.relaxed.cta.cas r0, x, 0, 2 | atom.relaxed.gpu.cas r0, x, 1, 1 | atom.relaxed.cta.cas r0, x, 0, 2 ;
 st.relaxed.sys x, 2              | st.weak s0, r0                   | st.relaxed.sys x, 2              | st.weak s1, r0                   ;
 st.relaxed.gpu y, 2              |                                  | st.relaxed.gpu y, 2              |                                  ;
exists (x == 0)
)"};
  totals sum;
  CHECK(compare(p, {&ptx(), false, {}, false}, sum));
}

TEST_CASE("alike blocks: numbers that are known") {
  const auto executions = [](unsigned blocks, const std::string& first, const std::string& second) {
    program p{blocks, 2, 0, 0, "PTX each\n{ x=0; }\n"};
    std::string row;
    for (unsigned t = 0; t < 2 * blocks; ++t) {
      p.text += fmt::format("{} P{}@cluster {},cta 0,gpu 0", t == 0 ? "" : " |", t, t / 2);
      row += fmt::format("{} {}", t == 0 ? "" : " |", t % 2 == 0 ? first : second);
    }
    p.text += " ;\n" + row + " ;\nexists (x == 0)\n";
    const litmus::test t = litmus::read_test(p.text);
    const auto few = explored(t, p, {&ptx(), false, {}, true});
    const auto all = explored(t, p, {&ptx(), false, {}, false});
    REQUIRE(few.has_value());
    REQUIRE(all.has_value());
    return std::pair(few->executions, all->executions);
  };
  for (unsigned n = 1; n <= 5; ++n) {
    CAPTURE(n);
    std::size_t factorial = 1;
    for (unsigned k = 2; k <= n; ++k) {
      factorial *= k;
    }
    CHECK(executions(n, "atom.relaxed.gpu.add r0, x, 1", "") ==
          std::pair(std::size_t{1}, factorial));
    CHECK(executions(n, "st.relaxed.gpu x, 1", "bar.cta.arrive 1, 1, 2") ==
          std::pair(std::size_t{1}, factorial));
  }
}
