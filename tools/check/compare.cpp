// Comparing the results of two runs.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/compare.hpp"

#include "sim/contract/frames_json.hpp"
#include "sim/contract/report_members.hpp"
#include "tools/check/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::tools {
namespace {

bool ended(const program_run& run) {
  return !run.report.is_null() && run.report.at(sim::in_report::how) == sim::in_report::how_ended;
}

std::string cut_line(const std::string& line) {
  constexpr std::size_t most = 80;
  return line.size() <= most ? line : line.substr(0, most) + "…";
}

std::optional<difference> compare_copies(const program_run& first, const program_run& other) {
  const auto& a = first.report.at(sim::in_report::copies);
  const auto& b = other.report.at(sim::in_report::copies);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].at(sim::in_report::hash) != b[i].at(sim::in_report::hash) ||
        a[i].at(sim::in_report::bytes) != b[i].at(sim::in_report::bytes)) {
      return difference{fmt::format("{} copies other bytes to the host",
                                    b[i].at(sim::in_report::function).get<std::string>()),
                        sim::frames_from_json(b[i].at(sim::in_report::where))};
    }
  }
  if (a.size() != b.size()) {
    return difference{
        fmt::format("the host makes {} copies from the device instead of {}", b.size(), a.size()),
        {}};
  }
  if (first.report.at(sim::in_report::later_copies) !=
      other.report.at(sim::in_report::later_copies)) {
    return difference{"copies to the host differ", {}};
  }
  return {};
}

std::optional<difference> compare_lines(const program_run& first, const program_run& other) {
  if (first.printed.same_as(other.printed)) {
    return {};
  }
  const auto more = other.printed.first_not_in(first.printed);
  const auto less = first.printed.first_not_in(other.printed);
  if (more && less) {
    return difference{
        fmt::format("the program prints '{}' instead of '{}'", cut_line(*more), cut_line(*less)),
        {}};
  }
  if (more || less) {
    return difference{fmt::format("the program prints '{}' {} often",
                                  cut_line(more ? *more : *less),
                                  more ? "more" : "less"),
                      {}};
  }
  return difference{"the program prints other lines", {}};
}

} // namespace

std::optional<difference> compare(const program_run& first, const program_run& other) {
  if (!ended(first) || !ended(other)) {
    return {};
  }
  if (auto d = compare_copies(first, other)) {
    return d;
  }
  if (auto d = compare_lines(first, other)) {
    return d;
  }
  if (first.status != other.status) {
    return difference{
        fmt::format("the program ends with status {} instead of {}", other.status, first.status),
        {}};
  }
  return {};
}

} // namespace tilesim::tools
