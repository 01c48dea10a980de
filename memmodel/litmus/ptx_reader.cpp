// Reads PTX litmus tests in the published format (that of Dat3M's suite), and what the format lacks
// of PTX: clusters, types, vectors, offsets, pointers, volatile accesses and membar.
//
//   PTX name
//   "comment"
//   { x=0; P0:r1=0; }
//    P0@cta 0,gpu 0      | P1@cta 1,gpu 0      ;
//    st.weak x, 1        | ld.acquire.gpu r0, y ;
//    st.release.gpu y, 1 | ld.weak r1, x       ;
//   exists (P1:r0 == 1 /\ P1:r1 == 0)
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/reader.hpp"
#include "memmodel/litmus/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace tilesim::memmodel::litmus {
namespace {

/// What stands between the dots behind a mnemonic.
struct modifiers {
  std::optional<memory_order> order;
  std::optional<memmodel::scope> scope;
  std::optional<element_type> type;
  std::optional<binary> operation;
  std::optional<std::uint32_t> vector;
  std::optional<bool> waits; ///< .sync, or .arrive
  bool compare_exchange = false;
  bool of_system = false; ///< .volatile and .mmio

  [[nodiscard]] std::uint32_t elements() const { return vector.value_or(1); }
};

struct pending_branch {
  std::size_t instruction;
  token label;
};

constexpr std::array<std::string_view, 6> proxy_mnemonics{
    "tld", "suld", "cold", "sust", "suatom", "sured"};

class ptx_reader {
public:
  explicit ptx_reader(std::string_view text)
      : text_(without_header(text))
      , in_(text_, tokens_of(text_)) {
    test_.name = name_;
    test_.comment = comment_;
  }

  test read() {
    initial_values();
    threads();
    while (!at_final())
      row();
    for (std::size_t p = 0; p < test_.threads.size(); ++p)
      resolve(p);
    read_final(in_, test_);
    for (thread& t : test_.threads)
      t.initial.resize(t.registers.size(), std::vector<value>{0});
    place_locations(test_);
    // Initial values that are addresses: only now have locations one.
    for (const auto& [p, reg, l] : pointers_)
      test_.threads[p].initial[reg] = {static_cast<value>(test_.locations[l].address)};
    for (const auto& [from, l] : pointer_cells_)
      test_.locations[from].initial.front() = static_cast<value>(test_.locations[l].address);
    return std::move(test_);
  }

private:
  // --- Header: the first line names the test; free text follows up to the brace.

  std::string without_header(std::string_view text) {
    std::size_t i = 0;
    std::size_t quote = std::string_view::npos; // where the open comment begins
    for (; i < text.size() && (quote != std::string_view::npos || text[i] != '{'); ++i)
      if (text[i] == '"')
        quote = quote == std::string_view::npos ? i : std::string_view::npos;
    if (quote != std::string_view::npos)
      throw syntax_error{position_of(text, quote), "a comment in double quotes is not closed"};
    if (i == text.size())
      throw syntax_error{position_of(text, i),
                         "expected '{' and the initial values, found the end of the file"};
    const std::string_view header = text.substr(0, i);
    const auto word = header.find_first_not_of(" \t\r\n");
    const std::string_view rest = header.substr(word);
    const auto line = rest.substr(0, std::min(rest.find('\n'), rest.size()));
    std::string_view name = line.substr(3);
    name = name.substr(std::min(name.find_first_not_of(" \t"), name.size()));
    while (!name.empty() && (name.back() == '\r' || name.back() == ' ' || name.back() == '\t'))
      name.remove_suffix(1);
    name_ = name;
    if (name_.empty())
      throw syntax_error{position_of(text, word + 3), "expected the test's name behind 'PTX'"};
    std::string_view comment = rest.substr(line.size());
    for (const char c : comment)
      if (c != '"' && c != '\r')
        comment_ += c;
    comment_.erase(0, comment_.find_first_not_of(" \n\t"));
    while (!comment_.empty() && (comment_.back() == '\n' || comment_.back() == ' '))
      comment_.pop_back();
    std::string blanked(text);
    for (std::size_t k = 0; k < i; ++k)
      if (blanked[k] != '\n')
        blanked[k] = ' ';
    return blanked;
  }

  // --- { x=0; u32 y[4]=0; P0:r1=1; P0:r2=&x; }

