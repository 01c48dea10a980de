// Capturing one operation, or one raw access, whose hook is called before it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/operation_capture.hpp"

#include "sim/debug_info/source_site.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilesim::sim::step {

void operation_capture::begin(bool kept) {
  passed_over_ = false;
  memory_of_operation_.clear();
  unspecified_.clear();
  stale_.clear();
  accessed_ = 0;
  capturing_ = kept;
}

void operation_capture::operation(const operation_event& e) {
  if (accessed_ != 0) {
    note_element_type(run_.known, accessed_, e);
  }
  if (!capturing_) {
    return;
  }
  captured_operation one;
  one.number = e.thread->run_operation;
  one.site = e.site;
  one.memory = std::move(memory_of_operation_);
  memory_of_operation_.clear();
  step::capture(one, e, unspecified_);
  last_ = std::move(one);
}

void operation_capture::took_older(const stale_event& e) {
  if (!capturing_) {
    return;
  }
  stale_.push_back({.element = e.element,
                    .value = e.value,
                    .given = run_.strong_writes.operation_of(e.given),
                    .passed = run_.strong_writes.operation_of(e.passed)});
}

void operation_capture::left_unspecified(std::size_t element) {
  if (capturing_) {
    unspecified_.push_back(element);
  }
}

value operation_capture::captured_now(std::uintptr_t address, std::size_t bytes) {
  std::vector<std::uint8_t> cells(std::min(bytes, most_captured));
  std::memcpy(cells.data(), reinterpret_cast<const void*>(address), cells.size());
  value v = captured_bytes(run_.known, address, std::move(cells));
  v.address = address;
  mark_unwritten(v, run_.written);
  return v;
}

void operation_capture::before_access(std::uintptr_t address, std::size_t bytes) {
  before_raw_.reset();
  if (capturing_ && !passed_over_) {
    before_raw_ = captured_now(address, bytes);
  }
}

captured_memory operation_capture::captured(const memory_event& e) {
  captured_memory m = step::capture(e, run_.writers, run_.written);
  m.stale = std::exchange(stale_, {});
  for (const stale_element& s : m.stale) {
    if (s.element < m.sources.size()) {
      m.unwritten[s.element] = 0;
    }
  }
  return m;
}

void operation_capture::capture_raw(const memory_event& e) {
  captured_operation one;
  one.number = e.thread->run_operation;
  one.name = e.thread->next_operation;
  one.site = e.site;
  one.memory.push_back(captured(e));
  value pointer;
  pointer.type.kind = element::ptr;
  pointer.bytes.resize(sizeof e.addresses[0]);
  std::memcpy(pointer.bytes.data(), &e.addresses[0], pointer.bytes.size());
  one.operands.push_back({"pointer", std::move(pointer)});
  if (e.writes) {
    // The access itself may still be to come: the compiler's hook is called before it.
    one.before = std::move(before_raw_);
    raw_unfinished_ = true;
  } else {
    one.result = captured_now(e.addresses[0], e.bytes);
    if (!one.memory.front().stale.empty()) { // which memory does not hold, or not for long
      one.result->bytes.resize(std::min<std::size_t>(e.bytes, sizeof(std::uint64_t)));
      std::memcpy(one.result->bytes.data(),
                  &one.memory.front().stale.front().value,
                  one.result->bytes.size());
      one.result->marks.clear();
    }
  }
  before_raw_.reset();
  last_ = std::move(one);
}

void operation_capture::finish(environment& memory) {
  if (!std::exchange(raw_unfinished_, false) || !last_ || last_->memory.empty()) {
    return;
  }
  const captured_memory& m = last_->memory.front();
  const std::uintptr_t address = m.addresses.front();
  // Nobody has had the time to free it, but at the very end memory may be closed.
  std::vector<std::uint8_t> cells(std::min<std::size_t>(m.bytes, most_captured));
  if (memory.read(address, cells.size(), cells.data())) {
    last_->after = captured_bytes(run_.known, address, std::move(cells));
  }
}

void operation_capture::memory(const memory_event& e) {
  const bool raw = e.thread->next_kind == step_kind::raw;
  if (capturing_ && !passed_over_) {
    if (raw) {
      capture_raw(e);
    } else {
      memory_of_operation_.push_back(captured(e));
    }
  }
  for (unsigned i = 0; i < e.count && accessed_ == 0 && !raw; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      accessed_ = e.addresses[i];
    }
  }
}

std::optional<protocol::operation> operation_capture::take() {
  if (!last_) {
    return std::nullopt;
  }
  protocol::operation told = message_of(*last_, run_.known);
  told.frames = resolve(last_->site);
  last_.reset();
  return told;
}

} // namespace tilesim::sim::step
