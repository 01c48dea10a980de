// The conversation: which requests there are, in which state each makes sense.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/adapter.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace tilesim::tools::dap {
namespace {

using nlohmann::json;

volatile std::sig_atomic_t asked_to_leave = 0;

/// "[json.exception.out_of_range.403] key 'line' not found" without its beginning.
std::string without_code(std::string what) {
  const std::size_t end = what.find("] ");
  return what.front() == '[' && end != std::string::npos ? what.substr(end + 2) : what;
}

/// The part of a text that ends with a whole character; the rest stays in `held`.
std::string whole_characters(std::string& held, const std::string& fresh) {
  std::string text = held + fresh;
  std::size_t end = text.size();
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) {
      continue;
    }
    const std::size_t length = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
    end = length > back ? text.size() - back : text.size();
    break;
  }
  held = text.substr(end);
  text.resize(end);
  return text;
}

} // namespace

/// What has to be the case for a request to make sense.
enum class needed : unsigned char { nothing, initialized, program, standing };

struct adapter::request_kind {
  const char* command;
  needed needs;
  json (adapter::*carry_out)(const json& arguments);
  const char* why_refused = ""; ///< where nothing carries it out
};

const std::vector<adapter::request_kind>& adapter::kinds() {
  static const std::vector<request_kind> all = {
      {"initialize", needed::nothing, &adapter::initialize},
      {"launch", needed::initialized, &adapter::launch},
      {"attach",
       needed::initialized,
       nullptr,
       "tilesim compiles and starts the program itself: use 'launch'"},
      {"configurationDone", needed::program, &adapter::configuration_done},
      {"setBreakpoints", needed::program, &adapter::set_breakpoints},
      {"setFunctionBreakpoints", needed::program, &adapter::set_function_breakpoints},
      {"setExceptionBreakpoints", needed::program, &adapter::set_exception_breakpoints},
      {"dataBreakpointInfo", needed::standing, &adapter::data_breakpoint_info},
      {"setDataBreakpoints", needed::program, &adapter::set_data_breakpoints},
      {"threads", needed::program, &adapter::threads},
      {"stackTrace", needed::program, &adapter::stack_trace},
      {"scopes", needed::standing, &adapter::scopes},
      {"variables", needed::standing, &adapter::children},
      {"evaluate", needed::program, &adapter::evaluate},
      {"completions", needed::program, &adapter::completions},
      {"exceptionInfo", needed::program, &adapter::exception_info},
      {"readMemory", needed::standing, &adapter::read_memory},
      {"continue", needed::standing, &adapter::go_on},
      {"next", needed::standing, &adapter::next},
      {"stepInTargets", needed::standing, &adapter::step_in_targets},
      {"stepIn", needed::standing, &adapter::step_in},
      {"stepOut", needed::standing, &adapter::step_out},
      {"stepBack", needed::standing, &adapter::step_back},
      {"reverseContinue", needed::standing, &adapter::reverse_continue},
      {"pause", needed::standing, nullptr, "the program stands already"},
      {"terminate", needed::initialized, &adapter::terminate},
      {"disconnect", needed::nothing, &adapter::disconnect},
  };
  return all;
}

namespace {

/// Why a message is no request; empty if it is one.
std::string wrong_in_request(const json& message) {
  if (message.value("type", json()) != "request") {
    return R"(the message's "type" is to be "request")";
  }
  if (!message.value("seq", json()).is_number_integer()) {
    return "the request's \"seq\" is to be a whole number";
  }
  if (!message.value("command", json()).is_string()) {
    return "the request's \"command\" is to be a string";
  }
  return {};
}

} // namespace

void adapter::leave() noexcept {
  asked_to_leave = 1;
}

void adapter::serve() {
  while (!leaving_ && asked_to_leave == 0) {
    const auto message = wire_.receive();
    if (!message) {
      if (wire_.closed()) {
        return;
      }
      continue; // a signal
    }
    const json type = message->value("type", json());
    if (type == "response" || type == "event") {
      sim::print_error("tilesim dap: no request: {}\n", sim::json_text(*message));
    } else if (const std::string why = wrong_in_request(*message); !why.empty()) {
      wire_.refuse(*message, why);
    } else {
      carry_out(*message);
    }
  }
}

