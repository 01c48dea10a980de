// What a program does from the first unspecified value on, written down or held against what it did
// in another run: where the two part, it depends on an unspecified value.
//
// Both runs have the same schedule and differ in some unspecified values alone
// [sim/execution/draws.hpp], so the first thing that is done otherwise depends on them, exactly:
// what select() drops makes no difference. Of each thread's operations it is known which they are,
// what addresses, mask and comparand they have, what loads give and printf prints; of the host,
// what it reads of memory that kernels use. `tilesim check` starts the second run where the first
// one has drawn anything. [tools/check/unspecified.hpp]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"
#include "sim/memory/engine.hpp"

#include <tilesim/report.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::sim {

struct finding_text;
class context;
struct sim_thread;

/// One operation, as far as another run's is compared with it.
struct trail_event {
  std::uint32_t site = 0;      ///< the lower half of its return address; 0: the thread has ended
  std::uint32_t addresses = 0; ///< a hash
  std::uint32_t mask = 0;      ///< a hash
  std::uint32_t data = 0;      ///< a hash of what it gives to whoever asks

  friend bool operator==(const trail_event&, const trail_event&) = default;
};

/// A simulated thread, or the host.
struct trail_agent {
  std::vector<trail_event> own;            ///< written down, or
  std::span<const trail_event> other = {}; ///< done in the other run, and
  std::size_t next = 0;                    ///< how many of those are done in this one, too
  const void* before = nullptr;            ///< return address of the last operation that was
  const char* name = nullptr;              ///< of the one under way
  bool read_other = false;                 ///< it has read something else than in the other run
};

class control_trail final : public watcher {
public:
  /// `record`: a file to write the trail to. `against`: one to be compared with. One is empty.
  control_trail(context& c, std::string record, const std::string& against);

  /// A thread begins an operation of the machine's; then, if it accesses memory, what.
  void begins(sim_thread& t, const void* site, const char* name);
  void accesses(sim_thread& t, const tile_access& a);
  /// A raw access.
  void access(
      sim_thread& t, const void* site, const char* name, std::uintptr_t address, std::size_t bytes);
  /// The operation under way has read this.
  void has_read(sim_thread& t, const tile_access& a, const void* values);
  void has_read(sim_thread& t, std::uintptr_t address, std::size_t bytes);
  /// It is a compare-exchange with these comparands; `mask` has a byte for each element, or one for
  /// all, or is nullptr.
  void compares(sim_thread& t, const machine::in& comparand, const machine::in* mask);
  void compares(sim_thread& t, std::span<const std::byte> comparand);
  /// It prints this.
  void prints(sim_thread& t, std::string_view text);

  [[nodiscard]] wanted_events wants() const override {
    return {.operations = false, .accesses = false, .elements = false};
  }
  // Of host code: that it reads memory that kernels use, or has a copy made to memory of its own.
  void thread_ends(const sim_thread& t) override;
  void host_access(const host_event& e) override;
  void copied(const copy_event& e) override;

  /// A finding ends the run.
  void stops(const void* site, finding_kind kind);

  /// The run is over: writes the trail.
  void write();

private:
  enum class part : std::uint8_t { way, end, addresses, mask, data, comparand, print, host };

  trail_agent& agent_of(const sim_thread& t);
  /// Of an address: in which allocation, and where there. Arrays of a Python program's lie on the
  /// heap, elsewhere in another run.
  [[nodiscard]] std::uint64_t placed(std::uintptr_t address);
  [[nodiscard]] bool full() const;
  void begin(trail_agent& a, const sim_thread* t, const void* site, const char* name);
  void complete(trail_agent& a,
                const sim_thread* t,
                std::uint32_t trail_event::*field,
                part what,
                std::uint32_t value);
  /// A compare-exchange is an event more: what it compares with decides whether memory changes,
  /// unless memory is another just so.
  void compares(sim_thread& t, std::uint64_t hash);
  /// An event of the host's.
  void host(const void* site, const std::string& fact, std::span<const unsigned char> bytes);
  /// The second run does something else.
  void parts(const trail_agent& a, const sim_thread* t, const void* site, part what);
  void reads_other(const sim_thread& t, const trail_agent& a);
  /// Where the value comes from that differs, and what helps there.
  void add_origin(finding_text& f) const;
  [[noreturn]] void
  tell(const void* site, std::string message, std::vector<std::string> details) const;

  static constexpr std::size_t most_events = std::size_t{4} << 20U;

  context& context_;
  std::string record_;
  bool comparing_ = false;
  std::vector<trail_event> others_; ///< of all agents of the other run
  bool other_is_whole_ = true;
  int other_stopped_ = -1; ///< by which kind of finding
  int stopped_ = -1;
  std::size_t events_ = 0;
  struct found_allocation {
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    std::uint64_t id = 0;
  };
  found_allocation last_; ///< the one that was found last
  std::map<std::pair<std::uint64_t, std::uint64_t>, trail_agent> agents_;
  std::string read_at_; ///< where memory was read that depends on an unspecified value
};

} // namespace tilesim::sim
