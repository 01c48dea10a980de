// What operations are made of, operations on single elements, and the kernel as a whole.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/kernel_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilesim::tools::fuzz {

std::string text_of(const std::vector<unsigned>& shape) {
  return fmt::format("shape<{}>", fmt::join(shape, ", "));
}

std::string text_of(const tile_type& type) {
  return fmt::format("ct::tile<{}, {}>", type.of().name, text_of(type.shape));
}

range both(const range& a, const range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.any || b.any};
}

range all_of(const scalar& s) {
  return s.floating ? range{-s.most, s.most, true} : range{s.is_signed ? -s.most - 1 : 0, s.most};
}

bool holds(const scalar& s, const range& r) {
  if (r.any) {
    return false;
  }
  const range all = all_of(s);
  return s.floating ? std::max(-r.low, r.high) < s.most / 2
                    : r.low >= all.low && r.high <= all.high;
}

kernel_maker::kernel_maker(program& p, draws& random, const wishes& w)
    : program_(p)
    , random_(random)
    , wishes_(w)
    , number_(p.kernels.size()) {
  kernel_.blocks = static_cast<unsigned>(1 + random.below(4));
  kernel_.stream = random.once_in(3) ? static_cast<unsigned>(number_ + 1) : 0;
}

// --- What every operation is made of

std::optional<std::size_t> kernel_maker::pick(const test& suits) {
  std::vector<std::size_t> fit;
  for (std::size_t v = 0; v < kernel_.values.size(); ++v) {
    if (suits(at(v))) {
      fit.push_back(v);
    }
  }
  if (fit.empty()) {
    return {};
  }
  // The newest more often, so that chains grow.
  return fit[random_.once_in(2)
                 ? fit.size() - 1 - random_.below(std::min<std::size_t>(4, fit.size()))
                 : random_.below(fit.size())];
}

std::optional<std::size_t> kernel_maker::pick_numbers() {
  return pick(is_number);
}

std::optional<std::size_t> kernel_maker::pick_integers() {
  return pick(is_integer);
}

std::optional<std::size_t> kernel_maker::pick_floats() {
  return pick(is_float);
}

std::size_t kernel_maker::constant(const tile_type& type, long double low, long double high) {
  const auto steps = static_cast<std::size_t>(high - low) + 1;
  const long double c = low + static_cast<long double>(random_.below(steps));
  return add(type,
             {c, c},
             {},
             fmt::format("ct::full<{}>(static_cast<{}>({}))",
                         text_of(type),
                         type.of().name,
                         static_cast<long long>(c)));
}

std::size_t kernel_maker::like(std::size_t v) {
  const tile_type type = at(v).type;
  if (!random_.once_in(4)) {
    if (const auto other = pick([&](const value& o) { return o.type == type; });
        other && (*other != v || random_.once_in(8))) {
      return *other;
    }
  }
  if (type.element == boolean) {
    return add(
        type, {0, 1}, {}, fmt::format("ct::full<{}>({})", text_of(type), random_.once_in(2)));
  }
  return constant(type, type.of().is_signed ? -9 : 0, 9);
}

std::size_t kernel_maker::add(tile_type type, range within, uses of, const std::string& text) {
  for (const std::size_t v : of) {
    kernel_.values[v].used = true;
  }
  kernel_.values.push_back({std::move(type), within});
  const std::size_t made = kernel_.values.size() - 1;
  // A text of several lines names its result itself.
  kernel_.body.push_back(
      {made,
       std::move(of),
       text.find("{r}") == std::string::npos ? "const auto {r} = " + text + ";" : text});
  return made;
}

void kernel_maker::result(uses of, std::string text) {
  for (const std::size_t v : of) {
    kernel_.values[v].used = true;
  }
  kernel_.body.push_back({{}, std::move(of), std::move(text)});
}

bool kernel_maker::expression(tile_type type, range within, uses of, const std::string& text) {
  if (!type.of().floating && !holds(type.of(), within)) {
    return false;
  }
  if (type.of().floating) {
    // What is computed is rounded: outward by the last bit.
    const long double last = std::exp2(1 - static_cast<long double>(type.of().bits));
    within.low -= std::abs(within.low) * last;
    within.high += std::abs(within.high) * last;
    if (!holds(type.of(), within)) {
      within = all_of(type.of());
    }
  }
  add(std::move(type), within, std::move(of), text);
  return true;
}

// --- Arithmetic

