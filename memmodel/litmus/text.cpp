// The text of a litmus test as tokens, and the parts that both formats share.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tilesim::memmodel::litmus {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The length of a comment at the start of `rest`; 0: none.
std::size_t comment(std::string_view rest, const std::function<position()>& at) {
  const auto closed = [&](std::string_view open, std::string_view close) -> std::size_t {
    if (!rest.starts_with(open)) {
      return 0;
    }
    const auto end = rest.find(close, open.size());
    if (end == std::string_view::npos) {
      throw syntax_error{at(), fmt::format("a comment that {} begins has no {}", open, close)};
    }
    return end + close.size();
  };
  if (const auto n = closed("(*", "*)")) {
    return n;
  }
  if (const auto n = closed("\"", "\"")) {
    return n;
  }
  if (rest.starts_with("//")) {
    return std::min(rest.find('\n'), rest.size());
  }
  return 0;
}

std::size_t sign_length(std::string_view rest) {
  static constexpr std::array two{"/\\", "\\/", "==", "!=", "<=", ">=", "&&", "||"};
  for (const std::string_view s : two) {
    if (rest.starts_with(s)) {
      return 2;
    }
  }
  return std::string_view("{}[]()<>=;:,|@.+-*/%&^~!").find(rest.front()) != std::string_view::npos
             ? 1
             : 0;
}

} // namespace

position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  const auto last = before.rfind('\n');
  const auto column = last == std::string_view::npos ? offset + 1 : offset - last;
  return {line, static_cast<std::uint32_t>(column)};
}

std::vector<token> tokens_of(std::string_view text) {
  std::vector<token> out;
  position at{1, 1};
  std::size_t i = 0;
  const auto advance = [&](std::size_t n) {
    for (; n > 0 && i < text.size(); --n, ++i) {
      if (text[i] == '\n') {
        at = {at.line + 1, 1};
      } else {
        ++at.column;
      }
    }
  };
  while (i < text.size()) {
    const std::string_view rest = text.substr(i);
    const char c = rest.front();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      advance(1);
      continue;
    }
    if (const auto n = comment(rest, [&] { return at; })) {
      advance(n);
      continue;
    }
    std::size_t n = 0;
    auto what = token::kind::sign;
    if (is_letter(c) || is_digit(c)) {
      what = is_digit(c) ? token::kind::number : token::kind::word;
      while (n < rest.size() && (is_letter(rest[n]) || is_digit(rest[n]))) {
        ++n;
      }
    } else {
      n = sign_length(rest);
      if (n == 0) {
        throw syntax_error{
            at, fmt::format("no token begins with byte 0x{:02x}", static_cast<unsigned char>(c))};
      }
    }
    out.push_back({what, rest.substr(0, n), at, i});
    advance(n);
  }
  out.push_back({token::kind::end, {}, at, text.size()});
  return out;
}

std::string shown(const token& t) {
  return t.what == token::kind::end ? "the end of the file" : fmt::format("'{}'", t.text);
}

bool cursor::accept(std::string_view text) {
  if (!at(text)) {
    return false;
  }
  take();
  return true;
}

token cursor::expect(std::string_view text, std::string_view where) {
  if (!at(text)) {
    fail(fmt::format("'{}' {}", text, where));
  }
  return take();
}

token cursor::word(std::string_view what) {
  if (peek().what != token::kind::word) {
    fail(what);
  }
  return take();
}

bool cursor::at_number() const {
  return peek().what == token::kind::number || (at("-") && peek(1).what == token::kind::number);
}

value cursor::number(std::string_view what) {
  if (!at_number()) {
    fail(what);
  }
  const bool negative = accept("-");
  const token t = take();
  const bool hex = t.text.starts_with("0x") || t.text.starts_with("0X");
  const std::string_view digits = hex ? t.text.substr(2) : t.text;
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) {
    fail(t.at, fmt::format("{} needs more than 64 bits", t.text));
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fail(t.at, fmt::format("expected {}, found '{}'", what, t.text));
  }
  return static_cast<value>(negative ? 0 - magnitude : magnitude);
}

