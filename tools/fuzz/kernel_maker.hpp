// One random kernel in the making.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/rng.hpp"
#include "tools/fuzz/generate.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tilesim::tools::fuzz {

/// Random numbers, the same everywhere.
class draws {
public:
  explicit draws(std::uint64_t seed)
      : rng_(seed) {}

  std::uint64_t next() noexcept { return rng_(); }
  /// Less than n, which is not 0.
  std::size_t below(std::size_t n) noexcept { return next() % n; }
  bool once_in(std::size_t n) noexcept { return below(n) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& all) noexcept {
    return all[below(all.size())];
  }
  template <class T>
  T one_of(std::initializer_list<T> all) noexcept {
    return all.begin()[below(all.size())];
  }

private:
  sim::rng rng_;
};

inline bool is_number(const value& v) {
  return v.type.element != boolean;
}

inline bool is_integer(const value& v) {
  return is_number(v) && !v.type.of().floating;
}

inline bool is_float_element(std::size_t element) {
  return scalars[element].floating;
}

inline bool is_float(const value& v) {
  return is_float_element(v.type.element);
}

/// The range of an operation that is monotone in each operand: its corners.
template <class F>
range corners(const range& a, const range& b, F f) {
  const std::array<long double, 4> all{
      f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)};
  return {std::ranges::min(all), std::ranges::max(all), a.any || b.any};
}

class kernel_maker {
public:
  kernel_maker(program& p, draws& random, const wishes& w);

  /// Adds the kernel to the program.
  void make();

private:
  using uses = std::vector<std::size_t>;
  using test = std::function<bool(const value&)>;

  // --- What every operation is made of. Makers return false where they found no operands.
  std::optional<std::size_t> pick(const test& suits);
  std::optional<std::size_t> pick_numbers();
  std::optional<std::size_t> pick_integers();
  std::optional<std::size_t> pick_floats();
  /// Another value of that type, or a constant.
  std::size_t like(std::size_t v);
  std::size_t constant(const tile_type& type, long double low, long double high);
  std::size_t add(tile_type type, range within, uses of, const std::string& text);
  bool expression(tile_type type, range within, uses of, const std::string& text);
  /// A statement that is there for what it writes.
  void result(uses of, std::string text);
  [[nodiscard]] const value& at(std::size_t v) const { return kernel_.values[v]; }
  std::size_t add_buffer(std::size_t element, unsigned size, range within, bool output);
  [[nodiscard]] const std::string& name(std::size_t buffer) const {
    return program_.buffers[buffer].name;
  }

  // --- Operations on elements (kernel_maker.cpp)
  bool arithmetic();
  bool mixed();
  bool broadcasting();
  bool division();
  [[nodiscard]] bool extremes_of(const tile_type& type) const;
  bool extreme();
  bool sign();
  bool bitwise();
  bool shift();
  bool high_product();
  bool comparison();
  bool logical();
  bool selection();
  bool cast();
  bool bitcast();
  // --- On floats, and promises (kernel_floats.cpp)
  bool rounded();
  bool fused();
  bool exact_function();
  bool approximate_function();
  bool assumption();
  bool assumed_blocked();
  // --- On shapes and along dimensions (kernel_shapes.cpp)
  bool reshaped();
  bool permuted();
  bool broadcast();
  bool joined();
  bool part();
  bool reduced();
  bool scanned();
  bool exact_sum();
  bool powers();
  bool product();
  // --- Control flow (kernel_flow.cpp)
  std::string step(const tile_type& type, std::initializer_list<const char*> names, unsigned depth);
  bool changing(std::size_t a, std::size_t b, const std::string& lines);
  bool counted_loop();
  bool waiting_loop();
  bool carried_pair();
  bool branch();
  bool choice();
  bool loading_loop();
  bool storing_loop();
  bool early_end();
  // --- Memory (kernel_memory.cpp)
  static std::string places(const std::string& buffer, const tile_type& type, bool of_block);
  bool load();
  bool load_masked();
  bool load_earlier();
  bool there_and_back();
  bool reload();
  void store(std::size_t v);
  bool print();
  // --- Views (kernel_views.cpp)
  struct span_text {
    std::string text; ///< {buffer} stands for the buffer's name
    unsigned size;    ///< elements of the buffer
  };
  std::string extents_text(const std::vector<unsigned>& dims);
  span_text span(const std::vector<unsigned>& dims);
  std::string
  with_buffer(const span_text& s, std::size_t element, const range& within, bool output);
  std::vector<unsigned> strides_of(const std::vector<unsigned>& shape, bool apart);
  std::string tiles_of(const std::string& span,
                       const std::vector<unsigned>& shape,
                       const std::vector<unsigned>& strides);
  bool load_view();
  bool store_view();
  bool update_view();
  bool gather();
  bool scatter();
  // --- Atomic operations (kernel_updates.cpp)
  std::string order_and_scope(std::initializer_list<const char*> orders, bool own);
  bool update();
  bool own_update();
  bool compare_exchange();
  bool counter();
  bool atomic_copy();

  using maker = bool (kernel_maker::*)();
  static const std::vector<maker>
      makers; ///< what a kernel is made of, at random (kernel_maker.cpp)

  program& program_;
  draws& random_;
  const wishes& wishes_;
  kernel kernel_;
  std::size_t number_; ///< of the kernel
  bool ended_early_ = false;
  bool prints_ = false;
};

/// "ct::tile<int, shape<4, 16>>"
[[nodiscard]] std::string text_of(const tile_type& type);
/// "shape<4, 16>"
[[nodiscard]] std::string text_of(const std::vector<unsigned>& shape);

/// The smallest range that holds both.
[[nodiscard]] range both(const range& a, const range& b);
/// Can the type hold all of it? Of floats, numbers that are not too large to stay finite.
[[nodiscard]] bool holds(const scalar& s, const range& r);
/// What the type holds at most: of floats, anything.
[[nodiscard]] range all_of(const scalar& s);

} // namespace tilesim::tools::fuzz
