// Reads tile litmus tests: the project's own format, with the operations of cuda::tiles on several
// elements.
//
//   TILE name
//   "comment"
//   { int data[4] = 0; int flag = 0; }
//   P0 @ block 0, device 0:
//     store data[0:4], {1, 2, 3, 4}
//     atomic_store.release.device flag, 1
//   P1 @ block 1, device 0:
//     f = atomic_load.acquire.device flag
//     if f == 1 { t = load data[0:4] }
//   exists (P1:f == 1 /\ P1:t[3] == 0)
//   expect ptx: forbidden, race-free
//
// One file in spite of its length: one grammar, a function a rule.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/reader.hpp"
#include "memmodel/litmus/text.hpp"
#include "memmodel/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tilesim::memmodel::litmus {
namespace {

constexpr int deepest = 50;         // blocks within each other
constexpr std::size_t largest = 64; // elements of a tile

binary opposite(binary comparison) {
  switch (comparison) {
  case binary::eq:
    return binary::ne;
  case binary::ne:
    return binary::eq;
  case binary::lt:
    return binary::ge;
  case binary::ge:
    return binary::lt;
  case binary::gt:
    return binary::le;
  default:
    return binary::gt;
  }
}

class tile_reader {
public:
  explicit tile_reader(std::string_view text)
      : text_(text)
      , in_(text_, tokens_of(text_)) {}

  test read() {
    header();
    variables();
    do {
      read_thread();
    } while (in_.peek(1).text == "@");
    place_locations(test_);
    read_final(in_, test_);
    for (thread& t : test_.threads) {
      t.initial.resize(t.registers.size(), std::vector<value>{0});
    }
    return std::move(test_);
  }

private:
  void header() {
    in_.take(); // TILE
    // A name may hold any sign but blanks and '{'; comments behind it are no tokens.
    const auto begin = text_.find_first_not_of(
        " \t\r", in_.peek(0).what == token::kind::end ? text_.size() : word_end());
    const auto end =
        begin == std::string_view::npos ? begin : text_.find_first_of(" \t\r\n{", begin);
    if (begin == std::string_view::npos || begin == end || text_[begin] == '\n') {
      cursor::fail(position_of(text_, word_end()), "expected the test's name behind 'TILE'");
    }
    test_.name = text_.substr(begin, end == std::string_view::npos ? end : end - begin);
    const auto quote = text_.find('"');
    const auto brace = text_.find('{');
    if (quote < brace) {
      const auto close = text_.find('"', quote + 1);
      test_.comment = text_.substr(quote + 1, close - quote - 1);
    }
    while (!in_.at_end() && in_.peek().offset < std::min(end, text_.size())) {
      in_.take();
    }
  }
  [[nodiscard]] std::size_t word_end() const { return text_.find_first_not_of(" \t\r\n") + 4; }

  // --- { int data[4] = {1, 2, 3, 4}; int flag = 0; }

  void variables() {
    in_.expect("{", "before the variables");
    while (!in_.accept("}")) {
      if (in_.accept(";")) {
        continue;
      }
      variable();
      if (!in_.at("}")) {
        in_.expect(";", "behind a variable");
      }
    }
  }

  void variable() {
    const token type = in_.word("a type: int, unsigned, char, short, long, or u8 to s64");
    location l;
    const auto named = type_named(type.text);
    if (!named) {
      cursor::fail(
          type.at,
          fmt::format("'{}' is no type; there are int, unsigned, char, short, long, and u8 to s64",
                      type.text));
    }
    l.type = *named;
    const token name = in_.word("the variable's name");
    l.name = name.text;
    if (std::ranges::find(test_.locations, l.name, &location::name) != test_.locations.end()) {
      cursor::fail(name.at, fmt::format("'{}' is declared already", l.name));
    }
    std::size_t n = 1;
    if (in_.accept("[")) {
      const position at = in_.peek().at;
      const value length = in_.number("the number of elements");
      if (length < 1 || length > static_cast<value>(largest)) {
        cursor::fail(
            at, fmt::format("an array of {} elements; a litmus test has 1 to {}", length, largest));
      }
      n = static_cast<std::size_t>(length);
      l.array = true;
      in_.expect("]", "behind the number of elements");
    }
    l.initial.assign(n, 0);
    if (in_.accept("=")) {
      if (in_.at("{")) {
        const position at = in_.peek().at;
        l.initial = list("an initial value");
        if (l.initial.size() != n) {
          cursor::fail(at,
                       fmt::format("{} initial values for '{}', which has {} elements",
                                   l.initial.size(),
                                   l.name,
                                   n));
        }
      } else {
        std::ranges::fill(l.initial, in_.number("an initial value"));
      }
    }
    test_.locations.push_back(std::move(l));
  }

