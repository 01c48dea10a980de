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
#include "memmodel/litmus/ptx_reader_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilesim::memmodel::litmus {

test ptx_reader::read() {
  initial_values();
  threads();
  while (!at_final()) {
    row();
  }
  for (std::size_t p = 0; p < test_.threads.size(); ++p) {
    resolve(p);
  }
  read_final(in_, test_);
  for (thread& t : test_.threads) {
    t.initial.resize(t.registers.size(), std::vector<value>{0});
  }
  place_locations(test_);
  // Initial values that are addresses: only now have locations one.
  for (const auto& [p, reg, l] : pointers_) {
    test_.threads[p].initial[reg] = {static_cast<value>(test_.locations[l].address)};
  }
  for (const auto& [from, l] : pointer_cells_) {
    test_.locations[from].initial.front() = static_cast<value>(test_.locations[l].address);
  }
  return std::move(test_);
}

// --- Header: the first line names the test; free text follows up to the brace.

std::string ptx_reader::without_header(std::string_view text) {
  std::size_t i = 0;
  std::size_t quote = std::string_view::npos; // where the open comment begins
  for (; i < text.size() && (quote != std::string_view::npos || text[i] != '{'); ++i) {
    if (text[i] == '"') {
      quote = quote == std::string_view::npos ? i : std::string_view::npos;
    }
  }
  if (quote != std::string_view::npos) {
    throw syntax_error{position_of(text, quote), "a comment in double quotes is not closed"};
  }
  if (i == text.size()) {
    throw syntax_error{position_of(text, i),
                       "expected '{' and the initial values, found the end of the file"};
  }
  const std::string_view header = text.substr(0, i);
  const auto word = header.find_first_not_of(" \t\r\n");
  const std::string_view rest = header.substr(word);
  const auto line = rest.substr(0, std::min(rest.find('\n'), rest.size()));
  std::string_view name = line.substr(3);
  name = name.substr(std::min(name.find_first_not_of(" \t"), name.size()));
  while (!name.empty() && (name.back() == '\r' || name.back() == ' ' || name.back() == '\t')) {
    name.remove_suffix(1);
  }
  name_ = name;
  if (name_.empty()) {
    throw syntax_error{position_of(text, word + 3), "expected the test's name behind 'PTX'"};
  }
  std::string_view comment = rest.substr(line.size());
  for (const char c : comment) {
    if (c != '"' && c != '\r') {
      comment_ += c;
    }
  }
  comment_.erase(0, comment_.find_first_not_of(" \n\t"));
  while (!comment_.empty() && (comment_.back() == '\n' || comment_.back() == ' ')) {
    comment_.pop_back();
  }
  std::string blanked(text);
  for (std::size_t k = 0; k < i; ++k) {
    if (blanked[k] != '\n') {
      blanked[k] = ' ';
    }
  }
  return blanked;
}

// --- { x=0; u32 y[4]=0; P0:r1=1; P0:r2=&x; }

void ptx_reader::initial_values() {
  in_.expect("{", "before the initial values");
  while (!in_.accept("}")) {
    if (in_.accept(";")) {
      continue;
    }
    initial_value();
    if (!in_.at("}")) {
      in_.expect(";", "behind an initial value");
    }
  }
  in_.accept(";");
}

void ptx_reader::initial_value() {
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
  if (in_.at("@")) {
    proxies(name.at);
  }
  location l;
  l.name = name.text;
  l.type = type;
  value n = 1;
  if (in_.accept("[")) {
    const position at = in_.peek().at;
    n = in_.number("the number of elements");
    if (n < 1 || n > 64) {
      cursor::fail(at, fmt::format("an array of {} elements; a litmus test has 1 to 64", n));
    }
    l.array = true;
    in_.expect("]", "behind the number of elements");
  }
  if (std::ranges::find(test_.locations, l.name, &location::name) != test_.locations.end()) {
    cursor::fail(name.at, fmt::format("'{}' has an initial value already", l.name));
  }
  l.initial.assign(static_cast<std::size_t>(n), 0);
  if (in_.accept("=")) {
    location_value(l);
  }
  test_.locations.push_back(std::move(l));
}

