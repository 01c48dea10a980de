// Tensor spans: every layout, extents and strides static, dynamic and mixed, 32 and 64 bits; spans
// built on the host, made by helper functions, kept in structs; layouts and spans of the program's
// own. SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

#include <stdint.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class Span>
__tile__ auto tile_of(const Span& t) {
  return ct::partition_view{t, ct::shape<2, 4>{}};
}

// The same 4x8 numbers, through every layout.
__tile_global__ void layouts(int* out, int* in, int rows, int pitch) {
  ct::tensor_span o{out, ct::extents{64_ic, 8_ic}};
  ct::partition_view to{o, ct::shape<2, 4>{}};
  int next = 0;
  auto put = [&](auto x) {
    to.store(x, next, 0);
    next = next + 1;
  };
  put(tile_of(ct::tensor_span{in, ct::extents{rows, 8_ic}}).load(1, 1));
  put(tile_of(ct::tensor_span{in, ct::extents{4_ic, 8_ic}, ct::layout_right{}}).load(1, 1));
  put(tile_of(ct::tensor_span{in, ct::extents{rows, 8}, ct::layout_left{}}).load(1, 1));
  put(tile_of(ct::tensor_span{in, ct::layout_right_mapping{ct::extents{rows, 8}}}).load(1, 1));
  put(tile_of(ct::tensor_span{in, ct::layout_left_mapping{ct::extents{rows, 8}}}).load(1, 1));
  auto e = ct::extents{rows, 8_ic};
  put(tile_of(ct::tensor_span{in, ct::layout_strided_mapping{e, ct::strides{pitch, 1_ic}}}).load(1, 1));
  put(tile_of(ct::tensor_span{in, ct::layout_strided_mapping{e, ct::extents{pitch, 1}}}).load(1, 1));
  put(tile_of(ct::tensor_span{in, ct::layout_strided_mapping{e, ct::strides{1_ic, 2}}}).load(1, 1));
  put(tile_of(ct::tensor_span{in, ct::layout_right_padded_mapping{ct::extents{3, 6}, 8}}).load_masked(1, 1));
  put(tile_of(ct::tensor_span{in, ct::layout_left_padded_mapping{ct::extents{3, 6}, 4_ic}}).load_masked(1, 1));
  using wide = ct::extents<int64_t, ct::dynamic_extent, 8>;
  put(tile_of(ct::tensor_span{in, wide{rows}}).load(1L, 1));
  ct::tensor_span<const int, ct::shape<4, 8>> constant{in, ct::shape<4, 8>{}};
  put(tile_of(constant).load(1u, short(1)));
}

struct pair_of_spans {
  ct::tensor_span<int, ct::shape<ct::dynamic_extent>> a, b;
};
__tile__ pair_of_spans halves(int* p, int n) {
  return {ct::tensor_span{p, ct::extents{n / 2}}, ct::tensor_span{p + n / 2, ct::extents{n / 2}}};
}
__tile_global__ void swap_halves(int* p, int n) {
  auto spans = halves(p, n);
  ct::partition_view a{spans.a, ct::shape<4>{}};
  ct::partition_view b{spans.b, ct::shape<4>{}};
  for (auto i : ct::irange(0, n / 8)) {
    auto x = a.load(i);
    a.store(b.load(i), i);
    b.store(x, i);
  }
}

// Rows from the last one up are beyond the library's layouts; every second element is not.
template <ct::extents_like E>
struct every_second_mapping;
struct every_second {
  template <ct::extents_like E>
  using mapping = every_second_mapping<E>;
};
template <ct::extents_like E>
struct every_second_mapping {
  using extents_type = E;
  using layout_type = every_second;
  using index_type = typename E::index_type;
  using rank_type = typename E::rank_type;

  __tile__ __host__ __device__ explicit every_second_mapping(const E& x)
      : e(x) {}
  __tile__ __host__ __device__ const E& extents() const { return e; }
  __tile__ __host__ __device__ index_type stride(rank_type i) const {
    return i == 0 ? 2 * e.extent(1) : index_type(2);
  }
  __tile__ __host__ __device__ static constexpr size_t static_stride(rank_type i) {
    return i == 0 ? size_t(ct::dynamic_stride) : size_t(2);
  }
  __tile__ __host__ __device__ static constexpr bool is_always_strided() { return true; }

