// Compiling and starting what is to be stepped through.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/program.hpp"

#include "tools/check_schedule.hpp"
#include "tools/compile.hpp"
#include "tools/failure.hpp"
#include "tools/replay.hpp"

#include <algorithm>
#include <filesystem>

namespace tilesim::driver::step {
namespace {

using nlohmann::json;

/// Does the schedule count raw accesses? How many there are depends on how the program is compiled.
bool counts_raw_accesses(const sim::schedule& s) {
  return std::ranges::any_of(
      s.turns, [](const sim::turn& t) { return t.until.has_value() && t.until->raw.has_value(); });
}

} // namespace

program::program(program_request request)
    : simulator_(std::move(request.simulator)) {
  build_request& build = request.arguments.request;
  hash_ = program_hash(request.arguments, simulator_);
  if (!request.replay.empty())
    use_replay(request.replay, simulator_);
  for (const char* always : {"races", "quiet", "repeatable"})
    simulator_[always] = true;
  const std::string source = build.sources.front();
  session_options what;
  what.words = {std::filesystem::path(source).stem().string()};
  what.words.insert(
      what.words.end(), request.arguments.program.begin(), request.arguments.program.end());
  build.hooks = true;
  // A replay that counts raw accesses wants the program as `tilesim check` compiles it.
  if (!build.has_optimisation && !counts_raw_) {
    build.compile.emplace_back("-O0");
    build.has_optimisation = true;
  }
  what.program = builder(std::move(build), request.verbose).program();
  what.simulator = simulator_;
  what.input = request.input;
  what.history_bytes = request.history_megabytes << 20U;
  what.show_output = request.show_output;
  what.while_running = std::move(request.while_running);
  what.wake_for = request.wake_for;
  session_ = std::make_unique<step::session>(std::move(what));
  if (session_->over())
    throw failure(exit_internal, "the program has ended before it could be stopped");
  prompt_ = std::make_unique<step::prompt>(*session_, request.looks, source);
  prompt_->replay = [this](const std::string& text) {
    json changed = simulator_;
    use_replay(text, changed);
    session_->restart_with(std::move(changed));
    session_->go({{"how", "run"}});
  };
  prompt_->replay_string = [this](const std::string& turns) {
    auto s = sim::parse_schedule(turns);
    if (!s)
      throw command_error("nothing has run yet: there is no schedule to save");
    s->seed = simulator_.value("seed", std::uint64_t{0});
    return sim::to_string(sim::replay{*s, hash_});
  };
}

void program::use_replay(const std::string& text, json& simulator) {
  const sim::schedule s = read_replay(text, hash_);
  counts_raw_ = counts_raw_accesses(s);
  set_options(s, simulator);
}

json program::stand_at_finding() {
  session_->go({{"how", "run"}});
  prompt_->show_stop();
  json found = session_->here().value("findings", json::array());
  const std::string reason = session_->here().value("reason", "");
  if (reason == "finding" || reason == "stopped")
    prompt_->execute("reverse-step");
  return found;
}

} // namespace tilesim::driver::step