bool kernel_maker::arithmetic() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  const range x = at(*a).within;
  const range y = at(b).within;
  switch (random_.below(3)) {
  case 0:
    return expression(at(*a).type,
                      {x.low + y.low, x.high + y.high, x.any || y.any},
                      {*a, b},
                      random_.once_in(2) ? "{0} + {1}" : "ct::add({0}, {1})");
  case 1:
    return expression(at(*a).type,
                      {x.low - y.high, x.high - y.low, x.any || y.any},
                      {*a, b},
                      random_.once_in(2) ? "{0} - {1}" : "ct::sub({0}, {1})");
  default:
    return expression(at(*a).type,
                      corners(x, y, [](auto p, auto q) { return p * q; }),
                      {*a, b},
                      random_.once_in(2) ? "{0} * {1}" : "ct::mul({0}, {1})");
  }
}

/// Operands of two types, or a number for all elements: the common type, and which may stand for
/// which.
bool kernel_maker::mixed() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const range x = at(*a).within;
  const char* const how = random_.one_of({"+", "-", "*"});
  const auto combined = [&](const range& y) {
    return *how == '+'   ? range{x.low + y.low, x.high + y.high, x.any || y.any}
           : *how == '-' ? range{x.low - y.high, x.high - y.low, x.any || y.any}
                         : corners(x, y, [](auto p, auto q) { return p * q; });
  };
  if (random_.once_in(2)) {
    const auto number = static_cast<int>(1 + random_.below(9));
    return expression(
        type,
        combined({static_cast<long double>(number), static_cast<long double>(number)}),
        {*a},
        fmt::format("{{0}} {} static_cast<{}>({})", how, type.of().name, number));
  }
  // An integer beside a float becomes one, rounded.
  if (!is_float(at(*a))) {
    return false;
  }
  const auto b = pick([&](const value& v) { return is_integer(v) && v.type.shape == type.shape; });
  if (!b) {
    return false;
  }
  range y = at(*b).within;
  if (!holds(type.of(), y)) {
    y = all_of(type.of());
  }
  const long double last = std::exp2(1 - static_cast<long double>(type.of().bits));
  y.low -= std::abs(y.low) * last;
  y.high += std::abs(y.high) * last;
  return expression(type, combined(y), {*a, *b}, fmt::format("{{0}} {} {{1}}", how));
}

/// A row or a column with a matrix: what is shorter is repeated.
bool kernel_maker::broadcasting() {
  const auto a = pick([](const value& v) { return is_number(v) && v.type.shape.size() >= 2; });
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const auto b = pick([&](const value& v) {
    const auto& s = v.type.shape;
    if (v.type.element != type.element || s == type.shape || s.size() > type.shape.size()) {
      return false;
    }
    return std::equal(s.rbegin(), s.rend(), type.shape.rbegin(), [](unsigned e, unsigned of) {
      return e == 1 || e == of;
    });
  });
  if (!b) {
    return false;
  }
  const range x = at(*a).within;
  const range y = at(*b).within;
  if (random_.once_in(2) && extremes_of(type)) {
    return expression(type, both(x, y), {*a, *b}, "ct::max({1}, {0})");
  }
  return expression(type, {x.low + y.low, x.high + y.high, x.any || y.any}, {*a, *b}, "{0} + {1}");
}

bool kernel_maker::high_product() {
  const auto a = pick_integers();
  if (!a) {
    return false;
  }
  return expression(at(*a).type, all_of(at(*a).type.of()), {*a, like(*a)}, "ct::mulhi({0}, {1})");
}

bool kernel_maker::logical() {
  const auto a = pick([](const value& v) { return v.type.element == boolean; });
  if (!a) {
    return false;
  }
  if (random_.once_in(3)) {
    return expression(at(*a).type, {0, 1}, {*a}, "!{0}");
  }
  const std::size_t b = like(*a);
  return expression(at(*a).type, {0, 1}, {*a, b}, random_.one_of({"{0} && {1}", "{0} || {1}"}));
}

