// Floating-point values converted to integers that cannot represent them: undefined, and what this
// hardware gives then. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"
#include "casts.hpp"

using namespace gpu_test;

int main() {
  cast_all<which::all>(floats{}, numbers{});
  cast_all<which::all>(small_floats{}, numbers{});
  cast_all<which::all>(list<__nv_tf32>{}, numbers{});
  return done();
}
