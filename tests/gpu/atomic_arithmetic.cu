// Atomic read-modify-writes: every mode and type.
//
// Here page and hardware differ: the reference does not say whether atomic addition of float rounds
// subnormals to zero; the simulator preserves them, this hardware does not.
// SPDX-License-Identifier: Apache-2.0
#include "atomics.hpp"

using namespace gpu_test;

int main() {
  using sums = list<op::atomic_add, op::atomic_sub>;
  using bitwise =
      list<op::atomic_and, op::atomic_or, op::atomic_xor, op::atomic_max, op::atomic_min>;
  for_each(list<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>{}, []<class T>() {
    run_atomics<T>(sums{});
    run_atomics<T>(bitwise{});
    run_atomics<T>(list<op::atomic_xchg>{});
  });
  for_each(floats{}, []<class T>() { run_atomics<T>(sums{}); });
  for_each(list<float, double>{}, []<class T>() { run_atomics<T>(list<op::atomic_xchg>{}); });
  return done();
}