  void initial_values() {
    in_.expect("{", "before the initial values");
    while (!in_.accept("}")) {
      if (in_.accept(";"))
        continue;
      initial_value();
      if (!in_.at("}"))
        in_.expect(";", "behind an initial value");
    }
    in_.accept(";");
  }

  void initial_value() {
    const token first = in_.peek();
    if (in_.peek(1).text == ":") {
      early_register();
      return;
    }
    element_type type;
    if (const auto named = type_named(first.text); named && in_.peek(1).what == token::kind::word) {
      type = *named;
      in_.take();
    }
    const token name = in_.word("a variable, a register as 'P0:r0', or '}'");
    if (in_.at("@"))
      proxies(name.at);
    location l;
    l.name = name.text;
    l.type = type;
    value n = 1;
    if (in_.accept("[")) {
      const position at = in_.peek().at;
      n = in_.number("the number of elements");
      if (n < 1 || n > 64)
        cursor::fail(at, fmt::format("an array of {} elements; a litmus test has 1 to 64", n));
      l.array = true;
      in_.expect("]", "behind the number of elements");
    }
    if (std::ranges::find(test_.locations, l.name, &location::name) != test_.locations.end())
      cursor::fail(name.at, fmt::format("'{}' has an initial value already", l.name));
    l.initial.assign(static_cast<std::size_t>(n), 0);
    if (in_.accept("="))
      location_value(l);
    test_.locations.push_back(std::move(l));
  }

  void location_value(location& l) {
    if (in_.accept("{")) {
      for (std::size_t i = 0; i < l.initial.size(); ++i) {
        if (i != 0)
          in_.expect(",", fmt::format("between the {} values of '{}'", l.initial.size(), l.name));
        l.initial[i] = in_.number("a number");
      }
      in_.expect("}", fmt::format("behind the {} values of '{}'", l.initial.size(), l.name));
      return;
    }
    if (in_.at_number()) {
      std::ranges::fill(l.initial, in_.number("a number"));
      return;
    }
    in_.accept("&");
    const token target = in_.word("a number, or a variable whose address it is");
    pointer_cells_.emplace_back(test_.locations.size(), location_named(target.text));
  }

  /// Threads are declared after the initial values, so their registers are kept until then.
  void early_register() {
    const token p = in_.take();
    in_.take();
    in_.accept("%");
    const token reg = in_.word("a register");
    in_.expect("=", "behind the register");
    early e{p, std::string(reg.text), 0, std::nullopt};
    if (in_.at_number()) {
      e.number = in_.number("a number");
    } else {
      in_.accept("&");
      e.target = in_.word("a number, or a variable whose address it is");
    }
    early_.push_back(std::move(e));
  }

  [[noreturn]] static void proxies(const position& at) {
    cursor::fail(at,
                 "proxies are not modelled: only generic accesses are (no texture, surface, "
                 "constant or alias "
                 "proxy, no proxy fence)");
  }

  // --- P0@cta 0,gpu 0 | P1@cta 0,cluster 1,gpu 0 | P2@host ;

  void threads() {
    do {
      const token name = in_.word("a thread as 'P0@cta 0,gpu 0'");
      const std::string expected = fmt::format("P{}", test_.threads.size());
      if (name.text != expected)
        cursor::fail(name.at, fmt::format("expected thread '{}', found '{}'", expected, name.text));
      thread t;
      t.name = name.text;
      in_.expect("@", "and the place of the thread, as 'P0@cta 0,gpu 0'");
      t.place = place_of_thread();
      test_.threads.push_back(std::move(t));
    } while (in_.accept("|"));
    in_.expect(";", "or '|' behind a thread's place");
    labels_.resize(test_.threads.size());
    branches_.resize(test_.threads.size());
    for (const early& e : early_)
      set_register(e);
  }

  place place_of_thread() {
    place p;
    if (in_.accept("host")) {
      p.gpu = place::host;
      return p;
    }
    bool cluster = false;
    do {
      const token level = in_.word("'cta', 'cluster', 'gpu' or 'host'");
      const value n = in_.number(fmt::format("the number of the {}", level.text));
      if (n < 0 || n > 1'000'000)
        cursor::fail(level.at, fmt::format("{} {} is out of range: 0 to 1000000", level.text, n));
      const auto id = static_cast<std::int32_t>(n);
      if (level.text == "cta")
        p.cta = id;
      else if (level.text == "gpu")
        p.gpu = id;
      else if (level.text == "cluster")
        p.cluster = id, cluster = true;
      else
        cursor::fail(
            level.at,
            fmt::format("expected 'cta', 'cluster', 'gpu' or 'host', found '{}'", level.text));
    } while (in_.accept(","));
    // Without clusters in the launch every block is a cluster of its own.  [PTX: cluster of CTAs]
    if (!cluster)
      p.cluster = -1 - p.cta;
    return p;
  }

