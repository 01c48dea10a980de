// Holds a litmus file to the expectations that stand in it.
//
// SPDX-License-Identifier: Apache-2.0
#include "litmus/check.hpp"

#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tilesim::litmus_tests {
namespace {

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

class checker {
public:
  explicit checker(const std::string& file)
      : file_(file) {}

  std::vector<std::string> run(std::string_view text) {
    try {
      const test t = read_test(text);
      complete(t);
      for (const expectation& e : t.expectations) {
        hold(t, e);
      }
    } catch (const syntax_error& e) {
      wrong(e.at, e.message);
    } catch (const program_error& e) {
      wrong(e.at, e.message);
    } catch (const limit_reached& e) {
      wrong({1, 1}, e.what);
    }
    return std::move(wrong_);
  }

private:
  void wrong(const position& at, std::string_view what) {
    wrong_.push_back(fmt::format("{}:{}:{}: error: {}", file_, at.line, at.column, what));
  }

  /// Whether the file says enough to be a test.
  void complete(const test& t) {
    const std::string stem = std::filesystem::path(file_).stem().string();
    if (t.name != stem) {
      wrong({1, 1}, fmt::format("the test is named '{}', its file '{}'", t.name, stem));
    }
    if (t.comment.empty()) {
      wrong({1, 1}, "no comment says what the test shows");
    }
    if (t.wanted == quantifier::none) {
      wrong({1, 1}, "there is no condition: exists, ~exists or forall");
    }
    const auto ptx = std::ranges::find(t.expectations, "ptx", &expectation::model);
    if (ptx == t.expectations.end()) {
      wrong({1, 1}, "nothing is expected of ptx: write 'expect ptx: …'");
    } else if (!ptx->holds || !ptx->race_free) {
      wrong(ptx->at, "what is expected of ptx says nothing of the condition or of races");
    }
  }

  void hold(const test& t, const expectation& e) {
    const result r = enumerate(t, *find_model(e.model));
    const auto compare = [&](std::optional<bool> expected,
                             std::optional<bool> got,
                             std::string_view yes,
                             std::string_view no) {
      if (expected && got != expected) {
        wrong(e.at,
              fmt::format("{} says '{}', expected '{}'",
                          e.model,
                          !got   ? "unknown"
                          : *got ? yes
                                 : no,
                          *expected ? yes : no));
      }
    };
    const bool all = t.wanted == quantifier::forall;
    compare(
        e.holds, r.holds(t.wanted), all ? "always" : "allowed", all ? "not-always" : "forbidden");
    // Of no execution at all everything is true.
    if (all && e.holds == true && r.executions == 0) {
      wrong(e.at, fmt::format("{} says 'always' of no execution at all", e.model));
    }
    compare(e.race_free, r.racy == 0, "race-free", "race");
    compare(e.terminates, r.terminates, "terminates", "may-hang");
  }

  const std::string& file_;
  std::vector<std::string> wrong_;
};

} // namespace

std::vector<std::string> problems(const std::string& file, std::string_view text) {
  return checker(file).run(text);
}

} // namespace tilesim::litmus_tests
