// tilesim litmus --observed: what a GPU showed of litmus tests, judged by the model.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/observed.hpp"

#include "memmodel/litmus/final_states.hpp"
#include "memmodel/litmus/reader.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/litmus/gpu_log.hpp"
#include "tools/litmus/mutants.hpp"
#include "tools/litmus/suite.hpp"
#include "tools/litmus/text.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <xxhash.h>

namespace tilesim::tools {
namespace {

using namespace memmodel::litmus;

constexpr const char* observed_footer =
    "LOG is what a program of 'tilesim litmus --gpu-build' writes; the files are those that it "
    "was\n"
    "built of. Every outcome is held against all that the model allows: ptx, and where that "
    "forbids\n"
    "it, ptx-values, whose dependencies count by value. 'weak' outcomes are those that no\n"
    "interleaving gives. A mutant is killed where an outcome was seen that its original\n"
    "forbids.\n"
    "\n"
    "Exit status: 0 the model allows all that was seen; 1 it does not; 3 something could not be\n"
    "judged, or nothing was seen; 64 the command line; 65 the log, or a file, cannot be read, or "
    "they do not belong\n"
    "together.\n"
    "\n"
    "examples:\n"
    "  tilesim litmus --observed run.jsonl tests/litmus/ptx\n"
    "  tilesim litmus --observed run.jsonl --outcomes tests/litmus/ptx\n"
    "  tilesim litmus --observed run.jsonl --json tests/litmus/ptx\n";

/// A file of the log's, with what the model says of it.
struct known_file {
  std::string path;
  test what;
  std::optional<allowed_states> ptx;    ///< once somebody asked
  std::optional<allowed_states> values; ///< with dependencies by value
  std::optional<allowed_states> sc;
};

struct judged_test {
  const logged_test* logged = nullptr;
  std::size_t allowed = 0;            ///< outcomes that the model allows
  std::size_t seen = 0;               ///< of these, seen
  std::uint64_t weak = 0;             ///< how often weak ones were seen
  std::vector<bool> weak_ones;        ///< of the log's outcomes: no interleaving gives it
  bool weak_known = false;            ///< whether it is known which are
  std::optional<bool> killed;         ///< of a mutant that can be
  std::vector<std::size_t> by_value;  ///< outcomes of the log that dependencies as written forbid
  std::vector<std::size_t> forbidden; ///< and those that nothing allows
  std::vector<std::size_t> undecided; ///< and those of which nothing is known
  std::string reason;                 ///< why nothing is
};

class files_by_hash {
public:
  explicit files_by_hash(const std::vector<suite_file>& files) {
    for (const suite_file& f : files) {
      const auto text = read_text(f.path);
      if (!text) {
        throw printed_failure(exit_input, fmt::format("{}: error: cannot be read\n", f.path));
      }
      try {
        known_file k;
        k.path = f.path;
        k.what = read_test(*text);
        const std::uint64_t hash = XXH64(text->data(), text->size(), 0);
        hash_of_.emplace(k.what.name, hash);
        files_.emplace(hash, std::move(k));
      } catch (const syntax_error& e) {
        throw printed_failure(
            exit_input,
            fmt::format("{}:{}:{}: error: {}\n", f.path, e.at.line, e.at.column, e.message));
      }
    }
  }

