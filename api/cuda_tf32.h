// tf32: 1 sign, 8 exponent and at least 10 fraction bits in a 32-bit cell.
//
// As in CUDA the type has no constructor from numbers and no conversion to them: only tile
// operations (ct::element_cast, ct::mma) compute with it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __CUDA_TF32_H__
#define __CUDA_TF32_H__

struct __nv_tf32 {
  __nv_tf32() = default;

private:
  [[maybe_unused]] unsigned int __x;
};

#endif