  struct early {
    token thread;
    std::string reg;
    value number;
    std::optional<token> target;
  };

  void set_register(const early& e) {
    const std::string name = e.thread.what == token::kind::number
                                 ? fmt::format("P{}", e.thread.text)
                                 : std::string(e.thread.text);
    const auto found = std::ranges::find(test_.threads, name, &thread::name);
    if (found == test_.threads.end())
      cursor::fail(e.thread.at, fmt::format("there is no thread '{}'", name));
    const std::uint32_t reg = register_named(*found, e.reg);
    found->initial.resize(found->registers.size(), std::vector<value>{0});
    found->initial[reg] = {e.number};
    if (e.target)
      pointers_.emplace_back(found - test_.threads.begin(), reg, location_named(e.target->text));
  }

  // --- Rows: an instruction of each thread.

  [[nodiscard]] bool at_final() const {
    static constexpr std::array words{
        "exists", "forall", "filter", "locations", "expect", "~", "not"};
    return in_.at_end() || std::ranges::any_of(words, [&](const char* w) {
             // `not` is an instruction's name as well; a condition says `not exists`.
             return in_.at(w) && (in_.peek().text != "not" || in_.peek(1).text == "exists");
           });
  }

  void row() {
    const position begin = in_.peek().at;
    for (std::size_t p = 0;; ++p) {
      if (p >= test_.threads.size())
        cursor::fail(
            begin,
            fmt::format("a row of more than {} cells, one for each thread", test_.threads.size()));
      cell(p);
      if (in_.at(";") && p + 1 < test_.threads.size())
        cursor::fail(begin,
                     fmt::format("a row of {} cells, and there are {} threads: write '|' between "
                                 "the cells, empty ones too",
                                 p + 1,
                                 test_.threads.size()));
      if (in_.accept(";"))
        return;
      if (!in_.accept("|"))
        in_.fail("'|' or ';' behind an instruction");
    }
  }

  void cell(std::size_t p) {
    if (in_.peek().what == token::kind::word && in_.peek(1).text == ":") {
      const token label = in_.take();
      in_.take();
      if (!labels_[p].emplace(label.text, test_.threads[p].code.size()).second)
        cursor::fail(
            label.at,
            fmt::format("label '{}' stands in {} twice", label.text, test_.threads[p].name));
    }
    if (in_.at("|") || in_.at(";"))
      return;
    if (in_.at("{") || in_.at("@"))
      in_.fail("an instruction (predicates are written as branches)");
    const token first = in_.peek();
    thread_ = &test_.threads[p];
    at_ = p;
    instruction i = read_instruction();
    i.at = first.at;
    i.text = in_.since(first);
    thread_->code.push_back(std::move(i));
  }

  void resolve(std::size_t p) {
    for (const pending_branch& b : branches_[p]) {
      const auto found = labels_[p].find(std::string(b.label.text));
      if (found == labels_[p].end())
        cursor::fail(b.label.at,
                     fmt::format("{} has no label '{}'", test_.threads[p].name, b.label.text));
      test_.threads[p].code[b.instruction].target = static_cast<std::uint32_t>(found->second);
    }
  }

  instruction read_instruction() {
    const token name = in_.word("an instruction");
    if (std::ranges::find(proxy_mnemonics, name.text) != proxy_mnemonics.end())
      proxies(name.at);
    if (name.text == "goto" || name.text == "bra")
      return jump();
    if (const auto c = branch_condition(name.text))
      return branch(*c);
    if (name.text == "membar")
      return membar();
    const modifiers m = read_modifiers(name.text);
    if (name.text == "ld")
      return load(name, m);
    if (name.text == "st")
      return store(name, m);
    if (name.text == "atom" || name.text == "red")
      return atomic(name, m);
    if (name.text == "fence")
      return fence(name, m);
    if (name.text == "bar" || name.text == "barrier")
      return barrier(name, m);
    if (name.text == "mov")
      return move(m);
    if (const auto op = arithmetic(name.text))
      return compute(*op, m);
    cursor::fail(
        name.at,
        fmt::format(
            "'{}' is no instruction of the format; it has ld, st, atom, red, fence, membar, bar, "
            "mov, add, sub, mul, div, rem, and, or, xor, min, max, goto and beq, bne, blt, ble, "
            "bgt, bge",
            name.text));
  }

