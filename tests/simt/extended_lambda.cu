// What libcu++ asks of types with --extended-lambda: a lambda of the host's is none of the device's.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

int main() {
  const auto add = [](int x, int y) { return x + y; };
  using type = decltype(add);
  static_assert(!__nv_is_extended_device_lambda_closure_type(type));
  static_assert(!__nv_is_extended_device_lambda_with_preserved_return_type(type));
  static_assert(!__nv_is_extended_host_device_lambda_closure_type(type));
  std::printf("%d\n", add(2, 3));
}
