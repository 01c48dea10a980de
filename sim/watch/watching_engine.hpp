// A memory engine that passes everything on, and tells what other than kernels' operations does.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/engine.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace tilesim::sim::step {

/// Views come to it element by element, so observers see the address of each.
class watching_engine final : public memory_engine {
public:
  /// What nobody listens to is empty.
  struct listener {
    std::function<void(const plain_access&)> host_access;
    std::function<void(std::uintptr_t to, std::uintptr_t from, std::size_t bytes)> copy;
    std::function<void(std::uintptr_t begin)> forget;
  };

  watching_engine(std::unique_ptr<memory_engine> behind, listener told)
      : behind_(std::move(behind))
      , told_(std::move(told)) {}

  void begin(launch_state& l) override { behind_->begin(l); }
  void happened(sim_thread* t, const work_order& order, const plain_access& a) override {
    if (t == nullptr && told_.host_access) {
      told_.host_access(a);
    }
    behind_->happened(t, order, a);
  }
  void fenced(sim_thread* t,
              const work_order& at,
              memmodel::memory_order order,
              memmodel::scope scope,
              const void* site) override {
    behind_->fenced(t, at, order, scope, site);
  }
  void copied(const void* site,
              const char* by,
              std::uintptr_t to,
              std::uintptr_t from,
              std::size_t bytes) override {
    if (told_.copy) {
      told_.copy(to, from, bytes);
    }
    behind_->copied(site, by, to, from, bytes);
  }
  void lives(const void* site,
             const work_order& at,
             const char* by,
             std::uintptr_t begin,
             std::size_t bytes) override {
    behind_->lives(site, at, by, begin, bytes);
  }
  void forget(std::uintptr_t begin, std::size_t bytes) override {
    if (told_.forget) {
      told_.forget(begin);
    }
    behind_->forget(begin, bytes);
  }
  [[nodiscard]] std::string statistics() const override { return behind_->statistics(); }
  [[nodiscard]] std::uint64_t judged() const noexcept override { return behind_->judged(); }
  void read(sim_thread& t, const tile_access& a, void* out) override { behind_->read(t, a, out); }
  void write(sim_thread& t, const tile_access& a, const void* values) override {
    behind_->write(t, a, values);
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

private:
  std::unique_ptr<memory_engine> behind_;
  listener told_;
};

} // namespace tilesim::sim::step