std::string cursor::since(const token& first) const {
  std::string_view part = text_.substr(first.offset, peek().offset - first.offset);
  while (!part.empty() && (part.back() == ' ' || part.back() == '\t' || part.back() == '\n' ||
                           part.back() == '\r')) {
    part.remove_suffix(1);
  }
  std::string out;
  for (const char c : part) {
    if (c != '\r') {
      out += c == '\n' || c == '\t' ? ' ' : c;
    }
  }
  return out;
}

void cursor::fail(std::string_view expected) const {
  fail(peek().at, fmt::format("expected {}, found {}", expected, shown(peek())));
}

void cursor::fail(const position& at, std::string message) {
  throw syntax_error{at, std::move(message)};
}

std::uint32_t register_named(thread& t, std::string_view name) {
  const auto found = std::ranges::find(t.registers, name);
  if (found == t.registers.end()) {
    t.registers.emplace_back(name);
    t.widths.push_back(1);
    return static_cast<std::uint32_t>(t.registers.size() - 1);
  }
  return static_cast<std::uint32_t>(found - t.registers.begin());
}

std::optional<element_type> type_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, element_type>, 18> types{{
      {"u8", {1, false}},
      {"u16", {2, false}},
      {"u32", {4, false}},
      {"u64", {8, false}},
      {"s8", {1, true}},
      {"s16", {2, true}},
      {"s32", {4, true}},
      {"s64", {8, true}},
      {"b8", {1, false}},
      {"b16", {2, false}},
      {"b32", {4, false}},
      {"b64", {8, false}},
      {"int", {4, true}},
      {"unsigned", {4, false}},
      {"char", {1, true}},
      {"short", {2, true}},
      {"long", {8, true}},
      {"uchar", {1, false}},
  }};
  for (const auto& [spelling, type] : types) {
    if (spelling == name) {
      return type;
    }
  }
  return std::nullopt;
}

place read_thread_place(cursor& in,
                        std::string_view levels,
                        const std::function<bool(place&, std::string_view, std::int32_t)>& set) {
  place p;
  if (in.accept("host")) {
    p.gpu = place::host;
    return p;
  }
  do {
    const token level = in.word(levels);
    const value n = in.number(fmt::format("the number of the {}", level.text));
    if (n < 0 || n > 1'000'000) {
      cursor::fail(level.at, fmt::format("{} {} is out of range: 0 to 1000000", level.text, n));
    }
    if (!set(p, level.text, static_cast<std::int32_t>(n))) {
      cursor::fail(level.at, fmt::format("expected {}, found '{}'", levels, level.text));
    }
  } while (in.accept(","));
  return p;
}

std::optional<binary> comparison_named(std::string_view sign) {
  static constexpr std::array<std::pair<std::string_view, binary>, 6> signs{{{"==", binary::eq},
                                                                             {"!=", binary::ne},
                                                                             {"<", binary::lt},
                                                                             {"<=", binary::le},
                                                                             {">", binary::gt},
                                                                             {">=", binary::ge}}};
  const auto* const found =
      std::ranges::find(signs, sign, &std::pair<std::string_view, binary>::first);
  return found == signs.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// Conditions may write '=', too.
std::optional<binary> comparison_at(const cursor& in) {
  return in.at("=") ? binary::eq : comparison_named(in.peek().text);
}

std::uint32_t thread_named(const token& t, const test& test) {
  const std::string_view number = t.text.starts_with('P') ? t.text.substr(1) : t.text;
  std::uint32_t p = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), p);
  for (std::uint32_t i = 0;
       error == std::errc() && end == number.data() + number.size() && i < test.threads.size();
       ++i) {
    if (test.threads[i].name == fmt::format("P{}", p)) {
      return i;
    }
  }
  cursor::fail(t.at,
               fmt::format("there is no thread '{}'; the test has P0 to P{}",
                           t.text,
                           test.threads.size() - 1));
}

