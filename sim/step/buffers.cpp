// Naming allocations after the source line that makes them.
//
// `cudaMalloc(&bins, …)` names bins, `cudaMalloc(&parts[i], …)` parts[0], parts[1] and so on; where
// that stands in a helper, `auto x = make(…)`, `device_array<int> x(…)` or `make(&x)` in its caller
// names x.
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/buffers.hpp"

#include "sim/context.hpp"
#include "sim/source_site.hpp"
#include "sim/step/expression.hpp"
#include "sim/step/locals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>

namespace tilesim::sim::step {

namespace {

constexpr std::size_t frames_looked_at = 4;
constexpr unsigned most_lines = 4; ///< of a statement

/// What a call on this line of the source fills, and where that is written (a column from 0).
struct statement {
  std::string text;       ///< from the begin of the line to the end of the statement
  std::size_t column = 0; ///< of the call
};

/// The statement that the frame stands in: the line, and up to three more if it goes on there.
statement source_statement(const source_frame& f) {
  std::ifstream file(f.file);
  std::string line;
  for (unsigned n = 1; n <= f.line && std::getline(file, line); ++n) {
  }
  statement s{line, f.column > 0 ? f.column - 1U : 0U};
  for (unsigned n = 1; n < most_lines && s.text.find(';', s.column) == std::string::npos &&
                       std::getline(file, line);
       ++n) {
    s.text += ' ' + line;
  }
  return s;
}

// A variable, its members and elements: "part", "part.data", "parts[i]", "p->parts[2 * i]".
constexpr auto lvalue = R"([A-Za-z_]\w*(?:\s*(?:\.|->)\s*\w+|\[[^\[\]]*\])*)";

/// Of several matches in a line, the one that the call at `column` is part of: compilers count from
/// the call's first character or from its parenthesis.
std::string match_at(const statement& s, const std::regex& pattern) {
  for (std::sregex_iterator m(s.text.begin(), s.text.end(), pattern), end; m != end; ++m) {
    if (static_cast<std::size_t>(m->position() + m->length()) > s.column) {
      return (*m)[1];
    }
  }
  return {};
}

/// The variable that an allocating call in this statement fills.
std::string filled_name(const statement& s) {
  static const auto& by_address = *new const std::regex(
      fmt::format(R"([Aa]lloc\w*\s*(?:<[^<>]*>)?\s*\((?:[^&;(]*\))?\s*&\s*({}))", lvalue));
  static const auto& by_pointer = *new const std::regex(
      R"([Aa]lloc\w*\s*\(\s*(?:\([^()]*\)\s*)?\(?\s*([A-Za-z_]\w*\s*\+\s*\w+)\s*[,)])");
  static const auto& any_address =
      *new const std::regex(fmt::format(R"(\(\s*(?:\([^()]*\)\s*)?&\s*({}))", lvalue));
  if (std::string name = match_at(s, by_address); !name.empty()) {
    return name;
  }
  if (const std::string sum = match_at(s, by_pointer); !sum.empty()) {
    // cudaMalloc(parts + i, …)
    const std::size_t plus = sum.find('+');
    return sum.substr(0, plus) + "[" + sum.substr(plus + 1) + "]";
  }
  return match_at(s, any_address);
}

/// The variable that this line initialises or assigns.
std::string initialised_name(const statement& s) {
  static const auto& assigned = *new const std::regex(fmt::format(R"(({})\s*=[^=])", lvalue));
  static const auto& constructed =
      *new const std::regex(R"([\w>]\s*[ *&]\s*([A-Za-z_]\w*)\s*[({])");
  std::string name;
  for (std::sregex_iterator m(s.text.begin(), s.text.end(), assigned), end; m != end; ++m) {
    if (name.empty() || static_cast<std::size_t>(m->position()) <= s.column) {
      name = (*m)[1]; // auto a = make(1), b = make(2);
    }
  }
  if (!name.empty()) {
    return name;
  }
  std::smatch m;
  if (std::regex_search(s.text, m, constructed) && m[1] != "return") {
    return m[1];
  }
  return filled_name(s);
}

/// The variables of one frame, for indices.
class frame_environment final : public environment {
public:
  explicit frame_environment(const frame_registers& frame)
      : variables_(variables(frame)) {}
  std::optional<value> lookup(std::string_view name) override {
    const auto v = std::find_if(variables_.begin(), variables_.end(), [&](const variable& one) {
      return one.name == name;
    });
    return v == variables_.end() ? std::nullopt : std::optional(v->now);
  }
  bool read(std::uintptr_t address, std::size_t bytes, void* to) override {
    return read_own_memory(address, bytes, to);
  }

private:
  std::vector<variable> variables_;
};

/// Without blanks, and with the values of its indices: parts[i] is parts[3].
std::string with_indices(const std::string& name, const frame_registers& frame) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t close = name[i] == '[' ? name.find(']', i) : std::string::npos;
    if (close == std::string::npos) {
      text += std::isspace(static_cast<unsigned char>(name[i])) != 0 ? "" : name.substr(i, 1);
      continue;
    }
    std::string index = name.substr(i + 1, close - i - 1);
    try {
      frame_environment names(frame);
      if (const auto texts = element_texts(expression(index).evaluate(names), 1); !texts.empty()) {
        index = texts.front();
      }
    } catch (const expression_error&) { // it stays as it is written
    }
    text += "[" + index + "]";
    i = close;
  }
  return text;
}

