// Conversions to 8-bit floats. Beyond their range the reference leaves the value open.
//
// Here page and hardware differ: the hardware converts integers by way of half, and so rounds
// twice. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"
#include "casts.hpp"

using namespace gpu_test;

int main() {
  cast_all<which::defined>(integers{}, small_floats{});
  cast_all<which::defined>(floats{}, small_floats{});
  cast_all<which::defined>(small_floats{}, small_floats{});
  return done();
}
