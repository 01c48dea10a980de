// Tests of a kernel with Catch2: its result, and that no schedule shows a race.
// SPDX-License-Identifier: Apache-2.0
#include "histogram.cuh"

#if __has_include(<catch2/catch_test_macros.hpp>)
#  include <catch2/catch_test_macros.hpp>
#else
#  include <catch2/catch.hpp>
#endif

#include <tilesim/check.hpp>

#include <iostream>
#include <stdexcept>
#include <vector>

namespace {

constexpr int blocks = 4;

/// The counts of 256 values, by the kernel that `launch` starts.
template <class Launch>
std::vector<int> count(Launch launch) {
  std::vector<int> values(blocks * per_block);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int>(i * i % bins);
  int* device_values = nullptr;
  int* counts = nullptr;
  cudaMalloc(&device_values, values.size() * sizeof(int));
  cudaMalloc(&counts, bins * sizeof(int));
  cudaMemcpy(device_values, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, bins * sizeof(int));
  launch(device_values, counts);
  std::vector<int> result(bins);
  cudaMemcpy(result.data(), counts, bins * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(counts);
  cudaFree(device_values);
  return result;
}

const std::vector<int> expected{64, 128, 0, 0, 64, 0, 0, 0};

/// Prints the report if there is something in it. Not by INFO, which folds lines: a command in them
/// is to be copied whole.
bool clean(const tilesim::check_result& report) {
  if (!report.clean())
    std::cerr << report.text() << '\n';
  return report.clean();
}

tilesim::check_result check_plain_histogram() {
  return tilesim::check(
      [] { count([](auto v, auto c) { plain_histogram<<<blocks, 1>>>(v, c); }); },
      {.name = "plain histogram", .schedules = 4});
}

} // namespace

TEST_CASE("the histogram counts every value") {
  CHECK(count([](auto v, auto c) { histogram<<<blocks, 1>>>(v, c); }) == expected);
}

TEST_CASE("the histogram has no race, and is right under every schedule") {
  const auto report = tilesim::check([] {
    if (count([](auto v, auto c) { histogram<<<blocks, 1>>>(v, c); }) != expected)
      throw std::runtime_error("wrong counts");
  });
  CHECK(clean(report));
}

TEST_CASE("a histogram without atomics races") {
  const auto report = check_plain_histogram();
  CHECK_FALSE(report.clean());
  CHECK(report.count("data-race") > 0);
  CHECK(report.count("duplicate-store") == 1);
}

// What a failure looks like: histogram_test "[fails]". The report ends with the commands that step
// into the test.
TEST_CASE("a histogram without atomics is clean", "[.][fails]") {
  CHECK(clean(check_plain_histogram()));
}
