// Reading a traced run.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/run.hpp"

#include "sim/contract/frames_json.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/contract/schedule_string.hpp"
#include "sim/contract/trace_lines.hpp"
#include "tools/check/report.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace tilesim::tools {
namespace {

traced_tile tile(const nlohmann::json& j) {
  return {.type = j.at(sim::in_trace::type),
          .shape = j.at(sim::in_trace::shape),
          .elements = j.at(sim::in_trace::elements)};
}

element_run run_of(const nlohmann::json& j) {
  return {j.at(0), j.at(1), j.at(2), j.at(3)};
}

traced_access access(const nlohmann::json& j) {
  traced_access a{.reads = j.at(sim::in_trace::reads),
                  .writes = j.at(sim::in_trace::writes),
                  .order = j.at(sim::in_trace::order),
                  .scope = j.value(sim::in_trace::scope, ""),
                  .bytes = j.at(sim::in_trace::bytes),
                  .at = {},
                  .stale = {}};
  for (const nlohmann::json& r : j.at(sim::in_trace::at)) {
    a.at.push_back(run_of(r));
  }
  for (const nlohmann::json& s : j.value(sim::in_trace::stale, nlohmann::json::array())) {
    a.stale.push_back({.at = run_of(s.at(sim::in_trace::at)),
                       .value = s.at(sim::in_trace::value),
                       .newest = s.at(sim::in_trace::newest),
                       .given = s.at(sim::in_trace::given),
                       .passed = s.at(sim::in_trace::passed)});
  }
  return a;
}

traced_operation operation(const nlohmann::json& j) {
  traced_operation o;
  o.number = j.at(sim::in_trace::op);
  o.thread = j.at(sim::in_trace::by);
  o.site = j.at(sim::in_trace::site);
  o.name = j.at(sim::in_trace::name);
  o.written = j.value(sim::in_trace::written, "");
  o.operands = j.value(sim::in_trace::operands, std::vector<std::string>{});
  if (j.contains(sim::in_trace::result)) {
    o.result = tile(j.at(sim::in_trace::result));
  }
  if (j.contains(sim::in_trace::stores)) {
    o.stores = tile(j.at(sim::in_trace::stores));
  }
  for (const nlohmann::json& a : j.value(sim::in_trace::memory, nlohmann::json::array())) {
    o.memory.push_back(access(a));
  }
  for (const nlohmann::json& f : j.value(sim::in_trace::from, nlohmann::json::array())) {
    o.from.push_back({f.at(0), f.at(1), f.at(2)});
  }
  o.unfinished = j.value(sim::in_trace::unfinished, false);
  return o;
}

void set_element(traced_buffer& b, const nlohmann::json& j) {
  b.element = j.at(sim::in_trace::type);
  b.element_bytes = j.at(sim::in_trace::bytes);
}

class reader {
public:
  explicit reader(const nlohmann::json& report)
      : findings_(report.is_object()
                      ? report.value(sim::in_report::findings, nlohmann::json::array())
                      : nlohmann::json::array()) {}

  void read(const nlohmann::json& j) {
    if (j.contains(sim::in_trace::op) && j.contains(sim::in_trace::name)) {
      run_.operations.push_back(operation(j));
    } else if (j.contains(sim::in_trace::repeats)) {
      add_repetitions(j);
    } else if (j.contains(sim::in_trace::finding)) {
      add_finding(j);
    } else if (j.contains(sim::in_trace::thread)) {
      run_.threads[j.at(sim::in_trace::thread)] = {
          j.at(sim::in_trace::launch), j.at(sim::in_trace::linear), j.at(sim::in_trace::name)};
    } else if (j.contains(sim::in_trace::launch)) {
      run_.launches[j.at(sim::in_trace::launch)] = {j.at(sim::in_trace::kernel),
                                                    j.at(sim::in_trace::grid),
                                                    j.at(sim::in_trace::block),
                                                    j.at(sim::in_trace::launched_at)};
    } else if (j.contains(sim::in_trace::site)) {
      run_.sites[j.at(sim::in_trace::site)] = sim::frames_from_json(j.at(sim::in_trace::frames));
    } else if (j.contains(sim::in_trace::buffer)) {
      add_buffer(j);
    } else if (j.contains(sim::in_trace::element)) {
      set_element(run_.buffers[j.at(sim::in_trace::element)], j);
    } else {
      finish(j);
    }
  }

