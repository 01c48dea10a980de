// Partition, strided and gather-scatter views as kernels use them: copies with tails, transposition,
// products of matrices, windows, lookups, histograms, a hand-over between blocks.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_fp16.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

// Tails in both dimensions: masked load, masked store.
template <typename T, int Rows, int Columns>
__tile_global__ void copy(T* __restrict__ out, const T* __restrict__ in, int rows, int columns) {
  out = ct::assume_aligned<16>(out);
  in = ct::assume_aligned<16>(in);
  auto e = ct::extents{rows, columns};
  auto from = ct::partition_view{ct::tensor_span{in, e}, ct::shape<Rows, Columns>{}};
  auto to = ct::partition_view{ct::tensor_span{out, e}, ct::shape<Rows, Columns>{}};
  auto [bx, by, bz] = ct::bid();
  ct::tile<T, ct::shape<Rows, Columns>> x;
  [[using cutile: hint(0, latency = 4), hint(900, allow_tma = true)]] x = from.load_masked(by, bx);
  [[cutile::hint(0, allow_tma = false)]] to.store_masked(x, by, bx);
}

// The same memory as rows and as columns.
__tile_global__ void transpose(float* out, const float* in, int rows, int columns) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{rows, columns}}, ct::shape{8_ic, 16_ic}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{columns, rows}}, ct::shape{16_ic, 8_ic}};
  int i = ct::bid().y, j = ct::bid().x;
  to.store_masked(ct::transpose(from.load_masked(i, j)), j, i);
}
__tile_global__ void transpose_by_layout(float* out, const float* in, int rows, int columns) {
  auto e = ct::extents{rows, columns};
  ct::partition_view from{ct::tensor_span{in, e}, ct::shape<8, 16>{}};
  ct::partition_view to{ct::tensor_span{out, e, ct::layout_left{}}, ct::shape<8, 16>{}};
  auto b = ct::bid();
  to.store_masked(from.load_masked(b.y, b.x), b.y, b.x);
}

// C = A B, one column of A and one row of B at a time; full tiles, no masks.
__tile_global__ void product(float* c, const float* a, const float* b, int m, int n, int k) {
  ct::partition_view va{ct::tensor_span{a, ct::extents{m, k}}, ct::shape{16_ic, 1_ic}};
  ct::partition_view vb{ct::tensor_span{b, ct::extents{k, n}}, ct::shape{1_ic, 16_ic}};
  ct::partition_view vc{ct::tensor_span{c, ct::extents{m, n}}, ct::shape{16_ic, 16_ic}};
  auto acc = ct::zeros<decltype(vc)::view_tile_type>();
  int row = ct::bid().x, column = ct::bid().y;
  for (auto i : ct::irange(0, k)) {
    acc = acc + va.load(row, i) * vb.load(i, column);
  }
  vc.store(acc, row, column);
}

// Overlapping windows: out[i] = in[i] + in[i+1] + in[i+2], eight at a time.
__tile_global__ void windows(int* out, const int* in, int n) {
  ct::tensor_span t{in, ct::extents{n}};
  ct::strided_view v{t, ct::shape{8_ic}, ct::strides{1_ic}};
  ct::strided_view w{ct::tensor_span{out, ct::extents{n}}, ct::shape{8_ic}, ct::strides{8_ic}};
  int first = 8 * static_cast<int>(ct::bid().x);
  auto x = v.load_masked(first);
  if (first + 1 < n) {
    x = x + v.load_masked(first + 1);
  }
  if (first + 2 < n) {
    x = x + v.load_masked(first + 2);
  }
  w.store_masked(x, ct::bid().x);
}

// Rows of a table, looked up; ids outside give zeros. And the way back: each to a row of its own.
__tile_global__ void embedding(float* out, const float* table, const int* ids, int n, int width) {
  ct::tensor_span t{table, ct::extents{n, width}};
  ct::gather_scatter_view rows{t, ct::shape<4, 8>{}, 0_ic};
  auto which = ct::partition_view{ct::tensor_span{ids, ct::extents{8}}, ct::shape<4>{}}.load(
      ct::bid().x);
  ct::partition_view o{ct::tensor_span{out, ct::extents{8, width}}, ct::shape<4, 8>{}};
  for (auto j : ct::irange(0, width, 8)) {
    o.store_masked(rows.load_masked(which, j), ct::bid().x, j / 8);
  }
}
__tile_global__ void reverse_rows(int* out, const int* in) {
  ct::partition_view v{ct::tensor_span{in, ct::extents{8_ic, 4_ic}}, ct::shape<8, 4>{}};
  ct::gather_scatter_view w{ct::tensor_span{out, ct::extents{8_ic, 4_ic}}, ct::shape<8, 4>{}, 0_ic};
  w.store(v.load(0, 0), 7 - ct::iota<ct::tile<int, ct::shape<8>>>(), 0);
}

