// Atomic sums that the type cannot represent: undefined, and what this hardware gives then.
// SPDX-License-Identifier: Apache-2.0
#include "atomics.hpp"

using namespace gpu_test;

int main() {
  for_each(list<std::int32_t, std::int64_t>{},
           []<class T>() { run_atomics<T>(list<op::atomic_add, op::atomic_sub>{}, which::all); });
  return done();
}
