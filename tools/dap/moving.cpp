// Going on and going back, and saying where the program stands.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "tools/dap/adapter.hpp"
#include "tools/step/render.hpp"
#include "tools/step/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <string_view>
#include <sys/wait.h>

namespace tilesim::tools::dap {
namespace {

using nlohmann::json;
using reasons = step::protocol::stop_reason;

constexpr int status_of_signal = 128; // and its number: as shells say it

/// Where it ended by a signal, if that is known.
std::string crash_place(const std::optional<step::crash>& crash) {
  if (!crash || crash->frames.empty()) {
    return {};
  }
  return fmt::format(", in {} at {}",
                     crash->block.empty() ? "host code" : crash->block,
                     step::render_place(crash->frames.front()));
}

std::string finding_text(const std::vector<step::protocol::finding>& findings) {
  std::string text;
  for (const auto& f : findings) {
    if (f.level == "error") {
      text += fmt::format("{}{}: {} [{}]",
                          text.empty() ? "" : "\n",
                          step::render_place(f.where),
                          f.message,
                          f.code);
    }
  }
  return text;
}

} // namespace

bool adapter::at_end() const {
  return program_->session().over();
}

void adapter::begin() {
  if (launched_->no_debug) {
    debugger().remove_stops();
    debugger().stop_at_findings(false);
  }
  if (launched_->replays) {
    move_saying(
        [this] {
          findings_ = program_->stand_at_replayed();
          stands_at_replayed_ = program_->leads_to_finding();
        },
        false);
  } else if (launched_->stop_on_entry) {
    move([](step::debugger& d) { d.step(); }, false);
  } else {
    move([](step::debugger& d) { d.run(); }, true);
  }
}

void adapter::go_forward(const json& arguments,
                         const verb& way,
                         const char* what,
                         bool leaves_at_end) {
  if (at_end()) {
    if (!leaves_at_end) {
      throw step::refused(fmt::format(
          "the program has ended: {} has nothing to do; step back, or continue to leave", what));
    }
    afterwards_ = [this] { end(exit_code()); };
    return;
  }
  const int wanted = arguments.at("threadId");
  const step::standing& here = standing().here();
  if (here.thread && blocks_.number(*here.thread) != wanted) {
    if (wanted == blocks::host) {
      throw step::refused("the host program goes on when its kernels have ended");
    }
    const blocks::identity* const block = blocks_.find(wanted);
    if (block == nullptr) {
      throw step::refused(fmt::format("no block has the number {}", wanted));
    }
    debugger().go_to_block(block->block, block->thread, block->launch);
  }
  afterwards_ = [this, way, leaves_at_end] { move(way, leaves_at_end); };
}

/// `of_this_block`: it takes back what the block that stands here has done.
void adapter::go_back(const json& arguments, const verb& way, bool of_this_block) {
  const step::session& session = standing();
  const step::standing& here = session.here();
  if (session.position() == 0) {
    throw step::refused("nothing has happened yet: there is nothing to take back");
  }
  if (of_this_block && here.thread && arguments.contains("threadId") &&
      blocks_.number(*here.thread) != arguments.at("threadId").get<int>()) {
    throw step::refused(fmt::format("what is taken back are operations of the block that stands "
                                    "here, {}",
                                    blocks::name(*here.thread)));
  }
  afterwards_ = [this, way] { move(way, false); };
}

json adapter::go_on(const json& arguments) {
  go_forward(
      arguments, [](step::debugger& d) { d.go_on(); }, "continue", true);
  return {{"allThreadsContinued", true}};
}

json adapter::next(const json& arguments) {
  const bool one = arguments.value("granularity", "statement") == "instruction";
  go_forward(
      arguments, [one](step::debugger& d) { one ? d.step() : d.next(); }, "next", false);
  return nullptr;
}

/// The writes that the read which comes may take: to step into one is to take it.
json adapter::step_in_targets(const json& arguments) {
  const frame& where = frame_of(arguments);
  targets_.clear();
  json list = json::array();
  const auto reads = where.current ? debugger().reads() : std::nullopt;
  for (const auto& r : reads ? reads->coming : std::vector<step::protocol::offered_read>{}) {
    if (r.writes.size() < 2) {
      continue;
    }
    for (std::size_t back = 0; back < r.writes.size(); ++back) {
      targets_.push_back({r.element, back});
      list.push_back({{"id", targets_.size()},
                      {"label",
                       fmt::format("{} = {}; {}",
                                   r.place,
                                   step::render_write(r.writes[back]),
                                   step::render_passed(r, back))}});
    }
  }
  return {{"targets", std::move(list)}};
}

json adapter::step_in(const json& arguments) {
  if (const auto wanted = arguments.find("targetId"); wanted != arguments.end()) {
    const auto id = wanted->get<std::size_t>();
    if (id == 0 || id > targets_.size()) {
      throw step::refused("the target is of another stop: ask for stepInTargets again");
    }
    const step::standing& here = standing().here();
    if (here.thread && blocks_.number(*here.thread) != arguments.at("threadId").get<int>()) {
      throw step::refused(fmt::format("the targets are writes that {} may read, which stands here",
                                      blocks::name(*here.thread)));
    }
    debugger().choose(targets_[id - 1].back, targets_[id - 1].element);
  }
  go_forward(
      arguments, [](step::debugger& d) { d.step(); }, "step", false);
  return nullptr;
}

json adapter::step_out(const json& arguments) {
  go_forward(
      arguments, [](step::debugger& d) { d.finish(); }, "finish", false);
  return nullptr;
}

json adapter::step_back(const json& arguments) {
  const bool one = arguments.value("granularity", "statement") == "instruction";
  const bool by_line = !one && !at_end();
  go_back(
      arguments,
      [one, by_line](step::debugger& d) {
        // The last step, whichever it was, is taken back as a whole.
        if (!one && d.take_back()) {
          return;
        }
        by_line ? d.reverse_next() : d.reverse_step();
      },
      true);
  return nullptr;
}

json adapter::reverse_continue(const json& arguments) {
  go_back(
      arguments, [](step::debugger& d) { d.reverse_go_on(); }, false);
  return nullptr;
}

void adapter::move(const verb& way, bool leaves_at_end) {
  move_saying(
      [this, &way] {
        way(debugger());
        program_->prompt().show_stop();
      },
      leaves_at_end);
}

void adapter::move_saying(const std::function<void()>& how, bool leaves_at_end) {
  variables_->forget();
  first_frame_ += static_cast<int>(frames_.size());
  frames_.clear();
  targets_.clear();
  findings_.clear();
  stands_at_replayed_ = false;
  moving_ = true;
  going_on_ = leaves_at_end;
  pause_asked_ = interrupted_for_requests_ = false;
  std::string said;
  try {
    said = said_by(how);
    while (std::exchange(interrupted_for_requests_, false) && serve_waiting_breakpoints()) {
      said = said_by([this] {
        debugger().go_on();
        program_->prompt().show_stop();
      });
    }
  } catch (const std::exception& e) { // step::refused, step::command_error
    said += std::string(e.what()) + "\n";
  }
  moving_ = going_on_ = false;
  report_stop(said, leaves_at_end);
}

bool adapter::serve_waiting_breakpoints() {
  if (pause_asked_ || abandoned_ || program_->session().here().reason != reasons::interrupt) {
    return false;
  }
  auto& waiting = wire_.waiting();
  std::vector<json> requests;
  std::erase_if(waiting, [&](const json& m) {
    const bool sets = m.value("command", "").rfind("set", 0) == 0;
    if (sets) {
      requests.push_back(m);
    }
    return sets;
  });
  for (const auto& r : requests) {
    carry_out(r);
  }
  return true;
}

int adapter::exit_code() const {
  const step::standing& here = program_->session().here();
  switch (here.reason) {
  case reasons::stopped:
    return exit_stopped;
  case reasons::interrupted:
    return exit_interrupted;
  case reasons::died:
    return WIFSIGNALED(here.wait_status) ? status_of_signal + WTERMSIG(here.wait_status)
                                         : WEXITSTATUS(here.wait_status);
  default:
    return here.status;
  }
}

void adapter::end(int exit_code) {
  pass_on_output(true);
  variables_.reset();
  breakpoints_.reset();
  program_.reset();
  over_ = true;
  wire_.event("exited", {{"exitCode", exit_code}});
  wire_.event("terminated");
}

void adapter::report_stop(const std::string& said, bool leaves_at_end) {
  pass_on_output(true);
  if (abandoned_) {
    return; // the client's last words are waiting
  }
  if (!stands_at_replayed_) {
    findings_ = program_->session().here().findings;
  }
  const bool leaves = (leaves_at_end && !launched_->stop_at_end &&
                       program_->session().here().reason == reasons::ended) ||
                      (launched_->no_debug && at_end());
  say("console", said);
  if (leaves) {
    end(exit_code());
  } else {
    send_stopped();
  }
}

// --- Why it has stopped, as the protocol says it

namespace {

json because(const char* reason, const std::string& description) {
  return {{"reason", reason}, {"description", description}};
}

} // namespace

struct adapter::stop_reason {
  reasons reason{};
  const char* name = nullptr; ///< the protocol's "reason" and "description",
  const char* description = nullptr;
  json (adapter::*tell)() const = nullptr; ///< or who knows them
};

/// nullptr: a step.
const adapter::stop_reason* adapter::find_reason(reasons reason) {
  static constexpr std::array<stop_reason, 11> all = {{
      {.reason = reasons::breakpoint, .tell = &adapter::because_breakpoint},
      {reasons::watch, "data breakpoint", "a watched value has changed"},
      {.reason = reasons::finding, .tell = &adapter::because_finding},
      {reasons::interrupt, "pause", "paused"},
      {.reason = reasons::wait_begins, .tell = &adapter::because_wait},
      {reasons::history_begins, "entry", "the history begins here"},
      {.reason = reasons::ended, .tell = &adapter::because_end},
      {.reason = reasons::stopped, .tell = &adapter::because_stopped},
      {reasons::interrupted,
       "pause",
       "interrupted in code without operations: the program can only go back"},
      {.reason = reasons::died, .tell = &adapter::because_death},
      {.reason = reasons::block_ended, .tell = &adapter::because_block_ended},
  }};
  const auto* const it = std::ranges::find(all, reason, &stop_reason::reason);
  return it == all.end() ? nullptr : it;
}

json adapter::because_breakpoint() const {
  const auto& ids = program_->session().here().breakpoints;
  if (!ids.empty() &&
      std::ranges::all_of(ids, [this](unsigned id) { return breakpoints_->is_of_choices(id); })) {
    return because("breakpoint", "the read that comes may take several writes");
  }
  const bool kernel = std::ranges::all_of(program_->session().here().breakpoints, [this](auto id) {
    return breakpoints_->is_of_kernel(id);
  });
  return because(kernel ? "function breakpoint" : "breakpoint", "stopped at a breakpoint");
}

json adapter::because_finding() const {
  json body = because("exception",
                      stands_at_replayed_ ? "the next operation leads to the finding"
                                          : "something was found");
  body["text"] = finding_text(findings_);
  return body;
}

json adapter::because_end() const {
  return because("end",
                 fmt::format("the program has ended with status {}: step back, or continue to "
                             "leave",
                             program_->session().here().status));
}

json adapter::because_stopped() const {
  json body = because("exception", step::ended_by_finding(program_->session().here().findings));
  body["text"] = finding_text(findings_);
  return body;
}

json adapter::because_wait() const {
  const auto& thread = program_->session().here().thread;
  return because(
      "goto",
      fmt::format("this {} begins to wait here", thread && thread->in_block ? "thread" : "block"));
}

json adapter::because_death() const {
  const step::standing& here = program_->session().here();
  json body = because("exception",
                      fmt::format("the program has ended {}{}",
                                  step::ended_how(here.wait_status),
                                  crash_place(here.crash)));
  body["text"] = body["description"];
  return body;
}

json adapter::because_block_ended() const {
  return because("step", fmt::format("{} has ended", program_->session().here().ended));
}

std::vector<unsigned> adapter::hit_breakpoints() const {
  const step::standing& here = program_->session().here();
  std::vector<unsigned> ids = here.breakpoints;
  // Filters are no breakpoints to the client.
  std::erase_if(ids, [this](unsigned id) { return breakpoints_->is_of_choices(id); });
  for (const auto& w : here.watches) {
    ids.push_back(w.id);
  }
  return ids;
}

void adapter::send_stopped() {
  for (json& found : breakpoints_->found_since()) {
    wire_.event("breakpoint", {{"reason", "changed"}, {"breakpoint", std::move(found)}});
  }
  const step::standing& here = program_->session().here();
  const stop_reason* const known = find_reason(here.reason);
  json body = {{"reason", "step"}};
  if (stands_at_replayed_ && !at_end() && here.reason != reasons::breakpoint &&
      here.reason != reasons::watch) {
    body = because_finding();
  } else if (known != nullptr) {
    body =
        known->tell != nullptr ? (this->*known->tell)() : because(known->name, known->description);
  } else if (here.position == 0) {
    body = because("entry", "the first operation");
  }
  body["allThreadsStopped"] = true;
  body["threadId"] = standing_thread();
  if (auto ids = hit_breakpoints(); !ids.empty()) {
    body["hitBreakpointIds"] = std::move(ids);
  }
  wire_.event("stopped", std::move(body));
}

} // namespace tilesim::tools::dap
