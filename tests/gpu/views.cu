// Views: what partition, strided and gather-scatter views read and write, with every padding, at the
// edges of tensors of every layout, and their atomics. SPDX-License-Identifier: Apache-2.0
#include "shaped.hpp"

using namespace gpu_test;

// Block b of a kernel takes the b-th index of the view's index space, row-major.

template <class T, ct::view_padding Pad>
__tile_global__ void partition_load(T* out, const T* in, int rows, int columns) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{rows, columns}}, shape<4, 8>{}};
  const auto b = ct::bid();
  auto x = from.template load_masked<Pad>(b.y, b.x);
  ct::store(place_of_tile<decltype(x)>(out, static_cast<int>(b.y * ct::num_blocks().x + b.x)), x);
}

template <class T>
__tile_global__ void partition_store(T* out, const T* in, int rows, int columns) {
  ct::partition_view to{ct::tensor_span{out, ct::extents{rows, columns}}, shape<4, 8>{}};
  const auto b = ct::bid();
  to.store_masked(load_tile<shape<4, 8>>(in, static_cast<int>(b.y * ct::num_blocks().x + b.x)), b.y, b.x);
}

template <class T>
__tile_global__ void partition_whole(T* out, const T* in, int rows, int columns) {
  const auto e = ct::extents{rows, columns};
  ct::partition_view from{ct::tensor_span{in, e}, shape<4, 8>{}};
  ct::partition_view to{ct::tensor_span{out, e}, shape<4, 8>{}};
  const auto b = ct::bid();
  to.store(from.load(b.y, b.x), ct::num_blocks().y - 1 - b.y, ct::num_blocks().x - 1 - b.x);
}

enum class layout { right, left, strided, right_padded, left_padded };

/// A span of that layout over in: strides are such that elements stay within 64 x 64.
template <layout L, class T>
__tile__ auto span_of(T* p, int rows, int columns) {
  const auto e = ct::extents{rows, columns};
  if constexpr (L == layout::right) {
    return ct::tensor_span{p, e};
  } else if constexpr (L == layout::left) {
    return ct::tensor_span{p, e, ct::layout_left{}};
  } else if constexpr (L == layout::strided) {
    return ct::tensor_span{p, ct::layout_strided_mapping{e, ct::strides{2, 67}}};
  } else if constexpr (L == layout::right_padded) {
    return ct::tensor_span{p, ct::layout_right_padded_mapping{e, 32}};
  } else {
    return ct::tensor_span{p, ct::layout_left_padded_mapping{e, 16}};
  }
}

template <layout L>
__tile_global__ void layout_load(int* out, const int* in, int rows, int columns) {
  ct::partition_view from{span_of<L>(in, rows, columns), shape<4, 8>{}};
  const auto b = ct::bid();
  auto x = from.load_masked(b.y, b.x);
  ct::store(place_of_tile<decltype(x)>(out, static_cast<int>(b.y * ct::num_blocks().x + b.x)), x);
}
template <layout L>
__tile_global__ void layout_store(int* out, const int* in, int rows, int columns) {
  ct::partition_view to{span_of<L>(out, rows, columns), shape<4, 8>{}};
  const auto b = ct::bid();
  to.store_masked(load_tile<shape<4, 8>>(in, static_cast<int>(b.y * ct::num_blocks().x + b.x)), b.y, b.x);
}

__tile_global__ void partition_1d(int* out, const int* in, int n) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{n}}, shape<16>{}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{n}}, shape<16>{}};
  to.store_masked(from.load_masked(ct::bid().x) + 1, ct::bid().x);
}
__tile_global__ void partition_3d(int* out, const int* in, int d0, int d1, int d2) {
  const auto e = ct::extents{d0, d1, d2};
  ct::partition_view from{ct::tensor_span{in, e}, shape<2, 4, 8>{}};
  ct::partition_view to{ct::tensor_span{out, e}, shape<2, 4, 8>{}};
  const auto b = ct::bid();
  to.store_masked(from.load_masked(b.z, b.y, b.x) + 1, b.z, b.y, b.x);
}
template <class T, ct::view_padding Pad>
__tile_global__ void strided_load(T* out, const T* in, int rows, int columns) {
  ct::strided_view from{ct::tensor_span{in, ct::extents{rows, columns}}, shape<4, 8>{}, ct::strides{3_ic, 5_ic}};
  const auto b = ct::bid();
  auto x = from.template load_masked<Pad>(b.y, b.x);
  ct::store(place_of_tile<decltype(x)>(out, static_cast<int>(b.y * ct::num_blocks().x + b.x)), x);
}
__tile_global__ void strided_store(int* out, const int* in, int rows, int columns) {
  ct::strided_view to{ct::tensor_span{out, ct::extents{rows, columns}}, shape<2, 4>{}, ct::strides{3_ic, 5_ic}};
  const auto b = ct::bid();
  to.store_masked(load_tile<shape<2, 4>>(in, static_cast<int>(b.y * ct::num_blocks().x + b.x)), b.y, b.x);
}

