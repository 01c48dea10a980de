// Watchers: any number of them, each told of everything, in order, without knowing of the others.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/atomics.hpp"
#include "sim/access/hooks.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/ops/opcode_name.hpp"
#include "sim/watch/definedness.hpp"

#include <array>
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim;

extern "C" void tilesim_hook___tsan_read4(void* p);

namespace {

/// Writes down everything that it is told.
class diary final : public watcher {
public:
  explicit diary(std::vector<std::string>& log, wanted_events wants = {.before = true})
      : log_(log)
      , wants_(wants) {}

  [[nodiscard]] wanted_events wants() const override { return wants_; }
  void launch_begins(const launch_state& l) override {
    log_.push_back("launch " + std::to_string(l.id) + " begins");
  }
  void launch_ends(const launch_state& l) override {
    log_.push_back("launch " + std::to_string(l.id) + " ends");
  }
  void thread_begins(const sim_thread& t) override { log_.push_back(t.name() + " begins"); }
  void thread_ends(const sim_thread& t) override { log_.push_back(t.name() + " ends"); }
  void before(const sim_thread& t) override {
    log_.push_back(std::string("before ") + t.next_operation);
  }
  void before_access(const sim_thread& /*t*/, std::uintptr_t /*at*/, std::size_t bytes) override {
    log_.push_back("before an access of " + std::to_string(bytes));
  }
  void memory(const memory_event& e) override {
    const char* const does = e.reads && e.writes ? "updates " : e.reads ? "reads " : "writes ";
    log_.push_back(std::string(e.raw ? "raw " : "") + does +
                   std::to_string(e.raw ? e.bytes : e.count) + (e.raw ? " bytes" : "") +
                   (e.box != nullptr ? " in a box" : ""));
  }
  void operation(const operation_event& e) override { log_.emplace_back(opcode_name(e.op)); }
  void host_access(const host_event& e) override {
    log_.push_back(std::string(e.by) + (e.writes ? " writes " : " reads ") +
                   std::to_string(e.bytes));
  }
  void copied(const copy_event& e) override {
    log_.push_back(std::string(e.by) + " copies " + std::to_string(e.width) +
                   (e.to_host ? " to the host" : ""));
  }
  void allocated(const allocation& a) override {
    log_.push_back("allocated " + std::to_string(a.size));
  }
  void freed(const allocation& a) override { log_.push_back("freed " + std::to_string(a.size)); }
  void finding_added(const void* /*site*/, const finding_text& /*text*/) override {
    log_.emplace_back("a finding");
  }

private:
  std::vector<std::string>& log_;
  wanted_events wants_;
};

} // namespace

