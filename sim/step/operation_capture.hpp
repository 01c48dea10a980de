// What the operation that is asked for does: operands, result, memory.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/core/watcher.hpp"
#include "sim/expressions/expression.hpp"
#include "sim/step/run_record.hpp"
#include "sim/watch/capture.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilesim::sim::step {

class operation_capture {
public:
  explicit operation_capture(run_record& run)
      : run_(run) {}

  /// An operation begins. `kept`: it is asked for.
  void begin(bool kept);
  /// A raw access begins that is no step.
  void begin_passed_over() { passed_over_ = true; }

  // What it does.
  void before_access(std::uintptr_t address, std::size_t bytes);
  void left_unspecified(std::size_t element);
  void operation(const operation_event& e);
  void took_older(const stale_event& e);
  void memory(const memory_event& e);
  /// What a raw access has written is there now. `memory` reads it.
  void finish(environment& memory);

  /// What was captured last, once.
  [[nodiscard]] std::optional<protocol::operation> take();

private:
  [[nodiscard]] value captured_now(std::uintptr_t address, std::size_t bytes);
  [[nodiscard]] captured_memory captured(const memory_event& e);
  void capture_raw(const memory_event& e);

  run_record& run_;
  bool capturing_ = false;
  std::optional<captured_operation> last_;
  std::vector<captured_memory> memory_of_operation_;
  std::vector<stale_element> stale_;     ///< of the operation under way
  std::vector<std::size_t> unspecified_; ///< elements of the result of the operation under way
  std::optional<value> before_raw_;      ///< what was where the raw access under way goes
  bool raw_unfinished_ = false;          ///< what last_ has written is not there yet
  bool passed_over_ = false;             ///< the access under way is no step
  std::uintptr_t accessed_ = 0;          ///< the first address of the operation under way
};

} // namespace tilesim::sim::step
