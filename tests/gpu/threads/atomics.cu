// Atomic updates of `__global__` kernels, of every type: each thread its own object, so that the old value is certain,
// and all threads one object, where the results commute. SPDX-License-Identifier: Apache-2.0
#include "threads.hpp"

#include <cuda/atomic>

using namespace gpu_test;

// Beside int64_t, which is long.
namespace gpu_test {
template <>
struct element<long long> : element<std::int64_t> {};
template <>
struct element<unsigned long long> : element<std::uint64_t> {};
} // namespace gpu_test

/// Old and new value of one update.
template <class Op, class T>
__global__ void updates(T* old, T* objects, const T* operands, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) {
    old[i] = Op::apply(objects[i], operands[i]);
  }
}

/// The block's part of the work is one object each: 64 threads upon it, in any order.
template <class Op, class T>
__global__ void shared_updates(T* results, const T* first, const T* operands) {
  __shared__ T object;
  if (threadIdx.x == 0) {
    object = first[blockIdx.x];
  }
  __syncthreads();
  Op::apply(object, operands[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    results[blockIdx.x] = object;
  }
}

#define UPDATE(name, ...)                                                                                              \
  struct name {                                                                                                        \
    static std::string text() { return #name; }                                                                        \
    template <class T>                                                                                                 \
    __device__ static T apply(T& object, T operand) {                                                                  \
      return __VA_ARGS__;                                                                                              \
    }                                                                                                                  \
  };
namespace op {
template <class T>
using device = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T>
using block = cuda::atomic_ref<T, cuda::thread_scope_block>;
UPDATE(atomicAdd, ::atomicAdd(&object, operand))
UPDATE(atomicSub, ::atomicSub(&object, operand))
UPDATE(atomicExch, ::atomicExch(&object, operand))
UPDATE(atomicMin, ::atomicMin(&object, operand))
UPDATE(atomicMax, ::atomicMax(&object, operand))
UPDATE(atomicInc, ::atomicInc(&object, operand))
UPDATE(atomicDec, ::atomicDec(&object, operand))
UPDATE(atomicAnd, ::atomicAnd(&object, operand))
UPDATE(atomicOr, ::atomicOr(&object, operand))
UPDATE(atomicXor, ::atomicXor(&object, operand))
UPDATE(atomicCAS, ::atomicCAS(&object, object, operand))
UPDATE(atomicAdd_block, ::atomicAdd_block(&object, operand))
UPDATE(atomicMax_system, ::atomicMax_system(&object, operand))
UPDATE(fetch_add, device<T>(object).fetch_add(operand))
UPDATE(fetch_sub, block<T>(object).fetch_sub(operand, cuda::memory_order_relaxed))
UPDATE(fetch_min, device<T>(object).fetch_min(operand, cuda::memory_order_acq_rel))
UPDATE(fetch_max, block<T>(object).fetch_max(operand))
UPDATE(fetch_and, device<T>(object).fetch_and(operand))
UPDATE(fetch_or, block<T>(object).fetch_or(operand))
UPDATE(fetch_xor, device<T>(object).fetch_xor(operand))
UPDATE(exchange, device<T>(object).exchange(operand))
} // namespace op

template <class T, class Op>
void update() {
  const arrays values = operands::pairs(element<T>::layout, 4096);
  const std::string label = Op::text() + ", " + element<T>::name;
  const device_array<T> objects(values[0]);
  const device_array<T> operand(values[1]);
  const device_array<T> old(objects.count());
  updates<Op, T><<<static_cast<unsigned>(objects.count() / 128), 128>>>(
      old.data(), objects.data(), operand.data(), objects.count());
  check(cudaGetLastError(), label.c_str());
  old.retrieve(label + ", old value");
  objects.retrieve(label + ", new value");
  ++operations;
}

/// Of integers: what many threads make of one object does not depend on who comes first.
template <class T, class Op>
void update_together() {
  const arrays values = operands::pairs(element<T>::layout, 4096);
  const std::string label = Op::text() + ", " + element<T>::name + ", 64 threads";
  const device_array<T> first(values[0]);
  const device_array<T> operand(values[1]);
  const device_array<T> results(64);
  shared_updates<Op, T><<<64, 64>>>(results.data(), first.data(), operand.data());
  check(cudaGetLastError(), label.c_str());
  results.retrieve(label);
  ++operations;
}

template <class T, class... Op>
void update_each(list<Op...>) {
  (update<T, Op>(), ...);
}
template <class T, class... Op>
void update_each_together(list<Op...>) {
  (update_together<T, Op>(), ...);
}

int main() {
  using i32 = std::int32_t;
  using u32 = std::uint32_t;
  using i64 = long long;
  using u64 = unsigned long long;
  using of_integers = list<op::fetch_add, op::fetch_sub, op::fetch_min, op::fetch_max, op::fetch_and, op::fetch_or,
                           op::fetch_xor, op::exchange>;
  using family = list<op::atomicAdd, op::atomicExch, op::atomicMin, op::atomicMax, op::atomicAnd, op::atomicOr,
                      op::atomicXor, op::atomicCAS>;
  update_each<i32>(family{});
  update_each<u32>(family{});
  update_each<u64>(family{});
  update_each<i32>(list<op::atomicSub, op::atomicAdd_block, op::atomicMax_system>{});
  update_each<u32>(list<op::atomicSub, op::atomicInc, op::atomicDec>{});
  update_each<i64>(list<op::atomicMin, op::atomicMax, op::atomicAnd, op::atomicXor>{});
  update_each<i32>(of_integers{});
  update_each<u32>(of_integers{});
  update_each<std::int64_t>(of_integers{});
  update_each<std::uint64_t>(of_integers{});
  update_each<float>(list<op::atomicAdd, op::atomicExch, op::fetch_add, op::fetch_sub, op::exchange>{});
  update_each<double>(list<op::atomicAdd, op::fetch_add, op::fetch_sub, op::exchange>{});
  update_each<__half>(list<op::atomicAdd>{});
  update_each<__nv_bfloat16>(list<op::atomicAdd>{});

  using commuting = list<op::fetch_add, op::fetch_min, op::fetch_max, op::fetch_and, op::fetch_or, op::fetch_xor>;
  update_each_together<i32>(commuting{});
  update_each_together<std::uint64_t>(commuting{});
  update_each_together<u32>(list<op::atomicAdd, op::atomicMin, op::atomicXor, op::fetch_sub>{});
  return done();
}