  E e;
};

// A matrix class that is a tensor span like itself.
struct matrix {
  using element_type = int;
  using value_type = int;
  using extents_type = ct::extents<int, ct::dynamic_extent, ct::dynamic_extent>;
  using mapping_type = ct::layout_right_mapping<extents_type>;
  using layout_type = ct::layout_right;
  using accessor_type = ct::default_accessor<int>;
  using index_type = int;
  using rank_type = size_t;
  using data_handle_type = int*;
  using reference = int&;

  __tile__ int* data_handle() const { return cells; }
  __tile__ const mapping_type& mapping() const { return map; }
  __tile__ const accessor_type& accessor() const { return access; }

  int* cells;
  mapping_type map;
  accessor_type access;
};
static_assert(ct::tensor_span_like<matrix>);

__tile_global__ void own_classes(int* out, int* in, int rows) {
  ct::partition_view to{ct::tensor_span{out, ct::extents{4, 2, 4}}, ct::shape<1, 2, 4>{}};
  ct::tensor_span t{in, ct::extents{2, 8_ic}, every_second{}};
  to.store(ct::reshape<ct::shape<1, 2, 4>>(tile_of(t).load(0, 1)), 0, 0, 0);
  matrix m{in, matrix::mapping_type{matrix::extents_type{rows, 8}}, {}};
  to.store(ct::reshape<ct::shape<1, 2, 4>>(tile_of(m).load(1, 1)), 1, 0, 0);
}

int main() {
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i) {
    numbers[i] = i;
  }
  device_array<int> in(numbers), out(64 * 8, -1);
  layouts<<<1, 1>>>(out.data, in.data, 4, 8);
  CHECK_LAUNCHES();
  const auto o = out.host();
  // where each tile's element (i,j) came from: offset, and strides of rows and columns
  const int expected[12][3] = {{20, 8, 1}, {20, 8, 1}, {18, 1, 4}, {20, 8, 1}, {18, 1, 4}, {20, 8, 1},
                               {20, 8, 1}, {10, 1, 2}, {20, 8, 1}, {18, 1, 4}, {20, 8, 1}, {20, 8, 1}};
  for (int k = 0; k < 12; ++k) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) {
        const bool outside = (k == 8 || k == 9) && (i + 2 >= 3 || j + 4 >= 6);
        const int there = expected[k][0] + i * expected[k][1] + j * expected[k][2];
        EXPECT(o[(2 * k + i) * 8 + j] == (outside ? 0 : there));
      }
    }
  }

  swap_halves<<<1, 1>>>(in.data, 64);
  CHECK_LAUNCHES();
  const auto swapped = in.host();
  for (int i = 0; i < 64; ++i) {
    EXPECT(swapped[i] == (i + 32) % 64);
  }
  swap_halves<<<1, 1>>>(in.data, 64);

  device_array<int> own(32, -1);
  own_classes<<<1, 1>>>(own.data, in.data, 4);
  CHECK_LAUNCHES();
  const auto w = own.host();
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      EXPECT(w[i * 4 + j] == 16 * i + 2 * (j + 4));
      EXPECT(w[8 + i * 4 + j] == 8 * (i + 2) + j + 4);
    }
  }

  // on the host
  ct::tensor_span<int, ct::extents<int, 3, ct::dynamic_extent>> h{numbers.data(),
                                                                  ct::extents<int, 3, ct::dynamic_extent>{5}};
  EXPECT(h.rank() == 2 && h.rank_dynamic() == 1 && h.extent(1) == 5 && h.mapping().stride(0) == 5);
  EXPECT(h.data_handle() == numbers.data());
  ct::layout_left_mapping left{ct::extents{4, 6_ic}};
  EXPECT(left.stride(1) == 4 && ct::layout_mapping_equal(left, left));
  return verdict("spans");
}
