// A masked load gives padding for what lies outside its tensor, and does not touch it: the next block's tensor begins
// there. Racy: the tensor is taken for larger than it is.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

template <int Size>
__tile_global__ void halves(int* data, int* out) {
  if (block() == 0) {
    const auto own = ct::partition_view{ct::tensor_span{data, ct::extents{ct::integral_constant<Size>{}}}, ct::shape<8>{}};
    ct::store(out + ct::iota<ints<8>>(), own.template load_masked<ct::view_padding::zero>(0)); // @load
  } else {
    ct::store(data + 6 + ct::iota<ints<4>>(), ct::ones<ints<4>>()); // race: data-race with @load
  }
}

int main() {
#ifdef RACY
  halves<8><<<2, 1>>>(zeros(10), zeros(8));
#else
  halves<6><<<2, 1>>>(zeros(10), zeros(8));
#endif
  return finish();
}
