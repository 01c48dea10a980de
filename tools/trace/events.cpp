// Writes a traced run in the Trace Event Format: metadata, slices, flows, instants.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/events.hpp"

#include "sim/contract/frames_text.hpp"
#include "sim/contract/json_text.hpp"
#include "tools/check/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace tilesim::tools {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t elements_of_a_result = 16; ///< of a result, in a slice's arguments
constexpr std::size_t runs_of_an_access = 64;    ///< of an access, likewise

/// "(4,2,1)", or "4" where only x counts.
std::string extent_text(const std::array<std::uint64_t, 3>& e) {
  return e[1] == 1 && e[2] == 1 ? fmt::format("{}", e[0]) : fmt::format("({})", fmt::join(e, ","));
}

std::string text(const traced_tile& t) {
  std::uint64_t count = 1;
  for (const std::uint64_t e : t.shape) {
    count *= e;
  }
  const auto shown = std::min(elements_of_a_result, t.elements.size());
  return fmt::format(
      "{}: {}{}",
      t.type,
      fmt::join(t.elements.begin(), t.elements.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      shown < count ? ", …" : "");
}

class writer {
public:
  explicit writer(const traced_run& run)
      : run_(run)
      , host_(run.launches.empty() ? 1 : run.launches.rbegin()->first + 1) {}

  std::string write(const std::string& command) {
    const json other = {{"program", command},
                        {"tilesim", TILESIM_VERSION},
                        {"schedule", run_.schedule},
                        {"end", run_.end.empty() ? "killed" : run_.end},
                        {"operations", run_.operation_count},
                        {"operations_left_out", run_.left_out()}};
    text_ = fmt::format("{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{},\n\"traceEvents\":[",
                        dump(other));
    metadata();
    for (const traced_operation& o : run_.operations) {
      slice(o);
    }
    for (const traced_operation& o : run_.operations) {
      for (const traced_source& s : o.from) {
        arrow(s.synchronises ? "synchronises" : "reads-from",
              *run_.find(s.operation),
              o,
              {{"elements", s.elements}});
      }
      for (const auto& [passed, elements] : run_.passed_over(o)) {
        arrow("passed-over", *run_.find(passed), o, {{"elements", elements}});
      }
    }
    for (const traced_finding& f : run_.findings) {
      instant(f);
    }
    return std::move(text_) + "\n]}\n";
  }

private:
  static std::string dump(const json& j) { return sim::json_text(j); }

  void add(const json& event) {
    text_ += first_ ? "\n" : ",\n";
    text_ += dump(event);
    first_ = false;
  }

  void name(const char* what, std::uint64_t pid, std::uint64_t tid, const std::string& text) {
    add({{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", {{"name", text}}}});
  }

  void metadata() {
    for (const auto& [id, l] : run_.launches) {
      name("process_name",
           id,
           track(0),
           fmt::format("launch {}: {}<<<{}, {}>>>",
                       id,
                       l.kernel,
                       extent_text(l.grid),
                       extent_text(l.block)));
      add({{"ph", "M"},
           {"name", "process_sort_index"},
           {"pid", id},
           {"tid", track(0)},
           {"args", {{"sort_index", id}}}});
    }
    std::set<std::pair<std::uint64_t, std::uint64_t>> named;
    for (const auto& [number, t] : run_.threads) {
      const block_of_thread block = block_of(t, run_);
      if (!named.emplace(t.launch, block.number).second) {
        continue; // another thread of it was there before
      }
      name("thread_name", t.launch, track(block.number), block.name);
      add({{"ph", "M"},
           {"name", "thread_sort_index"},
           {"pid", t.launch},
           {"tid", track(block.number)},
           {"args", {{"sort_index", block.number}}}});
    }
    if (std::ranges::any_of(run_.findings, [](auto& f) { return !f.thread; })) {
      name("process_name", host_, host_, "host");
    }
  }

  /// The tid of a block, whose threads share a track: one operation is made at a time. Perfetto
  /// takes tid 0, and one that is the pid, for the process's main thread, and puts both on one
  /// track.
  std::uint64_t track(std::uint64_t linear) const { return host_ + 1 + linear; }

  std::string place(unsigned site) const {
    const auto found = run_.sites.find(site);
    return found == run_.sites.end() || found->second.empty()
               ? "an unknown place"
               : sim::to_string(found->second.front());
  }

  json access(const traced_access& a) const {
    json j = {{"access",
               a.reads && a.writes ? "update"
               : a.reads           ? "read"
                                   : "write"},
              {"order", a.order}};
    if (!a.scope.empty()) {
      j["scope"] = a.scope;
    }
    j["bytes"] = a.bytes;
    j["places"] = json::array();
    for (std::size_t i = 0; i < std::min(runs_of_an_access, a.at.size()); ++i) {
      j["places"].push_back(tools::to_string(a.at[i], a.bytes, run_));
    }
    if (a.at.size() > runs_of_an_access) {
      j["places"].push_back(fmt::format("and {} more", a.at.size() - runs_of_an_access));
    }
    for (std::size_t i = 0; i < std::min(runs_of_an_access, a.stale.size()); ++i) {
      j["stale"].push_back(stale(a.stale[i], a.bytes));
    }
    if (a.stale.size() > runs_of_an_access) {
      j["stale"].push_back(fmt::format("and {} more", a.stale.size() - runs_of_an_access));
    }
    return j;
  }

  /// "flag[0] reads 0, although 1 was written there before, by operation 12 (mp.cu:20)".
  std::string stale(const traced_stale& s, std::uint64_t bytes) const {
    const traced_operation* const passed = run_.find(s.passed);
    return fmt::format("{} reads {}, although {} was written there before{}",
                       tools::to_string(s.at, bytes, run_),
                       s.value,
                       s.newest,
                       passed == nullptr
                           ? ""
                           : fmt::format(", by operation {} ({})", s.passed, place(passed->site)));
  }

  json arguments(const traced_operation& o) const {
    json args = {{"place", place(o.site)}};
    if (std::string thread = block_of(run_.threads.at(o.thread), run_).thread; !thread.empty()) {
      args["thread"] = std::move(thread);
    }
    if (const auto& frames = run_.sites.at(o.site); !frames.empty()) {
      args["function"] = frames.front().function;
    }
    if (!o.written.empty()) {
      args["written"] = o.written;
    }
    if (!o.operands.empty()) {
      args["operands"] = o.operands;
    }
    if (o.result) {
      args["result"] = text(*o.result);
    }
    if (o.stores) {
      args["stores"] = text(*o.stores);
    }
    if (!o.memory.empty()) {
      args["memory"] = json::array();
      for (const traced_access& a : o.memory) {
        args["memory"].push_back(access(a));
      }
    }
    if (o.repeated != 0) {
      args["polls_on"] = fmt::format("{} more operations of this loop, in vain, up to operation {}",
                                     o.repeated,
                                     o.repeated_until);
    }
    if (o.unfinished) {
      args["unfinished"] = true;
    }
    return args;
  }

  static json event(const char* phase, const std::string& name, const char* category, double at) {
    return {{"ph", phase}, {"name", name}, {"cat", category}, {"ts", at}};
  }

  void put_on_track(json& event, std::uint64_t thread) const {
    const traced_thread& t = run_.threads.at(thread);
    event["pid"] = t.launch;
    event["tid"] = track(block_of(t, run_).number);
  }

  void slice(const traced_operation& o) {
    json e = {{"ph", "X"},
              {"name", o.name},
              {"cat", o.memory.empty() ? "compute" : "memory"},
              {"ts", o.number},
              {"dur", 1}};
    put_on_track(e, o.thread);
    e["args"] = arguments(o);
    add(e);
  }

  /// From the middle of one slice to the middle of the other: inside both, for every reader.
  void arrow(const char* what,
             const traced_operation& from,
             const traced_operation& to,
             const json& args) {
    ++arrows_;
    for (const bool start : {true, false}) {
      const traced_operation& o = start ? from : to;
      json e = event(start ? "s" : "f", what, what, middle(o.number));
      e["id"] = arrows_;
      if (!start) {
        e["bp"] = "e"; // binds to the slice around it, not to the next one
      }
      put_on_track(e, o.thread);
      if (start && !args.empty()) { // chrome://tracing warns of those that both ends have
        e["args"] = args;
      }
      add(e);
    }
  }

  void instant(const traced_finding& f) {
    json e = event("i", f.code, f.note ? "note" : "finding", middle(f.operation));
    if (f.thread) {
      put_on_track(e, *f.thread);
      e["s"] = "t";
    } else {
      e["pid"] = e["tid"] = host_;
      e["s"] = "g";
    }
    json args = {{"message", f.message}};
    if (f.thread) {
      if (std::string thread = block_of(run_.threads.at(*f.thread), run_).thread; !thread.empty()) {
        args["thread"] = std::move(thread);
      }
    }
    if (!f.where.empty()) {
      args["place"] = sim::to_string(f.where.front());
    }
    if (!f.other.empty()) {
      args["other_place"] = sim::to_string(f.other.front());
    }
    if (!f.details.empty()) {
      args["details"] = f.details;
    }
    if (!f.remedy.empty()) {
      args["remedy"] = f.remedy;
    }
    args["count"] = f.count;
    e["args"] = std::move(args);
    add(e);
    const traced_operation* here = run_.find(f.operation);
    if (f.conflicts_with && here != nullptr) {
      arrow("race", *run_.find(*f.conflicts_with), *here, {{"finding", f.code}});
    }
  }

  static double middle(std::uint64_t number) { return static_cast<double>(number) + 0.5; }

  const traced_run& run_;
  const std::uint64_t host_; ///< the pid and tid of what no block did: behind all launches
  std::string text_;
  bool first_ = true;
  std::uint64_t arrows_ = 0;
};

} // namespace

std::string to_trace_events(const traced_run& run, const std::string& command) {
  return writer(run).write(command);
}

} // namespace tilesim::tools