// Every block adds its tile to one place.
__tile_global__ void sums(int* total, float* reals, __half* halves, unsigned* bits, const int* in) {
  using relaxed = ct::memory_order_relaxed_t;
  using device = ct::thread_scope_device_t;
  ct::partition_view v{ct::tensor_span{in, ct::extents{64}}, ct::shape<8>{}};
  auto x = v.load(ct::bid().x);
  ct::partition_view t{ct::tensor_span{total, ct::extents{8}}, ct::shape<8>{}};
  t.atomic_add(x, relaxed{}, device{}, 0);
  ct::partition_view r{ct::tensor_span{reals, ct::extents{8}}, ct::shape<8>{}};
  r.atomic_sub(ct::ones<ct::tile<float, ct::shape<8>>>(), relaxed{}, device{}, 0);
  ct::partition_view h{ct::tensor_span{halves, ct::extents{8}}, ct::shape<8>{}};
  h.atomic_add(ct::ones<ct::tile<__half, ct::shape<8>>>(), relaxed{}, device{}, 0);
  ct::strided_view b{ct::tensor_span{bits, ct::extents{8}}, ct::shape<8>{}, ct::strides{8_ic}};
  b.atomic_or(ct::full<ct::tile<unsigned, ct::shape<8>>>(1u << ct::bid().x),
              relaxed{},
              device{},
              0);
  b.atomic_max(ct::zeros<ct::tile<unsigned, ct::shape<8>>>(), relaxed{}, device{}, 0);
}

// The first block writes and raises a flag; the second waits for it.
__tile_global__ void hand_over(int* data, int* flag, int* out) {
  ct::partition_view d{ct::tensor_span{data, ct::extents{4}}, ct::shape<4>{}};
  ct::partition_view f{ct::tensor_span{flag, ct::extents{1}}, ct::shape<1>{}};
  if (ct::bid().x == 0) {
    d.store(ct::iota<ct::tile<int, ct::shape<4>>>() + 10, 0);
    f.atomic_store(ct::ones<ct::tile<int, ct::shape<1>>>(),
                   ct::memory_order_release_t{},
                   ct::thread_scope_device_t{},
                   0);
  } else {
    while (static_cast<int>(f.atomic_load(
               ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}, 0)) == 0) {
    }
    ct::partition_view{ct::tensor_span{out, ct::extents{4}}, ct::shape<4>{}}.store(d.load(0), 0);
  }
}

// Paddings, and a rank of three.
__tile_global__ void paddings(float* out, const float* in, int n) {
  ct::partition_view v{ct::tensor_span{in, ct::extents{2_ic, 1, n}}, ct::shape<2, 1, 4>{}};
  ct::partition_view o{ct::tensor_span{out, ct::extents{4, 2, 4}}, ct::shape<1, 2, 4>{}};
  using row = ct::shape<1, 2, 4>;
  o.store(ct::reshape<row>(v.load_masked(0, 0, 0)), 0, 0, 0);
  o.store(ct::reshape<row>(v.load_masked<ct::view_padding::negative_inf>(0, 0, 0)), 1, 0, 0);
  o.store(ct::reshape<row>(v.load_masked(ct::view_padding_positive_inf_t{}, 0, 0, 0)), 2, 0, 0);
  o.store(ct::reshape<row>(ct::element_cast<float>(
              ct::isnan(v.load_masked(ct::view_padding_nan_t{}, 0, 0, 0)))),
          3,
          0,
          0);
}

template <typename T, int Rows, int Columns>
void check_copy(int rows, int columns) {
  std::vector<T> values;
  for (int i = 0; i < rows * columns; ++i) {
    values.push_back(T(float(i % 101)));
  }
  device_array<T> in(values), out(rows * columns);
  copy<T, Rows, Columns>
      <<<dim3((columns + Columns - 1) / Columns, (rows + Rows - 1) / Rows), 1>>>(
          out.data, in.data, rows, columns);
  CHECK_LAUNCHES();
  const auto o = out.host();
  for (int i = 0; i < rows * columns; ++i) {
    EXPECT(float(o[i]) == float(values[i]));
  }
}