std::uint32_t element_of(cursor& in, std::size_t elements, std::string_view name, bool required) {
  if (!in.at("[")) {
    if (required) {
      in.fail(fmt::format("'[' and an element: '{}' is an array of {}", name, elements));
    }
    return 0;
  }
  in.take();
  const token at = in.peek();
  const value e = in.number("an element");
  if (e < 0 || static_cast<std::size_t>(e) >= elements) {
    cursor::fail(at.at, fmt::format("'{}' has no element {}; it has {}", name, e, elements));
  }
  in.expect("]", "behind the element");
  return static_cast<std::uint32_t>(e);
}

observable variable(cursor& in, test& t) {
  const bool bracketed = in.accept("[");
  const token first = in.take();
  observable o;
  if (in.accept(":")) {
    const std::uint32_t p = thread_named(first, t);
    in.accept("%");
    const token name = in.word("a register");
    const auto found = std::ranges::find(t.threads[p].registers, name.text);
    if (found == t.threads[p].registers.end()) {
      cursor::fail(name.at, fmt::format("P{} has no register '{}'", p, name.text));
    }
    o.thread = p;
    o.index = static_cast<std::uint32_t>(found - t.threads[p].registers.begin());
    o.element =
        element_of(in, t.threads[p].widths[o.index], name.text, t.threads[p].widths[o.index] > 1);
  } else {
    const auto found = std::ranges::find(t.locations, first.text, &location::name);
    if (first.what != token::kind::word || found == t.locations.end()) {
      cursor::fail(
          first.at,
          fmt::format("expected a variable or a register as 'P0:r0', found {}", shown(first)));
    }
    o.index = static_cast<std::uint32_t>(found - t.locations.begin());
    o.element = element_of(in, found->initial.size(), found->name, found->array);
  }
  if (bracketed) {
    in.expect("]", "behind the variable");
  }
  return o;
}

condition::side side(cursor& in, test& t) {
  condition::side s;
  // `0:r1` is a register of thread 0.
  if (in.at_number() && !(in.peek(1).text == ":")) {
    s.constant = in.number("a number");
  } else {
    s.variable = variable(in, t);
  }
  return s;
}

constexpr int deepest = 200; // parentheses and negations within each other

condition disjunction(cursor& in, test& t, int depth);

condition primary(cursor& in, test& t, int depth) {
  if (depth > deepest) {
    cursor::fail(in.peek().at, fmt::format("a condition nested more than {} deep", deepest));
  }
  condition c;
  if (in.accept("~") || in.accept("!") || in.accept("not")) {
    c.what = condition::kind::negation;
    c.parts.push_back(primary(in, t, depth + 1));
    return c;
  }
  if (in.accept("(")) {
    c = disjunction(in, t, depth + 1);
    in.expect(")", "to close the condition");
    return c;
  }
  if (in.accept("true")) {
    return c;
  }
  c.what = condition::kind::compare;
  c.left = side(in, t);
  const auto comparison = comparison_at(in);
  if (!comparison) {
    in.fail("a comparison: '==', '!=', '<', '<=', '>' or '>='");
  }
  in.take();
  c.comparison = *comparison;
  c.right = side(in, t);
  return c;
}

condition conjunction(cursor& in, test& t, int depth) {
  condition c = primary(in, t, depth);
  if (!in.at("/\\") && !in.at("&&")) {
    return c;
  }
  condition all;
  all.what = condition::kind::conjunction;
  all.parts.push_back(std::move(c));
  while (in.accept("/\\") || in.accept("&&")) {
    all.parts.push_back(primary(in, t, depth));
  }
  return all;
}

condition disjunction(cursor& in, test& t, int depth) {
  condition c = conjunction(in, t, depth);
  if (!in.at("\\/") && !in.at("||")) {
    return c;
  }
  condition any;
  any.what = condition::kind::disjunction;
  any.parts.push_back(std::move(c));
  while (in.accept("\\/") || in.accept("||")) {
    any.parts.push_back(conjunction(in, t, depth));
  }
  return any;
}