void ptx_reader::location_value(location& l) {
  if (in_.accept("{")) {
    for (std::size_t i = 0; i < l.initial.size(); ++i) {
      if (i != 0) {
        in_.expect(",", fmt::format("between the {} values of '{}'", l.initial.size(), l.name));
      }
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

void ptx_reader::early_register() {
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

void ptx_reader::proxies(const position& at) {
  cursor::fail(at,
               "proxies are not modelled: only generic accesses are (no texture, surface, "
               "constant or alias "
               "proxy, no proxy fence)");
}

// --- P0@cta 0,gpu 0 | P1@cta 0,cluster 1,gpu 0 | P2@host ;

void ptx_reader::threads() {
  do {
    const token name = in_.word("a thread as 'P0@cta 0,gpu 0'");
    const std::string expected = fmt::format("P{}", test_.threads.size());
    if (name.text != expected) {
      cursor::fail(name.at, fmt::format("expected thread '{}', found '{}'", expected, name.text));
    }
    thread t;
    t.name = name.text;
    in_.expect("@", "and the place of the thread, as 'P0@cta 0,gpu 0'");
    t.place = place_of_thread();
    test_.threads.push_back(std::move(t));
  } while (in_.accept("|"));
  in_.expect(";", "or '|' behind a thread's place");
  labels_.resize(test_.threads.size());
  branches_.resize(test_.threads.size());
  for (const early& e : early_) {
    set_register(e);
  }
}

place ptx_reader::place_of_thread() {
  bool cluster = false;
  const auto set = [&](place& p, std::string_view level, std::int32_t id) {
    cluster = cluster || level == "cluster";
    std::int32_t* const number = level == "cta"       ? &p.cta
                                 : level == "gpu"     ? &p.gpu
                                 : level == "cluster" ? &p.cluster
                                                      : nullptr;
    if (number != nullptr) {
      *number = id;
    }
    return number != nullptr;
  };
  place p = read_thread_place(in_, "'cta', 'cluster', 'gpu' or 'host'", set);
  // Without clusters in the launch every block is a cluster of its own.  [PTX: cluster of CTAs]
  if (!cluster && p.gpu != place::host) {
    p.cluster = -1 - p.cta;
  }
  return p;
}

void ptx_reader::set_register(const early& e) {
  const std::string name = e.thread.what == token::kind::number ? fmt::format("P{}", e.thread.text)
                                                                : std::string(e.thread.text);
  const auto found = std::ranges::find(test_.threads, name, &thread::name);
  if (found == test_.threads.end()) {
    cursor::fail(e.thread.at, fmt::format("there is no thread '{}'", name));
  }
  const std::uint32_t reg = register_named(*found, e.reg);
  found->initial.resize(found->registers.size(), std::vector<value>{0});
  found->initial[reg] = {e.number};
  if (e.target) {
    pointers_.emplace_back(found - test_.threads.begin(), reg, location_named(e.target->text));
  }
}

// --- Rows: an instruction of each thread.

bool ptx_reader::at_final() const {
  static constexpr std::array words{
      "exists", "forall", "filter", "locations", "expect", "~", "not"};
  return in_.at_end() || std::ranges::any_of(words, [&](const char* w) {
           // `not` is an instruction's name as well; a condition says `not exists`.
           return in_.at(w) && (in_.peek().text != "not" || in_.peek(1).text == "exists");
         });
}

void ptx_reader::row() {
  const position begin = in_.peek().at;
  for (std::size_t p = 0;; ++p) {
    if (p >= test_.threads.size()) {
      cursor::fail(
          begin,
          fmt::format("a row of more than {} cells, one for each thread", test_.threads.size()));
    }
    cell(p);
    if (in_.at(";") && p + 1 < test_.threads.size()) {
      cursor::fail(begin,
                   fmt::format("a row of {} cells, and there are {} threads: write '|' between "
                               "the cells, empty ones too",
                               p + 1,
                               test_.threads.size()));
    }
    if (in_.accept(";")) {
      return;
    }
    if (!in_.accept("|")) {
      in_.fail("'|' or ';' behind an instruction");
    }
  }
}

void ptx_reader::cell(std::size_t p) {
  if (in_.peek().what == token::kind::word && in_.peek(1).text == ":") {
    const token label = in_.take();
    in_.take();
    if (!labels_[p].emplace(label.text, test_.threads[p].code.size()).second) {
      cursor::fail(label.at,
                   fmt::format("label '{}' stands in {} twice", label.text, test_.threads[p].name));
    }
  }
  if (in_.at("|") || in_.at(";")) {
    return;
  }
  if (in_.at("{") || in_.at("@")) {
    in_.fail("an instruction (predicates are written as branches)");
  }
  const token first = in_.peek();
  thread_ = &test_.threads[p];
  at_ = p;
  instruction i = read_instruction();
  i.at = first.at;
  i.text = in_.since(first);
  thread_->code.push_back(std::move(i));
}

void ptx_reader::resolve(std::size_t p) {
  for (const pending_branch& b : branches_[p]) {
    const auto found = labels_[p].find(std::string(b.label.text));
    if (found == labels_[p].end()) {
      cursor::fail(b.label.at,
                   fmt::format("{} has no label '{}'", test_.threads[p].name, b.label.text));
    }
    test_.threads[p].code[b.instruction].target = static_cast<std::uint32_t>(found->second);
  }
}

test read_ptx(std::string_view text) {
  return ptx_reader(text).read();
}

test read_test(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const std::string_view rest =
      first == std::string_view::npos ? std::string_view() : text.substr(first);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n{\""));
  if (word == "PTX" || word == "ptx") {
    return read_ptx(text);
  }
  if (word == "TILE" || word == "tile") {
    return read_tile(text);
  }
  throw syntax_error{position_of(text, text.size() - rest.size()),
                     "a litmus test begins with 'PTX' or 'TILE' and its name"};
}

} // namespace tilesim::memmodel::litmus