  known_file& of(const std::string& log, const logged_test& t) {
    const auto found = files_.find(t.hash);
    if (found != files_.end() && found->second.what.name == t.name) {
      return found->second;
    }
    const auto named = hash_of_.find(t.name);
    throw printed_failure(
        exit_input,
        fmt::format("{}:{}: error: test '{}' {}; name the files that the program was built of\n",
                    log,
                    t.line,
                    sim::printable(t.name),
                    named == hash_of_.end()
                        ? "is in none of the files"
                        : fmt::format("was a file of hash {:016x}, and is one of hash {:016x} now",
                                      t.hash,
                                      named->second)));
  }

private:
  std::map<std::uint64_t, known_file> files_;
  std::map<std::string, std::uint64_t> hash_of_;
};

const allowed_states&
ask_once(std::optional<allowed_states>& answer, const test& t, const memmodel::model& m) {
  if (!answer) {
    answer = allowed_by(t, m);
  }
  return *answer;
}

std::string state_name(const test& t, const std::vector<value>& state) {
  return state_text(t, all_observables(t), state);
}

/// Why an outcome is forbidden, as `--explain` has it.
std::string reason_of(const std::string& file, const test& t, const std::vector<value>& state) {
  litmus_request request;
  request.models = {&memmodel::ptx_values()};
  request.explain = true;
  test asked = t;
  asked.wanted = quantifier::exists;
  asked.final = condition{};
  asked.final.what = condition::kind::conjunction;
  const auto all = all_observables(t);
  for (std::size_t i = 0; i < all.size(); ++i) {
    condition c;
    c.what = condition::kind::compare;
    c.left.variable = all[i];
    c.right.constant = state[i];
    asked.final.parts.push_back(std::move(c));
  }
  asked.condition_text = fmt::format("exists ({})", state_name(t, state));
  text_options options;
  options.explain = true;
  return to_text(run_litmus_test(file, std::move(asked), request), options);
}

/// The values that a state of the log has; nothing where its variables are others.
std::optional<std::vector<value>> values_of(const test& t, const std::string& state) {
  std::vector<value> out;
  std::string_view rest = state;
  for (const observable& o : all_observables(t)) {
    const std::string name = (out.empty() ? "" : " ") + name_of(t, o) + "=";
    if (!rest.starts_with(name)) {
      return {};
    }
    rest.remove_prefix(name.size());
    char* end = nullptr;
    const std::string number(rest.substr(0, rest.find(';')));
    out.push_back(std::strtoll(number.c_str(), &end, 10));
    if (number.empty() || *end != '\0' || number.size() >= rest.size()) {
      return {};
    }
    rest.remove_prefix(number.size() + 1);
  }
  return rest.empty() ? std::optional(out) : std::nullopt;
}

class judge {
public:
  judge(std::string log, files_by_hash& files)
      : log_(std::move(log))
      , files_(files) {}

  /// An outcome that `ptx` forbids is judged once more with dependencies by value: No-Thin-Air asks
  /// no more of a compiler and a GPU.
  judged_test of(const logged_test& l) {
    known_file& file = files_.of(log_, l);
    const test t = l.mutant ? mutant_named(l, file) : file.what;
    const allowed_states& original = ask_once(file.ptx, file.what, memmodel::ptx());
    const allowed_states own = l.mutant ? allowed_by(t, memmodel::ptx()) : original;
    const allowed_states& sc = ask_once(file.sc, file.what, memmodel::sc());
    const state_set killing = l.mutant ? killing_states(original, own) : state_set();
    judged_test j;
    j.logged = &l;
    j.allowed = own.states.size();
    j.weak_known = sc.limit.empty() && !sc.cut && !sc.everything;
    if (!killing.empty()) {
      j.killed = false;
    }
    for (std::size_t i = 0; i < l.outcomes.size(); ++i) {
      const state_set::value_type* const kills = outcome(j, i, t, own, sc, killing);
      if (kills != nullptr && !j.killed.value_or(true)) {
        j.killed =
            !ask_once(file.values, file.what, memmodel::ptx_values()).states.contains(*kills);
      }
    }
    if (!j.forbidden.empty()) {
      const allowed_states values = l.mutant ? allowed_by(t, memmodel::ptx_values())
                                             : ask_once(file.values, t, memmodel::ptx_values());
      judge_by_value(j, t, values);
    }
    return j;
  }