  std::vector<value> list(std::string_view what) {
    std::vector<value> values;
    in_.expect("{", "before the values");
    do {
      if (values.size() == largest) {
        in_.fail(fmt::format("'}}': a tile has at most {} elements", largest));
      }
      values.push_back(in_.number(what));
    } while (in_.accept(","));
    in_.expect("}", "or ',' behind a value");
    return values;
  }

  // --- P0 @ block 0, device 0: statements

  void read_thread() {
    const std::string expected = fmt::format("P{}", test_.threads.size());
    const token name = in_.word(
        fmt::format("thread '{}' and its place, as '{} @ block 0, device 0:'", expected, expected));
    if (name.text != expected) {
      cursor::fail(name.at, fmt::format("expected thread '{}', found '{}'", expected, name.text));
    }
    in_.expect("@", fmt::format("and the place of {}, as '@ block 0, device 0:'", expected));
    test_.threads.emplace_back();
    thread_ = &test_.threads.back();
    thread_->name = name.text;
    thread_->place = thread_place();
    in_.expect(":", "or ',' behind the place of the thread");
    statements(0);
  }

  place thread_place() {
    return read_thread_place(
        in_, "'block', 'device' or 'host'", [](place& p, std::string_view level, std::int32_t id) {
          if (level == "block") {
            p.cta = p.cluster = id; // a block is a cluster of its own
          } else if (level == "device") {
            p.gpu = id;
          } else {
            return false;
          }
          return true;
        });
  }

  [[nodiscard]] bool at_statement() const {
    const token& t = in_.peek();
    if (t.what != token::kind::word || in_.peek(1).text == "@") {
      return false;
    }
    return t.text == "load" || t.text == "store" || t.text == "if" || t.text == "do" ||
           t.text == "while" || t.text.starts_with("atomic_") || in_.peek(1).text == "=";
  }

  void statements(int depth) {
    if (depth > deepest) {
      in_.fail(fmt::format("at most {} blocks within each other", deepest));
    }
    while (at_statement()) {
      statement(depth);
      in_.accept(";");
    }
  }

  void block(int depth) {
    in_.expect("{", "before the statements");
    statements(depth + 1);
    in_.expect("}", "or a statement");
  }

  void statement(int depth) {
    const token first = in_.peek();
    if (in_.accept("if")) {
      return read_if(first, depth);
    }
    if (in_.accept("do")) {
      return read_do(depth);
    }
    if (in_.accept("while")) {
      return read_while(first, depth);
    }
    instruction i;
    if (in_.peek(1).text == "=") {
      const token name = in_.take();
      in_.take();
      const std::size_t width = right_side(i);
      i.dst = {destination(name, width)};
    } else {
      operation(i, false);
    }
    emit(std::move(i), first);
  }

  void emit(instruction i, const token& first) {
    i.at = first.at;
    i.text = in_.since(first);
    thread_->code.push_back(std::move(i));
  }