  static std::optional<binary> branch_condition(std::string_view name) {
    static const std::map<std::string_view, binary> all{{"beq", binary::eq},
                                                        {"bne", binary::ne},
                                                        {"blt", binary::lt},
                                                        {"ble", binary::le},
                                                        {"bgt", binary::gt},
                                                        {"bge", binary::ge}};
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  }
  static std::optional<binary> arithmetic(std::string_view name) {
    static const std::map<std::string_view, binary> all{{"add", binary::add},
                                                        {"sub", binary::sub},
                                                        {"mul", binary::mul},
                                                        {"div", binary::div},
                                                        {"rem", binary::rem},
                                                        {"and", binary::bit_and},
                                                        {"or", binary::bit_or},
                                                        {"xor", binary::bit_xor},
                                                        {"min", binary::min},
                                                        {"max", binary::max}};
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  }

  // --- Modifiers.

  /// Which kinds of modifiers an instruction has.
  struct allowed_modifiers {
    bool order, scope, type, vector, operation, barrier;
  };
  static allowed_modifiers modifiers_of(std::string_view mnemonic) {
    if (mnemonic == "ld" || mnemonic == "st")
      return {true, true, true, true, false, false};
    if (mnemonic == "atom" || mnemonic == "red")
      return {true, true, true, true, true, false};
    if (mnemonic == "fence")
      return {true, true, false, false, false, false};
    if (mnemonic == "bar" || mnemonic == "barrier")
      return {false, true, false, false, false, true};
    return {false, false, true, false, false, false};
  }

  /// Sets what a modifier says, unless another one has said it.
  template <class T>
  static void once(std::optional<T>& said, const T& value, const token& t, std::string_view kind) {
    if (said)
      cursor::fail(t.at, fmt::format("'.{}' is a second {}", t.text, kind));
    said = value;
  }

  modifiers read_modifiers(std::string_view mnemonic) {
    static const std::map<std::string_view, memory_order> orders{{"weak", memory_order::weak},
                                                                 {"relaxed", memory_order::relaxed},
                                                                 {"acquire", memory_order::acquire},
                                                                 {"release", memory_order::release},
                                                                 {"acq_rel", memory_order::acq_rel},
                                                                 {"sc", memory_order::sc}};
    static const std::map<std::string_view, memmodel::scope> scopes{
        {"cta", scope::cta}, {"cluster", scope::cluster}, {"gpu", scope::gpu}, {"sys", scope::sys}};
    static const std::map<std::string_view, std::uint32_t> vectors{{"v2", 2}, {"v4", 4}, {"v8", 8}};
    const allowed_modifiers may = modifiers_of(mnemonic);
    const bool accesses = may.order && may.type;
    modifiers m;
    while (in_.accept(".")) {
      const token t = in_.word("a modifier");
      const auto order = orders.find(t.text);
      const auto s = scopes.find(t.text);
      const auto type = type_named(t.text);
      const auto v = vectors.find(t.text);
      if (may.order && order != orders.end()) {
        once(m.order, order->second, t, "order");
      } else if (may.scope && s != scopes.end()) {
        once(m.scope, s->second, t, "scope");
      } else if (may.type && type && t.text.size() <= 3) {
        once(m.type, *type, t, "type");
      } else if (may.vector && v != vectors.end()) {
        once(m.vector, v->second, t, "vector length");
      } else if (accesses && !may.operation && (t.text == "volatile" || t.text == "mmio")) {
        m.of_system = true;
      } else if (accesses && t.text == "global") {
        // The state space plays no part in the model.
      } else if (t.text == "proxy") {
        proxies(t.at);
      } else if (may.barrier && (t.text == "sync" || t.text == "arrive")) {
        once(m.waits, t.text == "sync", t, "way to come to a barrier");
      } else if (may.operation && t.text == "cas") {
        m.compare_exchange = true;
      } else if (const auto op = rmw_operation(t.text); may.operation && op) {
        once(m.operation, *op, t, "operation");
      } else {
        cursor::fail(t.at, fmt::format("'.{}' is no modifier of '{}'", t.text, mnemonic));
      }
    }
    return m;
  }
  static std::optional<binary> rmw_operation(std::string_view name) {
    if (name == "exch")
      return binary::exchange;
    if (name == "inc")
      return binary::inc;
    if (name == "dec")
      return binary::dec;
    return arithmetic(name);
  }