  traced_run take() {
    if (run_.end.empty() && !run_.operations.empty()) {
      run_.operation_count = run_.operations.back().number;
    }
    for (traced_finding& f : run_.findings) {
      f.conflicts_with = other_access(f);
    }
    return std::move(run_);
  }

private:
  void add_buffer(const nlohmann::json& j) {
    traced_buffer& b = run_.buffers[j.at(sim::in_trace::buffer)];
    b.name = j.at(sim::in_trace::name);
    b.bytes = j.at(sim::in_trace::bytes);
    b.place = j.at(sim::in_trace::place);
    if (j.contains(sim::in_trace::element)) {
      set_element(b, j.at(sim::in_trace::element));
    }
  }

  void add_repetitions(const nlohmann::json& j) {
    const std::uint64_t number = j.at(sim::in_trace::repeats);
    const auto at =
        std::ranges::lower_bound(run_.operations, number, {}, &traced_operation::number);
    if (at != run_.operations.end() && at->number == number) {
      at->repeated += j.at(sim::in_trace::times).get<std::uint64_t>();
      at->repeated_until = j.at(sim::in_trace::last);
    }
  }

  void add_finding(const nlohmann::json& j) {
    const std::size_t number = j.at(sim::in_trace::finding);
    if (number >= findings_.size() && !j.contains(sim::in_trace::said)) {
      return; // the report was not written any more
    }
    const nlohmann::json& told =
        j.contains(sim::in_trace::said) ? j.at(sim::in_trace::said) : findings_.at(number);
    traced_finding f{.code = told.at(sim::in_report::code),
                     .message = told.at(sim::in_report::message),
                     .details = told.at(sim::in_report::details),
                     .remedy = told.at(sim::in_report::remedy),
                     .count = told.at(sim::in_report::count),
                     .note = told.at(sim::in_report::severity) == sim::in_report::severity_note,
                     .where = sim::frames_from_json(told.at(sim::in_report::where)),
                     .other = sim::frames_from_json(told.at(sim::in_report::other)),
                     .operation = j.at(sim::in_trace::op)};
    if (j.contains(sim::in_trace::by)) {
      f.thread = j.at(sim::in_trace::by).get<std::uint64_t>();
    }
    run_.findings.push_back(std::move(f));
    parties_.push_back(told.at(sim::in_report::parties));
  }

  /// The latest operation of the earlier party at the other place.
  std::optional<std::uint64_t> other_access(const traced_finding& f) const {
    const auto number = static_cast<std::size_t>(&f - run_.findings.data());
    const auto parties = sim::parse_turns(parties_[number]);
    if (f.other.empty() || !parties || parties->size() != 2) {
      return {};
    }
    const sim::turn& earlier = parties->front();
    const auto made_it = [&](const traced_operation& o) {
      const traced_thread& t = run_.threads.at(o.thread);
      return o.number < f.operation && t.launch == earlier.launch && t.linear == earlier.thread &&
             run_.sites.at(o.site) == f.other;
    };
    const auto found = std::find_if(run_.operations.rbegin(), run_.operations.rend(), made_it);
    return found == run_.operations.rend() ? std::nullopt : std::optional(found->number);
  }

  void finish(const nlohmann::json& j) {
    run_.end = j.at(sim::in_trace::end);
    run_.operation_count = j.at(sim::in_trace::operations);
    for (const nlohmann::json& gap : j.at(sim::in_trace::left_out)) {
      run_.gaps.push_back({.first = gap.at(0), .last = gap.at(1), .count = gap.at(2)});
    }
    run_.schedule = j.at(sim::in_trace::schedule);
  }

