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

#include "sim/core/watcher.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/rmw.hpp"

#include <tilesim/detail/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim {

struct sim_thread;

class spread final : public watcher {
public:
  /// `tells`: prints what it finds; otherwise it is only asked.
  explicit spread(bool tells)
      : told_(!tells) {}

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

  /// It is a compare-exchange. What decides whether it changes memory is told, for two values of
  /// 32 bits are hardly equal by chance; the same one on both sides is no such thing.
  void exchanged(const sim_thread& t,
                 const machine::out& old,
                 const machine::in& pointers,
                 const machine::in& comparand,
                 const machine::in& value,
                 const machine::in* mask);

  /// Its addresses, where it accesses memory, and its mask.
  void accessed(const sim_thread& t,
                const tile_access& a,
                const machine::in& pointers,
                const machine::in* mask);

  /// An operand decides what the run does, or prints.
  void decides(const sim_thread& t, const machine::in* operands, unsigned count, const char* what);

  /// "3 of these elements depend on an unspecified value, from a.cu:9: the mask …", of the `count`
  /// elements of an operand from `first` on, each `stride` further; empty: none is known to.
  [[nodiscard]] std::string dependence_text(const sim_thread& t,
                                            const machine::in& operand,
                                            std::size_t first,
                                            std::size_t stride,
                                            std::size_t count) const;

  [[nodiscard]] wanted_events wants() const override { return nothing; }
  /// Bytes of memory go to the host.
  void copied(const copy_event& e) override;
  void thread_ends(const sim_thread& t) override { tiles_.erase(&t); }

private:
  static constexpr std::size_t variants = 2;
  using other_bytes = std::array<std::vector<std::byte>, variants>;
  using other_words = std::array<std::uint64_t, variants>;

  struct twin {
    const void* at;
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