int main() {
  check_copy<float, 16, 32>(50, 70);
  check_copy<double, 1, 64>(3, 130);
  check_copy<int, 64, 1>(65, 3);
  check_copy<__half, 8, 8>(8, 8);
  check_copy<char, 4, 128>(7, 1);

  const int rows = 21, columns = 43;
  std::vector<float> matrix(rows * columns);
  for (int i = 0; i < rows * columns; ++i) {
    matrix[i] = static_cast<float>(i);
  }
  device_array<float> in(matrix), turned(rows * columns), again(rows * columns);
  const dim3 grid((columns + 15) / 16, (rows + 7) / 8);
  transpose<<<grid, 1>>>(turned.data, in.data, rows, columns);
  transpose_by_layout<<<grid, 1>>>(again.data, in.data, rows, columns);
  CHECK_LAUNCHES();
  const auto t = turned.host();
  EXPECT(t == again.host());
  for (int i = 0; i < rows * columns; ++i) {
    EXPECT(t[i % columns * rows + i / columns] == matrix[i]);
  }

  const int m = 32, n = 48, k = 20;
  std::vector<float> a(m * k), b(k * n);
  for (int i = 0; i < m * k; ++i) {
    a[i] = static_cast<float>(i % 7 - 3);
  }
  for (int i = 0; i < k * n; ++i) {
    b[i] = static_cast<float>(i % 5 - 2);
  }
  device_array<float> da(a), db(b), dc(m * n);
  product<<<dim3(m / 16, n / 16), 1>>>(dc.data, da.data, db.data, m, n, k);
  CHECK_LAUNCHES();
  const auto c = dc.host();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) {
        sum += a[i * k + l] * b[l * n + j];
      }
      EXPECT(c[i * n + j] == sum);
    }
  }

  std::vector<int> numbers(30);
  for (int i = 0; i < 30; ++i) {
    numbers[i] = i * i;
  }
  device_array<int> dn(numbers), dw(30);
  windows<<<4, 1>>>(dw.data, dn.data, 30);
  CHECK_LAUNCHES();
  const auto w = dw.host();
  for (int i = 0; i < 30; ++i) {
    EXPECT(w[i] == numbers[i] + (i + 1 < 30 ? numbers[i + 1] : 0) + (i + 2 < 30 ? numbers[i + 2] : 0));
  }

  std::vector<float> table(5 * 12);
  for (int i = 0; i < 60; ++i) {
    table[i] = static_cast<float>(i + 1);
  }
  const std::vector<int> ids = {4, 0, 4, -1, 2, 5, 1, 3};
  device_array<float> dt(table), de(8 * 12, -1.0f);
  device_array<int> di(ids);
  embedding<<<2, 1>>>(de.data, dt.data, di.data, 5, 12);
  CHECK_LAUNCHES();
  const auto e = de.host();
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 12; ++j) {
      const bool known = ids[i] >= 0 && ids[i] < 5;
      EXPECT(e[i * 12 + j] == (known ? table[ids[i] * 12 + j] : 0.0f));
    }
  }
  std::vector<int> all(32);
  for (int i = 0; i < 32; ++i) {
    all[i] = i;
  }
  device_array<int> forward(all), backward(32);
  reverse_rows<<<1, 1>>>(backward.data, forward.data);
  CHECK_LAUNCHES();
  const auto back = backward.host();
  for (int i = 0; i < 32; ++i) {
    EXPECT(back[(7 - i / 4) * 4 + i % 4] == i);
  }

  std::vector<int> addends(64);
  for (int i = 0; i < 64; ++i) {
    addends[i] = i;
  }
  device_array<int> dadd(addends), total(8);
  device_array<float> reals(8, 10.0f);
  device_array<__half> halves(8);
  device_array<unsigned> bits(8);
  sums<<<8, 1>>>(total.data, reals.data, halves.data, bits.data, dadd.data);
  CHECK_LAUNCHES();
  for (int i = 0; i < 8; ++i) {
    EXPECT(total.host()[i] == 8 * i + 8 * 28);
    EXPECT(reals.host()[i] == 2.0f);
    EXPECT(float(halves.host()[i]) == 8.0f);
    EXPECT(bits.host()[i] == 255u);
  }

  device_array<int> data(4), flag(1), taken(4);
  hand_over<<<2, 1>>>(data.data, flag.data, taken.data);
  CHECK_LAUNCHES();
  EXPECT((taken.host() == std::vector<int>{10, 11, 12, 13}));

  device_array<float> three(std::vector<float>{1, 2, 3, 4, 5, 6}), padded(32);
  paddings<<<1, 1>>>(padded.data, three.data, 3);
  CHECK_LAUNCHES();
  const auto p = padded.host();
  EXPECT(p[0] == 1 && p[2] == 3 && p[3] == 0 && p[4] == 4 && p[7] == 0);
  EXPECT(p[8] == 1 && p[11] == -INFINITY && p[19] == INFINITY && p[24] == 0 && p[27] == 1);
  return verdict("views");
}