void adapter::carry_out(const json& request) {
  const std::string command = request.at("command");
  const auto& all = kinds();
  const auto kind =
      std::find_if(all.begin(), all.end(), [&](const auto& k) { return command == k.command; });
  if (kind == all.end()) {
    wire_.refuse(request, fmt::format("tilesim does not know the request '{}'", command));
    return;
  }
  afterwards_ = nullptr;
  try {
    if (kind->needs >= needed::initialized && !initialized_) {
      throw step::refused("'initialize' comes first");
    }
    if (kind->needs >= needed::program && program_ == nullptr) {
      throw step::refused(over_ ? "the program has ended" : "no program has been launched yet");
    }
    if (kind->needs >= needed::standing && !configured_) {
      throw step::refused("the program has not been started yet: 'configurationDone' is missing");
    }
    if (kind->carry_out == nullptr) {
      throw step::refused(kind->why_refused);
    }
    json arguments = request.value("arguments", json::object());
    if (arguments.is_null()) {
      arguments = json::object();
    }
    json body = (this->*kind->carry_out)(arguments);
    wire_.respond(request, std::move(body));
  } catch (const json::exception& e) {
    wire_.refuse(request, fmt::format("the arguments are wrong: {}", without_code(e.what())));
    return;
  } catch (const std::exception& e) { // step::refused, step::command_error, failure
    wire_.refuse(request, e.what());
    return;
  }
  if (const auto rest = std::exchange(afterwards_, nullptr)) {
    rest();
  }
}

// --- The beginning

json adapter::initialize(const json& arguments) {
  if (initialized_) {
    throw step::refused("'initialize' comes once");
  }
  if (const std::string format = arguments.value("pathFormat", "path"); format != "path") {
    throw step::refused(fmt::format("paths are written as 'path' here, not as '{}'", format));
  }
  initialized_ = true;
  lines_from_one_ = arguments.value("linesStartAt1", true);
  columns_from_one_ = arguments.value("columnsStartAt1", true);
  json capabilities = json::object();
  for (const char* what : {"supportsConfigurationDoneRequest",
                           "supportsFunctionBreakpoints",
                           "supportsConditionalBreakpoints",
                           "supportsEvaluateForHovers",
                           "supportsStepBack",
                           "supportsDataBreakpoints",
                           "supportsReadMemoryRequest",
                           "supportsTerminateRequest",
                           "supportsExceptionInfoRequest",
                           "supportsSteppingGranularity",
                           "supportsStepInTargetsRequest",
                           "supportsCompletionsRequest",
                           "supportsDelayedStackTraceLoading"}) {
    capabilities[what] = true;
  }
  capabilities["exceptionBreakpointFilters"] = json::array(
      {{{"filter", "findings"},
        {"label", "Findings"},
        {"description", "Stop at data races and at every other defect that tilesim finds"},
        {"default", true}},
       {{"filter", "choices"},
        {"label", "Reads with a choice"},
        {"description",
         R"(Stop before strong reads that may take several writes; with "model": "ptx")"},
        {"default", false}}});
  return capabilities;
}

json adapter::launch(const json& arguments) {
  if (program_ != nullptr || over_) {
    throw step::refused("a program has been launched already");
  }
  launched_ = read_launch(arguments);
  step::program_request& request = launched_->program;
  request.show_output = false;
  request.wake_for = wire_.input();
  request.while_running = [this] { while_running(); };
  std::string compiler;
  {
    const errors_kept kept;
    try {
      program_ = std::make_unique<step::program>(std::move(request));
    } catch (const failure& e) {
      compiler = kept.text() + for_terminal(e.what());
    }
    if (program_ != nullptr) {
      compiler = kept.text();
    }
  }
  if (program_ == nullptr) {
    say("stderr", compiler);
    throw step::refused(compiler.empty() ? "the program cannot be started" : compiler);
  }
  say("console", compiler); // warnings
  breakpoints_ = std::make_unique<breakpoints>(program_->debugger());
  variables_ = std::make_unique<variables>(program_->session());
  afterwards_ = [this, name = arguments.at("program")] {
    wire_.event("process",
                {{"name", name},
                 {"systemProcessId", program_->session().here().pid},
                 {"isLocalProcess", true},
                 {"startMethod", "launch"}});
    wire_.event("initialized");
  };
  return nullptr;
}

