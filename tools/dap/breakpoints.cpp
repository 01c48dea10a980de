// Setting breakpoints.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/breakpoints.hpp"

#include "tools/cli/wording.hpp"
#include "tools/step/stop_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace tilesim::tools::dap {
namespace {

using nlohmann::json;

/// The path as the program tells it: relative to the current folder if it lies below.
std::string as_shown(const std::string& path) {
  const std::filesystem::path given(path);
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  if (error || !given.is_absolute()) {
    return given.lexically_normal().string();
  }
  const auto near = given.lexically_normal().lexically_relative(here);
  return near.empty() || *near.begin() == ".." ? given.lexically_normal().string() : near.string();
}

json not_set(const std::string& why) {
  return {{"verified", false}, {"message", why}};
}

/// Of a breakpoint that is asked for, what tilesim does not do.
std::optional<std::string> unsupported(const json& wanted) {
  if (!wanted.value("hitCondition", "").empty()) {
    return "a hit condition is not supported; a condition may count, as in $operations > 100";
  }
  if (!wanted.value("logMessage", "").empty()) {
    return "log points are not supported";
  }
  return std::nullopt;
}

} // namespace

void breakpoints::forget(std::vector<unsigned>& ids) {
  for (const unsigned id : ids) {
    debugger_.remove_stop(id);
    waiting_.erase(id);
  }
  ids.clear();
}

json breakpoints::kept(const std::function<unsigned()>& add, std::vector<unsigned>& ids) {
  try {
    const unsigned id = add();
    ids.push_back(id);
    return {{"id", id}, {"verified", true}};
  } catch (const step::refused& e) {
    return not_set(e.what());
  }
}

json breakpoints::in_file(const json& arguments, bool lines_from_one) {
  const std::string path = arguments.at("source").at("path");
  std::vector<unsigned>& ids = by_file_[as_shown(path)];
  forget(ids);
  json list = json::array();
  for (const auto& wanted : arguments.value("breakpoints", json::array())) {
    list.push_back(line(path, wanted, lines_from_one ? 0 : 1, ids));
  }
  return list;
}

/// One of them. `shift`: what its line lacks to one that counts from 1.
json breakpoints::line(const std::string& path,
                       const json& wanted,
                       unsigned shift,
                       std::vector<unsigned>& ids) {
  const std::string file = as_shown(path);
  const std::size_t asked = wanted.at("line").get<std::size_t>() + shift;
  const std::string condition = wanted.value("condition", "");
  const std::size_t lines = files_.lines(path);
  std::size_t line = asked;
  std::string moved;
  bool known = true;
  if (lines == 0 || asked <= lines) {
    if (const auto found = debugger_.line_that_stops(file, asked)) {
      moved = step::why_elsewhere(*found, file, asked);
      line = found->line.value_or(asked);
      known = found->known;
    }
  }
  json one;
  if (const auto reason = unsupported(wanted)) {
    one = not_set(*reason);
  } else if (lines != 0 && line > lines) {
    one = not_set(fmt::format("{} has {}", file, counted(lines, "line")));
  } else {
    one = kept(
        [&] {
          return debugger_.add_breakpoint(
              {.file = file, .line = line, .condition = condition},
              fmt::format("{}:{}{}", file, line, condition.empty() ? "" : " if " + condition));
        },
        ids);
  }
  if (one.value("verified", false) && !moved.empty()) {
    // One that is not moved stays set: debug information may know less than happens.
    one["verified"] = line != asked;
    one["message"] = moved;
  }
  one["line"] = line - shift;
  one["source"] = {{"name", std::filesystem::path(path).filename().string()}, {"path", path}};
  if (!known && one.contains("id")) {
    waiting_[one["id"].get<unsigned>()] = {
        .file = file, .line = asked, .shift = shift, .told = one};
  }
  return one;
}

std::vector<json> breakpoints::found_since() {
  std::vector<json> all;
  std::erase_if(waiting_, [&](const auto& one) {
    const waiting& w = one.second;
    const auto found = debugger_.line_that_stops(w.file, w.line);
    if (!found || !found->line || !found->known) {
      return false; // a kernel that is compiled later may have it
    }
    json told = w.told;
    told["verified"] = true;
    told["line"] = *found->line - w.shift;
    told.erase("message");
    if (const std::string moved = step::why_elsewhere(*found, w.file, w.line); !moved.empty()) {
      told["message"] = moved;
    }
    all.push_back(std::move(told));
    return true;
  });
  return all;
}

json breakpoints::of_kernels(const json& arguments) {
  forget(kernels_);
  json list = json::array();
  for (const auto& wanted : arguments.at("breakpoints")) {
    const std::string kernel = wanted.at("name");
    const std::string condition = wanted.value("condition", "");
    if (const auto reason = unsupported(wanted)) {
      list.push_back(not_set(*reason));
    } else {
      list.push_back(kept(
          [&] {
            return debugger_.add_breakpoint({.kernel = kernel, .condition = condition}, kernel);
          },
          kernels_));
    }
  }
  return list;
}

json breakpoints::of_values(const json& arguments) {
  // Those that stay keep the block whose variables they are of.
  const std::map<std::string, unsigned> before = std::exchange(values_, {});
  json list = json::array();
  for (const auto& wanted : arguments.at("breakpoints")) {
    const std::string expression = wanted.at("dataId");
    if (const std::string access = wanted.value("accessType", "write"); access != "write") {
      list.push_back(
          not_set(fmt::format(R"(values are watched for changes: "write", not "{}")", access)));
    } else if (!wanted.value("condition", "").empty()) {
      list.push_back(not_set("a condition is not supported here; watch a comparison instead"));
    } else if (const auto reason = unsupported(wanted)) {
      list.push_back(not_set(*reason));
    } else if (const auto known = before.find(expression); known != before.end()) {
      values_.insert(*known);
      list.push_back({{"id", known->second}, {"verified", true}});
    } else {
      std::vector<unsigned> ids;
      list.push_back(kept([&] { return debugger_.add_watch(expression); }, ids));
      for (const unsigned id : ids) {
        values_[expression] = id;
      }
    }
  }
  for (const auto& [expression, id] : before) {
    if (!values_.contains(expression)) {
      debugger_.remove_stop(id);
    }
  }
  return list;
}

std::string breakpoints::of_choices(bool stop) {
  forget(choices_);
  if (!stop) {
    return {};
  }
  return kept([&] { return debugger_.add_breakpoint({.choice = true}, "choice"); }, choices_)
      .value("message", "");
}

bool breakpoints::is_of_choices(unsigned id) const {
  return std::find(choices_.begin(), choices_.end(), id) != choices_.end();
}

bool breakpoints::is_of_kernel(unsigned id) const {
  return std::find(kernels_.begin(), kernels_.end(), id) != kernels_.end();
}

} // namespace tilesim::tools::dap