  [[nodiscard]] std::string explain(const judged_test& j, std::size_t i) {
    const logged_test& l = *j.logged;
    known_file& file = files_.of(log_, l);
    const test t = l.mutant ? mutant_named(l, file) : file.what;
    return reason_of(file.path, t, *values_of(t, l.outcomes[i].first));
  }

private:
  test mutant_named(const logged_test& l, const known_file& file) const {
    for (mutant& m : mutants_of(file.what)) {
      if (m.what == *l.mutant) {
        return std::move(m.test);
      }
    }
    throw printed_failure(exit_input,
                          fmt::format("{}:{}: error: {} has no mutant '{}'; was the program built "
                                      "by another version?\n",
                                      log_,
                                      l.line,
                                      sim::printable(l.name),
                                      sim::printable(*l.mutant)));
  }

  /// Returns the state where it is one that the original of a mutant forbids.
  const state_set::value_type* outcome(judged_test& j,
                                       std::size_t i,
                                       const test& t,
                                       const allowed_states& own,
                                       const allowed_states& sc,
                                       const state_set& killing) const {
    const auto& [text, count] = j.logged->outcomes[i];
    const auto state = values_of(t, text);
    if (!state) {
      throw printed_failure(
          exit_input,
          fmt::format("{}:{}: error: '{}' is no final state of {}, which has {}\n",
                      log_,
                      j.logged->line,
                      sim::printable(text),
                      sim::printable(t.name),
                      state_name(t, std::vector<value>(all_observables(t).size(), 0))));
    }
    if (own.states.contains(*state)) {
      ++j.seen;
    } else if (!own.limit.empty() || own.cut) {
      j.undecided.push_back(i);
      j.reason = own.cut ? "a loop ran longer than the model was asked for" : own.limit;
    } else if (!own.everything) {
      j.forbidden.push_back(i);
    }
    j.weak_ones.push_back(j.weak_known && !sc.states.contains(*state));
    j.weak += j.weak_ones.back() ? count : 0;
    const auto kills = killing.find(*state);
    return kills == killing.end() ? nullptr : &*kills;
  }

  static void judge_by_value(judged_test& j, const test& t, const allowed_states& values) {
    std::vector<std::size_t> left;
    for (const std::size_t i : j.forbidden) {
      const auto state = values_of(t, j.logged->outcomes[i].first);
      if (values.everything || values.states.contains(*state)) {
        j.by_value.push_back(i);
      } else if (!values.limit.empty()) {
        j.undecided.push_back(i);
        j.reason = "dependencies as written forbid it, and by value: " + values.limit;
      } else {
        left.push_back(i);
      }
    }
    j.forbidden = std::move(left);
  }

  std::string log_;
  files_by_hash& files_;
};

std::string full_name(const logged_test& l) {
  return sim::printable(l.mutant ? l.name + " ~ " + *l.mutant : l.name);
}

struct totals {
  std::uint64_t observations = 0, weak = 0, cut = 0, lost = 0;
  std::size_t tests = 0, mutants = 0, killable = 0, killed = 0, by_value = 0, forbidden = 0,
              undecided = 0;

  void add(const judged_test& j) {
    observations += j.logged->total;
    cut += j.logged->cut;
    lost += j.logged->lost;
    by_value += j.by_value.size();
    forbidden += j.forbidden.size();
    undecided += j.undecided.size();
    (j.logged->mutant ? mutants : tests) += 1;
    weak += j.logged->mutant ? 0 : j.weak;
    killable += j.killed ? 1U : 0U;
    killed += j.killed.value_or(false) ? 1U : 0U;
  }

