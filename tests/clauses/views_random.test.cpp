// Views against tiles of pointers: over random tensors, layouts, tiles and indices, a view reads
// and writes what the addresses computed one by one say. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <random>
#include <tests/clauses/kernel.hpp>
#include <vector>

namespace tilesim::clauses {
namespace {

using namespace ct::literals;

constexpr std::size_t memory_size = 6000;

/// A tensor of random extents, strides and place in memory.
template <std::size_t Rank>
struct random_tensor {
  std::array<int, Rank> extents;
  std::array<int, Rank> strides;
  int first = 0;

  /// Its elements stand apart from one another if `apart`; else strides are any.
  random_tensor(std::mt19937& draw, bool apart) {
    std::array<std::size_t, Rank> order{};
    for (std::size_t k = 0; k < Rank; ++k) {
      order[k] = k;
      extents[k] = static_cast<int>(draw() % (Rank == 1 ? 40 : Rank == 2 ? 13 : 6)) + 1;
    }
    std::shuffle(order.begin(), order.end(), draw);
    int reach = 1;
    for (const std::size_t k : order) {
      strides[k] = apart ? reach + static_cast<int>(draw() % 3) * static_cast<int>(draw() % 2)
                         : static_cast<int>(draw() % 14);
      reach = apart ? strides[k] * extents[k] : 0;
    }
    first = static_cast<int>(draw() % 64);
  }

  template <class E>
  auto span(E* memory) const {
    return make(memory, std::make_index_sequence<Rank>{});
  }

private:
  template <class E, std::size_t... K>
  auto make(E* memory, std::index_sequence<K...>) const {
    return ct::tensor_span{
        memory + first,
        ct::layout_strided_mapping{ct::extents{extents[K]...}, ct::strides{strides[K]...}}};
  }
};

/// Where each element of a tile stands, and whether it lies in the tensor: computed one by one.
template <class E, std::size_t N>
struct places {
  std::array<E*, N> pointers{};
  std::array<bool, N> inside{};
};
template <class E, std::size_t... Extents, class Coordinate>
auto places_of(E* memory, const random_tensor<sizeof...(Extents)>& t, Coordinate coordinate) {
  constexpr std::size_t rank = sizeof...(Extents);
  constexpr std::array<int, rank> shape{static_cast<int>(Extents)...};
  places<E, (Extents * ... * 1)> result;
  for (std::size_t i = 0; i < result.inside.size(); ++i) {
    std::size_t rest = i;
    long offset = t.first;
    bool inside = true;
    for (std::size_t k = rank; k-- > 0;) {
      const int at = coordinate(k, static_cast<int>(rest % static_cast<std::size_t>(shape[k])));
      rest /= static_cast<std::size_t>(shape[k]);
      inside = inside && at >= 0 && at < t.extents[k];
      offset += static_cast<long>(at) * t.strides[k];
    }
    result.inside[i] = inside;
    result.pointers[i] = inside ? memory + offset : memory;
  }
  return result;
}

/// Memory that kernels may use: a variable of the program.
template <class E>
E* random_memory(std::mt19937& draw) {
  static std::array<E, memory_size> cells;
  for (E& x : cells) {
    x = static_cast<E>(static_cast<int>(draw() % 100));
  }
  return cells.data();
}

/// Both ways to load give the same tile, both ways to store leave the same memory.
template <class E, std::size_t... Extents, class View, class... I>
void compare(mistakes& wrong,
             E* memory,
             const View& view,
             const places<E, (Extents * ... * 1)>& where,
             bool stores,
             const I&... indices) {
  const auto pointers = loaded<Extents...>(where.pointers);
  const auto mask = loaded<Extents...>(where.inside);
  const auto by_view = stored(view.load_masked(indices...));
  const auto by_pointers = stored(ct::load_masked(pointers, mask, E(0)));
  if (std::memcmp(&by_view, &by_pointers, sizeof by_view) != 0) {
    wrong.add("loads differ");
  }
  const auto strong = stored(
      view.atomic_load_masked(ct::view_padding_zero_t{}, ct::memory_order_relaxed_t{}, indices...));
  if (std::memcmp(&strong, &by_pointers, sizeof strong) != 0) {
    wrong.add("atomic loads differ");
  }
  if (!stores) {
    return;
  }
  std::array<E, (Extents * ... * 1)> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<E>(static_cast<int>(i % 90) + 100);
  }
  const auto value = loaded<Extents...>(values);
  const std::vector<E> before(memory, memory + memory_size);
  view.store_masked(value, indices...);
  const std::vector<E> after_view(memory, memory + memory_size);
  std::copy(before.begin(), before.end(), memory);
  ct::store_masked(pointers, value, mask);
  if (std::memcmp(after_view.data(), memory, memory_size * sizeof(E)) != 0) {
    wrong.add("stores differ");
  }
  // what was stored is loaded again
  const auto again = stored(view.load_masked(indices...));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::memcmp(&again[i], where.inside[i] ? &values[i] : &by_view[i], sizeof(E)) != 0) {
      wrong.add("element ", i, " is not what was stored");
    }
  }
}

template <class E, std::size_t... Extents>
struct random_views {
  static constexpr std::size_t rank = sizeof...(Extents);
  static constexpr std::array<int, rank> shape{static_cast<int>(Extents)...};
  using Shape = ct::shape<Extents...>;

