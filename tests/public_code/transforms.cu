// Elementwise templates as libraries have them: functors and operations as template parameters,
// packs of pointers, dispatch on types and by switch, ordinary control flow in tile code.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

struct plus {
  template <class A, class B>
  __tile__ auto operator()(A a, B b) const {
    return a + b;
  }
};
struct saxpy {
  template <class A, class B, class C>
  __tile__ auto operator()(A a, B x, C y) const {
    return ct::fma(a, x, y);
  }
};

template <int TileSize, typename F, typename Out, typename... In>
__tile_global__ void
transform(int64_t num_items, Out* __restrict__ out, const In* __restrict__... in) {
  namespace tiles = cuda::tiles;
  num_items = tiles::assume_bounded_below<0>(num_items);
  const int64_t start = int64_t{tiles::bid().x} * TileSize;
  auto i = start + tiles::iota<tiles::tile<int64_t, tiles::shape<TileSize>>>();
  auto mask = i < num_items;
  auto result = F{}(tiles::load_masked(in + i, mask, In{})...);
  tiles::store_masked(out + i, tiles::element_cast<Out>(result), mask);
}

template <typename F, typename Out, typename... In>
void run(int64_t n, Out* out, const In*... in) {
  constexpr int tile_size = sizeof(Out) == 2 ? 64 : 32;
  transform<tile_size, F>
      <<<static_cast<unsigned>((n + tile_size - 1) / tile_size), 1>>>(n, out, in...);
}

enum class operation { negate, halve, keep, clamp };

// The operation is known when the kernel runs: switch with fall-through, loops with break and
// continue.
template <typename T>
__tile_global__ void chosen(T* data, operation op, int tiles) {
  using vec = ct::tile<T, ct::shape<16>>;
  int done = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t == 1)
      continue;
    auto i = t * 16 + ct::iota<ct::tile<int, ct::shape<16>>>();
    auto x = ct::load(data + i);
    vec y = x;
    switch (op) {
    case operation::negate:
      y = -x;
      [[fallthrough]];
    case operation::halve:
      y = y / 2;
      break;
    case operation::clamp: {
      T low(-1.0f), high(1.0f);
      y = ct::min(ct::max(x, low), high);
      break;
    }
    default:
      break;
    }
    ct::store(data + i, y);
    do {
      ++done;
    } while (done < 0);
    if (done == 2)
      break;
  }
}

// Types by template and by specialisation.
template <typename T>
struct accumulator_of {
  using type = T;
};
template <>
struct accumulator_of<__half> {
  using type = float;
};
template <>
struct accumulator_of<__nv_bfloat16> {
  using type = float;
};
template <typename T, typename Acc = typename accumulator_of<T>::type>
__tile_global__ void squares(T* out, const T* in) {
  using index = ct::tile<unsigned, ct::shape<32>>;
  auto at = in + ct::iota<index>();
  auto x = ct::load(at);
  if constexpr (!std::is_same_v<T, Acc>) {
    auto wide = ct::element_cast<Acc>(x);
    ct::store(out + ct::iota<index>(), ct::element_cast<T>(wide * wide + Acc(1)));
  } else {
    ct::store(out + ct::iota<index>(), x * x + 1);
  }
}

template <typename T>
void check_squares() {
  std::vector<T> x;
  for (int i = 0; i < 32; ++i) {
    x.push_back(T(float(i % 12)));
  }
  device_array<T> in(x), out(x);
  squares<<<1, 1>>>(out.data, in.data);
  CHECK_LAUNCHES();
  for (int i = 0; i < 32; ++i) {
    EXPECT(float(out.host()[i]) == float(i % 12 * (i % 12) + 1));
  }
}

int main() {
  const int n = 150;
  std::vector<float> a(n), b(n);
  std::vector<__half> h(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i * 0.25f;
    b[i] = 3.0f - i;
    h[i] = __float2half(i);
  }
  device_array<float> da(a), db(b), sum(n), three(n);
  device_array<__half> dh(h), mixed(n);
  run<plus>(n, sum.data, da.data, db.data);
  run<saxpy>(n, three.data, da.data, db.data, sum.data);
  run<plus>(n - 1, mixed.data, dh.data, da.data);
  CHECK_LAUNCHES();
  for (int i = 0; i < n; ++i) {
    EXPECT(sum.host()[i] == a[i] + b[i] && three.host()[i] == a[i] * b[i] + (a[i] + b[i]));
    EXPECT(float(mixed.host()[i]) == (i == n - 1 ? 0 : float(__float2half(i * 1.25f))));
  }

  for (operation op : {operation::negate, operation::halve, operation::keep, operation::clamp}) {
    device_array<float> data(std::vector<float>(64, -6.0f));
    chosen<<<1, 1>>>(data.data, op, 4);
    CHECK_LAUNCHES();
    const float want = op == operation::negate  ? 3
                       : op == operation::halve ? -3
                       : op == operation::keep  ? -6
                                                : -1;
    const auto d = data.host();
    EXPECT(d[0] == want && d[16] == -6 && d[47] == want && d[48] == -6);
  }
  check_squares<float>();
  check_squares<double>();
  check_squares<__half>();
  check_squares<__nv_bfloat16>();
  check_squares<int>();
  return verdict("transforms");
}