  static void only(const token& name,
                   memory_order o,
                   std::initializer_list<memory_order> allowed,
                   std::string_view list) {
    if (std::ranges::find(allowed, o) == allowed.end())
      cursor::fail(name.at, fmt::format("'{}' takes {}", name.text, list));
  }

  /// The order and the scope of a load or a store.  [PTX: ld, st] A weak one has no scope, and any
  /// other but a volatile one has.
  static void strength(instruction& i, const token& name, const modifiers& m) {
    if (m.of_system) { // [PTX: volatile operations] As relaxed at system scope.
      i.order = memory_order::relaxed;
      i.scope = scope::sys;
      if (m.order.value_or(i.order) != i.order || m.scope.value_or(i.scope) != i.scope)
        cursor::fail(name.at, "volatile and mmio accesses are relaxed, of system scope");
      return;
    }
    i.order = m.order.value_or(memory_order::weak);
    i.scope = m.scope.value_or(scope::sys);
    if (i.order == memory_order::weak && m.scope)
      cursor::fail(name.at, fmt::format("a weak '{}' has no scope", name.text));
    if (i.order != memory_order::weak && !m.scope)
      cursor::fail(
          name.at,
          fmt::format("a strong '{}' needs a scope: .cta, .cluster, .gpu or .sys", name.text));
  }

  // --- Operands.

  std::uint32_t location_named(std::string_view name) {
    const auto found = std::ranges::find(test_.locations, name, &location::name);
    if (found != test_.locations.end())
      return static_cast<std::uint32_t>(found - test_.locations.begin());
    // As in the published tests: a variable that the initial values leave out is zero.
    location l;
    l.name = name;
    l.initial = {0};
    test_.locations.push_back(std::move(l));
    return static_cast<std::uint32_t>(test_.locations.size() - 1);
  }

