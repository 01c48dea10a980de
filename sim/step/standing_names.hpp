// Names that expressions may use where the program stands: variables, buffers, $block.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/thread.hpp"
#include "sim/debug_info/frame_registers.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/naming/unwind.hpp"
#include "sim/step/run_record.hpp"
#include "sim/watch/stops.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

class standing_names final : public standing_environment {
public:
  explicit standing_names(run_record& run)
      : run_(run) {}

  // --- Who stands

  /// nullptr: nobody.
  [[nodiscard]] sim_thread* thread() const noexcept { return thread_; }
  /// Returns who stood.
  sim_thread* stand(sim_thread* t) noexcept { return std::exchange(thread_, t); }
  /// Nobody stands, and this one's last operation has just ended; nullptr: it is over with it.
  void stand_behind(const sim_thread* t) noexcept { behind_ = t; }
  [[nodiscard]] const sim_thread* behind() const noexcept { return behind_; }
  /// thread(), or else behind(); nullptr: nobody.
  [[nodiscard]] const sim_thread* who() const noexcept {
    return thread_ != nullptr ? thread_ : behind_;
  }
  /// Host code has been interrupted there; nullptr: it goes on.
  void stand_in_host(const void* site) noexcept { host_site_ = site; }

  // --- Frames, innermost first

  /// It may have run since.
  void forget_frames() noexcept { frames_known_ = false; }
  void use_innermost_frame() noexcept { frame_ = 0; }
  void use_frame(std::size_t number);
  /// Walks them, whichever is used.
  [[nodiscard]] const std::vector<frame_registers>& frames();
  /// That is used; nullptr if there is none.
  [[nodiscard]] const frame_registers* frame() const noexcept {
    return frame_ < frames_.size() ? &frames_[frame_] : nullptr;
  }

  // --- What an expression has used

  void begin_expression(std::size_t frame);
  [[nodiscard]] bool used_local() const noexcept { return used_local_; }
  [[nodiscard]] bool looked_up() const noexcept { return looked_up_; }
  /// For an expression that is asked for its place alone: freed memory reads as zeros.
  void read_freed_memory() { freed_read_.emplace(); }
  /// Not any more. What of it was read.
  [[nodiscard]] std::vector<std::uintptr_t> freed_memory_read() {
    return *std::exchange(freed_read_, std::nullopt);
  }

  // --- environment
  std::optional<value> lookup(std::string_view name) override;
  std::optional<named_type> type_named(std::string_view name) override;
  std::string similar(std::string_view name) override { return run_.known.parts_of(name); }
  bool read(std::uintptr_t address, std::size_t bytes, void* to) override;
  void annotate(value& v) override;
  // --- standing_environment
  bool enter(const frame_key* frame) override;
  std::optional<frame_key> entered() override;

  /// The variables of a frame where it stands.
  [[nodiscard]] std::vector<variable> variables_of(std::size_t frame);

  /// The place where it stands; nullptr if nobody does.
  [[nodiscard]] const void* standing_site() const;

  /// Of an array of dynamic shared memory, whose length the launch has given and no type says.
  void give_length(value& v);

private:
  [[nodiscard]] const place_resolver* front_door() const;
  [[nodiscard]] std::optional<value> number_named(std::string_view name) const;
  [[nodiscard]] std::optional<value> local_named(std::string_view name, const buffer* b);

  run_record& run_;
  sim_thread* thread_ = nullptr;
  const sim_thread* behind_ = nullptr;
  const void* host_site_ = nullptr;
  std::vector<frame_registers> frames_;
  bool frames_known_ = false;
  std::size_t frame_ = 0;
  bool used_local_ = false; ///< since a frame was entered, by an expression
  bool looked_up_ = false;  ///< an expression has asked for names or memory
  std::optional<std::vector<std::uintptr_t>> freed_read_;
};

} // namespace tilesim::sim::step
