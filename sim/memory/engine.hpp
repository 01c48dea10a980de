// Memory engines: what a read, a write or an update of memory does.
//
// The machine checks addresses and hands whole tile operations to the engine of the current mode.
// `direct` goes straight to memory; a detector or an explorer stands behind the same interface.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/memory/tile_box.hpp"
#include "sim/ops/rmw.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tilesim::sim {

class context;
struct launch_state;
struct sim_thread;
struct work_order;

/// The accesses of one tile operation. Its elements have no order among themselves.
struct tile_access {
  const void* site = nullptr;
  machine::access how = {};
  unsigned bytes = 0; ///< per element
  std::size_t count = 0;
  const std::uintptr_t* addresses = nullptr; ///< all checked where the mask is set
  const std::uint8_t* mask = nullptr;        ///< one byte per element, 0: no access; nullptr: all
  bool contiguous = false; ///< unmasked, and addresses[i] == addresses[0] + i * bytes
  /// What a view accesses, where the engine takes boxes and the access is weak; addresses and mask
  /// are then nullptr. Else nullptr.
  const tile_box* box = nullptr;
  bool dropped = false; ///< some elements were left out since they were bad: they read zero
};

/// An access that is no tile operation: consecutive bytes. Strong ones have at most eight.
struct plain_access {
  const void* site = nullptr;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  bool reads = false;
  bool writes = false;
  const char* by = nullptr; ///< who, if no thread: "cudaMemcpy"; nullptr: host code
  memmodel::memory_order order = memmodel::memory_order::weak; ///< never sc: that is a fence before
  memmodel::scope scope = memmodel::scope::sys;
  bool other_thread = false; ///< of the host's, than the one that uses the runtime
};

class memory_engine {
public:
  memory_engine() = default;
  virtual ~memory_engine() = default;
  memory_engine(const memory_engine&) = delete;
  memory_engine& operator=(const memory_engine&) = delete;

  /// True if read and write understand tile_access::box. An engine that does not is given the
  /// address of every element of a view, as of a tile of pointers.
  [[nodiscard]] virtual bool takes_boxes() const noexcept { return false; }

  /// A launch starts.
  virtual void begin(launch_state& /*l*/) {}

  /// An access of `__global__` code or a raw one happens, or (`t` is nullptr) one by host code, a
  /// copy or a fill, which stands at `order`; of a thread that is its launch's. Both sides of a
  /// read-modify-write are one access.
  virtual void happened(sim_thread* /*t*/, const work_order& /*order*/, const plain_access& /*a*/) {
  }
  /// A fence, likewise.
  virtual void fenced(sim_thread* /*t*/,
                      const work_order& /*at*/,
                      memmodel::memory_order /*order*/,
                      memmodel::scope /*scope*/,
                      const void* /*site*/) {}

  /// A copy has been made; its two accesses have happened().
  virtual void copied(const void* /*site*/,
                      const char* /*by*/,
                      std::uintptr_t /*to*/,
                      std::uintptr_t /*from*/,
                      std::size_t /*bytes*/) {}

  /// Memory comes into being, or ceases to be, by work that stands at `at`: who accesses it has to
  /// come after the one and before the other.  [CUDA: stream ordered memory allocator]
  virtual void lives(const void* /*site*/,
                     const work_order& /*at*/,
                     const char* /*by*/,
                     std::uintptr_t /*begin*/,
                     std::size_t /*bytes*/) {}

  /// Memory ceases to be: what happened there concerns nobody any more.
  virtual void forget(std::uintptr_t /*begin*/, std::size_t /*bytes*/) {}

  /// What `--stats` prints of the engine; empty: nothing.
  [[nodiscard]] virtual std::string statistics() const { return {}; }

  /// Elements whose accesses were judged: nobody's, in the direct engine.
  [[nodiscard]] virtual std::uint64_t judged() const noexcept { return 0; }

  /// out[i] = *addresses[i] where active; other elements of out are left alone.
  virtual void read(sim_thread& t, const tile_access& a, void* out) = 0;
  /// *addresses[i] = values[i] where active.
  virtual void write(sim_thread& t, const tile_access& a, const void* values) = 0;
  /// old[i] = *addresses[i]; *addresses[i] = f(old[i], arguments[i]), atomically per element.
  /// Returns true if memory changed.
  virtual bool update(sim_thread& t,
                      const tile_access& a,
                      ops::rmw_function f,
                      const void* arguments,
                      void* old) = 0;
  /// old[i] = *addresses[i]; if old[i] == expected[i] bit for bit, *addresses[i] = desired[i].
  /// Returns true if memory changed.
  virtual bool compare_exchange(sim_thread& t,
                                const tile_access& a,
                                const void* expected,
                                const void* desired,
                                void* old) = 0;
};

/// Straight to memory, one operation after the other: sequentially consistent.
[[nodiscard]] std::unique_ptr<memory_engine> make_direct_engine();

} // namespace tilesim::sim
