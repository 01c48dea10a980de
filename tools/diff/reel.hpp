// One of two recordings that are held against each other: what it says up to an observation, and
// memory as it then is.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/reader.hpp"
#include "tools/check/line_bag.hpp"
#include "tools/diff/report.hpp"
#include "tools/gpu/places.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::tools::diff {

/// Numbers of memory that are the same in both recordings: variables and arrays are told by their
/// names, which stand in another order where another compiler laid them out; of several of one name
/// the first is the first.
class memory_numbers {
public:
  /// `launches`: so many have begun; an array is lent to the next one. `nth` of its name, from 0.
  [[nodiscard]] std::uint64_t
  of(const gpu::memory_event& e, std::uint64_t launches, std::uint64_t nth);

private:
  using key = std::tuple<gpu::memory_kind, std::uint64_t, std::string, std::uint64_t>;
  std::map<key, std::uint64_t> known_;
};

class reel {
public:
  /// Throws gpu::bad_recording, std::system_error. `numbers` outlives it.
  reel(const std::string& path, memory_numbers& numbers);

  struct piece {
    std::uint64_t address = 0;
    std::string name; ///< "memory 3"; a variable's
    std::vector<std::byte> bytes;
    std::vector<bool> known; ///< of each byte; of what the host writes there is a hash alone
    std::vector<gpu::content_event> found; ///< what lay there before launches, written by nobody
    bool host_writes = false; ///< by itself, without a call: what it holds is recorded as content
    bool live = true;

    [[nodiscard]] bool is_known(std::size_t at, std::size_t count) const;
  };

  /// Goes on to where the next launches that are observed have begun, and changed nothing yet.
  void begin();
  /// To the next observation; false: there is none. Of several the launches are compared together.
  bool advance();

  /// The line that launched it, where the recording knows.
  [[nodiscard]] std::vector<source_frame> frames_of(const gpu::launch_event& l) const;
  [[nodiscard]] const machine& where() const noexcept { return where_; }
  /// All that have begun, by number.
  [[nodiscard]] const std::vector<gpu::launch_event>& launches() const noexcept {
    return launches_;
  }
  /// Those that the last observations are of.
  [[nodiscard]] std::uint64_t first() const noexcept { return first_.value_or(last_); }
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
  /// What the host has written since the last observation.
  [[nodiscard]] const std::vector<gpu::host_write_event>& inputs() const noexcept {
    return inputs_;
  }
  /// Memory of which it is known what the host has made of it meanwhile: managed memory, variables.
  [[nodiscard]] const std::set<std::uint64_t>& given() const noexcept { return given_; }
  /// What nobody had written a launch found there, and finds still: nothing has changed it.
  [[nodiscard]] bool is_as_found(const piece& p, std::size_t at, std::size_t bytes) const;
  /// Have launches changed this memory since then?
  [[nodiscard]] bool has_touched(std::uint64_t memory) const;
  [[nodiscard]] const std::map<std::uint64_t, piece>& memory() const noexcept { return memory_; }
  /// What a launch passed, by its number; nullptr: not known.
  [[nodiscard]] const gpu::arguments_event* arguments_of(std::uint64_t launch) const;
  [[nodiscard]] const line_bag& output() const noexcept { return output_; }
  [[nodiscard]] std::optional<int> status() const noexcept { return status_; }
  [[nodiscard]] const std::vector<gpu::error_event>& errors() const noexcept { return errors_; }

  /// An address as place: memory and offset; a word that is none stands for itself.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> place_of(std::uint64_t word) const;

private:
  /// Up to what `ends` says of, which is not taken; false: it does of nothing.
  template <class F>
  bool go_on_to(F&& ends);
  void take(const gpu::machine_event& e);
  void take(const gpu::run_event& /*e*/) {}
  void take(const gpu::memory_event& e);
  [[noreturn]] void refuse_large(const gpu::memory_event& e) const;
  void take(const gpu::freed_event& e) { memory_[numbers_.at(e.number)].live = false; }
  void take(const gpu::host_write_event& e);
  void take(const gpu::content_event& e);
  void put(const gpu::content_event& e, piece& to) const;
  void take(const gpu::launch_event& e) { launches_.push_back(e); }
  void take(const gpu::observed_event& /*e*/) {}
  void take(const gpu::copy_event& /*e*/) {}
  void take(const gpu::error_event& e) { errors_.push_back(e); }
  void take(const gpu::printed_event& e) { output_.add(e.bytes); }
  void take(const gpu::end_event& e) { status_ = e.exit_status(); }
  void take(const gpu::lines_event& /*e*/) {}
  void take(const gpu::sums_event& /*e*/) {}
  void take(const gpu::arguments_event& e) { arguments_[e.launch] = e; }
  void take(const gpu::pages_event& e) const;

  gpu::recording_file file_;
  gpu_tool::place_names places_;
  std::size_t at_ = 0;
  machine where_;
  memory_numbers& common_;
  std::map<std::uint64_t, std::uint64_t> numbers_; ///< those of both, by those of this recording
  /// By kind, launch and name: how many there have been.
  std::map<std::tuple<gpu::memory_kind, std::uint64_t, std::string>, std::uint64_t> of_a_name_;
  std::map<std::uint64_t, piece> memory_; ///< by the numbers of both, as all that is told
  std::vector<gpu::launch_event> launches_;
  std::optional<std::uint64_t> first_; ///< of the launches that are observed
  std::uint64_t last_ = 0;
  std::vector<gpu::host_write_event> inputs_;
  std::map<std::uint64_t, gpu::arguments_event> arguments_; ///< by launch
  std::set<std::uint64_t> given_;
  std::vector<std::uint64_t> touched_;
  line_bag output_;
  std::vector<gpu::error_event> errors_;
  std::optional<int> status_;
};

} // namespace tilesim::tools::diff
