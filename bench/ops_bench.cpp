// Elementwise operations on a tile of 4096 elements, beside std::transform at -O3.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/elementwise.hpp"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

using namespace tilesim;
using namespace tilesim::sim::ops;

constexpr std::size_t count = 4096;

void machine_op(benchmark::State& state,
                machine::opcode op,
                element kind,
                machine::attributes modes) {
  std::vector<std::uint64_t> a(count, 0);
  std::vector<std::uint64_t> b(count, 0);
  std::vector<std::uint64_t> r(count, 0);
  const elementwise_operation f = find_elementwise(op, modes, kind, kind);
  const elementwise_args args{
      r.data(), {a.data(), b.data(), nullptr}, {false, false, false}, count};
  for (auto _ : state) {
    benchmark::DoNotOptimize(f.run(args));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

template <class T>
void by_hand(benchmark::State& state) {
  std::vector<T> a(count, 0);
  std::vector<T> b(count, 0);
  std::vector<T> r(count, 0);
  for (auto _ : state) {
    std::transform(a.begin(), a.end(), b.begin(), r.begin(), std::plus<T>{});
    benchmark::DoNotOptimize(r.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

constexpr machine::attributes checked{.wrap = machine::overflow::no_signed_wrap};

BENCHMARK(by_hand<float>)->Name("f32 add, std::transform");
BENCHMARK_CAPTURE(machine_op, f32_addf, machine::opcode::addf, element::f32, machine::attributes{});
BENCHMARK(by_hand<std::int32_t>)->Name("i32 add, std::transform");
BENCHMARK_CAPTURE(machine_op, i32_addi_checked, machine::opcode::addi, element::i32, checked);
BENCHMARK_CAPTURE(machine_op, f16_addf, machine::opcode::addf, element::f16, machine::attributes{});
BENCHMARK_CAPTURE(
    machine_op, bf16_addf, machine::opcode::addf, element::bf16, machine::attributes{});

} // namespace