  nlohmann::json findings_;
  std::vector<std::string> parties_; ///< of each finding
  traced_run run_;
};

} // namespace

std::map<std::uint64_t, std::uint64_t> traced_run::passed_over(const traced_operation& o) const {
  std::map<std::uint64_t, std::uint64_t> passed;
  for (const traced_access& a : o.memory) {
    for (const traced_stale& s : a.stale) {
      if (find(s.passed) != nullptr) {
        ++passed[s.passed];
      }
    }
  }
  return passed;
}

std::uint64_t traced_run::left_out() const {
  return std::accumulate(gaps.begin(),
                         gaps.end(),
                         std::uint64_t{0},
                         [](std::uint64_t sum, const traced_gap& g) { return sum + g.count; });
}

const traced_operation* traced_run::find(std::uint64_t number) const {
  const auto at = std::lower_bound(
      operations.begin(), operations.end(), number, [](const traced_operation& o, std::uint64_t n) {
        return o.number < n;
      });
  return at != operations.end() && at->number == number ? &*at : nullptr;
}

traced_run read_traced_run(std::string_view lines, const nlohmann::json& report) {
  reader r(report);
  try {
    while (!lines.empty()) {
      const auto end = lines.find('\n');
      if (end == std::string_view::npos) {
        break; // the program was killed while it wrote the line
      }
      r.read(sim::json_of(lines.substr(0, end)));
      lines.remove_prefix(end + 1);
    }
    return r.take();
  } catch (const nlohmann::json::exception& e) {
    throw failure(exit_internal, fmt::format("the program's trace cannot be read: {}", e.what()));
  }
}

block_of_thread block_of(const traced_thread& t, const traced_run& run) {
  const std::uint64_t threads = run.launches.at(t.launch).threads_per_block();
  if (threads <= 1) {
    return {.number = t.linear, .name = t.name, .thread = {}};
  }
  constexpr std::string_view between = " of ";
  const auto at = std::min(t.name.find(between), t.name.size());
  return {.number = t.linear / threads,
          .name = t.name.substr(std::min(at + between.size(), t.name.size())),
          .thread = t.name.substr(0, at)};
}

std::string to_string(const element_run& r, std::uint64_t access_bytes, const traced_run& run) {
  const auto found = run.buffers.find(r.buffer);
  if (found == run.buffers.end()) {
    return fmt::format("{:#x}", r.begin);
  }
  const traced_buffer& b = found->second;
  const auto size = static_cast<std::int64_t>(b.element_bytes);
  const auto begin = static_cast<std::int64_t>(r.begin);
  const auto width = static_cast<std::int64_t>(access_bytes);
  if (begin % size != 0 || r.distance % size != 0) {
    return fmt::format(
        "{} + {} bytes{}", b.name, begin, r.count == 1 ? "" : fmt::format(" ({} times)", r.count));
  }
  const std::int64_t first = begin / size;
  const auto count = static_cast<std::int64_t>(r.count);
  if (count == 1 || r.distance == width) {
    const std::int64_t elements = std::max<std::int64_t>(1, count * width / size);
    return elements == 1 ? fmt::format("{}[{}]", b.name, first)
                         : fmt::format("{}[{}:{}]", b.name, first, first + elements);
  }
  if (r.distance == 0) {
    return fmt::format("{}[{}] ({} times)", b.name, first, count);
  }
  const std::int64_t step = r.distance / size;
  const std::int64_t last = first + (count - 1) * step;
  if (step > 0) {
    return fmt::format("{}[{}:{}:{}]", b.name, first, last + 1, step);
  }
  return last == 0 ? fmt::format("{}[{}::{}]", b.name, first, step)
                   : fmt::format("{}[{}:{}:{}]", b.name, first, last - 1, step);
}

} // namespace tilesim::tools