void read_expectation(cursor& in, test& t) {
  expectation e;
  e.at = in.peek().at;
  const token model = in.word("a model: 'ptx', 'ptx-values' or 'sc'");
  e.model = model.text;
  if (in.at("-") && in.peek(1).text == "values") {
    in.accept("-");
    in.accept("values");
    e.model += "-values";
  }
  if (e.model != "ptx" && e.model != "ptx-values" && e.model != "sc") {
    cursor::fail(model.at,
                 fmt::format("expected a model, 'ptx', 'ptx-values' or 'sc', found '{}'", e.model));
  }
  in.accept(":");
  bool any = false;
  for (;; any = true) {
    const token word = in.peek();
    const bool not_always = in.at("not") && in.peek(1).text == "-" && in.peek(2).text == "always";
    const bool race_free = in.at("race") && in.peek(1).text == "-" && in.peek(2).text == "free";
    const bool may_hang = in.at("may") && in.peek(1).text == "-" && in.peek(2).text == "hang";
    const bool of_forall = not_always || in.at("always");
    if (of_forall || in.at("allowed") || in.at("forbidden")) {
      if (t.wanted == quantifier::none) {
        cursor::fail(
            word.at,
            fmt::format("'{}' is about a condition, and there is none before it", word.text));
      }
      if (of_forall != (t.wanted == quantifier::forall)) {
        cursor::fail(word.at,
                     t.wanted == quantifier::forall
                         ? "expected 'always' or 'not-always' of a 'forall' condition"
                         : "expected 'allowed' or 'forbidden' of an 'exists' condition");
      }
      e.holds = !not_always && !in.at("forbidden");
    } else if (in.at("race")) {
      e.race_free = race_free;
    } else if (may_hang || in.at("terminates")) {
      e.terminates = !may_hang;
    } else {
      break;
    }
    const int words = not_always || race_free || may_hang ? 3 : 1;
    for (int i = 0; i < words; ++i) {
      in.take();
    }
    in.accept(",");
  }
  if (!any) {
    in.fail(
        "what the model says: 'allowed', 'forbidden', 'always', 'not-always', 'race', 'race-free', "
        "'terminates' or 'may-hang'");
  }
  in.accept(";");
  t.expectations.push_back(std::move(e));
}

} // namespace

void read_final(cursor& in, test& t) {
  while (!in.at_end()) {
    const token first = in.peek();
    if (in.accept("locations")) {
      in.expect("[", "before the variables to show");
      while (!in.accept("]")) {
        t.shown.push_back(variable(in, t));
        if (!in.at("]")) {
          in.expect(";", "between the variables to show");
        }
      }
      continue;
    }
    if (in.accept("expect")) {
      read_expectation(in, t);
      continue;
    }
    if (in.accept("filter")) {
      t.filter = disjunction(in, t, 0);
      in.accept(";");
      continue;
    }
    quantifier q = quantifier::none;
    if (in.at("exists")) {
      q = quantifier::exists;
    } else if (in.at("forall")) {
      q = quantifier::forall;
    } else if ((in.at("~") || in.at("not")) && in.peek(1).text == "exists") {
      q = quantifier::not_exists;
    } else {
      in.fail("'exists', '~exists', 'forall', 'filter', 'locations' or 'expect'");
    }
    if (t.wanted != quantifier::none) {
      cursor::fail(first.at, "a test has one condition, and this is the second");
    }
    for (int i = q == quantifier::not_exists ? 2 : 1; i > 0; --i) {
      in.take();
    }
    const token begin = in.peek();
    t.wanted = q;
    t.final = disjunction(in, t, 0);
    t.condition_text = in.since(begin);
    in.accept(";");
  }
}

void place_locations(test& t) {
  std::uint64_t next = 0x1000;
  for (location& l : t.locations) {
    l.address = next;
    next += (l.type.size * l.initial.size() + 0xFF) / 0x100 * 0x100;
  }
}

} // namespace tilesim::memmodel::litmus
