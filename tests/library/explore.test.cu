// tilesim::explore: what it finds of callables, what they return, and what it leaves behind.
//
// SPDX-License-Identifier: Apache-2.0
#include "support/catch.hpp"

#include <cuda/atomic>
#include <cuda_runtime.h>
#include <tilesim/explore.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <tuple>
#include <utility>
#include <vector>

using tilesim::explore;
using tilesim::explore_options;

namespace {

using shared = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr auto relaxed = cuda::memory_order_relaxed;

__global__ void store_and_load(int* places, int* seen) {
  const int me = static_cast<int>(blockIdx.x);
  shared(places[me]).store(1, relaxed);
  seen[me] = shared(places[1 - me]).load(relaxed);
}

__global__ void draw(int* tickets) {
  shared(*tickets).fetch_add(1, relaxed);
}

__global__ void take_first(int* tickets, int* first) {
  const int me = static_cast<int>(blockIdx.x);
  if (shared(*tickets).fetch_add(1, relaxed) == 0) {
    *first = me;
  }
}

__global__ void add_plainly(int* sum) {
  *sum = *sum + 1;
}

__global__ void lose(int* lock) {
  while (shared(*lock).exchange(1, relaxed) != 0) {
  }
}

int* zeros(int count) {
  int* memory = nullptr;
  cudaMalloc(&memory, static_cast<std::size_t>(count) * sizeof(int));
  cudaMemset(memory, 0, static_cast<std::size_t>(count) * sizeof(int));
  return memory;
}

std::array<int, 2> store_buffering() {
  int* const places = zeros(2);
  int* const seen = zeros(2);
  store_and_load<<<2, 1>>>(places, seen);
  std::array<int, 2> got{};
  cudaMemcpy(got.data(), seen, sizeof got, cudaMemcpyDeviceToHost);
  return got;
}

int first_of(int blocks) {
  int* const tickets = zeros(1);
  int* const first = zeros(1);
  take_first<<<blocks, 1>>>(tickets, first);
  int got = 0;
  cudaMemcpy(&got, first, sizeof got, cudaMemcpyDeviceToHost);
  return got;
}

std::ptrdiff_t entries(const char* folder) {
  const std::filesystem::directory_iterator all(folder);
  return std::distance(begin(all), end(all));
}

} // namespace