json adapter::configuration_done(const json& /*arguments*/) {
  if (configured_) {
    throw step::refused("'configurationDone' comes once");
  }
  configured_ = true;
  afterwards_ = [this] { begin(); };
  return nullptr;
}

json adapter::terminate(const json& /*arguments*/) {
  afterwards_ = [this] {
    program_.reset();
    if (!std::exchange(over_, true)) {
      wire_.event("terminated");
    }
  };
  return nullptr;
}

json adapter::disconnect(const json& /*arguments*/) {
  leaving_ = true;
  program_.reset();
  return nullptr;
}

// --- Breakpoints

json adapter::set_breakpoints(const json& arguments) {
  return {{"breakpoints", breakpoints_->in_file(arguments, lines_from_one_)}};
}

json adapter::set_function_breakpoints(const json& arguments) {
  return {{"breakpoints", breakpoints_->of_kernels(arguments)}};
}

json adapter::set_data_breakpoints(const json& arguments) {
  return {{"breakpoints", breakpoints_->of_values(arguments)}};
}

json adapter::set_exception_breakpoints(const json& arguments) {
  json all = arguments.value("filters", json::array());
  for (const auto& option : arguments.value("filterOptions", json::array())) {
    all.push_back(option.at("filterId"));
  }
  for (const auto& filter : all) {
    if (filter != "findings" && filter != "choices") {
      throw step::refused(fmt::format(
          R"(no filter is called {}; there are "findings" and "choices")", sim::json_text(filter)));
    }
  }
  const auto has = [&all](const char* filter) {
    return std::ranges::find(all, filter) != all.end();
  };
  debugger().stop_at_findings(has("findings"));
  if (const std::string why = breakpoints_->of_choices(has("choices")); !why.empty()) {
    afterwards_ = [this, why] { say("console", why + "\n"); };
  }
  return nullptr;
}

// --- Talking

void adapter::say(const std::string& category, const std::string& text) {
  if (!text.empty()) {
    wire_.event("output", {{"category", category}, {"output", text}});
  }
}

void adapter::pass_on_output(bool all) {
  if (program_ == nullptr) {
    return;
  }
  const auto printed = program_->session().take_printed();
  say("stdout", whole_characters(held_output_, printed.output));
  say("stderr", whole_characters(held_errors_, printed.errors));
  if (all) {
    say("stdout", std::exchange(held_output_, {}));
    say("stderr", std::exchange(held_errors_, {}));
  }
}

std::string adapter::said_by(const std::function<void()>& what) {
  said_.clear();
  program_->prompt().write_to([this](const std::string& text) { said_ += text; });
  what();
  return std::exchange(said_, {});
}

step::session& adapter::standing() {
  return program_->session();
}

step::debugger& adapter::debugger() {
  return program_->debugger();
}

void adapter::while_running() {
  pass_on_output(false);
  wire_.look();
  if (program_ == nullptr) {
    return; // it is being launched
  }
  step::session& session = program_->session();
  if (wire_.closed() || asked_to_leave != 0) {
    abandoned_ = true;
    session.abandon();
    return;
  }
  auto& waiting = wire_.waiting();
  for (auto it = waiting.begin(); it != waiting.end();) {
    const std::string command = it->value("command", "");
    if (command == "pause" && moving_) {
      wire_.respond(*it, nullptr);
      it = waiting.erase(it);
      pause_asked_ = true;
      step::session::interrupt();
      continue;
    }
    if (command == "threads") {
      wire_.respond(*it, {{"threads", last_threads_}});
      it = waiting.erase(it);
      continue;
    }
    if ((command == "disconnect" || command == "terminate") && !abandoned_) {
      abandoned_ = true;
      session.abandon();
    } else if (going_on_ && !interrupted_for_requests_ && command.rfind("set", 0) == 0) {
      interrupted_for_requests_ = true;
      step::session::interrupt();
    }
    ++it;
  }
}

} // namespace tilesim::tools::dap
