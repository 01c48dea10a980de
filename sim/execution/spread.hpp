// How far unspecified values spread in a run of `tilesim run`: whether the host gets to see one.
//
// Where an operation draws such values, its result has twins with others: with every bit turned,
// and with zeros or NaN. Every operation on a tile that has twins is performed on those, too; where
// all give the same, the value has made no difference. Stores keep what the twins would have
// written, by address. The compiler copies small tiles: a tile is taken for a copy by its bytes,
// if no tile without twins has the same. So there is no false alarm, but for scalars of C++ that
// happen to have the same bits, and no cost where nothing is drawn.
// What C++ computes from scalars is not followed: `tilesim check` compares whole runs instead.
// [sim/execution/control_trail.hpp]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/memory/engine.hpp"

#include <tilesim/detail/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim {

struct sim_thread;

class spread final : public watcher, public value_follower {
public:
  /// `tells`: prints what it finds; otherwise it is only asked.
  explicit spread(bool tells)
      : told_(!tells) {}

  void draws(std::vector<std::size_t> elements) override { drawn_ = std::move(elements); }
  void computed(const sim_thread& t,
                const computation& how,
                const machine::out& result,
                const machine::in* operands,
                unsigned count) override;
  void loaded(const sim_thread& t,
              const tile_access& a,
              const machine::out& result,
              const machine::in* padding) override;
  void stored(const sim_thread& t, const tile_access& a, const machine::in& value) override;
  void updated(const sim_thread& t,
               const tile_access& a,
               const update_operation& how,
               const machine::in& argument,
               const machine::out& old) override;
  /// What decides whether it changes memory is told, for two values of 32 bits are hardly equal by
  /// chance; the same one on both sides is no such thing.
  void exchanged(const sim_thread& t,
                 const machine::out& old,
                 const machine::in& pointers,
                 const machine::in& comparand,
                 const machine::in& value,
                 const machine::in* mask) override;
  void accessed(const sim_thread& t,
                const tile_access& a,
                const machine::in& pointers,
                const machine::in* mask,
                const machine::out* result) override;
  void decides(const sim_thread& t,
               const machine::in* operands,
               unsigned count,
               const char* what) override;
  [[nodiscard]] dependence depends(const sim_thread& t, const machine::in& operand) const override;
  [[nodiscard]] dependence memory_depends(const sim_thread& t,
                                          std::uintptr_t address,
                                          const void* value,
                                          unsigned bytes) const override;

  [[nodiscard]] wanted_events wants() const override {
    return {.operations = false, .accesses = false, .elements = false};
  }
  /// Bytes of memory go to the host.
  void copied(const copy_event& e) override;
  void thread_ends(const sim_thread& t) override { tiles_.erase(&t); }

private:
  static constexpr std::size_t variants = 2;
  using other_bytes = std::array<std::vector<std::byte>, variants>;
  using other_words = std::array<std::uint64_t, variants>;

  struct twin {
    const void* at; ///< nullptr: another tile stands there now
    std::vector<std::byte> now;
    other_bytes other;
    const void* origin;   ///< return address of the operation that has drawn
    bool rich;            ///< its bits are found nowhere else
    std::uint64_t number; ///< which result of its thread

    [[nodiscard]] bool differs(std::size_t byte, std::size_t bytes) const noexcept;
  };
  struct stored_twin {
    std::uint64_t now;
    other_words other;
    unsigned bytes;
    const void* origin;
  };
  /// Of a thread that has drawn.
  struct thread_values {
    std::deque<twin> twins;
    std::deque<std::size_t> plain; ///< hashes of tiles without
    std::uint64_t results = 0;
  };

  /// Elements that have been drawn are others in the twins.
  const void* vary(const sim_thread& t, const machine::out& result, other_bytes& other);
  [[nodiscard]] const twin* find(const sim_thread& t, const machine::in& operand) const;
  void note_plain(const sim_thread& t, const machine::in& tile);
  /// Another tile stands at this address.
  static void overwritten(thread_values& values, const void* at);
  /// The result has no twins.
  void forget(const sim_thread& t, const machine::out& result);
  void keep(const sim_thread& t, const machine::out& result, other_bytes other, const void* origin);
  [[nodiscard]] const stored_twin*
  in_memory(std::uintptr_t at, const void* now, unsigned bytes) const;
  void put(std::uintptr_t at,
           const void* now,
           const other_words& other,
           unsigned bytes,
           const void* origin);
  /// Element `i` of a tile is stored; `k`: the tile's twin, if it has one.
  void store(std::uintptr_t at, const machine::in& value, const twin* k, std::size_t i);
  void row_copied(const char* function,
                  const void* site,
                  std::uintptr_t from,
                  std::span<const unsigned char> bytes);
  void tell(const void* site, const char* what, const void* origin);

  static constexpr std::size_t most_tiles = 64;    ///< of one thread
  static constexpr std::size_t most_cells = 65536; ///< in memory
  static constexpr std::size_t most_scalars = 32;
  static constexpr std::size_t most_plain = 64;   ///< tiles of one thread
  static constexpr std::size_t most_bytes = 1024; ///< of a tile that is taken for a copy

  std::unordered_map<const sim_thread*, thread_values> tiles_;
  std::map<std::uintptr_t, stored_twin> memory_;
  std::deque<stored_twin> scalars_; ///< that C++ may have stored
  std::vector<std::size_t> drawn_;  ///< by the operation under way
  bool told_;
};

} // namespace tilesim::sim