  [[nodiscard]] static bool is_register(std::string_view name) {
    return name.size() > 1 && name.front() == 'r' &&
           std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
  }
  [[nodiscard]] bool at_register() const {
    return in_.at("%") || (in_.peek().what == token::kind::word && is_register(in_.peek().text));
  }
  std::uint32_t reg() {
    in_.accept("%");
    if (in_.peek().what != token::kind::word)
      in_.fail("a register as 'r0'");
    return register_named(*thread_, in_.take().text);
  }
  operand register_or_number(std::string_view what) {
    operand o;
    if (at_register())
      o.reg = reg();
    else if (in_.at_number())
      o.constants = {in_.number("a number")};
    else
      in_.fail(fmt::format("{}: a register or a number", what));
    return o;
  }
  /// `r0`, `1`, or `{r0, 1}` for a vector of two.
  operand value_operand(std::string_view what, std::uint32_t n) {
    if (n == 1)
      return register_or_number(what);
    operand o;
    in_.expect("{", fmt::format("and {} values", n));
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i != 0)
        in_.expect(",", fmt::format("between the {} values", n));
      o.list.push_back(register_or_number(what));
    }
    in_.expect("}", fmt::format("behind the {} values", n));
    return o;
  }

  /// `x`, `x[2]`, `x+4`, `[x]`, `[x+4]`, `[r1]`, `[r1+8]`.
  void address(instruction& i, const modifiers& m) {
    const bool bracketed = in_.accept("[");
    std::optional<element_type> type = m.type;
    i.address.index.constants = {0};
    if (bracketed && at_register()) {
      i.address.pointer = reg();
    } else {
      const token name = in_.word("a variable");
      if (is_register(name.text))
        cursor::fail(name.at,
                     fmt::format("expected a variable, found register '{0}'; its target is '[{0}]'",
                                 name.text));
      i.address.location = location_named(name.text);
      const location& l = test_.locations[i.address.location];
      if (!type)
        type = l.type;
      if (in_.accept("[")) {
        const position at = in_.peek().at;
        const value e = in_.number("an element");
        if (e < 0 || static_cast<std::size_t>(e) >= l.initial.size())
          cursor::fail(
              at, fmt::format("'{}' has no element {}; it has {}", l.name, e, l.initial.size()));
        i.address.offset = static_cast<std::uint32_t>(e) * l.type.size;
        in_.expect("]", "behind the element");
      }
    }
    i.type = type.value_or(element_type{});
    if (in_.accept("+")) {
      const position at = in_.peek().at;
      const value bytes = in_.number("an offset in bytes");
      if (bytes < 0 || bytes > 4096)
        cursor::fail(at, fmt::format("an offset of {} bytes; 0 to 4096 are possible", bytes));
      i.address.offset += static_cast<std::uint32_t>(bytes);
    }
    if (bracketed)
      in_.expect("]", "behind the address");
    i.address.stride = i.type.size;
    for (std::uint32_t e = 1; e < m.elements(); ++e)
      i.address.index.constants.push_back(static_cast<value>(e));
    aligned(i, m);
  }

  /// Where the variable and the offset are known, so is the alignment: variables begin at multiples
  /// of 256.
  void aligned(const instruction& i, const modifiers& m) const {
    if (!i.address.pointer && i.address.offset % (i.type.size * m.elements()) != 0)
      cursor::fail(in_.peek().at,
                   fmt::format("an access of {} bytes at offset {} is not aligned",
                               i.type.size * m.elements(),
                               i.address.offset));
  }

  // --- Instructions.

  instruction load(const token& name, const modifiers& m) {
    instruction i;
    i.op = opcode::load;
    strength(i, name, m);
    only(name,
         i.order,
         {memory_order::weak, memory_order::relaxed, memory_order::acquire},
         "'.weak', '.relaxed' or '.acquire'");
    if (m.elements() == 1) {
      i.dst = {reg()};
    } else {
      in_.expect("{", fmt::format("and {} registers", m.elements()));
      for (std::uint32_t e = 0; e < m.elements(); ++e) {
        if (e != 0)
          in_.expect(",", "between the registers");
        i.dst.push_back(reg());
      }
      in_.expect("}", "behind the registers");
    }
    in_.expect(",", "behind the register");
    // The published format writes a move as a load of a number.
    if (in_.at_number() || at_register()) {
      i.op = opcode::compute;
      i.operation = binary::left;
      i.a = register_or_number("what the register becomes");
      i.b.constants = {0};
      return i;
    }
    address(i, m);
    return i;
  }

  instruction store(const token& name, const modifiers& m) {
    instruction i;
    i.op = opcode::store;
    strength(i, name, m);
    only(name,
         i.order,
         {memory_order::weak, memory_order::relaxed, memory_order::release},
         "'.weak', '.relaxed' or '.release'");
    address(i, m);
    in_.expect(",", "behind the address");
    i.a = value_operand("the value", m.elements());
    return i;
  }

  instruction atomic(const token& name, const modifiers& m) {
    instruction i;
    i.op = opcode::rmw;
    i.reduction = name.text == "red";
    i.order = m.order.value_or(memory_order::relaxed); // [PTX: atom, red] defaults
    i.scope = m.scope.value_or(scope::gpu);
    // PTX gives `red` relaxed and release only; the published tests use acq_rel too.
    only(name,
         i.order,
         {memory_order::relaxed,
          memory_order::acquire,
          memory_order::release,
          memory_order::acq_rel},
         "'.relaxed', '.acquire', '.release' or '.acq_rel'");
    if (!m.operation && !m.compare_exchange)
      cursor::fail(
          name.at,
          fmt::format("'{}' needs an operation: .add, .exch, .cas, .and, .or, .xor, .min, .max, "
                      ".inc, .dec, .sub",
                      name.text));
    if (i.reduction && (m.compare_exchange || m.operation == binary::exchange))
      cursor::fail(name.at, "'red' has neither .exch nor .cas: nobody would see what was there");
    if (!i.reduction) {
      i.dst = {reg()};
      in_.expect(",", "behind the register");
    }
    address(i, m);
    in_.expect(",", "behind the address");
    i.compare_exchange = m.compare_exchange;
    if (m.compare_exchange) {
      i.a = value_operand("the value to compare with", m.elements());
      in_.expect(",", "behind the value to compare with");
      i.b = value_operand("the new value", m.elements());
    } else {
      i.operation = *m.operation;
      i.a = value_operand("the operand", m.elements());
    }
    return i;
  }

  instruction fence(const token& name, const modifiers& m) {
    instruction i;
    i.op = opcode::fence;
    i.order = m.order.value_or(memory_order::acq_rel); // [PTX: fence] default
    only(name,
         i.order,
         {memory_order::sc, memory_order::acq_rel, memory_order::acquire, memory_order::release},
         "'.sc', '.acq_rel', '.acquire' or '.release'");
    if (!m.scope)
      cursor::fail(name.at, "'fence' needs a scope: .cta, .cluster, .gpu or .sys");
    i.scope = *m.scope;
    return i;
  }

  /// [PTX: membar] A synonym of fence.sc; .gl is the device.
  instruction membar() {
    in_.expect(".", "and a level behind 'membar'");
    const token level = in_.word("a level: cta, gl or sys");
    if (level.text == "proxy")
      proxies(level.at);
    instruction i;
    i.op = opcode::fence;
    i.order = memory_order::sc;
    if (level.text == "cta")
      i.scope = scope::cta;
    else if (level.text == "gl")
      i.scope = scope::gpu;
    else if (level.text == "sys")
      i.scope = scope::sys;
    else
      cursor::fail(
          level.at,
          fmt::format("expected a level of membar: cta, gl or sys, found '{}'", level.text));
    return i;
  }

  instruction barrier(const token& name, const modifiers& m) {
    if (m.scope.value_or(scope::cta) != scope::cta)
      cursor::fail(name.at, "only barriers of a block are modelled: 'bar.cta'");
    if (!m.waits)
      cursor::fail(name.at, "'bar' needs .sync or .arrive");
    instruction i;
    i.op = opcode::barrier;
    i.waits = *m.waits;
    i.barrier_id = register_or_number("the barrier's number");
    if (in_.accept(","))
      i.barrier_resource = register_or_number("the barrier's resource");
    if (in_.accept(","))
      i.barrier_threads = register_or_number("the number of threads");
    return i;
  }

  instruction move(const modifiers& m) {
    instruction i;
    i.operation = binary::left;
    i.type = m.type.value_or(element_type{});
    i.dst = {reg()};
    in_.expect(",", "behind the register");
    i.a = register_or_number("what the register becomes");
    i.b.constants = {0};
    return i;
  }

  instruction compute(binary op, const modifiers& m) {
    instruction i;
    i.operation = op;
    i.type = m.type.value_or(element_type{});
    i.dst = {reg()};
    in_.expect(",", "behind the register");
    i.a = register_or_number("the left operand");
    in_.expect(",", "behind the left operand");
    i.b = register_or_number("the right operand");
    return i;
  }

  instruction branch(binary condition) {
    instruction i;
    i.op = opcode::branch;
    i.operation = condition;
    i.a = register_or_number("the left operand");
    in_.expect(",", "behind the left operand");
    i.b = register_or_number("the right operand");
    in_.expect(",", "behind the right operand");
    branches_[at_].push_back({thread_->code.size(), in_.word("a label")});
    return i;
  }

  instruction jump() {
    instruction i;
    i.op = opcode::branch;
    i.operation = binary::eq;
    i.a.constants = {0};
    i.b.constants = {0};
    branches_[at_].push_back({thread_->code.size(), in_.word("a label")});
    return i;
  }

  std::string name_;
  std::string comment_;
  std::string text_;
  cursor in_;
  test test_;
  std::vector<early> early_;
  std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>>
      pointers_; ///< thread, register, location
  std::vector<std::pair<std::size_t, std::uint32_t>>
      pointer_cells_; ///< location, the one it points to
  std::vector<std::map<std::string, std::size_t, std::less<>>> labels_; ///< by thread
  std::vector<std::vector<pending_branch>> branches_;                   ///< by thread
  thread* thread_ = nullptr;
  std::size_t at_ = 0;
};

} // namespace

test read_ptx(std::string_view text) {
  return ptx_reader(text).read();
}

test read_test(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const std::string_view rest =
      first == std::string_view::npos ? std::string_view() : text.substr(first);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n{\""));
  if (word == "PTX" || word == "ptx")
    return read_ptx(text);
  if (word == "TILE" || word == "tile")
    return read_tile(text);
  throw syntax_error{position_of(text, text.size() - rest.size()),
                     "a litmus test begins with 'PTX' or 'TILE' and its name"};
}

} // namespace tilesim::memmodel::litmus
