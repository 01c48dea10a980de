// The tree of schedules, walked by beginnings.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/systematic.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace tilesim::tools {
namespace {

/// Did a run begin so? A turn that was to end before an access did not, if its thread went on.
bool begins_with(const std::vector<sim::turn>& run, const std::vector<sim::turn>& beginning) {
  if (run.size() < beginning.size()) {
    return false;
  }
  for (std::size_t i = 0; i < beginning.size(); ++i) {
    const bool same_thread =
        run[i].launch == beginning[i].launch && run[i].thread == beginning[i].thread;
    if (!same_thread || (beginning[i].until && run[i].until != beginning[i].until)) {
      return false;
    }
  }
  return true;
}

} // namespace

systematic_search::systematic_search(unsigned most_preemptions)
    : most_(most_preemptions)
    , todo_(std::size_t{most_preemptions} + 1) {
  todo_[0].push_back({std::make_shared<const turns>(), 0, {}});
}

systematic_search::turns systematic_search::turns_of(const beginning& b) {
  turns list(b.of->begin(), b.of->begin() + static_cast<std::ptrdiff_t>(b.kept));
  if (b.last) {
    list.push_back(*b.last);
  }
  return list;
}

std::optional<systematic_search::turns> systematic_search::upcoming(std::size_t n) const {
  for (const auto& some : todo_) {
    if (n < some.size()) {
      return turns_of(some[some.size() - 1 - n]);
    }
    n -= some.size();
  }
  return {};
}

bool systematic_search::take(const chosen_run& run) {
  const auto used = level();
  const auto prefix = turns_of(todo_[used].back());
  todo_[used].pop_back();
  if (!begins_with(run.turns, prefix)) {
    return false;
  }
  ++made_;
  complete_ = complete_ && run.complete;
  const auto of = std::make_shared<const turns>(run.turns);
  const auto told = std::min({run.turns.size(), run.instead.size(), run.preemptions.size()});
  const bool cut = !prefix.empty() && prefix.back().until.has_value();
  // What comes first in the run is to come first here: it goes on the stack last.
  for (auto t = told; t-- > 0;) {
    const bool own_turn = t + 1 > prefix.size() || (t + 1 == prefix.size() && !cut);
    if (own_turn && used < most_) {
      for (auto p = run.preemptions[t].rbegin(); p != run.preemptions[t].rend(); ++p) {
        todo_[used + 1].push_back({of, t, sim::turn{run.turns[t].launch, run.turns[t].thread, *p}});
      }
    }
    if (t >= prefix.size()) {
      for (auto other = run.instead[t].rbegin(); other != run.instead[t].rend(); ++other) {
        todo_[used].push_back({of, t, *other});
      }
    }
  }
  return true;
}

std::size_t systematic_search::level() const {
  const auto first = std::ranges::find_if(todo_, [](const auto& l) { return !l.empty(); });
  return static_cast<std::size_t>(first - todo_.begin());
}

std::size_t systematic_search::known() const {
  std::size_t sum = 0;
  for (const auto& some : todo_) {
    sum += some.size();
  }
  return sum;
}

nlohmann::json systematic_search::state() const {
  auto levels = nlohmann::json::array();
  for (const auto& some : todo_) {
    levels.push_back(nlohmann::json::array());
    for (const auto& b : some) {
      levels.back().push_back(to_string(turns_of(b)));
    }
  }
  return {{"complete", complete_}, {"made", made_}, {"todo", std::move(levels)}};
}

std::optional<systematic_search> systematic_search::from(const nlohmann::json& state) {
  if (!state.is_object() || !state.contains("todo") || !state.at("todo").is_array() ||
      state.at("todo").empty() || !state.contains("complete") ||
      !state.at("complete").is_boolean() || !state.contains("made") ||
      !state.at("made").is_number_unsigned()) {
    return {};
  }
  const auto& levels = state.at("todo");
  systematic_search search(static_cast<unsigned>(levels.size() - 1));
  search.todo_[0].clear();
  search.made_ = state.at("made").get<std::size_t>();
  search.complete_ = state.at("complete").get<bool>();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i].is_array()) {
      return {};
    }
    for (const auto& text : levels[i]) {
      auto list = !text.is_string()                 ? std::nullopt
                  : text.get<std::string>().empty() ? std::optional(turns{})
                                                    : sim::parse_turns(text.get<std::string>());
      if (!list) {
        return {};
      }
      const auto size = list->size();
      search.todo_[i].push_back({std::make_shared<const turns>(std::move(*list)), size, {}});
    }
  }
  return search;
}

} // namespace tilesim::tools