  /// A register keeps the number of elements that it first got.
  std::uint32_t destination(const token& name, std::size_t width) {
    if (std::ranges::find(test_.locations, name.text, &location::name) != test_.locations.end()) {
      cursor::fail(name.at,
                   fmt::format("'{0}' is a variable in memory; write 'store {0}, …'", name.text));
    }
    const bool known = std::ranges::find(thread_->registers, name.text) != thread_->registers.end();
    const std::uint32_t reg = register_named(*thread_, name.text);
    if (known && thread_->widths[reg] != width) {
      cursor::fail(name.at,
                   fmt::format("'{}' has {} elements, and here it would get {}",
                               name.text,
                               thread_->widths[reg],
                               width));
    }
    thread_->widths[reg] = static_cast<std::uint32_t>(width);
    thread_->initial.resize(thread_->registers.size(), std::vector<value>{0});
    thread_->initial[reg].resize(width, 0);
    return reg;
  }

  // --- Branches.

  struct comparison {
    binary op = binary::eq;
    operand a, b;
  };

  comparison read_comparison() {
    comparison c;
    const position at = in_.peek().at;
    c.a = read_operand("what to compare");
    const auto sign = comparison_named(in_.peek().text);
    if (!sign) {
      in_.fail("a comparison: '==', '!=', '<', '<=', '>' or '>='");
    }
    in_.take();
    c.op = *sign;
    c.b = read_operand("what to compare with");
    if (width(c.a) != 1 || width(c.b) != 1) {
      cursor::fail(at, "a condition compares single elements: load the one that it is about");
    }
    return c;
  }

  std::size_t branch(const comparison& c, binary op, const token& first) {
    instruction i;
    i.op = opcode::branch;
    i.operation = op;
    i.a = c.a;
    i.b = c.b;
    emit(std::move(i), first);
    return thread_->code.size() - 1;
  }
  std::size_t jump(const token& first) {
    comparison always;
    always.a.constants = {0};
    always.b.constants = {0};
    return branch(always, binary::eq, first);
  }
  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(thread_->code.size());
  }

  void read_if(const token& first, int depth) {
    const comparison c = read_comparison();
    const std::size_t skip = branch(c, opposite(c.op), first);
    block(depth);
    if (in_.at("else")) {
      const token other = in_.take();
      const std::size_t out = jump(other);
      thread_->code[skip].target = here();
      block(depth);
      thread_->code[out].target = here();
    } else {
      thread_->code[skip].target = here();
    }
  }

  void read_do(int depth) {
    const std::uint32_t begin = here();
    block(depth);
    const token last = in_.expect("while", "and a condition behind the block of 'do'");
    const comparison c = read_comparison();
    thread_->code[branch(c, c.op, last)].target = begin;
  }

  /// `while` is `if` around `do`: at bound 1 its body is run once at most, and its condition asked
  /// twice.
  void read_while(const token& first, int depth) {
    const comparison c = read_comparison();
    const std::size_t skip = branch(c, opposite(c.op), first);
    const std::uint32_t begin = here();
    block(depth);
    thread_->code[branch(c, c.op, first)].target = begin;
    thread_->code[skip].target = here();
  }

  // --- Operations.

  static std::optional<binary> binary_named(std::string_view sign) {
    static const std::map<std::string_view, binary> signs{{"+", binary::add},
                                                          {"-", binary::sub},
                                                          {"*", binary::mul},
                                                          {"/", binary::div},
                                                          {"%", binary::rem},
                                                          {"&", binary::bit_and},
                                                          {"|", binary::bit_or},
                                                          {"^", binary::bit_xor}};
    const auto found = signs.find(sign);
    return found == signs.end() ? comparison_named(sign) : std::optional(found->second);
  }

  /// What stands behind `t =`; returns the number of elements.
  std::size_t right_side(instruction& i) {
    if (in_.at("load") || in_.at("store") || in_.peek().text.starts_with("atomic_")) {
      return operation(i, true);
    }
    i.op = opcode::compute;
    i.a = read_operand("a load, an atomic, a register, a number or '{'");
    const auto sign = binary_named(in_.peek().text);
    if (!sign) {
      i.operation = binary::left;
      i.b.constants = {0};
      return width(i.a);
    }
    const token at = in_.take();
    i.operation = *sign;
    i.b = read_operand("the right operand");
    const std::size_t a = width(i.a);
    const std::size_t b = width(i.b);
    if (a != b && a != 1 && b != 1) {
      cursor::fail(at.at, fmt::format("the operands have {} and {} elements", a, b));
    }
    return std::max(a, b);
  }