  [[nodiscard]] int exit_code() const {
    return forbidden != 0                               ? exit_findings
           : undecided + lost != 0 || observations == 0 ? exit_incomplete
                                                        : exit_clean;
  }
};

double frequency(std::uint64_t part, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of);
}

std::string table_line(const judged_test& j, std::size_t width) {
  const logged_test& l = *j.logged;
  std::string out =
      fmt::format("{:<{}}  {:>12}  {:>3}/{:<3}", full_name(l), width, l.total, j.seen, j.allowed);
  out += !j.weak_known ? fmt::format("  {:>9}", "?")
         : j.weak == 0 ? fmt::format("  {:>9}", "-")
                       : fmt::format("  {:>9.2e}", frequency(j.weak, l.total));
  if (j.killed) {
    out += *j.killed ? "  killed" : "  not killed";
  }
  if (!j.by_value.empty()) {
    out += fmt::format("  {} by value alone", j.by_value.size());
  }
  if (!j.forbidden.empty()) {
    out += fmt::format("  {} FORBIDDEN", j.forbidden.size());
  }
  if (!j.undecided.empty()) {
    out += fmt::format("  {} undecided", j.undecided.size());
  }
  return out + "\n";
}

/// Each outcome, the most frequent first.
std::string outcome_lines(const judged_test& j) {
  const logged_test& l = *j.logged;
  std::vector<std::size_t> order(l.outcomes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, std::greater(), [&](std::size_t i) { return l.outcomes[i].second; });
  std::string out;
  for (const std::size_t i : order) {
    out += fmt::format("  {:>14}  {}{}\n",
                       l.outcomes[i].second,
                       sim::printable(l.outcomes[i].first),
                       j.weak_ones[i] ? "  weak" : "");
  }
  return out;
}

void print_table(const gpu_log& log,
                 const std::vector<judged_test>& judged,
                 const totals& sum,
                 bool outcomes) {
  std::size_t width = 4;
  for (const judged_test& j : judged) {
    width = std::max(width, full_name(*j.logged).size());
  }
  std::string out = fmt::format("Device {}, seed {}\n{:<{}}  {:>12}  {:>7}  {:>9}\n",
                                sim::printable(log.device),
                                log.seed,
                                "test",
                                width,
                                "observed",
                                "allowed",
                                "weak");
  for (const judged_test& j : judged) {
    out += table_line(j, width) + (outcomes ? outcome_lines(j) : "");
  }
  out += fmt::format("{} tests and {} mutants: {} observations, {} outcomes outside the model, {} "
                     "undecided\n",
                     sum.tests,
                     sum.mutants,
                     sum.observations,
                     sum.forbidden,
                     sum.undecided);
  if (sum.by_value != 0) {
    out += fmt::format("{} outcomes are allowed where dependencies count by value, not as they are "
                       "written (model ptx-values)\n",
                       sum.by_value);
  }
  out += fmt::format("weak outcomes of the tests: {}; loops that ran too long: {}; uncounted: {}\n",
                     sum.weak,
                     sum.cut,
                     sum.lost);
  if (sum.killable != 0) {
    out += fmt::format("mutation score: {} of {} killable mutants killed ({:.0f} %)\n",
                       sum.killed,
                       sum.killable,
                       100 * frequency(sum.killed, sum.killable));
  }
  print_out(out);
}

void print_json(const gpu_log& log, const std::vector<judged_test>& judged, const totals& sum) {
  using json = nlohmann::ordered_json;
  json tests = json::array();
  for (const judged_test& j : judged) {
    const logged_test& l = *j.logged;
    json t{{"test", l.name},
           {"mutant", l.mutant ? json(*l.mutant) : json()},
           {"observations", l.total},
           {"allowed", j.allowed},
           {"allowed_seen", j.seen},
           {"weak", j.weak_known ? json(j.weak) : json()},
           {"killed", j.killed ? json(*j.killed) : json()},
           {"cut", l.cut},
           {"lost", l.lost}};
    t["outcomes"] = json::array();
    for (std::size_t i = 0; i < l.outcomes.size(); ++i) {
      t["outcomes"].push_back({{"state", l.outcomes[i].first},
                               {"count", l.outcomes[i].second},
                               {"weak", j.weak_known ? json(bool{j.weak_ones[i]}) : json()}});
    }
    for (const auto& [key, which] : {std::pair("by_value", &j.by_value),
                                     std::pair("forbidden", &j.forbidden),
                                     std::pair("undecided", &j.undecided)}) {
      t[key] = json::array();
      for (const std::size_t i : *which) {
        t[key].push_back({{"state", l.outcomes[i].first}, {"count", l.outcomes[i].second}});
      }
    }
    tests.push_back(std::move(t));
  }
  const json all{{"version", 1},
                 {"device", log.device},
                 {"seed", log.seed},
                 {"knobs", sim::ordered_json_of(log.knobs)},
                 {"tests", tests},
                 {"summary",
                  {{"tests", sum.tests},
                   {"mutants", sum.mutants},
                   {"observations", sum.observations},
                   {"weak", sum.weak},
                   {"by_value", sum.by_value},
                   {"forbidden", sum.forbidden},
                   {"undecided", sum.undecided},
                   {"killable", sum.killable},
                   {"killed", sum.killed}}}};
  print_out(sim::json_text(all, 2) + "\n");
}

void print_errors(const std::string& log, judge& by, const std::vector<judged_test>& judged) {
  for (const judged_test& j : judged) {
    /// "LOG:LINE: LEVEL: TEST ended in 'STATE'", how many times, and what is to be said of it.
    const auto tell =
        [&](const char* level, std::size_t outcome, bool counts, std::string_view what) {
          const auto& [state, count] = j.logged->outcomes[outcome];
          sim::print_error("{}:{}: {}: {} ended in '{}'{}{}\n",
                           log,
                           j.logged->line,
                           level,
                           full_name(*j.logged),
                           sim::printable(state),
                           counts ? fmt::format(" {} times of {}", count, j.logged->total) : "",
                           what);
        };
    for (const std::size_t i : j.by_value) {
      tell("note", i, true, ": dependencies as they are written forbid it, and by value allow it");
    }
    for (const std::size_t i : j.forbidden) {
      tell("error", i, true, ", and no reading of the model allows such an outcome");
      sim::print_error("{}", for_terminal(by.explain(j, i)));
    }
    for (const std::size_t i : j.undecided) {
      tell("note", i, false, fmt::format(", which could not be judged: {}", j.reason));
    }
  }
}

} // namespace