/// The bits as another type: of floats that are numbers, and of integers that are the bits of such.
bool kernel_maker::bitcast() {
  const auto a = pick([](const value& v) {
    return is_number(v) && (is_float(v) ? !v.within.any : v.within.low >= 0);
  });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  switch (type.element) {
  case f16:
  case bf16:
    type.element = random_.one_of({i16, u16});
    break;
  case f32:
    type.element = random_.one_of({i32, u32});
    break;
  case f64:
    type.element = random_.one_of({i64, u64});
    break;
  case u16:
    type.element = at(*a).within.high < 0x7c00 ? f16 : i16;
    break;
  case u32:
    type.element = at(*a).within.high < 0x7f800000 ? f32 : i32;
    break;
  case u64:
    type.element = at(*a).within.high < 9218868437227405312.0L ? f64 : i64;
    break;
  default:
    return false;
  }
  return expression(
      type, all_of(type.of()), {*a}, fmt::format("ct::element_bitcast<{}>({{0}})", type.of().name));
}

bool kernel_maker::division() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  if (is_float(at(*a))) {
    return expression(at(*a).type, all_of(at(*a).type.of()), {*a, like(*a)}, "{0} / {1}");
  }
  const tile_type type = at(*a).type;
  const auto other = pick([&](const value& v) { return v.type == type && v.within.low > 0; });
  const std::size_t b = other ? *other : constant(type, 1, 9);
  const range x = at(*a).within;
  const range y = at(b).within;
  if (std::max(-x.low, x.high) > 1e15L) {
    return false; // the corners would be rounded
  }
  const range quotient = corners(x, y, [](auto p, auto q) { return std::floor(p / q); });
  switch (random_.below(4)) {
  case 0:
    return expression(type, {quotient.low, quotient.high + 1}, {*a, b}, "{0} / {1}");
  case 1:
    return expression(type, {x.low < 0 ? 1 - y.high : 0, y.high - 1}, {*a, b}, "{0} % {1}");
  case 2:
    return expression(type, quotient, {*a, b}, "ct::floordiv({0}, {1})");
  default:
    return expression(type, {quotient.low, quotient.high + 1}, {*a, b}, "ct::ceildiv({0}, {1})");
  }
}

/// Are there minima and maxima of that type?
bool kernel_maker::extremes_of(const tile_type& type) const {
  return wishes_.narrow || (type.element != i16 && type.element != u16);
}

bool kernel_maker::extreme() {
  const auto a = pick_numbers();
  if (!a || !extremes_of(at(*a).type)) {
    return false;
  }
  const std::size_t b = like(*a);
  const std::string modes = is_float(at(*a)) && random_.once_in(2) ? ", ct::propagate_nan_t{}" : "";
  return expression(at(*a).type,
                    both(at(*a).within, at(b).within),
                    {*a, b},
                    fmt::format("ct::{}({{0}}, {{1}}{})", random_.one_of({"min", "max"}), modes));
}

bool kernel_maker::sign() {
  const auto a = pick([](const value& v) { return is_number(v) && v.type.of().is_signed; });
  if (!a) {
    return false;
  }
  const range x = at(*a).within;
  if (random_.once_in(2)) {
    return expression(at(*a).type, {-x.high, -x.low, x.any}, {*a}, "-{0}");
  }
  return expression(at(*a).type, {0, std::max(-x.low, x.high), x.any}, {*a}, "ct::abs({0})");
}

bool kernel_maker::bitwise() {
  const auto a = pick([](const value& v) { return !is_float(v); });
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  range within = all_of(at(*a).type.of());
  const range x = both(at(*a).within, at(b).within);
  if (x.low >= 0) {
    long double above = 1;
    while (above <= x.high) {
      above *= 2;
    }
    within = {0, std::min(within.high, above - 1)};
  }
  if (random_.once_in(5)) {
    return expression(at(*a).type, all_of(at(*a).type.of()), {*a}, "~{0}");
  }
  return expression(
      at(*a).type, within, {*a, b}, fmt::format("{{0}} {} {{1}}", random_.one_of({"&", "|", "^"})));
}

bool kernel_maker::shift() {
  const auto a = pick_integers();
  if (!a) {
    return false;
  }
  const tile_type type = at(*a).type;
  const auto count = static_cast<unsigned>(random_.below(type.of().bits));
  const range x = at(*a).within;
  const long double factor = std::exp2(static_cast<long double>(count));
  const std::string by =
      fmt::format("ct::full<{}>(static_cast<{}>({}))", text_of(type), type.of().name, count);
  if (random_.once_in(2) && x.low >= 0) {
    return expression(type, {x.low * factor, x.high * factor}, {*a}, "{0} << " + by);
  }
  return expression(
      type, {std::floor(x.low / factor), std::floor(x.high / factor)}, {*a}, "{0} >> " + by);
}