  std::size_t operation(instruction& i, bool result) {
    const token name = in_.word("an operation");
    if (name.text == "load" || name.text == "store") {
      i.op = name.text == "load" ? opcode::load : opcode::store;
    } else {
      atomic(i, name);
    }
    if (result && i.op == opcode::store) {
      cursor::fail(name.at, fmt::format("'{}' has no result", name.text));
    }
    if (!result && i.op == opcode::load) {
      cursor::fail(name.at,
                   fmt::format("the result of '{0}' goes nowhere; write 't = {0} …'", name.text));
    }
    const std::size_t n = address(i);
    if (i.op != opcode::load) {
      in_.expect(",", "behind the address");
      i.a = wide(n, i.compare_exchange ? "the comparison value" : "the value");
    }
    if (i.compare_exchange) {
      in_.expect(",", "behind the comparison value");
      i.b = wide(n, "the new value");
    }
    if (in_.accept("mask")) {
      i.mask = wide(n, "the mask");
    }
    if (const token pad = in_.peek(); in_.accept("pad")) {
      if (i.op != opcode::load) {
        cursor::fail(pad.at, "only loads have padding");
      }
      i.pad = wide(n, "the padding");
    }
    return n;
  }

  void atomic(instruction& i, const token& name) {
    static const std::map<std::string_view, binary> operations{{"atomic_add", binary::add},
                                                               {"atomic_sub", binary::sub},
                                                               {"atomic_and", binary::bit_and},
                                                               {"atomic_or", binary::bit_or},
                                                               {"atomic_xor", binary::bit_xor},
                                                               {"atomic_max", binary::max},
                                                               {"atomic_min", binary::min},
                                                               {"atomic_xchg", binary::exchange}};
    if (name.text == "atomic_load") {
      i.op = opcode::load;
    } else if (name.text == "atomic_store") {
      i.op = opcode::store;
    } else if (name.text == "atomic_compare_exchange") {
      i.op = opcode::rmw;
      i.compare_exchange = true;
      i.writes_on_failure = true; // [memory operations: atomic_compare_exchange]
    } else if (const auto op = operations.find(name.text); op != operations.end()) {
      i.op = opcode::rmw;
      i.operation = op->second;
    } else {
      cursor::fail(
          name.at,
          fmt::format(
              "'{}' is no operation; there are load, store, atomic_load, atomic_store, atomic_add, "
              "_sub, _and, _or, _xor, _max, _min, _xchg and _compare_exchange",
              name.text));
    }
    order_and_scope(i, name);
  }

  void order_and_scope(instruction& i, const token& name) {
    in_.expect(".", fmt::format("and an order behind '{}'", name.text));
    const token order = in_.word("an order: relaxed, acquire, release or acq_rel");
    const auto o = with_word(order.text,
                             cpp_word,
                             {memory_order::relaxed,
                              memory_order::acquire,
                              memory_order::release,
                              memory_order::acq_rel});
    const bool reads = i.op != opcode::store;
    const bool writes = i.op != opcode::load;
    const bool known = o &&
                       (reads || (*o != memory_order::acquire && *o != memory_order::acq_rel)) &&
                       (writes || (*o != memory_order::release && *o != memory_order::acq_rel));
    if (!known) {
      cursor::fail(order.at,
                   fmt::format("'{}' is no order of '{}', which takes relaxed{}{}{}",
                               order.text,
                               name.text,
                               reads ? ", acquire" : "",
                               writes ? ", release" : "",
                               reads && writes ? ", acq_rel" : ""));
    }
    i.order = *o;
    i.scope = scope::sys; // [general principles: default_thread_scope]
    if (in_.accept(".")) {
      const token s = in_.word("a scope: block, device or system");
      const auto found = with_word(s.text, cpp_word, {scope::cta, scope::gpu, scope::sys});
      if (!found) {
        cursor::fail(s.at,
                     fmt::format("'{}' is no scope; there are block, device and system", s.text));
      }
      i.scope = *found;
    }
  }