template <class T, int Dim, ct::view_padding Pad>
__tile_global__ void gather(T* out, const T* in, const int* where, int rows, int columns) {
  ct::gather_scatter_view from{ct::tensor_span{in, ct::extents{rows, columns}}, shape<4, 8>{},
                               ct::integral_constant<Dim>{}};
  const int b = static_cast<int>(ct::bid().x);
  auto at = load_tile<shape<Dim == 0 ? 4 : 8>>(where, b);
  if constexpr (Dim == 0) {
    auto x = from.template load_masked<Pad>(at, 3 * b);
    ct::store(place_of_tile<decltype(x)>(out, b), x);
  } else {
    auto x = from.template load_masked<Pad>(3 * b, at);
    ct::store(place_of_tile<decltype(x)>(out, b), x);
  }
}
template <int Dim>
__tile_global__ void scatter(int* out, const int* in, const int* where, int rows, int columns) {
  ct::gather_scatter_view to{ct::tensor_span{out, ct::extents{rows, columns}}, shape<4, 8>{},
                             ct::integral_constant<Dim>{}};
  const int b = static_cast<int>(ct::bid().x);
  auto at = load_tile<shape<Dim == 0 ? 4 : 8>>(where, b);
  if constexpr (Dim == 0) {
    to.store_masked(load_tile<shape<4, 8>>(in, b), at, 8 * b);
  } else {
    to.store_masked(load_tile<shape<4, 8>>(in, b), 4 * b, at);
  }
}

namespace op {
#define UPDATE(name)                                                                               \
  struct name {                                                                                    \
    static const char* text() { return #name; }                                                    \
    template <class V, class X, class... I>                                                        \
    __tile__ static void apply(const V& v, X x, I... i) {                                          \
      v.name(x, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, i...);                  \
    }                                                                                              \
  };
UPDATE(atomic_add)
UPDATE(atomic_sub)
UPDATE(atomic_and)
UPDATE(atomic_or)
UPDATE(atomic_xor)
UPDATE(atomic_max)
UPDATE(atomic_min)
} // namespace op

/// Two blocks update every tile: integers, or floating-point numbers whose sums are exact.
template <class Op, class T>
__tile_global__ void update(T* out, const T* in, int rows, int columns) {
  const auto e = ct::extents{rows, columns};
  ct::partition_view from{ct::tensor_span{in, e}, shape<4, 8>{}};
  ct::partition_view to{ct::tensor_span{out, e}, shape<4, 8>{}};
  const auto b = ct::bid();
  Op::apply(to, from.load(b.y, b.x), b.y, b.x);
}
template <class T>
__tile_global__ void atomic_copy(T* out, const T* in, int rows, int columns) {
  const auto e = ct::extents{rows, columns};
  ct::partition_view from{ct::tensor_span{in, e}, shape<4, 8>{}};
  ct::partition_view to{ct::tensor_span{out, e}, shape<4, 8>{}};
  const auto b = ct::bid();
  auto x = from.template atomic_load_masked<ct::view_padding::zero, ct::memory_order::relaxed>(b.y, b.x);
  to.template atomic_store_masked<ct::memory_order::relaxed>(x, b.y, b.x);
}

// ------------------------------------------------------------------------------------------ host

constexpr int rows = 18, columns = 29;
constexpr unsigned across = (columns + 7) / 8, down = (rows + 3) / 4, blocks = across * down;
constexpr std::size_t memory_size = 64 * 80;

template <class T>
std::vector<bits> content(std::size_t count, bits seed = 60) {
  return whole_numbers(element<T>::layout, count, element<T>::layout.width == 8 ? -100 : -1000,
                       element<T>::layout.width == 8 ? 100 : 1000, seed);
}

template <class T>
void finished(const std::string& label, const device_array<T>& out) {
  check(cudaGetLastError(), label.c_str());
  out.retrieve(label);
  ++operations;
}

template <class T, ct::view_padding Pad>
void run_padding(const char* name) {
  const std::string what = std::string(", ") + element<T>::name + ", padding " + name;
  const device_array<T> in(content<T>(rows * columns));
  const device_array<T> tiles(blocks * 32);
  partition_load<T, Pad><<<dim3(across, down), 1>>>(tiles.data(), in.data(), rows, columns);
  finished("partition load_masked" + what, tiles);

  const device_array<T> windows(36 * 32);
  strided_load<T, Pad><<<dim3(6, 6), 1>>>(windows.data(), in.data(), rows, columns);
  finished("strided load_masked" + what, windows);

  // Rows and columns in any order, twice, and beyond the end; the tiles of the last blocks leave the
  // tensor in the other dimension, too.
  std::vector<bits> where;
  operands::generator next(61);
  for (int i = 0; i < 64; ++i) {
    where.push_back(next() % 35);
  }
  const device_array<int> indices(where);
  const device_array<T> gathered(8 * 32);
  gather<T, 0, Pad><<<8, 1>>>(gathered.data(), in.data(), indices.data(), rows, columns);
  finished("gather along 0" + what, gathered);
  gather<T, 1, Pad><<<6, 1>>>(gathered.data(), in.data(), indices.data(), rows, columns);
  finished("gather along 1" + what, gathered);
}

template <class T>
void run_paddings() {
  run_padding<T, ct::view_padding::zero>("zero");
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, double>) {
    run_padding<T, ct::view_padding::negative_zero>("negative_zero");
    run_padding<T, ct::view_padding::positive_inf>("positive_inf");
    run_padding<T, ct::view_padding::negative_inf>("negative_inf");
    run_padding<T, ct::view_padding::nan>("nan");
  }
}

