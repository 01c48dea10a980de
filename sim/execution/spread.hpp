// How far unspecified values spread in a run of `tilesim run`: whether the host gets to see one.
//
// Where an operation draws such values, its result has a twin with others. Every operation on a
// tile that has a twin is performed on that, too; where both give the same, the value has made no
// difference. Stores keep what the twin would have written, by address. So there is no false alarm,
// but for scalars of C++ that happen to have the same bits, and no cost where nothing is drawn.
// What C++ computes from scalars is not followed: `tilesim check` compares whole runs instead.
// [sim/execution/control_trail.hpp]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/rmw.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim {

class context;
struct sim_thread;

class spread final : public watcher {
public:
  explicit spread(context& c)
      : context_(c) {}

  using computation = std::function<void(const machine::out& result, const machine::in* operands)>;

  /// The operation under way has drawn these elements of its result, of which one of the following
  /// will be told.
  void draws(std::vector<std::size_t> elements) { drawn_ = std::move(elements); }

  /// It has computed its result from operands: by `again`, if it has drawn nothing.
  void computed(const sim_thread& t,
                const machine::out& result,
                const machine::in* operands,
                unsigned count,
                const computation& again);

  /// It has read memory, written it, or both.
  void loaded(const sim_thread& t, const tile_access& a, const machine::out& result);
  void stored(const sim_thread& t, const tile_access& a, const machine::in& value);
  void updated(const sim_thread& t,
               const tile_access& a,
               ops::rmw_function f,
               const machine::in& argument,
               const machine::out& old);

  /// Its addresses, where it accesses memory, and its mask.
  void accessed(const sim_thread& t,
                const tile_access& a,
                const machine::in& pointers,
                const machine::in* mask);

  /// An operand decides what the run does, or prints.
  void decides(const sim_thread& t, const machine::in* operands, unsigned count, const char* what);

  [[nodiscard]] wanted_events wants() const override { return nothing; }
  /// Bytes of memory go to the host.
  void copied(const copy_event& e) override;
  void thread_ends(const sim_thread& t) override { tiles_.erase(&t); }

private:
  struct twin {
    const void* at;
    std::vector<std::byte> now;
    std::vector<std::byte> other;
    const void* origin; ///< return address of the operation that has drawn
    bool rich;          ///< its bits are found nowhere else
  };
  struct stored_twin {
    std::uint64_t now;
    std::uint64_t other;
    unsigned bytes;
    const void* origin;
  };

  /// Elements that have been drawn are others in the twin.
  const void* vary(const sim_thread& t, const machine::out& result, std::vector<std::byte>& other);
  [[nodiscard]] const twin* find(const sim_thread& t, const machine::in& operand) const;
  void keep(const sim_thread& t,
            const machine::out& result,
            std::vector<std::byte> other,
            const void* origin);
  [[nodiscard]] const stored_twin*
  in_memory(std::uintptr_t at, const void* now, unsigned bytes) const;
  void
  put(std::uintptr_t at, const void* now, const void* other, unsigned bytes, const void* origin);
  void row_copied(const char* function,
                  const void* site,
                  std::uintptr_t from,
                  std::span<const unsigned char> bytes);
  void tell(const void* site, const char* what, const void* origin);

  static constexpr std::size_t most_tiles = 64;    ///< of one thread
  static constexpr std::size_t most_cells = 65536; ///< in memory
  static constexpr std::size_t most_scalars = 32;

  context& context_;
  std::unordered_map<const sim_thread*, std::deque<twin>> tiles_;
  std::map<std::uintptr_t, stored_twin> memory_;
  std::deque<stored_twin> scalars_; ///< that C++ may have stored
  std::vector<std::size_t> drawn_;  ///< by the operation under way
  bool told_ = false;
};

} // namespace tilesim::sim