  // --- Operands.

  /// `x`, `data`, `data[2]`, `data[0:4]`, `data[0, 1, 1, 3]`, `data[t]`; returns the number of
  /// elements.
  std::size_t address(instruction& i) {
    const token name = in_.word("a variable");
    const auto found = std::ranges::find(test_.locations, name.text, &location::name);
    if (found == test_.locations.end()) {
      cursor::fail(name.at, fmt::format("'{}' is no variable", name.text));
    }
    i.address.location = static_cast<std::uint32_t>(found - test_.locations.begin());
    i.address.stride = found->type.size;
    i.type = found->type;
    operand& index = i.address.index;
    if (!in_.at("[")) {
      for (std::size_t e = 0; e < found->initial.size(); ++e) {
        index.constants.push_back(static_cast<value>(e));
      }
      return index.constants.size();
    }
    in_.take();
    if (in_.peek().what == token::kind::word) {
      index = read_operand("elements");
    } else {
      index.constants = elements(*found);
    }
    in_.expect("]", "or ',' behind an element");
    return width(index);
  }

  std::vector<value> elements(const location& l) {
    std::vector<value> out;
    const auto n = static_cast<value>(l.initial.size());
    const auto element = [&](value most) {
      const position at = in_.peek().at;
      const value e = in_.number("an element");
      if (e < 0 || e > most) {
        cursor::fail(at, fmt::format("'{}' has no element {}; it has {}", l.name, e, n));
      }
      return e;
    };
    const value first = element(n - 1);
    if (in_.accept(":")) {
      const position at = in_.peek().at;
      const value end = element(n);
      if (end <= first) {
        cursor::fail(at, fmt::format("elements {} to {}: none", first, end));
      }
      for (value e = first; e < end; ++e) {
        out.push_back(e);
      }
      return out;
    }
    out.push_back(first);
    while (in_.accept(",")) {
      if (out.size() == largest) {
        in_.fail(fmt::format("']': a tile has at most {} elements", largest));
      }
      out.push_back(element(n - 1));
    }
    return out;
  }

  operand read_operand(std::string_view what) {
    operand o;
    if (in_.at_number()) {
      o.constants = {in_.number("a number")};
    } else if (in_.at("{")) {
      o.constants = list("a number");
    } else if (in_.peek().what == token::kind::word) {
      const token name = in_.take();
      const auto found = std::ranges::find(thread_->registers, name.text);
      if (found == thread_->registers.end()) {
        cursor::fail(
            name.at,
            std::ranges::find(test_.locations, name.text, &location::name) != test_.locations.end()
                ? fmt::format("'{}' is in memory; load it into a register first", name.text)
                : fmt::format("'{}' has no value yet", name.text));
      }
      o.reg = static_cast<std::uint32_t>(found - thread_->registers.begin());
    } else {
      in_.fail(what);
    }
    return o;
  }

  [[nodiscard]] std::size_t width(const operand& o) const {
    return o.reg ? thread_->widths[*o.reg] : o.constants.size();
  }

  operand wide(std::size_t n, std::string_view what) {
    const position at = in_.peek().at;
    operand o = read_operand(what);
    if (const std::size_t w = width(o); w != 1 && w != n) {
      cursor::fail(at, fmt::format("{} has {} elements, the operation {}", what, w, n));
    }
    return o;
  }

  std::string_view text_;
  cursor in_;
  test test_;
  thread* thread_ = nullptr;
};

} // namespace

test read_tile(std::string_view text) {
  return tile_reader(text).read();
}

} // namespace tilesim::memmodel::litmus
