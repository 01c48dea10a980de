// The clauses on memory operations: the pages' examples, masks and paddings of every form. Whom an
// access meets is memmodel's; here one block is alone.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <tests/clauses/kernel.hpp>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;
using relaxed = ct::memory_order_relaxed_t;

} // namespace

TEST_CASE("memory operations / load / the page's example: (2 + 9 * iota) % 16 of 0..15",
          "[clauses][example]") {
  in_kernel([](const probe& p) {
    int x[16];
    for (int i = 0; i < 16; ++i) {
      x[i] = i;
    }
    const auto at = (2 + 9 * ct::iota<tile<int, 2, 2>>()) % 16;
    CHECK(stored(at) == std::array{2, 11, 4, 13});
    CHECK(stored(ct::load(&x[0] + at)) == std::array{2, 11, 4, 13});
    CHECK(stored(ct::atomic_load<ct::memory_order::relaxed>(&x[0] + at)) ==
          std::array{2, 11, 4, 13});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / load_masked, atomic_load_masked / the page's example",
          "[clauses][example]") {
  in_kernel([](const probe& p) {
    const std::array data{2, 7, 5, 8};
    const auto at = data.data() + ct::iota<tile<int, 4>>();
    const auto mask = loaded<4>(std::array{true, false, false, true});
    const auto padding = loaded<4>(std::array{-7, -3, -22, -100});
    CHECK(stored(ct::load_masked(at, mask, padding)) == std::array{2, -3, -22, 8});
    CHECK(stored(ct::atomic_load_masked(at, mask, padding, relaxed{})) ==
          std::array{2, -3, -22, 8});
    CHECK(stored(ct::atomic_load_masked<ct::memory_order::acquire>(at, mask, padding)) ==
          std::array{2, -3, -22, 8});
    // of another type and shape
    CHECK(stored(ct::load_masked(at, ct::iota<tile<int, 4>>(), -1)) == std::array{-1, 7, 5, 8});
    CHECK(stored(ct::load_masked(at, false, ct::full<tile<short, 1>>(9))) ==
          std::array{9, 9, 9, 9});
    // without padding: unspecified where masked out
    const auto some = stored(ct::load_masked(at, mask));
    CHECK(some[0] == 2);
    CHECK(some[3] == 8);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / store_masked, atomic_store_masked / the page's example",
          "[clauses][example]") {
  in_kernel([](const probe& p) {
    const auto mask = loaded<4>(std::array{true, false, false, true});
    const auto minus = ct::full<tile<int, 4>>(-1);
    std::array x{0, 1, 2, 3};
    const auto at = x.data() + ct::iota<tile<int, 4>>();
    ct::store_masked(at, minus, mask);
    CHECK(x == std::array{-1, 1, 2, -1});
    x = {0, 1, 2, 3};
    ct::atomic_store_masked(at, minus, mask, relaxed{}, ct::thread_scope_device_t{});
    CHECK(x == std::array{-1, 1, 2, -1});
    ct::store_masked(at, ct::iota<tile<int, 4>>(), false);
    CHECK(x == std::array{-1, 1, 2, -1});
    ct::store(at, ct::iota<tile<short, 4>>());
    CHECK(x == std::array{0, 1, 2, 3});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE(
    "general principles / data races / atomic_store to four copies of one pointer leaves one of "
    "the values",
    "[clauses][example]") {
  in_kernel([](const probe& p) {
    int x = -1;
    ct::atomic_store(ct::full<tile<int*, 4>>(&x),
                     ct::iota<tile<int, 4>>(),
                     relaxed{},
                     ct::thread_scope_block_t{});
    CHECK((x >= 0 && x < 4));
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / scalar pointers and tiles of rank 0", "[clauses]") {
  in_kernel([](const probe& p) {
    int x = 5;
    const int got = ct::load(&x);
    CHECK(got == 5);
    static_assert(std::is_same_v<decltype(ct::load(&x)), int>);
    static_assert(std::is_same_v<decltype(ct::load(ct::full<tile<int*>>(&x))), tile<int>>);
    ct::store(&x, got + 1);
    CHECK(x == 6);
    ct::store(ct::full<tile<int*>>(&x), 8);
    CHECK(x == 8);
    CHECK(ct::load_masked(&x, false, 3) == 3);
    CHECK(ct::atomic_add<ct::memory_order::acq_rel>(&x, 2) == 8);
    CHECK(x == 10);
    CHECK(p.defects() == 0);
  });
}

namespace {

using order = ct::memory_order;
using scope = ct::thread_scope;

/// Element types that memory may hold, with the small floating-point ones.
using pointees = list<bool,
                      char,
                      signed char,
                      unsigned char,
                      char8_t,
                      short,
                      unsigned short,
                      char16_t,
                      int,
                      unsigned,
                      char32_t,
                      wchar_t,
                      long,
                      unsigned long,
                      long long,
                      unsigned long long,
                      __nv_fp8_e4m3,
                      __nv_fp8_e5m2,
                      __half,
                      __nv_bfloat16,
                      __nv_tf32,
                      float,
                      double>;

/// Eight elements of any type, all different but bool's, by their bytes.
template <class T>
std::array<T, 8> patterns(int from) {
  std::array<T, 8> made{};
  for (std::size_t i = 0; i < 8; ++i) {
    std::array<unsigned char, sizeof(T)> bytes{};
    bytes.fill(static_cast<unsigned char>(std::is_same_v<T, bool>
                                              ? (i + static_cast<std::size_t>(from)) % 2
                                              : i + static_cast<std::size_t>(from)));
    std::memcpy(&made[i], bytes.data(), sizeof(T));
  }
  return made;
}

template <class T>
bool equal_bits(const std::array<T, 8>& a, const std::array<T, 8>& b) {
  return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

/// What a masked operation leaves: `in` where i % 3 is not 1, else `out`.
template <class T>
std::array<T, 8> parted(const std::array<T, 8>& in, const std::array<T, 8>& out) {
  std::array<T, 8> made = in;
  for (std::size_t i = 1; i < 8; i += 3) {
    made[i] = out[i];
  }
  return made;
}

tile<bool, 2, 4> not_every_third() {
  return ct::reshape<ct::shape<2, 4>>(ct::iota<tile<int, 8>>() % 3 != 1);
}

/// Loads and stores of one element type, in each form: 0, or how many differ.
template <class T>
int check_forms() {
  int wrong = 0;
  auto memory = patterns<T>(1);
  const auto padding = loaded<2, 4>(patterns<T>(64));
  const auto want = parted(patterns<T>(1), patterns<T>(64));
  const T* const first = memory.data();
  const auto at = first + ct::iota<tile<int, 2, 4>>();
  const auto is = [&wrong](const auto& got, const std::array<T, 8>& expected) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(got)>, tile<T, 2, 4>>,
                  "no cv is left");
    wrong += equal_bits(stored(got), expected) ? 0 : 1;
  };
  is(ct::load(at), memory);
  is(ct::load_masked(at, not_every_third(), padding), want);
  is(ct::select(not_every_third(), ct::load_masked(at, not_every_third()), padding), want);
  is(ct::atomic_load<order::relaxed>(at), memory);
  is(ct::atomic_load<order::acquire, scope::block>(at), memory);
  is(ct::atomic_load_masked<order::acquire>(at, not_every_third(), padding), want);
  is(ct::select(
         not_every_third(), ct::atomic_load_masked<order::relaxed>(at, not_every_third()), padding),
     want);

  const auto to = memory.data() + ct::iota<tile<int, 2, 4>>();
  const auto value = loaded<2, 4>(patterns<T>(32));
  const auto stores = [&](const std::array<T, 8>& expected, auto f) {
    memory = patterns<T>(1);
    f();
    wrong += equal_bits(memory, expected) ? 0 : 1;
  };
  const auto part = parted(patterns<T>(32), patterns<T>(1));
  stores(patterns<T>(32), [&] { ct::store(to, value); });
  stores(part, [&] { ct::store_masked(to, value, not_every_third()); });
  stores(patterns<T>(32), [&] { ct::atomic_store<order::release>(to, value); });
  stores(part, [&] {
    ct::atomic_store_masked<order::relaxed, scope::device>(to, value, not_every_third());
  });
  return wrong;
}

} // namespace

TEST_CASE(
    "memory operations / load, store, masked, padded, atomic / every element type, by its bits",
    "[clauses]") {
  in_kernel([](const probe& p) {
    int types = 0;
    for_each_type(pointees{}, [&]<class T>() {
      ++types;
      CAPTURE(types);
      CHECK(check_forms<T>() == 0);
    });
    CHECK(types == 23);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / tile_load_t, loadable_tile, storeable_tile", "[clauses]") {
  static_assert(std::is_same_v<ct::tile_load_t<const int*>, int>);
  static_assert(std::is_same_v<ct::tile_load_t<tile<const __half*, 2, 4>>, tile<__half, 2, 4>>);
  static_assert(std::is_same_v<ct::tile_load_t<tile<float*>>, tile<float>>);
  static_assert(ct::loadable_tile<tile<const int*, 4>> && !ct::storeable_tile<tile<const int*, 4>>);
  static_assert(ct::storeable_tile<int*> && ct::storeable_tile<tile<double*>>);
  static_assert(!ct::loadable_tile<tile<void*, 4>> && !ct::loadable_tile<const void*>);
  static_assert(!ct::loadable_tile<tile<volatile int*, 4>> && !ct::loadable_tile<int>);
  SUCCEED("while compiling");
}

TEST_CASE("memory operations / masks undergo bool conversion, then broadcast conversion",
          "[clauses]") {
  in_kernel([](const probe& p) {
    const std::array data{1, 2, 3, 4, 5, 6, 7, 8};
    const auto at = data.data() + ct::iota<tile<int, 2, 4>>();
    const auto with = [&](const auto& mask) { return stored(ct::load_masked(at, mask, 0)); };
    const std::array columns{0, 2, 0, 4, 0, 6, 0, 8};
    const auto odd = ct::iota<tile<int, 4>>() % 2;
    CHECK(with(odd) == columns);
    CHECK(with(ct::element_cast<signed char>(odd)) == columns);
    CHECK(with(ct::element_cast<unsigned long>(odd) << 63) == columns);
    CHECK(with(ct::element_cast<float>(odd) * 0x1p-149F) == columns);
    CHECK(with(ct::element_cast<__half>(odd)) == columns);
    CHECK(with(ct::element_cast<__nv_fp8_e4m3>(ct::element_cast<float>(odd))) == columns);
    CHECK(with(ct::element_cast<double>(-odd)) == columns);
    CHECK(with(ct::select(odd, data.data() + odd, ct::full<tile<const int*, 4>>(nullptr))) ==
          columns);
    CHECK(with(ct::full<tile<float, 1>>(__builtin_nanf(""))) == data);
    CHECK(with(ct::full<tile<float, 1, 1>>(-0.0F)) == std::array<int, 8>{});
    CHECK(with(ct::iota<tile<int, 2, 1>>()) == std::array{0, 0, 0, 0, 5, 6, 7, 8});
    CHECK(with(3) == data);
    CHECK(with(data.data()) == data);
    std::array<int, 8> to{};
    ct::store_masked(
        to.data() + ct::iota<tile<int, 2, 4>>(), ct::load(at), ct::iota<tile<int, 2, 1>>());
    CHECK(to == std::array{0, 0, 0, 0, 5, 6, 7, 8});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE(
    "memory operations / paddings undergo broadcast conversion, then conversion of the elements",
    "[clauses]") {
  in_kernel([](const probe& p) {
    const std::array<float, 8> data{};
    const auto at = data.data() + ct::iota<tile<int, 2, 4>>();
    const auto padded = [&](const auto& padding) {
      const auto weak = stored(ct::load_masked(at, false, padding));
      CHECK(stored(ct::atomic_load_masked<order::relaxed>(at, false, padding)) == weak);
      return weak;
    };
    CHECK(padded(2.5F) == std::array<float, 8>{2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5});
    CHECK(padded(static_cast<__half>(0.5F))[7] == 0.5F);
    CHECK(padded(ct::element_cast<__half>(ct::iota<tile<int, 4>>())) ==
          std::array<float, 8>{0, 1, 2, 3, 0, 1, 2, 3});
    CHECK(padded(ct::element_cast<__nv_fp8_e5m2>(ct::element_cast<float>(
              ct::iota<tile<int, 2, 1>>()))) == std::array<float, 8>{0, 0, 0, 0, 1, 1, 1, 1});
    const std::array<long, 8> whole{};
    CHECK(stored(ct::load_masked(whole.data() + ct::iota<tile<int, 8>>(),
                                 false,
                                 static_cast<signed char>(-3)))[5] == -3);
    CHECK(p.defects() == 0);
  });
}

TEST_CASE("memory operations / store / the value undergoes tile conversion", "[clauses]") {
  in_kernel([](const probe& p) {
    std::array<double, 4> to{};
    const auto at = to.data() + ct::iota<tile<int, 4>>();
    ct::store(at, ct::element_cast<__half>(ct::iota<tile<int, 4>>()) * static_cast<__half>(0.5F));
    CHECK(to == std::array{0.0, 0.5, 1.0, 1.5});
    ct::atomic_store<order::release>(at, ct::element_cast<float>(ct::iota<tile<int, 4>>()));
    CHECK(to == std::array{0.0, 1.0, 2.0, 3.0});
    std::array<unsigned short, 4> small{};
    ct::store(small.data() + ct::iota<tile<int, 4>>(),
              ct::iota<tile<unsigned char, 4>>() + static_cast<unsigned char>(254));
    CHECK(small == std::array<unsigned short, 4>{254, 255, 0, 1});
    CHECK(p.defects() == 0);
  });
}

TEST_CASE(
    "memory operations / what a mask leaves out is not accessed: no finding of null pointers, nor "
    "of any read or write",
    "[clauses]") {
  in_kernel([](const probe& p) {
    int x = 7;
    const auto in = ct::iota<tile<int, 4>>() == 2;
    const auto at = ct::select(in, ct::full<tile<int*, 4>>(&x), ct::full<tile<int*, 4>>(nullptr));
    CHECK(stored(ct::load_masked(at, in, -1)) == std::array{-1, -1, 7, -1});
    CHECK(stored(ct::atomic_load_masked<order::acquire>(at, in, -1)) == std::array{-1, -1, 7, -1});
    ct::store_masked(at, ct::iota<tile<int, 4>>(), in);
    CHECK(x == 2);
    ct::atomic_store_masked<order::relaxed>(at, ct::full<tile<int, 4>>(5), in);
    CHECK(x == 5);
    CHECK(ct::load_masked(static_cast<int*>(nullptr), false, 9) == 9);
    ct::store_masked(static_cast<int*>(nullptr), 1, false);
    CHECK(p.defects() == 0);
  });
}

namespace {

template <order O, scope S>
int check_loads_spelled() {
  const int x = 12;
  const ct::memory_order_constant<O> o{};
  const ct::thread_scope_constant<S> s{};
  int sum = ct::atomic_load<O, S>(&x) + ct::atomic_load(&x, o, s) + ct::atomic_load<O>(&x, {}, s);
  sum += ct::atomic_load_masked<O, S>(&x, true) + ct::atomic_load_masked(&x, true, o, s);
  sum += ct::atomic_load_masked<O, S>(&x, false, 12) + ct::atomic_load_masked(&x, false, 12, o, s);
  if constexpr (S == ct::default_thread_scope()) {
    sum += ct::atomic_load<O>(&x) + ct::atomic_load(&x, o) - 24;
  }
  return sum;
}
template <order O, scope S>
int check_stores_spelled() {
  const ct::memory_order_constant<O> o{};
  const ct::thread_scope_constant<S> s{};
  std::array<int, 5> x{};
  ct::atomic_store<O, S>(&x[0], 1);
  ct::atomic_store(&x[1], 2, o, s);
  ct::atomic_store_masked<O, S>(&x[2], 3, true);
  ct::atomic_store_masked(&x[3], 4, true, o, s);
  ct::atomic_store_masked(&x[4], 5, false, o, s);
  return x == std::array{1, 2, 3, 4, 0} ? 1 : 0;
}
} // namespace

TEST_CASE(
    "memory operations / atomic_load, atomic_store / every order of theirs and every scope, as "
    "template arguments and as constants",
    "[clauses]") {
  in_kernel([](const probe& p) {
    CHECK(check_loads_spelled<order::relaxed, scope::block>() == 84);
    CHECK(check_loads_spelled<order::relaxed, scope::device>() == 84);
    CHECK(check_loads_spelled<order::relaxed, scope::system>() == 84);
    CHECK(check_loads_spelled<order::acquire, scope::block>() == 84);
    CHECK(check_loads_spelled<order::acquire, scope::device>() == 84);
    CHECK(check_loads_spelled<order::acquire, scope::system>() == 84);
    CHECK(check_stores_spelled<order::relaxed, scope::block>() == 1);
    CHECK(check_stores_spelled<order::relaxed, scope::device>() == 1);
    CHECK(check_stores_spelled<order::relaxed, scope::system>() == 1);
    CHECK(check_stores_spelled<order::release, scope::block>() == 1);
    CHECK(check_stores_spelled<order::release, scope::device>() == 1);
    CHECK(check_stores_spelled<order::release, scope::system>() == 1);
    CHECK(p.defects() == 0);
  });
  static_assert(ct::read_memory_order<order::relaxed> && ct::read_memory_order<order::acquire>);
  static_assert(!ct::read_memory_order<order::release> && !ct::read_memory_order<order::acq_rel>);
  static_assert(ct::write_memory_order<order::relaxed> && ct::write_memory_order<order::release>);
  static_assert(!ct::write_memory_order<order::acquire> && !ct::write_memory_order<order::acq_rel>);
}

} // namespace tilesim::clauses