struct found_name {
  std::string name;
  std::optional<value_type> element; ///< what the variable's type points to
};

/// What `name`, a variable, a member or an element of one, points to.
std::optional<value_type> element_behind(const std::string& name, const frame_registers& frame) {
  std::optional<value_type> pointer = declared_type(frame.pc, name);
  if (!pointer) {
    try {
      frame_environment names(frame);
      pointer = expression(name).evaluate(names).type;
    } catch (const expression_error&) { // the first access tells
    }
  }
  if (!pointer || !pointer->pointee) {
    return std::nullopt;
  }
  return value_type{.kind = pointer->pointee->first,
                    .is_unsigned = pointer->pointee->second,
                    .pointee = {},
                    .spelling = {}};
}

/// `int failures = test(…)` holds none of what is allocated in there.
bool holds_no_pointer(const std::string& name, const frame_registers& frame) {
  const auto type = declared_type(frame.pc, name);
  return type && type->kind != element::ptr;
}

found_name name_by_source(const void* site) {
  found_name found;
  std::size_t looked_at = 0;
  for (const frame_registers& frame : walk_frames(site)) {
    const std::vector<source_frame> places = resolve(frame.pc);
    if (places.empty() || looked_at++ == frames_looked_at) {
      break;
    }
    const statement s = source_statement(places.front());
    const std::string here = looked_at == 1 ? filled_name(s) : initialised_name(s);
    if (looked_at > 1 && (here.empty() || holds_no_pointer(here, frame))) {
      break;
    }
    if (!here.empty() && here != "return") {
      found.name = with_indices(here, frame);
      if (auto element = element_behind(found.name, frame)) {
        found.element = element;
      }
    }
    if (places.front().function == "main") {
      break;
    }
  }
  return found;
}

} // namespace

std::size_t buffer::count() const noexcept {
  return memory->size / (element ? size_of(element->kind) : 1);
}

void buffers::allocated(const allocation& a) {
  auto [name, type] = name_by_source(a.site);
  if (name.empty()) {
    name = "buffer";
  }
  // A name that is there already gets a number: h, h#2, h#3.
  if (const unsigned number = ++used_[name]; number != 1) {
    name += fmt::format("#{}", number);
  }
  by_name_[name] = a.id;
  by_id_[a.id] = {.name = name, .memory = &a, .place = place(a.site), .element = type};
}

void buffers::accessed(std::uintptr_t address, element kind, bool is_unsigned) {
  const allocation* a = context_.mem.find(reinterpret_cast<const void*>(address));
  if (a == nullptr) {
    return;
  }
  const auto it = by_id_.find(a->id);
  if (it != by_id_.end() && !it->second.element) {
    it->second.element =
        value_type{.kind = kind, .is_unsigned = is_unsigned, .pointee = {}, .spelling = {}};
  }
}

const buffer* buffers::find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &by_id_.at(it->second);
}

const buffer* buffers::holding(std::uintptr_t address) const {
  const allocation* a = context_.mem.find(reinterpret_cast<const void*>(address));
  const auto it = a == nullptr ? by_id_.end() : by_id_.find(a->id);
  return it == by_id_.end() ? nullptr : &it->second;
}

std::vector<const buffer*> buffers::all() const {
  std::vector<const buffer*> list;
  for (const auto& [id, b] : by_id_) {
    list.push_back(&b);
  }
  return list;
}

std::string buffers::parts_of(std::string_view name) const {
  constexpr std::size_t most = 8;
  std::string list;
  std::size_t count = 0;
  for (const auto& [id, b] : by_id_) {
    const std::string_view whole = b.name;
    if (whole.size() > name.size() + 1 && whole.starts_with(name) &&
        (whole[name.size()] == '[' || whole[name.size()] == '.' || whole[name.size()] == '-')) {
      list += ++count > most ? "" : fmt::format("{}{}", count == 1 ? "" : ", ", whole);
    }
  }
  return count > most ? fmt::format("{}, and {} more", list, count - most) : list;
}

std::string buffers::describe(std::uintptr_t address) const {
  const buffer* b = holding(address);
  if (b == nullptr) {
    return fmt::format("{:#x}", address);
  }
  const std::size_t size = b->element ? size_of(b->element->kind) : 1;
  const std::size_t offset = address - b->memory->begin;
  std::string text = fmt::format("{}[{}]", b->name, offset / size);
  if (offset % size != 0) {
    text += fmt::format(" + {} byte{}", offset % size, offset % size == 1 ? "" : "s");
  }
  return text;
}

} // namespace tilesim::sim::step
