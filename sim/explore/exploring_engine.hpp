// The engine of an exploration: what a thread's accesses do is told, and what they read is given.
//
// Memory itself stays as it was at the launch. What a thread alone accesses, or nobody writes, it
// answers by itself; all else is a step of the exploration.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/scheduler.hpp"
#include "sim/core/turn_progress.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/overlaps.hpp"
#include "sim/memory/passing_engine.hpp"

#include <memory>
#include <span>
#include <vector>

namespace tilesim::sim::exploring {

class exploring_engine final : public passing_engine {
public:
  using passing_engine::compare_exchange;
  using passing_engine::load;
  using passing_engine::store;
  using passing_engine::update;

  exploring_engine() { holds_ = false; } // the one behind holds nothing

  /// Whose threads run from now on; nullptr: nobody's, and memory is as it is.
  void serve(kernel_threads* threads) noexcept { threads_ = threads; }

  [[nodiscard]] bool takes_boxes() const noexcept override { return false; }
  [[nodiscard]] bool takes_tokens() const noexcept override { return true; }
  /// As wide as an event of the model; the elements of a vector have no order, as by PTX.
  [[nodiscard]] std::size_t widest_object() const noexcept override { return 8; }
  [[nodiscard]] std::uint64_t join(const machine::ordered_after& all) override;

  void load(sim_thread& t, const tile_access& a, void* out) override;
  void store(sim_thread& t, const tile_access& a, const void* values) override;
  bool update(sim_thread& t,
              const tile_access& a,
              ops::rmw_function f,
              const void* arguments,
              void* old) override;
  bool compare_exchange(sim_thread& t,
                        const tile_access& a,
                        const void* expected,
                        const void* desired,
                        void* old) override;

  void load(const accessor& who, const plain_access& a, void* out) override;
  bool store(const accessor& who, const plain_access& a, const void* value) override;
  bool
  update(const accessor& who, const plain_access& a, const object_change& f, void* old) override;
  bool compare_exchange(const accessor& who,
                        const plain_access& a,
                        void* expected,
                        const void* desired) override;
  void raw(const accessor& who, const plain_access& a, access_kind kind, bool same_call) override;
  /// A thread comes to where it meets others.  [PTX: barrier.sync, bar.warp.sync]
  void meets(sim_thread& t, const void* site, const gathering& where);
  /// It gives others a value and takes theirs.
  void exchange_values(sim_thread& t,
                       const void* site,
                       std::uint64_t point,
                       std::uint32_t own,
                       std::span<exchanged> with);
  void refuse(sim_thread& t, const std::string& what) { threads_->refuse(t, what); }
  void fence(const accessor& who,
             const void* site,
             memmodel::memory_order order,
             memmodel::scope scope) override;
  void copy(const accessor& who, // overlaps.cpp
            const void* site,
            const byte_place& to,
            const byte_place& from,
            std::size_t bytes) override;
  void fill(const accessor& who,
            const void* site,
            const byte_place& to,
            unsigned char value,
            std::size_t bytes) override;
  void freed(std::uintptr_t begin, std::size_t bytes) override;
  /// What has been done before what is explored now.
  [[nodiscard]] overlaps& past() noexcept { return past_; }
  void copy_begins(sim_thread& t) override; // copies.cpp
  void copy_ends(sim_thread& t, phase_name awaits) override;
  void copies_awaited(sim_thread& t, phase_name end) override;
  void copies_handed_on(sim_thread& t, phase_name end, phase_name to) override;

protected:
  void put_back() override;

private:
  /// Bytes that hold something else for the program's own instruction.
  struct lent_bytes {
    std::uintptr_t address = 0;
    std::vector<std::uint8_t> chosen; ///< of a read
    std::vector<std::uint8_t> before; ///< what is to lie there again
  };
  /// A raw write that the program is about to make.
  struct write_to_come {
    sim_thread* thread = nullptr;
    plain_access how;
    std::uintptr_t address = 0;
    std::vector<std::uint8_t> before;
    turn_point point; ///< where turns have it
  };

  [[nodiscard]] bool serves(const accessor& who) const noexcept {
    return threads_ != nullptr && who.thread != nullptr;
  }
  /// What elements of an access are shared, as the elements of a step; the others' numbers are left
  /// in `own_`.
  void split(sim_thread& t, const tile_access& a, bool writes, step& s, bool adds = false);
  /// An update of a tile, with its shared elements.
  std::unique_ptr<step> begin_update(sim_thread& t, const tile_access& a);
  bool change(sim_thread& t,
              const tile_access& a,
              std::unique_ptr<step> s,
              const update_rule& rule,
              void* old);
  [[nodiscard]] std::vector<plain_access> pieces(sim_thread& t, const plain_access& a, bool writes);
  void read_object(sim_thread& t, const plain_access& a, memmodel::memory_order order, void* out);
  void write_object(sim_thread& t,
                    const plain_access& a,
                    memmodel::memory_order order,
                    const void* value);
  bool change_object(sim_thread& t, const plain_access& a, const update_rule& rule, void* old);
  void fence_before(const accessor& who, const plain_access& a);
  void lend_again();
  void end_loan();

  kernel_threads* threads_ = nullptr;
  overlaps past_;
  std::vector<std::size_t> own_;
  std::vector<std::size_t> added_; ///< likewise: those of sums
  std::vector<lent_bytes> lent_;
  std::vector<write_to_come> to_come_;
};

/// Counts what a thread does as turns count it, and decides nothing.
class step_counter final : public scheduler {
public:
  void serve(kernel_threads* threads) noexcept { threads_ = threads; }

  [[nodiscard]] std::size_t pick(std::span<const thread_number> /*runnable*/,
                                 bool /*can_start*/) override {
    return 0;
  }
  [[nodiscard]] bool preempt() override { return count(step_kind::memory); }
  [[nodiscard]] bool preempt_raw() override { return count(step_kind::raw); }
  [[nodiscard]] std::uint64_t
  block(std::uint64_t /*launch*/, std::uint64_t nth, std::uint64_t /*count*/) override {
    return nth;
  }
  [[nodiscard]] std::string describe() const override { return "every execution"; }

private:
  bool count(sim::step_kind kind);
  using step_kind = sim::step_kind;

  kernel_threads* threads_ = nullptr;
};

} // namespace tilesim::sim::exploring