TEST_CASE("a watcher is told of a run from its first allocation to its last") {
  context& c = context::current(); // the runtime's functions know no other
  std::vector<std::string> log;
  const watcher& w = c.exec->attach(std::make_unique<diary>(log));
  int* p = nullptr;
  REQUIRE(cudaMalloc(&p, sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(p, 0, sizeof(int)) == cudaSuccess);
  run_block(c, [&] {
    store(p, 7);
    tilesim_hook___tsan_read4(p);
  });
  int got = 0;
  REQUIRE(cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaFree(p) == cudaSuccess);
  c.exec->detach(w);
  const std::string launch = log[2].substr(0, log[2].rfind(' '));
  CHECK(log == std::vector<std::string>{"allocated 4",
                                        "cudaMemset writes 4",
                                        launch + " begins",
                                        "tile block (0,0,0) begins",
                                        "before store_ptr_tko",
                                        "writes 1",
                                        "store_ptr_tko",
                                        "before read",
                                        "before an access of 4",
                                        "raw reads 4 bytes",
                                        "tile block (0,0,0) ends",
                                        launch + " ends",
                                        "cudaMemcpy copies 4 to the host",
                                        "freed 4"});
  // Who has been detached is told nothing more.
  const std::size_t told = log.size();
  REQUIRE(cudaMalloc(&p, sizeof(int)) == cudaSuccess);
  REQUIRE(cudaFree(p) == cudaSuccess);
  CHECK(log.size() == told);
}

TEST_CASE("three watchers of one run are told the same, each as if it were alone") {
  std::array<std::vector<std::string>, 3> logs;
  std::vector<std::string> alone;
  const auto run = [](context& c) {
    auto* const p = static_cast<int*>(c.mem.allocate(memory_kind::managed, sizeof(int), nullptr));
    run_block(c, [&] {
      store(p, 7);
      CHECK(load(p) == 7);
    });
  };
  {
    context c{options{}};
    c.exec->attach(std::make_unique<diary>(alone));
    run(c);
  }
  context c{options{}};
  for (auto& log : logs) {
    c.exec->attach(std::make_unique<diary>(log));
  }
  run(c);
  REQUIRE(alone.size() > 6);
  for (const auto& log : logs) {
    CHECK(log == alone);
  }
}

TEST_CASE("what nobody wants is not made, what one wants the others are told, too") {
  context c{options{}};
  std::vector<std::string> modest;
  std::vector<std::string> curious;
  c.exec->attach(
      std::make_unique<diary>(modest, wanted_events{.operations = false, .elements = false}));
  CHECK_FALSE(c.exec->watchers().wanted().operations);
  auto* const p = static_cast<int*>(c.mem.allocate(memory_kind::managed, sizeof(int), nullptr));
  run_block(c, [&] { store(p, 7); });
  CHECK(modest == std::vector<std::string>{"launch 1 begins",
                                           "tile block (0,0,0) begins",
                                           "writes 1",
                                           "tile block (0,0,0) ends",
                                           "launch 1 ends"});
  const watcher& second = c.exec->attach(std::make_unique<diary>(curious));
  CHECK(c.exec->watchers().wanted().before);
  run_block(c, [&] { store(p, 7); });
  CHECK(curious.size() == 7);
  CHECK(modest.size() == 5 + 7);
  c.exec->detach(second);
  CHECK_FALSE(c.exec->watchers().wanted().before);
}

TEST_CASE("an object of any size is compared and exchanged") {
  context c{options{}};
  constexpr std::size_t bytes = 48; // more than any machine's atomic instruction takes
  auto* const p = static_cast<char*>(c.mem.allocate(memory_kind::device, bytes, nullptr));
  run_block(c, [&] {
    const atomic_access a{reinterpret_cast<std::uintptr_t>(p),
                          bytes,
                          memmodel::memory_order::relaxed,
                          memmodel::scope::gpu,
                          nullptr};
    std::string expected(bytes, '\0');
    const std::string desired(bytes, 'x');
    CHECK(compare_exchange_atomically(execution::current(), a, expected.data(), desired.data()));
    CHECK_FALSE(
        compare_exchange_atomically(execution::current(), a, expected.data(), expected.data()));
    CHECK(expected == desired);
  });
}

// [PTX: atomic operations that result in a write] One that fails is a read to whoever watches.
TEST_CASE("a failing compare-exchange of an atomic object writes nothing") {
  context c{options{}};
  std::vector<std::string> log;
  c.exec->attach(std::make_unique<diary>(log, wanted_events{.operations = false}));
  auto* const p = static_cast<int*>(c.mem.allocate(memory_kind::device, sizeof(int), nullptr));
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  written_memory& known = definedness_of(c).known();
  run_block(c, [&] {
    const atomic_access a{
        at, sizeof(int), memmodel::memory_order::relaxed, memmodel::scope::gpu, nullptr};
    int expected = 5;
    int desired = 7;
    CHECK_FALSE(compare_exchange_atomically(execution::current(), a, &expected, &desired));
    CHECK(expected == 0); // what memory held
    CHECK(log.back() == "raw reads 4 bytes");
    CHECK(known.first_unwritten(at, sizeof(int)) == at);
    CHECK(compare_exchange_atomically(execution::current(), a, &expected, &desired));
    CHECK(log.back() == "raw updates 4 bytes");
    CHECK_FALSE(known.first_unwritten(at, sizeof(int)).has_value());
  });
}
