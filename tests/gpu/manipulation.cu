// Tiles made and rearranged: shapes of ranks 1 to 4, every type. Copies keep their bits; so do NaNs.
// SPDX-License-Identifier: Apache-2.0
#include "memory_operations.hpp"

using namespace gpu_test;

namespace {

#define REARRANGED(name, ...)                                                                      \
  struct name {                                                                                    \
    static std::string text() { return #name; }                                                    \
    template <class A>                                                                             \
    __tile__ static auto apply(A a) -> decltype(__VA_ARGS__) {                                     \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };

namespace op {
REARRANGED(reshape_flat, ct::reshape<shape<64>>(a))
REARRANGED(reshape_narrow, ct::reshape(a, shape<32, 2>{}))
REARRANGED(reshape_deep, ct::reshape<shape<2, 1, 4, 8>>(a))
REARRANGED(broadcast_up, ct::broadcast<shape<2, 4, 16>>(a))
REARRANGED(broadcast_rows, ct::broadcast(ct::extract(a, shape<1, 16>{}, 2, 0), shape<4, 16>{}))
REARRANGED(broadcast_columns, ct::broadcast<shape<4, 8>>(ct::extract(a, shape<4, 1>{}, 0, 5)))
REARRANGED(transposed, ct::transpose(a))
REARRANGED(cat_down, ct::cat<0>(a, ct::reshape<shape<4, 16>>(ct::transpose(a))))
REARRANGED(cat_across, ct::cat(ct::extract(a, shape<4, 8>{}, 0, 1), ct::extract(a, shape<4, 8>{}, 0, 0), 1_ic))
REARRANGED(extracted, ct::extract(a, shape<2, 4>{}, 1, 2))
REARRANGED(selected, ct::select(ct::iota<ct::tile<int, shape<4, 16>>>() % 3 < 1, a, ct::reshape<shape<4, 16>>(ct::transpose(a))))
REARRANGED(selected_by_row, ct::select(ct::iota<ct::tile<int, shape<16>>>() < 5, a, ct::full<A>(ct::tile_element_t<A>{})))
REARRANGED(permute_201, ct::permute<ct::dimension_map<2, 0, 1>>(a))
REARRANGED(permute_120, ct::permute(a, ct::dimension_map{1_ic, 2_ic, 0_ic}))
REARRANGED(permute_021, ct::permute(a, ct::dimension_map<0, 2, 1>{}))
REARRANGED(transposed_deep, ct::transpose(a))
REARRANGED(cat_deep, ct::cat<2>(a, a))
REARRANGED(is_nan, ct::isnan(a))
REARRANGED(is_infinite, ct::isinf(a))
} // namespace op

template <class T, class S, class... Op>
void rearrange(list<Op...>) {
  (run_on_tiles<Op, S, T>(Op::text() + ", " + element<T>::name + " " + shape_text<S>::text(),
                          any_values<T>(95)),
   ...);
}

template <class R>
__tile_global__ void made(ct::tile_element_t<R>* out) {
  const auto i = ct::iota<ct::tile_with_element_t<R, int>>();
  ct::store(out + i, ct::iota<R>());
  ct::store(out + ct::tile_size_v<R> + i, ct::ones<R>());
  ct::store(out + 2 * ct::tile_size_v<R> + i, ct::zeros<R>());
  ct::store(out + 3 * ct::tile_size_v<R> + i, ct::full<R>(static_cast<ct::tile_element_t<R>>(7)));
}
template <class T, class S>
void make() {
  const device_array<T> out(4 * shape_text<S>::size);
  made<ct::tile<T, S>><<<1, 1>>>(out.data());
  finish(std::string("iota, ones, zeros, full, ") + element<T>::name + " " + shape_text<S>::text(), out);
}

} // namespace

int main() {
  using flat = list<op::reshape_narrow, op::broadcast_up, op::transposed, op::cat_down, op::extracted, op::selected>;
  using deep = list<op::permute_201, op::permute_120, op::cat_deep>;
  for_each(list<bool, std::int8_t, std::uint16_t, std::int32_t, std::int64_t, __nv_fp8_e4m3, __half, __nv_bfloat16,
                __nv_tf32, float, double>{},
           []<class T>() {
             rearrange<T, shape<4, 16>>(flat{});
             rearrange<T, shape<2, 8, 4>>(deep{});
           });
  rearrange<int, shape<4, 16>>(list<op::reshape_flat, op::reshape_deep, op::broadcast_rows, op::broadcast_columns,
                                    op::cat_across, op::selected_by_row>{});
  rearrange<float, shape<2, 8, 4>>(list<op::permute_021, op::transposed_deep>{});
  for_each(list<__nv_fp8_e4m3, __nv_fp8_e5m2, __half, __nv_bfloat16, __nv_tf32, float, double>{}, []<class T>() {
    rearrange<T, shape<4, 16>>(list<op::is_nan, op::is_infinite>{});
  });
  make<std::int8_t, shape<64>>();
  make<std::uint16_t, shape<4, 8>>();
  make<std::int32_t, shape<2, 1, 16>>();
  make<std::uint64_t, shape<1024>>();
  return done();
}
