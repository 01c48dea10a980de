// Compiling and starting what is to be stepped through.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/program.hpp"

#include "sim/contract/environment.hpp"
#include "sim/contract/option_table.hpp"
#include "tools/build/start.hpp"
#include "tools/check/report.hpp"
#include "tools/check/schedule.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/replay.hpp"
#include "tools/cli/schedule_options.hpp"
#include "tools/step/render.hpp"
#include "tools/step/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sys/wait.h>
#include <utility>

namespace tilesim::tools::step {

using namespace sim::option_literals;

namespace {

/// A wrong one that is given at the prompt ends the command, not the stepper.
sim::replay typed_replay(const std::string& text, const std::string& program) {
  try {
    return read_replay(text, program);
  } catch (const failure& f) {
    throw command_error(f.what());
  }
}

constexpr auto of_another_model =
    "the replay string's schedule is weak: its reads take older writes, which --model sc does not "
    "know; leave --model out";

/// What a replay string belongs to; empty if it is none, which others say.
std::string hash_of(const std::string& text) {
  const auto parsed = sim::parse_replay(text);
  return parsed ? parsed->program : std::string{};
}

} // namespace

program::program(program_request request)
    : model_(request.model)
    , simulator_(std::move(request.simulator))
    , looks_(request.looks) {
  if (!request.finding.empty()) {
    finding_ = wanted_finding(request.finding);
  }
  const bool of_test = !request.test_program.empty();
  const std::string source =
      of_test ? request.test_program : request.arguments.request.sources.front();
  // What is no code compiles in one way only.
  has_optimisation_ =
      request.arguments.request.has_optimisation || of_test || is_python(request.arguments);
  // That of a test follows from the name of its check: the test looks at it.
  hash_ = of_test ? hash_of(request.replay) : program_hash(request.arguments, simulator_);
  if (!request.replay.empty()) {
    replayed_ = read_replay(request.replay, hash_);
    if (!may_follow(replayed_->which)) {
      throw failure(exit_usage, of_another_model);
    }
    set_options(replayed_->which, simulator_);
  }
  use_model();
  for (const char* always : {"races"_option, "quiet"_option, "repeatable"_option}) {
    simulator_[always] = true;
  }
  // A report that counts raw accesses wants the program as `tilesim check` compiles it.
  as_checked_ = replayed_ && counts_raw_accesses(replayed_->which) && !replayed_->position;
  start(std::move(request), source);
  debugger_ = std::make_unique<step::debugger>(*session_);
  debugger_->begin_replay = [this](const std::string& text) { begin_replay(text); };
  prompt_ = std::make_unique<step::prompt>(*debugger_, looks_, source);
  prompt_->replay_string = [this](const protocol::schedule_now& now) { return replay_of(now); };
}

bool program::may_follow(const sim::schedule& s) const {
  return model_ != "sc" || !s.is_weak();
}

void program::use_model() {
  simulator_.erase("by_hand"_option);
  if (model_ == "ptx" || (model_.empty() && replayed_ && replayed_->which.is_weak())) {
    simulator_["by_hand"_option] = true;
  }
}

void program::start(program_request request, const std::string& source) {
  const bool of_test = !request.test_program.empty();
  build_request& build = request.arguments.request;
  session_options what;
  build.hooks = true;
  if (of_test) {
    what.words = program_words(request.arguments);
    what.words.insert(what.words.begin(), source);
    what.check = sim::text_of(sim::stepped_check{request.check, hash_});
    what.program = source;
  } else {
    if (!as_checked_) {
      compile_for_stepping(build);
    }
    is_python_ = is_python(request.arguments);
    what.compiles_late = is_python_;
    program_start compiled = start_of(std::move(request.arguments), request.verbose);
    what.program = std::move(compiled.file);
    what.words = std::move(compiled.words);
  }
  what.simulator = simulator_;
  what.input = request.input;
  what.trace = request.trace;
  what.history_bytes = request.history_megabytes << 20U;
  what.show_output = request.show_output;
  what.while_running = std::move(request.while_running);
  what.wake_for = request.wake_for;
  session_ = std::make_unique<step::session>(std::move(what));
  if (session_->over()) {
    ended_too_soon(of_test ? std::optional(request.check) : std::nullopt, source);
  }
}

void program::ended_too_soon(std::optional<std::size_t> check, const std::string& source) const {
  if (check) {
    throw failure(exit_usage,
                  fmt::format("{} has ended before its check {}: give it the arguments that it had "
                              "when the check failed",
                              source,
                              *check));
  }
  if (is_python_) {
    const int status = session_->here().wait_status;
    if (WIFEXITED(status) && WEXITSTATUS(status) == exit_unavailable) {
      throw printed_failure(exit_unavailable, ""); // Python has said what is missing
    }
    const std::string how =
        WIFEXITED(status) ? fmt::format("with status {}", WEXITSTATUS(status)) : ended_how(status);
    throw failure(exit_program,
                  fmt::format("the program has ended {} before it came to cuTile", how));
  }
  throw failure(exit_internal, "the program has ended before it could be stopped");
}

void program::begin_replay(const std::string& text) {
  auto wanted = typed_replay(text, hash_);
  if (!has_optimisation_ && counts_raw_accesses(wanted.which) &&
      as_checked_ == wanted.position.has_value()) {
    throw command_error(fmt::format("that schedule counts raw accesses of the program as {} "
                                    "compiles it: tilesim step --replay begins with it",
                                    as_checked_ ? "tilesim step" : "tilesim check"));
  }
  if (!may_follow(wanted.which)) {
    throw command_error(of_another_model);
  }
  replayed_ = std::move(wanted);
  set_options(replayed_->which, simulator_);
  use_model();
  session_->restart_with(simulator_);
  run_replay();
}

std::string program::replay_of(const protocol::schedule_now& now) const {
  auto s = sim::parse_schedule(now.turns);
  if (!s) {
    throw command_error("nothing has run yet: there is no schedule to save");
  }
  s->seed = now.seed;
  s->fill = now.fill;
  if (replayed_) { // which decides what reads take, too
    s->weak = replayed_->which.weak;
    s->stale = replayed_->which.stale;
    s->launches_wait = replayed_->which.launches_wait;
  }
  if (!session_->choices().empty()) { // unless somebody has chosen something else
    s->weak = false;
    s->stale = sim::parse_stale_choices(now.stale).value_or(std::vector<sim::stale_choice>{});
  }
  return sim::to_string(sim::replay{*s, hash_, now.position});
}

void program::run_replay() {
  if (!replayed_->position) {
    debugger_->go_on();
    return;
  }
  const auto wanted = *replayed_->position;
  debugger_->go_to(wanted);
  if (session_->position() != wanted) {
    prompt_->say(fmt::format("the schedule was saved at position {}; the run came as far as {}\n",
                             wanted,
                             session_->position()));
  }
}

std::vector<protocol::finding> program::stand_at_replayed() {
  std::vector<protocol::finding> found;
  if (leads_to_finding()) {
    found = stand_at_finding();
  } else {
    run_replay();
    prompt_->show_stop();
    found = session_->here().findings;
  }
  prompt_->show_unfollowed();
  return found;
}

/// How near a finding is to the one that is wanted; without a name that is the first defect.
selector::closeness program::closeness_of(const protocol::finding& f) const {
  using closeness = selector::closeness;
  return finding_             ? finding_->closeness_of(f.code, f.where, f.other)
         : f.level == "error" ? closeness::same
                              : closeness::none;
}

namespace {

/// What kind of operation a finding leads to that no run makes by itself; nothing: one that a run
/// makes.
std::optional<protocol::led_by> lead_of(const std::string& code) {
  using protocol::led_by;
  const auto is = [&code](finding_kind kind) { return code == tilesim::code(kind); };
  if (is(finding_kind::unspecified_dependent) || is(finding_kind::unspecified_in_memory)) {
    return led_by::left_open;
  }
  if (is(finding_kind::weak_dependent)) {
    return led_by::older_write;
  }
  return is(finding_kind::schedule_dependent) ? std::optional(led_by::shown) : std::nullopt;
}

/// As the stepper tells it: the report has the comparison.
protocol::finding told_as(const std::string& code, const protocol::lead& l) {
  protocol::finding f{.code = code,
                      .level = code == tilesim::code(finding_kind::schedule_dependent) ||
                                       code == tilesim::code(finding_kind::unspecified_in_memory)
                                   ? "note"
                                   : "error",
                      .remedy = l.remedy,
                      .where = l.where,
                      .other = l.shown,
                      .count = 1,
                      .operation = l.operation};
  switch (l.how) {
  case protocol::led_by::left_open:
    f.message = "what this operation leaves open decides what another run made otherwise";
    f.details = {l.what};
    break;
  case protocol::led_by::older_write:
    f.message = "what runs without older writes do not come to follows this read of one";
    break;
  case protocol::led_by::shown:
    f.message =
        "another schedule gives something else; here this operation was the last to make it";
    f.details = {l.shown.empty() ? "the host gets to see it as it is printed"
                                 : fmt::format("the host gets it at {}", render_place(l.shown))};
    break;
  }
  return f;
}

} // namespace

/// Of those of the kind the one at a place that is named, else the last of all.
std::optional<protocol::lead> program::lead_to_wanted() {
  using closeness = selector::closeness;
  if (!session_->alive()) {
    return {};
  }
  std::optional<protocol::lead> found;
  auto best = closeness::none;
  for (const protocol::lead& l : session_->ask(protocol::leads{}).leads) {
    if (l.how != lead_of(finding_->code)) {
      continue;
    }
    const auto close = finding_->closeness_of(finding_->code, l.where, l.shown);
    if (!found || close > best || (close == best && l.operation > found->operation)) {
      found = l;
      best = close;
    }
  }
  return found;
}

std::vector<protocol::finding> program::stand_at_lead() {
  do {
    debugger_->go_on(1, true);
  } while (session_->here().reason == protocol::stop_reason::finding);
  const auto lead = lead_to_wanted();
  if (!lead || lead->operation == 0) {
    prompt_->show_stop();
    prompt_->say(fmt::format("{} comes of two runs that differ; nothing that an operation of this "
                             "one has made leads to it\n",
                             to_string(*finding_)));
    return {};
  }
  const protocol::finding told = told_as(finding_->code, *lead);
  prompt_->say(render_finding(told, looks_));
  debugger_->go_to(lead->operation - 1);
  prompt_->show_stop();
  return {told};
}

/// What host code comes to behind the kernels has no operation to stand at: what it is about has,
/// or the last one of the run, where there was any.
void program::stand_behind_host_code(const protocol::finding& f) {
  if (f.about == 0 && (!session_->over() || session_->position() == 0)) {
    return;
  }
  prompt_->say(f.about != 0
                   ? "host code comes to this; the operation that it is about is this one\n"
                   : "host code comes to this behind the last operation, which is this one\n");
  debugger_->go_to((f.about != 0 ? f.about : session_->position()) - 1);
  prompt_->show_stop();
}

std::vector<protocol::finding> program::stand_at_finding() {
  using closeness = selector::closeness;
  if (finding_ && lead_of(finding_->code)) {
    return stand_at_lead();
  }
  std::optional<protocol::finding> wanted; // the nearest so far
  auto best = closeness::none;
  do {
    debugger_->go_on(1, finding_.has_value());
    for (const protocol::finding& f : session_->here().findings) {
      if (const auto close = closeness_of(f); close > best) {
        best = close;
        wanted = f;
      }
    }
  } while (best != closeness::same && session_->here().reason == protocol::stop_reason::finding);
  const bool here = best == closeness::same;                      // else it has come by
  const std::uint64_t operation = wanted ? wanted->operation : 0; // under way when it was found
  const bool goes_back = operation != 0 && !(here && ended_between_operations());
  prompt_->show_stop(goes_back);
  std::vector<protocol::finding> found = session_->here().findings;
  if (!wanted) {
    if (finding_) {
      misses_finding_ = true;
      prompt_->say(fmt::format("{} does not come up under this schedule; 'info races' lists what "
                               "does\n",
                               to_string(*finding_)));
    }
    return found;
  }
  if (!here) {
    const auto with = best == closeness::lines ? name_with::columns : name_with::lines;
    prompt_->say(fmt::format("the schedule tells {} in place of {}\n{}",
                             name_finding(wanted->code, wanted->where, wanted->other, with),
                             to_string(*finding_),
                             render_finding(*wanted, looks_)));
    found = {*wanted};
  }
  if (goes_back) {
    debugger_->go_to(operation - 1);
  } else if (waits_for_ever(wanted->code) && session_->position() != 0) {
    debugger_->reverse_step();
  } else {
    if (operation == 0 && session_->here().reason != protocol::stop_reason::stopped) {
      stand_behind_host_code(*wanted);
    }
    return found; // it stands at what was found
  }
  prompt_->show_stop();
  return found;
}

/// A block has ended the program in code of its own, where it stands.
bool program::ended_between_operations() const {
  const standing& here = session_->here();
  return here.reason == protocol::stop_reason::stopped && here.next && here.next->operation.empty();
}

} // namespace tilesim::tools::step