int litmus_observed(const std::vector<std::string>& words) {
  CLI::App app("Judges what a GPU showed of litmus tests.", "litmus --observed");
  set_usage(app,
            "usage: tilesim litmus --observed LOG [--outcomes | --json] FILE.litmus|FOLDER...");
  std::string path;
  bool as_json = false;
  bool outcomes = false;
  app.add_option("--observed", path, "the log")->required();
  app.add_flag("--outcomes", outcomes, "below each test every outcome, with how often it was seen");
  app.add_flag("--json", as_json, "all of it as JSON; docs/litmus.md has the schema");
  app.footer(observed_footer);
  const auto named = parse_words(app, words);
  if (named.empty()) {
    throw failure(exit_usage,
                  "no litmus test; write 'tilesim litmus --observed LOG FOLDER' with the files "
                  "that the program was built of");
  }
  const auto text = read_file(path);
  if (!text) {
    throw failure(exit_usage, fmt::format("{}: cannot be read", path));
  }
  const std::string shown = sim::printable(path);
  const gpu_log log = read_gpu_log(shown, *text);
  files_by_hash files(files_named(named));
  judge by(shown, files);
  std::vector<judged_test> judged;
  totals sum;
  for (const logged_test& l : log.tests) {
    judged.push_back(by.of(l));
    sum.add(judged.back());
  }
  if (as_json) {
    print_json(log, judged, sum);
  } else {
    print_table(log, judged, sum, outcomes);
  }
  std::fflush(stdout); // both may be one pipe
  print_errors(shown, by, judged);
  return sum.exit_code();
}

} // namespace tilesim::tools
