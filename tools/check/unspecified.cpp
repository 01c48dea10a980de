// Finding what depends on an unspecified value, and where that comes from.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/unspecified.hpp"

#include "sim/contract/frames_json.hpp"
#include "sim/contract/frames_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/report_members.hpp"
#include "tools/check/compare.hpp"
#include "tools/check/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

constexpr std::size_t most_repeats = 64;
constexpr std::size_t most_origins_named = 5;

/// A place in the source whose operation draws: one, or one for each way in which it was compiled.
struct drawing_place {
  std::vector<source_frame> where;
  std::vector<std::uint64_t> sites;
  std::string what;
  std::string remedy;
};
using places = std::span<const drawing_place>;

std::string drawing_name(const nlohmann::json& drawn) {
  const auto where = sim::frames_from_json(drawn.at(sim::in_report::where));
  return where.empty() ? fmt::format("{:#x}", drawn.at(sim::in_report::site).get<std::uint64_t>())
                       : sim::to_string(where.front());
}

std::vector<drawing_place> drawing_places(const program_run& run) {
  std::vector<drawing_place> found;
  std::map<std::string, std::size_t> known;
  for (const auto& drawn : run.report.at(sim::in_report::drawn)) {
    const auto [it, is_new] = known.try_emplace(drawing_name(drawn), found.size());
    if (is_new) {
      found.push_back({sim::frames_from_json(drawn.at(sim::in_report::where)),
                       {},
                       drawn.at(sim::in_report::what),
                       drawn.at(sim::in_report::remedy)});
    }
    found[it->second].sites.push_back(drawn.at(sim::in_report::site));
  }
  return found;
}

std::string origin_text(const drawing_place& p) {
  return fmt::format("it comes from {}: {}",
                     p.where.empty() ? "an unknown place" : sim::to_string(p.where.front()),
                     p.what);
}

checked_finding found_of(difference d, const drawing_place& from) {
  checked_finding found;
  found.code = code(finding_kind::unspecified_dependent);
  found.message = fmt::format("the result depends on an unspecified value: {}", d.what);
  found.details = {origin_text(from)};
  found.remedy = from.remedy;
  found.where = std::move(d.where);
  found.other = from.where;
  return found;
}

class dependence_search {
public:
  explicit dependence_search(const unspecified_question& question)
      : question_(question)
      , all_(drawing_places(question.first)) {}

  unspecified_answer find() {
    std::vector<nlohmann::json> hows{
        {{"how", "complement"}}, {{"how", "ones"}}, {{"how", "zeros"}}};
    if (question_.seed) {
      hows.push_back({{"how", "seed"}, {"seed", *question_.seed}});
    }
    for (auto& how : hows) {
      how_ = std::move(how);
      std::vector<drawing_place> left;
      std::ranges::copy_if(all_, std::back_inserter(left), [&](auto& p) {
        return !told_.contains(p.sites.front()) || told_.at(p.sites.front()).note;
      });
      if (!joint_) {
        attribute(left);
      }
      if (!steady_) {
        return {.findings = {}, .steady = false};
      }
    }
    auto answer = result();
    // A difference that comes and goes by itself is none.
    if (!answer.findings.empty() && differs_by_itself()) {
      return {.findings = {}, .steady = false};
    }
    return answer;
  }

private:
  [[nodiscard]] bool over() const { return runs_ >= most_repeats || question_.over(); }

  /// The first difference from the question's run, if there is one.
  std::optional<checked_finding> difference_of(const program_run& run, const drawing_place& from) {
    if (run.report.is_null()) {
      return {};
    }
    std::optional<checked_finding> note;
    for (const auto& f : run.report.at(sim::in_report::findings)) {
      if (f.at(sim::in_report::code) == code(finding_kind::unspecified_dependent)) {
        return reported_finding(f);
      }
      if (f.at(sim::in_report::code) == code(finding_kind::unspecified_in_memory)) {
        note = reported_finding(f);
      }
    }
    if (auto d = compare(question_.first, run)) {
      return found_of(std::move(*d), from);
    }
    if (run.signal != 0 && !run.killed && question_.first.signal == 0) {
      return found_of({fmt::format("the program is {}", status_text(run.status)), {}}, from);
    }
    return note;
  }

  program_run run(const nlohmann::json& vary) {
    ++runs_;
    nlohmann::json more{{"against"_option, sim::printable(question_.trail)}};
    if (!vary.is_null()) {
      more["vary"_option] = vary;
    }
    return question_.run(more);
  }

  bool differs_by_itself() {
    static const drawing_place nowhere;
    return difference_of(run(nullptr), nowhere).has_value();
  }

  /// Tells what depends on values of these places. False if nothing does.
  bool attribute(places some) {
    if (some.empty() || over()) {
      return false;
    }
    auto vary = how_;
    vary["sites"] = nlohmann::json::array();
    for (const auto& p : some) {
      for (const auto site : p.sites) {
        vary["sites"].push_back(site);
      }
    }
    const auto found = difference_of(run(vary), some.front());
    if (!found || !is_steady()) {
      return false;
    }
    if (some.size() == 1) {
      told_.insert_or_assign(some.front().sites.front(), *found);
      return true;
    }
    const auto half = some.size() / 2;
    const bool first = attribute(some.first(half));
    const bool second = attribute(some.subspan(half));
    if (!first && !second && steady_ && !joint_) {
      joint_ = of_several(*found, some);
    }
    return true;
  }

  /// Asked when something differs for the first time: does it without another value, too?
  bool is_steady() {
    if (!std::exchange(asked_, true)) {
      steady_ = !differs_by_itself();
    }
    return steady_;
  }

  static checked_finding of_several(checked_finding f, places some) {
    std::string text;
    for (const auto& p : some.first(std::min(some.size(), most_origins_named))) {
      text += (text.empty() ? "" : ", ") +
              (p.where.empty() ? "an unknown place" : sim::to_string(p.where.front()));
    }
    std::erase_if(f.details, [](auto& line) { return line.starts_with("it comes from "); });
    f.details.push_back(fmt::format("it comes from one of these, or from several together: {}{}",
                                    text,
                                    some.size() > most_origins_named ? ", …" : ""));
    return f;
  }

  unspecified_answer result() {
    unspecified_answer answer;
    for (const auto& p : all_) {
      if (const auto it = told_.find(p.sites.front()); it != told_.end()) {
        answer.findings.push_back(it->second);
      }
    }
    if (joint_) {
      answer.findings.push_back(*joint_);
    }
    for (auto& f : answer.findings) {
      f.of_comparison = true;
    }
    return answer;
  }

  const unspecified_question& question_;
  std::vector<drawing_place> all_;
  nlohmann::json how_;
  std::size_t runs_ = 0;
  bool asked_ = false;
  bool steady_ = true;
  std::map<std::uint64_t, checked_finding> told_; ///< by the first site of a place
  std::optional<checked_finding> joint_;
};

} // namespace

std::vector<std::string> places_that_draw(const program_run& run) {
  std::vector<std::string> names;
  if (!run.report.is_null()) {
    for (const auto& drawn : run.report.at(sim::in_report::drawn)) {
      names.push_back(drawing_name(drawn));
    }
  }
  return names;
}

unspecified_answer find_dependences(const unspecified_question& question) {
  return dependence_search(question).find();
}

} // namespace tilesim::tools
