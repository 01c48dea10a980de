// A memory engine that passes everything on: the base of those that look at some of it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/engine.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace tilesim::sim {

class passing_engine : public memory_engine {
public:
  explicit passing_engine(std::unique_ptr<memory_engine> behind = make_direct_engine())
      : behind_(std::move(behind)) {
    holds_ = true; // the one behind may
  }

  [[nodiscard]] bool takes_boxes() const noexcept override { return behind_->takes_boxes(); }

  [[nodiscard]] bool takes_tokens() const noexcept override { return behind_->takes_tokens(); }
  [[nodiscard]] std::size_t widest_object() const noexcept override {
    return behind_->widest_object();
  }
  [[nodiscard]] std::uint64_t join(const machine::ordered_after& all) override {
    return behind_->join(all);
  }

  void load(sim_thread& t, const tile_access& a, void* out) override { behind_->load(t, a, out); }
  void store(sim_thread& t, const tile_access& a, const void* values) override {
    behind_->store(t, a, values);
  }
  bool update(sim_thread& t,
              const tile_access& a,
              ops::rmw_function f,
              const void* arguments,
              void* old) override {
    return behind_->update(t, a, f, arguments, old);
  }
  bool compare_exchange(sim_thread& t,
                        const tile_access& a,
                        const void* expected,
                        const void* desired,
                        void* old) override {
    return behind_->compare_exchange(t, a, expected, desired, old);
  }

  void load(const accessor& who, const plain_access& a, void* out) override {
    behind_->load(who, a, out);
  }
  bool store(const accessor& who, const plain_access& a, const void* value) override {
    return behind_->store(who, a, value);
  }
  bool
  update(const accessor& who, const plain_access& a, const object_change& f, void* old) override {
    return behind_->update(who, a, f, old);
  }
  bool compare_exchange(const accessor& who,
                        const plain_access& a,
                        void* expected,
                        const void* desired) override {
    return behind_->compare_exchange(who, a, expected, desired);
  }

  void raw(const accessor& who, const plain_access& a, access_kind kind, bool same_call) override {
    behind_->raw(who, a, kind, same_call);
  }
  void fence(const accessor& who,
             const void* site,
             memmodel::memory_order order,
             memmodel::scope scope) override {
    behind_->fence(who, site, order, scope);
  }
  void barrier(const meeting& m) override { behind_->barrier(m); }
  [[nodiscard]] std::shared_ptr<const done_before>
  arrives(sim_thread& t, const std::shared_ptr<const done_before>& others) override {
    return behind_->arrives(t, others);
  }
  void comes_behind(sim_thread& t, const done_before& others) override {
    behind_->comes_behind(t, others);
  }
  [[nodiscard]] std::optional<phase_end> unordered_phase_end(sim_thread& t,
                                                             std::uintptr_t barrier) override {
    return behind_->unordered_phase_end(t, barrier);
  }
  void phase_ended(sim_thread& t, std::uintptr_t barrier) override {
    behind_->phase_ended(t, barrier);
  }
  void copy_begins(sim_thread& t) override { behind_->copy_begins(t); }
  void copy_ends(sim_thread& t, phase_name awaits) override { behind_->copy_ends(t, awaits); }
  void copies_awaited(sim_thread& t, phase_name end) override { behind_->copies_awaited(t, end); }
  void copies_handed_on(sim_thread& t, phase_name end, phase_name to) override {
    behind_->copies_handed_on(t, end, to);
  }
  void copy(const accessor& who,
            const void* site,
            const byte_place& to,
            const byte_place& from,
            std::size_t bytes) override {
    behind_->copy(who, site, to, from, bytes);
  }
  void fill(const accessor& who,
            const void* site,
            const byte_place& to,
            unsigned char value,
            std::size_t bytes) override {
    behind_->fill(who, site, to, value, bytes);
  }
  void begin(launch_state& l) override { behind_->begin(l); }
  void lifetime(const accessor& who,
                const void* site,
                std::uintptr_t begin,
                std::size_t bytes) override {
    behind_->lifetime(who, site, begin, bytes);
  }
  void freed(std::uintptr_t begin, std::size_t bytes) override { behind_->freed(begin, bytes); }

  [[nodiscard]] std::string stale_reads() const override { return behind_->stale_reads(); }
  [[nodiscard]] std::vector<stale_read> explained_stale_reads(std::size_t most) const override {
    return behind_->explained_stale_reads(most);
  }
  [[nodiscard]] std::optional<std::string> unfollowed(bool over) const override {
    return behind_->unfollowed(over);
  }
  [[nodiscard]] std::uint64_t performed() const override { return behind_->performed(); }
  [[nodiscard]] bool lets_choose() const noexcept override { return behind_->lets_choose(); }
  [[nodiscard]] std::vector<offered_read> offers(sim_thread& t, const coming_read& r) override {
    return behind_->offers(t, r);
  }
  [[nodiscard]] std::vector<offered_read> were_offered(const sim_thread& t,
                                                       std::uint64_t operation) const override {
    return behind_->were_offered(t, operation);
  }
  void choose(const std::vector<chosen_read>& all) override { behind_->choose(all); }
  [[nodiscard]] std::string statistics() const override { return behind_->statistics(); }
  [[nodiscard]] std::uint64_t judged() const noexcept override { return behind_->judged(); }

protected:
  void put_back() override { behind_->settle(); }
  [[nodiscard]] memory_engine& behind() noexcept { return *behind_; }

private:
  std::unique_ptr<memory_engine> behind_;
};

} // namespace tilesim::sim
