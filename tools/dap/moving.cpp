// Going on and going back, and saying where the program stands.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "tools/dap/adapter.hpp"
#include "tools/step/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string_view>
#include <sys/wait.h>

namespace tilesim::driver::dap {
namespace {

using nlohmann::json;

constexpr int status_of_signal = 128; // and its number: as shells say it

/// How a process ended, from waitpid's status.
std::string ended_how(int status) {
  return WIFSIGNALED(status)
             ? fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
             : fmt::format("with status {}, without exit()", WEXITSTATUS(status));
}

/// Where it ended by a signal, if that is known.
std::string crash_place(const json& crash) {
  if (crash.is_null() || crash.at("frames").empty())
    return {};
  const std::string block = crash.at("block");
  return fmt::format(", in {} at {}",
                     block.empty() ? "host code" : block,
                     step::render_place(crash.at("frames").front()));
}

std::string finding_text(const json& findings) {
  std::string text;
  for (const auto& f : findings) {
    if (f.value("level", "") == "error")
      text += fmt::format("{}{}: {} [{}]",
                          text.empty() ? "" : "\n",
                          step::render_place(f.at("where")),
                          f.at("message").get<std::string>(),
                          f.at("code").get<std::string>());
  }
  return text;
}

} // namespace

bool adapter::at_end() const {
  return program_->session().over();
}

void adapter::begin() {
  step::prompt& prompt = program_->prompt();
  if (launched_->no_debug) {
    prompt.execute("delete");
    prompt.execute("set stop-at-findings off");
  }
  if (launched_->replays) {
    json found = json::array();
    move(
        [&] {
          found = program_->stand_at_replayed();
          stands_at_replayed_ = program_->leads_to_finding();
          findings_ = found;
        },
        false);
    return;
  }
  const char* command = launched_->stop_on_entry ? "step" : "run";
  move([&prompt, command] { prompt.execute(command); }, !launched_->stop_on_entry);
}

void adapter::go_forward(const json& arguments, const std::string& command, const char* what) {
  step::session& session = standing();
  const bool leaves = command == "continue";
  if (at_end()) {
    if (!leaves)
      throw step::refused(fmt::format(
          "the program has ended: {} has nothing to do; step back, or continue to leave", what));
    afterwards_ = [this] { end(exit_code()); };
    return;
  }
  const int wanted = arguments.at("threadId");
  const json& here = session.here();
  if (here.contains("thread") && blocks_.number(here.at("thread")) != wanted) {
    if (wanted == blocks::host)
      throw step::refused("the host program goes on when its kernels have ended");
    const json* block = blocks_.find(wanted);
    if (block == nullptr)
      throw step::refused(fmt::format("no block has the number {}", wanted));
    session.switch_to(*block);
  }
  afterwards_ = [this, command, leaves] {
    move([this, command] { program_->prompt().execute(command); }, leaves);
  };
}

void adapter::go_back(const json& arguments, const std::string& command) {
  step::session& session = standing();
  const json& here = session.here();
  if (session.position() == 0)
    throw step::refused("nothing has happened yet: there is nothing to take back");
  if (command != "reverse-continue" && here.contains("thread") && arguments.contains("threadId") &&
      blocks_.number(here.at("thread")) != arguments.at("threadId").get<int>())
    throw step::refused(fmt::format("what is taken back are operations of the block that stands "
                                    "here, {}",
                                    blocks::name(here.at("thread"))));
  afterwards_ = [this, command] {
    move([this, command] { program_->prompt().execute(command); }, false);
  };
}

json adapter::go_on(const json& arguments) {
  go_forward(arguments, "continue", "continue");
  return {{"allThreadsContinued", true}};
}

json adapter::next(const json& arguments) {
  const bool one = arguments.value("granularity", "statement") == "instruction";
  go_forward(arguments, one ? "step" : "next", "next");
  return nullptr;
}

json adapter::step_in(const json& arguments) {
  go_forward(arguments, "step", "step");
  return nullptr;
}

json adapter::step_out(const json& arguments) {
  go_forward(arguments, "finish", "finish");
  return nullptr;
}

json adapter::step_back(const json& arguments) {
  const bool one = arguments.value("granularity", "statement") == "instruction";
  // The last step, whichever it was, is taken back as a whole.
  const auto last = one ? std::nullopt : standing().way_back();
  go_back(arguments, last.value_or(one || at_end() ? "reverse-step" : "reverse-next"));
  return nullptr;
}

json adapter::reverse_continue(const json& arguments) {
  go_back(arguments, "reverse-continue");
  return nullptr;
}

json adapter::pause(const json& /*arguments*/) {
  throw step::refused("the program stands already");
}

void adapter::move(const std::function<void()>& how, bool leaves_at_end) {
  variables_->forget();
  first_frame_ += static_cast<int>(frames_.size());
  frames_.clear();
  findings_ = json::array();
  stands_at_replayed_ = false;
  moving_ = true;
  going_on_ = leaves_at_end;
  pause_asked_ = interrupted_for_requests_ = false;
  std::string said;
  try {
    said = said_by(how);
    while (std::exchange(interrupted_for_requests_, false) && serve_waiting_breakpoints())
      said = said_by([this] { program_->prompt().execute("continue"); });
  } catch (const std::exception& e) { // step::refused, step::command_error
    said += std::string(e.what()) + "\n";
  }
  moving_ = going_on_ = false;
  report_stop(said, leaves_at_end);
}

bool adapter::serve_waiting_breakpoints() {
  if (pause_asked_ || abandoned_ || program_->session().here().value("reason", "") != "interrupt")
    return false;
  auto& waiting = wire_.waiting();
  std::vector<json> requests;
  std::erase_if(waiting, [&](const json& m) {
    const bool sets = m.value("command", "").rfind("set", 0) == 0;
    if (sets)
      requests.push_back(m);
    return sets;
  });
  for (const auto& r : requests)
    carry_out(r);
  return true;
}

int adapter::exit_code() const {
  const json& here = program_->session().here();
  const std::string reason = here.value("reason", "");
  if (reason == "stopped")
    return sim::exit_stopped;
  if (reason == "interrupted")
    return sim::exit_interrupted;
  if (reason == "died") {
    const int status = here.value("wait_status", 0);
    return WIFSIGNALED(status) ? status_of_signal + WTERMSIG(status) : WEXITSTATUS(status);
  }
  return here.value("status", 0);
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
  if (abandoned_)
    return; // the client's last words are waiting
  if (!stands_at_replayed_)
    findings_ = program_->session().here().value("findings", json::array());
  const bool leaves = (leaves_at_end && !launched_->stop_at_end &&
                       program_->session().here().value("reason", "") == "ended") ||
                      (launched_->no_debug && at_end());
  say("console", said);
  if (leaves)
    end(exit_code());
  else
    send_stopped();
}

void adapter::send_stopped() {
  const json& here = program_->session().here();
  const std::string reason = here.value("reason", "");
  json body = {{"reason", "step"}, {"allThreadsStopped", true}};
  body["threadId"] =
      here.contains("thread") ? blocks_.number(here.at("thread")) : int{blocks::host};
  const auto because = [&](const char* why, const std::string& description) {
    body["reason"] = why;
    body["description"] = description;
  };
  if (reason == "breakpoint") {
    const auto& ids = here.at("breakpoints");
    const bool kernel = std::all_of(ids.begin(), ids.end(), [this](const json& id) {
      return breakpoints_->is_of_kernel(id.get<unsigned>());
    });
    because(kernel ? "function breakpoint" : "breakpoint", "stopped at a breakpoint");
  } else if (reason == "watch") {
    because("data breakpoint", "a watched value has changed");
  } else if (reason == "finding" || stands_at_replayed_) {
    because("exception",
            stands_at_replayed_ ? "the next operation leads to the finding"
                                : "something was found");
    body["text"] = finding_text(findings_);
  } else if (reason == "interrupt") {
    because("pause", "paused");
  } else if (reason == "wait begins") {
    because("goto", "this block begins to wait here");
  } else if (reason == "history begins") {
    because("entry", "the history begins here");
  } else if (reason == "ended") {
    because("end",
            fmt::format("the program has ended with status {}: step back, or continue to leave",
                        here.value("status", 0)));
  } else if (reason == "stopped") {
    because("exception", "tilesim ends the program here: a GPU would not survive it either");
    body["text"] = finding_text(findings_);
  } else if (reason == "interrupted") {
    because("pause", "interrupted in code without operations: the program can only go back");
  } else if (reason == "died") {
    because("exception",
            fmt::format("the program has ended {}{}",
                        ended_how(here.value("wait_status", 0)),
                        crash_place(here.value("crash", json()))));
    body["text"] = body["description"];
  } else if (reason == "block ended") {
    because("step", fmt::format("{} has ended", here.value("ended", "the block")));
  } else if (here.value("position", std::uint64_t{0}) == 0) {
    because("entry", "the first operation");
  }
  json ids = here.value("breakpoints", json::array());
  for (const auto& w : here.value("watches", json::array()))
    ids.push_back(w.at("id"));
  if (!ids.empty())
    body["hitBreakpointIds"] = ids;
  wire_.event("stopped", std::move(body));
}

} // namespace tilesim::driver::dap