TEST_CASE("explore: what is returned in any execution") {
  using pairs = std::set<std::array<int, 2>>;
  const auto report = explore(store_buffering);
  CHECK(report.clean());
  CHECK(report.executions() == 4);
  CHECK(report.states().size() == 4);
  CHECK(report.returned() == pairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  CHECK(explore(store_buffering, {.model = "sc"}).returned() == pairs{{0, 1}, {1, 0}, {1, 1}});
  CHECK(explore([] { return first_of(3); }).returned() == std::set<int>{0, 1, 2});
}

TEST_CASE("explore: drawn executions are some of those that there are, and prove nothing") {
  using pairs = std::set<std::array<int, 2>>;
  const auto drawn = explore(store_buffering, {.sample = 1'000});
  CHECK(drawn.returned() == pairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  CHECK(drawn.executions() == 4);
  CHECK(!drawn.complete());
  CHECK(drawn.exit_code() == 3);
  CHECK(explore(store_buffering, {.sample = 1}).executions() == 1);
  CHECK(explore(store_buffering, {.sample = 1, .seed = 5}).executions() == 1);
  CHECK_THROWS_AS(explore(store_buffering, {.bound = 1, .sample = 1}), std::invalid_argument);
}

TEST_CASE("explore: values of several types come back") {
  using value = std::tuple<std::string, std::vector<std::pair<int, char>>, double>;
  const auto report = explore([] {
    const int first = first_of(2);
    return value(first == 0 ? "" : "the second", {{first, 'x'}, {7, '\0'}}, first + 0.5);
  });
  CHECK(report.returned() == std::set<value>{{"", {{0, 'x'}, {7, '\0'}}, 0.5},
                                             {"the second", {{1, 'x'}, {7, '\0'}}, 1.5}});
  CHECK(explore([] { return std::string(first_of(1) == 0 ? "" : "?"); }).returned() ==
        std::set<std::string>{""});
}

TEST_CASE("explore: a callable that throws fails in its executions alone") {
  const auto report = explore([] {
    if (first_of(2) == 1) {
      throw std::runtime_error("the second was first");
    }
    return 5;
  });
  CHECK(report.exit_code() == 1);
  CHECK(report.complete());
  CHECK(report.returned() == std::set<int>{5});
  REQUIRE(report.states().size() == 2);
  for (const auto& s : report.states()) {
    CHECK((s.status == 1) == (s.printed.find("the second was first") != std::string::npos));
  }
  // An assertion of the test's framework is an exception like any other.
  const auto required = explore([] { REQUIRE(first_of(2) == 0); });
  CHECK(required.exit_code() == 1);
  const auto left = explore([] { std::exit(first_of(2) == 1 ? 7 : 0); });
  std::set<int> statuses;
  for (const auto& s : left.states()) {
    statuses.insert(s.status);
  }
  CHECK(statuses == std::set<int>{0, 7});
}

TEST_CASE("explore: findings, with a replay that a check of the same name takes") {
  const auto body = [] {
    int* const sum = zeros(1);
    add_plainly<<<2, 1>>>(sum);
    cudaDeviceSynchronize();
  };
  const auto report = explore(body, {.name = "plain sum"});
  CHECK(report.exit_code() == 1);
  CHECK(report.count("data-race") > 0);
  REQUIRE_FALSE(report.findings().empty());
  const auto& f = report.findings().front();
  REQUIRE_FALSE(f.where.empty());
  CHECK(f.where.front().file.find("explore.test.cu") != std::string::npos);
  CHECK(report.text().find("check_options::replay = \"" + f.replay + "\"") != std::string::npos);
  CHECK(tilesim::check(body, {.name = "plain sum", .replay = f.replay}).count("data-race") > 0);
  CHECK_THROWS_AS(tilesim::check(body, {.name = "other", .replay = f.replay}),
                  std::invalid_argument);
  const auto waits = explore([] {
    lose<<<2, 1>>>(zeros(1));
    cudaDeviceSynchronize();
  });
  CHECK(waits.count("deadlock") == 1);
}

TEST_CASE("explore: options are the command's") {
  const auto draws = [] {
    draw<<<4, 1>>>(zeros(1));
    cudaDeviceSynchronize();
  };
  CHECK(explore(draws).executions() == 1);
  CHECK(explore(draws, {.reduction = false}).executions() == 1);
  CHECK(explore(draws, {.reduction = false, .symmetry = false}).executions() == 24);
  const auto bound = explore(store_buffering, {.bound = 0});
  CHECK(bound.within_bound());
  CHECK_FALSE(bound.complete());
  CHECK(bound.exit_code() == 3);
  CHECK(bound.why() == "complete within the bound: every execution with at most 0 stale reads");
  CHECK(bound.returned().size() == 3);
  CHECK(explore(store_buffering, {.bound = 1}).clean());
  CHECK(explore(store_buffering, {.jobs = 3}).json() == explore(store_buffering, {.jobs = 1}).json());
  CHECK_THROWS_AS(explore(draws, {.model = "tso"}), std::invalid_argument);
  CHECK_THROWS_AS(explore(draws, {.model = "sc", .bound = 1}), std::invalid_argument);
  CHECK_THROWS_AS(explore(draws, {.bound = 65}), std::invalid_argument);
  CHECK_THROWS_AS(explore(draws, {.seconds = -1}), std::invalid_argument);
  CHECK_THROWS_AS(explore(store_buffering, {.observe = {"nothing"}}), std::invalid_argument);
}

TEST_CASE("explore: nothing to explore is no proof") {
  const auto nothing = explore([] {});
  CHECK(nothing.exit_code() == 3);
  CHECK(nothing.why() == "nothing to explore: the callable has waited for no kernel");
  const auto before = explore([] { throw std::runtime_error("early"); });
  CHECK_FALSE(before.complete());
  CHECK(before.why().find("ends with status 1") != std::string::npos);
}

TEST_CASE("explore: nothing is left behind, and the caller's own simulation goes on") {
  int* const own = zeros(1);
  draw<<<2, 1>>>(own);
  static_cast<void>(explore(store_buffering)); // what is loaded once is loaded
  const auto files = entries("/proc/self/fd");
  int calls = 0;
  CHECK(explore([&] {
          ++calls; // in another process
          return store_buffering();
        }).clean());
  CHECK(calls == 0);
  CHECK(entries("/proc/self/fd") == files);
  CHECK(std::getenv("TILESIM_EXPLORE") == nullptr);
  CHECK(std::getenv("TILESIM_OPTIONS") == nullptr);
  CHECK((waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD));
  draw<<<2, 1>>>(own);
  int value = 0;
  CHECK(cudaMemcpy(&value, own, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 4);
  CHECK(cudaFree(own) == cudaSuccess);
}