bool kernel_maker::comparison() {
  const auto a = pick_numbers();
  if (!a) {
    return false;
  }
  const std::size_t b = like(*a);
  tile_type type = at(*a).type;
  type.element = boolean;
  if (is_float(at(*a)) && random_.once_in(6)) {
    return expression(
        type, {0, 1}, {*a}, fmt::format("ct::{}({{0}})", random_.one_of({"isnan", "isinf"})));
  }
  return expression(
      type,
      {0, 1},
      {*a, b},
      fmt::format("{{0}} {} {{1}}", random_.one_of({"<", "<=", "==", "!=", ">", ">="})));
}

bool kernel_maker::selection() {
  const auto m = pick([](const value& v) { return v.type.element == boolean; });
  if (!m) {
    return false;
  }
  const auto a = pick([&](const value& v) { return v.type.shape == at(*m).type.shape; });
  const std::size_t b = like(*a);
  return expression(
      at(*a).type, both(at(*a).within, at(b).within), {*m, *a, b}, "ct::select({0}, {1}, {2})");
}

bool kernel_maker::cast() {
  const auto a = pick([](const value&) { return true; });
  if (!a) {
    return false;
  }
  tile_type type = at(*a).type;
  type.element = random_.below(scalars.size());
  range within = at(*a).within;
  if (type.element == boolean) {
    within = {0, 1};
  } else if (is_float(at(*a)) && !type.of().floating) {
    within = {std::floor(within.low), std::ceil(within.high), within.any};
  }
  return expression(type, within, {*a}, fmt::format("ct::element_cast<{}>({{0}})", type.of().name));
}

// --- The kernel

// Some twice: they are what most of a kernel is made of.
const std::vector<kernel_maker::maker> kernel_maker::makers{
    &kernel_maker::arithmetic,
    &kernel_maker::arithmetic,
    &kernel_maker::mixed,
    &kernel_maker::broadcasting,
    &kernel_maker::division,
    &kernel_maker::extreme,
    &kernel_maker::sign,
    &kernel_maker::bitwise,
    &kernel_maker::shift,
    &kernel_maker::high_product,
    &kernel_maker::comparison,
    &kernel_maker::logical,
    &kernel_maker::selection,
    &kernel_maker::cast,
    &kernel_maker::cast,
    &kernel_maker::bitcast,
    &kernel_maker::rounded,
    &kernel_maker::fused,
    &kernel_maker::exact_function,
    &kernel_maker::approximate_function,
    &kernel_maker::assumption,
    &kernel_maker::assumed_blocked,
    &kernel_maker::reshaped,
    &kernel_maker::permuted,
    &kernel_maker::broadcast,
    &kernel_maker::joined,
    &kernel_maker::part,
    &kernel_maker::reduced,
    &kernel_maker::scanned,
    &kernel_maker::exact_sum,
    &kernel_maker::powers,
    &kernel_maker::product,
    &kernel_maker::counted_loop,
    &kernel_maker::waiting_loop,
    &kernel_maker::branch,
    &kernel_maker::choice,
    &kernel_maker::loading_loop,
    &kernel_maker::storing_loop,
    &kernel_maker::early_end,
    &kernel_maker::load,
    &kernel_maker::load_masked,
    &kernel_maker::load_view,
    &kernel_maker::load_view,
    &kernel_maker::store_view,
    &kernel_maker::store_view,
    &kernel_maker::update_view,
    &kernel_maker::gather,
    &kernel_maker::scatter,
    &kernel_maker::load_earlier,
    &kernel_maker::there_and_back,
    &kernel_maker::update,
    &kernel_maker::own_update,
    &kernel_maker::compare_exchange,
    &kernel_maker::counter,
    &kernel_maker::atomic_copy,
    &kernel_maker::print,
};

void kernel_maker::make() {
  for (std::size_t i = 0; i < 2 + random_.below(3); ++i) {
    load();
  }
  if (wishes_.reload) {
    reload();
  }
  if (wishes_.swap) {
    carried_pair();
  }
  for (unsigned made = 0, tried = 0; made < wishes_.operations && tried < 40 * wishes_.operations;
       ++tried) {
    made += (this->*random_.one_of(makers))() ? 1U : 0U;
  }
  for (std::size_t v = 0, end = kernel_.values.size(); v < end; ++v) {
    if (!at(v).used) {
      store(v);
    }
  }
  kernel_.prints = prints_;
  program_.kernels.push_back(std::move(kernel_));
}

} // namespace tilesim::tools::fuzz
