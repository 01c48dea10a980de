// Tests of every execution with Catch2: a lock, and all outcomes of two blocks.
// SPDX-License-Identifier: Apache-2.0
#include "lock.cuh"

#if __has_include(<catch2/catch_test_macros.hpp>)
#  include <catch2/catch_test_macros.hpp>
#else
#  include <catch2/catch.hpp>
#endif

#include <tilesim/explore.hpp>

#include <array>
#include <iostream>
#include <set>
#include <stdexcept>

namespace {

/// Device memory that holds 0.
int* zeros(int count) {
  int* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(int));
  cudaMemset(memory, 0, count * sizeof(int));
  return memory;
}

constexpr int blocks = 2;

template <cuda::memory_order Order>
void count() {
  int* const lock = zeros(1);
  int* const counter = zeros(1);
  count_under_lock<Order><<<blocks, 1>>>(lock, counter);
  int counted = 0;
  cudaMemcpy(&counted, counter, sizeof counted, cudaMemcpyDeviceToHost);
  if (counted != blocks)
    throw std::runtime_error("a block was let in beside another");
  cudaFree(counter);
  cudaFree(lock);
}

/// What the two blocks have read.
std::array<int, 2> write_and_read() {
  int* const places = zeros(2);
  int* const seen = zeros(2);
  write_then_read<<<2, 1>>>(places, seen);
  std::array<int, 2> result{};
  cudaMemcpy(result.data(), seen, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(seen);
  cudaFree(places);
  return result;
}

using outcomes = std::set<std::array<int, 2>>;

} // namespace

TEST_CASE("this lock admits one block at a time in every execution") {
  const auto report = tilesim::explore(count<cuda::memory_order_acquire>);
  if (!report.clean())
    std::cerr << report.text() << '\n';
  CHECK(report.clean());
}

TEST_CASE("a lock that is taken without an acquire does not") {
  const auto report = tilesim::explore(count<cuda::memory_order_relaxed>);
  CHECK_FALSE(report.clean());
  CHECK(report.count("data-race") > 0);
}

TEST_CASE("these are all outcomes") {
  const auto report = tilesim::explore(write_and_read);
  CHECK(report.complete());
  CHECK(report.returned() == outcomes{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
}

TEST_CASE("one access after the other, one block at least sees the other") {
  const auto report = tilesim::explore(write_and_read, {.model = "sc"});
  CHECK(report.complete());
  CHECK(report.returned() == outcomes{{0, 1}, {1, 0}, {1, 1}});
}
