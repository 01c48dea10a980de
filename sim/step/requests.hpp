// What the stepper asks where the program stands.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/step/chosen_reads.hpp"
#include "sim/step/leads.hpp"
#include "sim/step/run_record.hpp"
#include "sim/step/standing_names.hpp"
#include "sim/step/steering.hpp"
#include "sim/step/stop_control.hpp"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace tilesim::sim::step {

/// Why a request cannot be answered: a sentence for the person.
class refusal : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const std::string& why);

/// As the stepper gets it.
[[nodiscard]] protocol::thread message_of(const sim_thread& t);
/// What it is about to begin; empty where it was interrupted between two operations.
[[nodiscard]] std::string next_operation_of(const sim_thread& t);

class requests {
public:
  requests(run_record& run,
           standing_names& names,
           stop_control& control,
           steering& switches,
           chosen_reads& chosen,
           const leads& led)
      : run_(run)
      , names_(names)
      , control_(control)
      , steering_(switches)
      , chosen_(chosen)
      , leads_(led) {}

  /// The reply to a request of the protocol's. Throws refusal, expression_error or
  /// json::exception.
  [[nodiscard]] nlohmann::json reply_to(const nlohmann::json& request);
  /// Another thread was to go on, since this was asked last.
  [[nodiscard]] bool take_switch() noexcept { return std::exchange(switched_, false); }

private:
  template <class Request, auto method>
  nlohmann::json reply_with(const nlohmann::json& request);

  protocol::done set(const protocol::set& request);
  // requests/inspect.cpp
  protocol::evaluated evaluate(const protocol::evaluate& request);
  protocol::written writer(const protocol::writer& request);
  protocol::local_list locals(const protocol::locals& request);
  protocol::frame_list frames(const protocol::calls& request);
  protocol::finding_list findings(const protocol::findings& request) const;
  protocol::names kernels_and_functions(const protocol::kernels& request) const;
  static protocol::done has_operation(const protocol::check_operation& request);
  static protocol::line_known line(const protocol::code_of_line& request);
  // requests/blocks.cpp
  protocol::block_list blocks(const protocol::blocks& request);
  protocol::switched switch_to(const protocol::switch_to& request);
  // requests/reads.cpp
  protocol::read_list reads(const protocol::reads& request);
  protocol::chosen choose(const protocol::choose& request);
  // requests/memory.cpp
  protocol::buffer_list buffer_list(const protocol::buffers& request) const;
  protocol::memory_piece memory_bytes(const protocol::memory& request);
  // requests/history.cpp
  protocol::past history(const protocol::history& request);
  protocol::place_back back(const protocol::back& request);
  protocol::wait_list waiting(const protocol::waiting& request) const;
  protocol::lead_list led(const protocol::leads& request) const;
  protocol::schedule_now schedule(const protocol::schedule& request);

  [[nodiscard]] const launch_state& wanted_launch(const protocol::switch_to& request) const;
  [[nodiscard]] const sim_thread* started_thread(const launch_state& launch,
                                                 std::uint64_t block,
                                                 std::optional<std::uint64_t> thread) const;
  void check_start(const launch_state& launch, std::uint64_t block) const;
  bool passes(protocol::back& rest, std::uint64_t n, const void* site);
  static protocol::place_back place_before(const protocol::back& rest);

  run_record& run_;
  standing_names& names_;
  stop_control& control_;
  steering& steering_;
  chosen_reads& chosen_;
  const leads& leads_;
  bool switched_ = false;
};

} // namespace tilesim::sim::step