  static void run(mistakes& wrong, std::mt19937& draw) {
    for (int round = 0; round < 60; ++round) {
      run_round(wrong, draw, round % 3 != 0, std::make_index_sequence<rank>{});
    }
  }

private:
  template <std::size_t... K>
  static void
  run_round(mistakes& wrong, std::mt19937& draw, bool apart, std::index_sequence<K...>) {
    E* const memory = random_memory<E>(draw);
    const random_tensor<rank> t(draw, apart);
    const auto span = t.span(memory);
    const auto index_below = [&](int n) {
      return static_cast<int>(draw() % static_cast<unsigned>(n));
    };
    {
      const std::array<int, rank> i{index_below((t.extents[K] + shape[K] - 1) / shape[K])...};
      compare<E, Extents...>(
          wrong,
          memory,
          ct::partition_view{span, Shape{}},
          places_of<E, Extents...>(
              memory, t, [&](std::size_t k, int j) { return i[k] * shape[k] + j; }),
          apart,
          i[K]...);
    }
    {
      constexpr std::array<int, rank> step{static_cast<int>(2 * K + 1)...};
      const std::array<int, rank> i{index_below((t.extents[K] + step[K] - 1) / step[K])...};
      compare<E, Extents...>(
          wrong,
          memory,
          ct::strided_view{span, Shape{}, ct::strides<unsigned, (2 * K + 1)...>{}},
          places_of<E, Extents...>(
              memory, t, [&](std::size_t k, int j) { return i[k] * step[k] + j; }),
          apart,
          i[K]...);
    }
    (gather<K>(wrong, draw, t, memory, apart, std::make_index_sequence<rank>{}), ...);
  }

  template <std::size_t Dim, std::size_t... K>
  static void gather(mistakes& wrong,
                     std::mt19937& draw,
                     const random_tensor<rank>& t,
                     E* memory,
                     bool apart,
                     std::index_sequence<K...>) {
    constexpr auto listed = static_cast<std::size_t>(shape[Dim]);
    std::array<int, listed> list{};
    std::vector<int> candidates; // each at most once: stores must not meet
    for (int c = -2; c < std::max(t.extents[Dim] + 2, static_cast<int>(listed)); ++c) {
      candidates.push_back(c);
    }
    std::shuffle(candidates.begin(), candidates.end(), draw);
    std::copy_n(candidates.begin(), listed, list.begin());
    const auto list_tile = loaded<listed>(list);
    const std::array<int, rank> i{
        static_cast<int>(draw() % static_cast<unsigned>(t.extents[K]))...};
    const auto index = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
      if constexpr (N == Dim) {
        return list_tile;
      } else {
        return i[N];
      }
    };
    compare<E, Extents...>(
        wrong,
        memory,
        ct::gather_scatter_view{t.span(memory), Shape{}, ct::integral_constant<Dim>{}},
        places_of<E, Extents...>(memory,
                                 t,
                                 [&](std::size_t k, int j) {
                                   return k == Dim ? list[static_cast<std::size_t>(j)] : i[k] + j;
                                 }),
        apart,
        index(std::integral_constant<std::size_t, K>{})...);
  }
};

} // namespace

TEST_CASE("views / a view loads and stores what pointers to its elements would", "[clauses]") {
  const bool counted = GENERATE(false, true); // with an observer, element by element
  sim::options how;
  how.stats = counted;
  in_kernel(
      [](const probe& p) {
        std::mt19937 draw{20}; // NOLINT(cert-msc*): the same tensors every time
        mistakes wrong;
        random_views<int, 8>::run(wrong, draw);
        random_views<double, 1>::run(wrong, draw);
        random_views<char, 4, 4>::run(wrong, draw);
        random_views<short, 2, 8>::run(wrong, draw);
        random_views<float, 1, 4>::run(wrong, draw);
        random_views<long, 8, 1>::run(wrong, draw);
        random_views<int, 2, 2, 2>::run(wrong, draw);
        random_views<__half, 1, 2, 4>::run(wrong, draw);
        random_views<unsigned char, 2, 1, 1, 4>::run(wrong, draw);
        CHECK(wrong.text() == "");
        CHECK(p.defects() == 0);
      },
      how);
}

TEST_CASE("layout mappings / a matrix stored as layout_left is its transpose as layout_right",
          "[clauses]") {
  in_kernel([](const probe& p) {
    constexpr int rows = 9;
    constexpr int columns = 14;
    static std::array<int, rows * columns> from;
    static std::array<int, rows * columns> to;
    for (int i = 0; i < rows * columns; ++i) {
      from[static_cast<std::size_t>(i)] = i;
    }
    const ct::partition_view in{ct::tensor_span{from.data(), ct::extents{rows, columns}},
                                ct::shape<4, 4>{}};
    const ct::partition_view out{
        ct::tensor_span{to.data(), ct::extents{rows, columns}, ct::layout_left{}},
        ct::shape<4, 4>{}};
    for (int i = 0; i < (rows + 3) / 4; ++i) {
      for (int j = 0; j < (columns + 3) / 4; ++j) {
        out.store_masked(in.load_masked(i, j), i, j);
      }
    }
    int wrong = 0;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        wrong += to[static_cast<std::size_t>(j * rows + i)] != i * columns + j;
      }
    }
    CHECK(wrong == 0);
    CHECK(p.defects() == 0);
  });
}

} // namespace tilesim::clauses