template <class T>
void run_stores() {
  const std::string type = std::string(", ") + element<T>::name;
  const device_array<T> in(content<T>(blocks * 32));
  const device_array<T> out(content<T>(memory_size, 62));
  partition_store<T><<<dim3(across, down), 1>>>(out.data(), in.data(), rows, columns);
  finished("partition store_masked" + type, out);
  const device_array<T> square(content<T>(32 * 32));
  const device_array<T> turned(32 * 32);
  partition_whole<T><<<dim3(4, 8), 1>>>(turned.data(), square.data(), 32, 32);
  finished("partition load and store" + type, turned);
  atomic_copy<T><<<dim3(across, down), 1>>>(out.data(), in.data(), rows, columns);
  finished("partition atomic_load_masked and atomic_store_masked" + type, out);
}

template <layout L>
void run_layout(const std::string& name) {
  const device_array<int> in(content<int>(memory_size));
  const device_array<int> tiles(blocks * 32);
  layout_load<L><<<dim3(across, down), 1>>>(tiles.data(), in.data(), rows, columns);
  finished("load, layout " + name, tiles);
  const device_array<int> out(memory_size);
  layout_store<L><<<dim3(across, down), 1>>>(out.data(), tiles.data(), rows, columns);
  finished("store, layout " + name, out);
}

template <class T, class... Op>
void run_updates(list<Op...>) {
  (
      [] {
        const bool sums = Op::text() == std::string("atomic_add") || Op::text() == std::string("atomic_sub");
        const device_array<T> in(sums ? content<T>(32 * 32) : operands::singles(element<T>::layout, 1024)[0]);
        const device_array<T> out(content<T>(32 * 32, 63));
        update<Op, T><<<dim3(4, 8, 2), 1>>>(out.data(), in.data(), 32, 32);
        finished(std::string("partition ") + Op::text() + ", " + element<T>::name, out);
      }(),
      ...);
}

int main() {
  for_each(list<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, __nv_fp8_e4m3, __half,
                __nv_bfloat16, float, double>{},
           []<class T>() {
             run_paddings<T>();
             run_stores<T>();
           });
  run_padding<__nv_bfloat16, ct::view_padding::negative_zero>("negative_zero");
  run_padding<__nv_bfloat16, ct::view_padding::nan>("nan");
  run_padding<float, ct::view_padding::positive_inf>("positive_inf");
  run_padding<float, ct::view_padding::negative_inf>("negative_inf");
  run_layout<layout::right>("right");
  run_layout<layout::left>("left");
  run_layout<layout::strided>("strided");
  run_layout<layout::right_padded>("right_padded");
  run_layout<layout::left_padded>("left_padded");

  const device_array<int> in(content<int>(memory_size)), out(content<int>(memory_size, 64));
  partition_1d<<<7, 1>>>(out.data(), in.data(), 100);
  finished("partition of rank 1", out);
  partition_3d<<<dim3(2, 2, 3), 1>>>(out.data(), in.data(), 5, 7, 13);
  finished("partition of rank 3", out);
  strided_store<<<dim3(6, 6), 1>>>(out.data(), in.data(), rows, columns);
  finished("strided store_masked", out);

  std::vector<bits> where;
  for (bits i = 0; i < 64; ++i) {
    where.push_back(i * 7 % 31); // all different within a tile
  }
  const device_array<int> indices(where);
  scatter<0><<<4, 1>>>(out.data(), in.data(), indices.data(), rows, columns);
  finished("scatter along 0", out);
  scatter<1><<<5, 1>>>(out.data(), in.data(), indices.data(), rows, columns);
  finished("scatter along 1", out);

  using bitwise = list<op::atomic_and, op::atomic_or, op::atomic_xor, op::atomic_max, op::atomic_min>;
  using sums = list<op::atomic_add, op::atomic_sub>;
  run_updates<std::int32_t>(bitwise{});
  run_updates<std::uint32_t>(bitwise{});
  run_updates<std::int64_t>(bitwise{});
  run_updates<std::uint64_t>(bitwise{});
  for_each(list<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, __half, __nv_bfloat16, float, double>{},
           []<class T>() { run_updates<T>(sums{}); });
  return done();
}
