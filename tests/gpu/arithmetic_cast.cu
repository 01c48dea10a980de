// Conversions between all arithmetic types, and from 8-bit floats, where the reference defines
// them, and reinterpretations of bits. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"
#include "casts.hpp"

using namespace gpu_test;

int main() {
  cast_all<which::defined>(integers{}, integers{});
  cast_all<which::defined>(integers{}, floats{});
  cast_all<which::defined>(floats{}, integers{});
  cast_all<which::defined>(floats{}, floats{});
  cast_all<which::defined>(small_floats{}, numbers{});
  cast_all<which::defined>(small_floats{}, floats{});
  bitcast_all(list<std::int8_t, std::uint8_t, __nv_fp8_e4m3, __nv_fp8_e5m2>{});
  bitcast_all(list<std::int16_t, std::uint16_t, __half, __nv_bfloat16>{});
  bitcast_all(list<std::int32_t, std::uint32_t, float>{});
  bitcast_all(list<std::int64_t, std::uint64_t, double>{});
  bitcast<std::int8_t, bool>();
  bitcast<bool, std::int8_t>();
  return done();
}
