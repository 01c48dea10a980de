// Values as trees.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/variables.hpp"

#include "tools/cli/scanner.hpp"
#include "tools/step/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tilesim::tools::dap {
namespace {

using nlohmann::json;
using step::protocol::value;

constexpr std::size_t shown_at_once = 8; ///< elements on one line
/// Children that are sent unasked; more come in ranges, for clients that do not ask for pages.
constexpr std::size_t most_children = 256;
constexpr std::size_t most_in_a_page = 10'000;
constexpr std::size_t most_previews = 200; ///< of buffers

/// Elements below one of the dimension before.
std::size_t elements_from(const value& v, std::size_t dimension) {
  std::size_t n = 1;
  for (std::size_t d = dimension; d < v.shape.size(); ++d) {
    n *= v.shape[d];
  }
  return n;
}

/// A name, its members and elements: $block, part.data[3, 0:2].
bool is_plain(std::string_view expression) {
  scanner s(expression);
  if (!s.one([](char c) { return is_name_start(c) || c == '$'; })) {
    return false;
  }
  s.take([](char c) { return is_name(c) || c == ':' || c == '#'; });
  while (!s.at_end()) {
    if (s.literal(".")) {
      if (!s.one(is_name_start)) {
        return false;
      }
      s.take(is_name);
      continue;
    }
    if (!s.literal("[")) {
      return false;
    }
    s.take([](char c) { return is_name(c) || c == ':' || c == ',' || c == ' '; });
    if (!s.literal("]")) {
      return false;
    }
  }
  return true;
}

/// The name alone, or in parentheses: what an index or a member may follow.
std::string as_operand(const std::string& expression) {
  return is_plain(expression) ? expression : "(" + expression + ")";
}

std::string child_expression(const std::string& parent, const std::string& child) {
  if (parent.empty()) {
    return {};
  }
  return as_operand(parent) + (child.front() == '[' ? child : "." + child);
}

std::string elements_preview(const value& v, std::size_t offset, std::size_t count) {
  const auto& texts = v.texts;
  std::string text;
  for (std::size_t i = 0; i < std::min(count, shown_at_once); ++i) {
    text += " " + (offset + i < texts.size() ? texts[offset + i] : "…");
  }
  return text + (count > shown_at_once ? " …" : "");
}

std::string type_of(const value& v, std::size_t dimension) {
  const std::string shape = step::shape_text(v.shape, dimension);
  return shape.empty() ? v.type : fmt::format("{}[{}]", v.type, shape);
}

template <class T>
std::shared_ptr<const T> share(T x) {
  return std::make_shared<const T>(std::move(x));
}

json plain(const std::string& name, const std::string& text) {
  return {{"name", name}, {"value", text}, {"variablesReference", 0}};
}

bool is_null_or_unknown(const value& v) {
  return v.texts.empty() || v.texts.front() == "nullptr";
}

} // namespace

std::string variables::preview(const value& v) {
  if (!v.missing.empty()) {
    return fmt::format("<{}>", v.missing);
  }
  if (!v.members.empty()) {
    std::string text = "{";
    std::size_t shown = 0;
    for (const auto& m : v.members) {
      if (shown++ == shown_at_once) {
        text += ", …";
        break;
      }
      text += fmt::format("{}{} = {}", text.size() == 1 ? "" : ", ", m.name, preview(m.value));
    }
    return text + "}";
  }
  if (v.shape.empty() && v.unwritten != 0) {
    return "<never written>";
  }
  if (v.shape.empty()) {
    return v.texts.empty() ? "<not read>" : v.texts.front();
  }
  return fmt::format(
      "{}[{}]{}", v.kind, step::shape_text(v.shape), elements_preview(v, 0, elements_from(v, 0)));
}

void variables::forget() {
  first_reference_ += static_cast<std::int64_t>(nodes_.size());
  nodes_.clear();
}

std::int64_t variables::keep(node n) {
  nodes_.push_back(std::move(n));
  return first_reference_ + static_cast<std::int64_t>(nodes_.size()) - 1;
}

const variables::node& variables::at(std::int64_t reference) const {
  const std::int64_t index = reference - first_reference_;
  if (index < 0 || index >= static_cast<std::int64_t>(nodes_.size())) {
    throw step::refused(fmt::format(
        "nothing has the variablesReference {}; the program has moved on since", reference));
  }
  return nodes_[static_cast<std::size_t>(index)];
}

json variables::scopes(std::size_t frame, const step::protocol::live_thread* other) {
  json list = json::array();
  const auto add = [&](const char* name, node n) {
    n.frame = frame;
    list.push_back(
        {{"name", name}, {"variablesReference", keep(std::move(n))}, {"expensive", false}});
  };
  if (other == nullptr) {
    add("Locals", {.what = node::kind::locals});
    list.back()["presentationHint"] = "locals";
  }
  add("Buffers", {.what = node::kind::buffers});
  const step::standing& here = session_.here();
  if (other == nullptr && here.last) {
    add("Last operation", {.what = node::kind::operation, .operation = share(*here.last)});
  }
  block_fields block;
  if (other != nullptr) {
    static_cast<step::protocol::live_thread&>(block) = *other;
  } else if (here.thread && here.next) {
    static_cast<step::protocol::thread&>(block) = *here.thread;
    block.operation = here.next->operation;
    block.stands_here = true;
    block.position = here.position;
  } else {
    return list;
  }
  add("Block", {.what = node::kind::block, .block = share(std::move(block))});
  return list;
}

json variables::variable(const std::string& name, node n) {
  const auto kept = n.value;
  const value& v = *kept;
  json one = plain(name, "");
  const bool whole = n.dimension == 0;
  if (!n.expression.empty()) {
    one["evaluateName"] = n.expression;
  }
  if (whole && v.address) {
    one["memoryReference"] = fmt::format("{:#x}", *v.address);
  }
  if (!v.missing.empty()) {
    one["type"] = v.type;
    one["value"] = preview(v);
    return one;
  }
  one["type"] = type_of(v, n.dimension);
  if (!v.members.empty()) {
    one["value"] = preview(v);
    one["namedVariables"] = v.members.size();
    one["variablesReference"] = keep(std::move(n));
    return one;
  }
  if (n.dimension == v.shape.size()) {
    one["value"] = v.shape.empty() && v.unwritten != 0 ? "<never written>"
                   : n.offset < v.texts.size()         ? v.texts[n.offset]
                                                       : "<not kept>";
    if (v.kind == "ptr" && whole && !n.expression.empty() && !is_null_or_unknown(v)) {
      n.what = node::kind::pointer;
      one["variablesReference"] = keep(std::move(n));
    }
    return one;
  }
  one["value"] = fmt::format("{}[{}]{}",
                             v.kind,
                             step::shape_text(v.shape, n.dimension),
                             elements_preview(v, n.offset, elements_from(v, n.dimension)));
  if (n.last == 0) {
    n.last = v.shape.at(n.dimension);
  }
  one["indexedVariables"] = n.last - n.first;
  one["variablesReference"] = keep(std::move(n));
  return one;
}

json variables::children(std::int64_t reference, const page& p) {
  const node n = at(reference); // a copy: children are added to the list that it stands in
  const bool indexed = n.what == node::kind::value && n.value->members.empty();
  if ((p.filter == "indexed" && !indexed) || (p.filter == "named" && indexed)) {
    return json::array();
  }
  switch (n.what) {
  case node::kind::locals:
    return locals(n.frame);
  case node::kind::buffers:
    return buffers();
  case node::kind::operation:
    return operation(n);
  case node::kind::access:
    return access(n);
  case node::kind::block:
    return block(n);
  case node::kind::pointer: {
    const std::string behind = "*" + as_operand(n.expression);
    return json::array({variable(behind,
                                 {.frame = n.frame,
                                  .expression = behind,
                                  .value = share(value_of(behind, n.frame, shown_at_once))})});
  }
  case node::kind::value:
    break;
  }
  return indexed ? elements(n, p) : members(n);
}

value variables::value_of(const std::string& expression, std::size_t frame, std::size_t most) {
  return session_
      .ask(step::protocol::evaluate{.expression = expression, .frame = frame, .most = most})
      .value;
}

json variables::locals(std::size_t frame) {
  const auto known =
      session_.ask(step::protocol::locals{.frame = frame, .most = shown_at_once}).locals;
  std::vector<step::protocol::variable> whole;
  json list = json::array();
  std::set<std::string> seen;
  std::size_t index = 0;
  for (const auto& v : known) {
    node n{.frame = frame, .expression = v.name, .value = share(v.value)};
    if (!seen.insert(v.name).second) {
      // One of an inner scope hides it from expressions: its elements have to be kept.
      if (whole.empty()) {
        whole = session_.ask(step::protocol::locals{.frame = frame}).locals;
      }
      n.expression.clear();
      n.value = share(whole.at(index).value);
    }
    json one = variable(v.name, std::move(n));
    if (!v.type.empty()) {
      one["type"] = v.type;
    }
    list.push_back(std::move(one));
    ++index;
  }
  return list;
}

json variables::buffers() {
  json list = json::array();
  for (const auto& b : session_.ask(step::protocol::buffers{}).buffers) {
    if (!b.live || b.count == 0 || list.size() >= most_previews) {
      list.push_back(plain(b.name, fmt::format("{} bytes{}", b.bytes, b.live ? "" : ", freed")));
      continue;
    }
    const std::size_t count = b.count;
    // Where a kernel's pointer of its name makes objects of a class of them, these are the bytes
    // all the same.
    const std::string elements =
        b.type.empty() ? fmt::format("((unsigned char*){})", b.name) : b.name;
    value shown = value_of(
        fmt::format("{}[0:{}]", elements, std::min(count, shown_at_once)), 0, shown_at_once);
    if (shown.address != b.address) {
      list.push_back(plain(b.name, "hidden by a variable of that name"));
      continue;
    }
    shown.shape = {count};
    json one = variable(b.name, {.expression = elements, .value = share(std::move(shown))});
    one["type"] =
        fmt::format("{}, {}, allocated at {}", one.at("type").get<std::string>(), b.kind, b.place);
    list.push_back(std::move(one));
  }
  return list;
}

json variables::operation(const node& n) {
  const step::protocol::operation& o = *n.operation;
  json list = json::array();
  list.push_back(plain(fmt::format("#{}", o.number),
                       o.spelling.empty() ? o.name : fmt::format("{} ({})", o.name, o.spelling)));
  const auto add = [&](const std::string& name, const value& v) {
    list.push_back(variable(name, {.frame = n.frame, .value = share(v)}));
  };
  std::size_t number = 0;
  for (const auto& operand : o.operands) {
    ++number;
    add(operand.role.empty() ? fmt::format("operand {}", number) : operand.role, operand);
  }
  if (o.before) {
    add("before", *o.before);
  }
  if (o.after) {
    add("after", *o.after);
  }
  if (o.result) {
    add("result", *o.result);
  }
  for (const auto& m : o.memory) {
    json one = plain(m.reads && m.writes ? "updates"
                     : m.reads           ? "reads"
                                         : "writes",
                     m.order == "weak" ? m.order : fmt::format("{}, {} scope", m.order, m.scope));
    one["namedVariables"] = m.places.size();
    one["variablesReference"] = keep({.what = node::kind::access, .access = share(m)});
    list.push_back(std::move(one));
  }
  return list;
}

json variables::access(const node& n) {
  const step::protocol::access& m = *n.access;
  json list = json::array();
  for (std::size_t i = 0; i < m.places.size(); ++i) {
    std::string text;
    if (i < m.sources.size() && m.sources[i]) {
      const std::uint64_t writer = *m.sources[i];
      text = m.unwritten[i] ? std::string("never written")
             : writer != 0  ? fmt::format("written by operation #{}", writer)
             : m.followed   ? std::string("written by the host")
                            : std::string("written by the host, or by nobody");
    }
    list.push_back(m.places[i] ? plain(*m.places[i], text)
                               : plain(fmt::format("({})", i), "masked out"));
  }
  return list;
}

json variables::block(const node& n) {
  const block_fields& b = *n.block;
  json list = json::array();
  const auto in_words = [](const step::protocol::coordinates& at) {
    return fmt::format("({},{},{})", at[0], at[1], at[2]);
  };
  list.push_back(plain("block", in_words(b.block)));
  if (b.in_block) {
    list.push_back(plain("thread", in_words(*b.in_block)));
  }
  list.push_back(plain("number", std::to_string(b.linear)));
  list.push_back(plain("kernel", b.kernel));
  list.push_back(plain("launch", std::to_string(b.launch)));
  list.push_back(plain("operations", std::to_string(b.operations)));
  if (b.stands_here || !b.place.empty()) {
    list.push_back(plain("next", b.operation));
  }
  if (b.stands_here) {
    list.push_back(plain("position", std::to_string(b.position)));
  }
  for (const auto& c : b.waits_for) {
    list.push_back(plain("waits", fmt::format("for {} to become other than {}", c.place, c.value)));
  }
  return list;
}

json variables::members(const node& n) {
  json list = json::array();
  for (const auto& m : n.value->members) {
    list.push_back(variable(m.name,
                            {.frame = n.frame,
                             .expression = child_expression(n.expression, m.name),
                             .value = share(m.value)}));
  }
  return list;
}

json variables::ranges(const node& n) {
  // The smallest power of most_children that leaves at most so many ranges.
  std::size_t size = most_children;
  while ((n.last - n.first + size - 1) / size > most_children) {
    size *= most_children;
  }
  json list = json::array();
  for (std::size_t begin = n.first; begin < n.last; begin += size) {
    node part = n;
    part.first = begin;
    part.last = std::min(begin + size, n.last);
    json one = plain(fmt::format("[{}:{}]", begin, part.last), "");
    one["indexedVariables"] = part.last - begin;
    one["variablesReference"] = keep(std::move(part));
    list.push_back(std::move(one));
  }
  return list;
}

json variables::elements(const node& n, const page& p) {
  if (p.count == 0 && p.start == 0 && n.last - n.first > most_children) {
    return ranges(n);
  }
  const std::size_t begin = std::min(n.first + p.start, n.last);
  const std::size_t wanted = p.count == 0 ? most_in_a_page : std::min(p.count, most_in_a_page);
  const std::size_t end = std::min(begin + wanted, n.last);
  if (begin == end) {
    return json::array();
  }
  if (!n.expression.empty()) {
    return fetched(n, begin, end);
  }
  json list = json::array();
  const std::size_t inner = elements_from(*n.value, n.dimension + 1);
  for (std::size_t i = begin; i < end; ++i) {
    list.push_back(variable(fmt::format("[{}]", i),
                            {.frame = n.frame,
                             .expression = {},
                             .value = n.value,
                             .offset = n.offset + (i * inner),
                             .dimension = n.dimension + 1}));
  }
  return list;
}

json variables::fetched(const node& n, std::size_t begin, std::size_t end) {
  const std::string operand = as_operand(n.expression);
  json list = json::array();
  if (n.value->shape.size() > 1) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string row = fmt::format("{}[{}]", operand, i);
      list.push_back(variable(fmt::format("[{}]", i),
                              {.frame = n.frame,
                               .expression = row,
                               .value = share(value_of(row, n.frame, shown_at_once))}));
    }
    return list;
  }
  const value slice = value_of(fmt::format("{}[{}:{}]", operand, begin, end), n.frame, end - begin);
  value element = slice;
  element.shape.clear();
  element.count = 1;
  element.address.reset();
  element.place.clear();
  element.texts.clear();
  element.unwritten = 0;
  for (std::size_t i = begin; i < end; ++i) {
    value one = element;
    if (i - begin < slice.texts.size()) {
      one.texts = {slice.texts[i - begin]};
    }
    // How many of the slice: they are those that read "?".
    one.unwritten = slice.unwritten != 0 && one.texts == std::vector<std::string>{"?"} ? 1 : 0;
    list.push_back(variable(fmt::format("[{}]", i),
                            {.frame = n.frame,
                             .expression = fmt::format("{}[{}]", operand, i),
                             .value = share(std::move(one))}));
  }
  return list;
}

variables::evaluated
variables::evaluate(const std::string& expression, std::size_t frame, std::size_t most) {
  const value now = value_of(expression, frame, most);
  evaluated e{variable("", {.frame = frame, .expression = expression, .value = share(now)}), now};
  e.body.erase("name");
  e.body.erase("evaluateName");
  e.body["result"] = e.body.at("value");
  e.body.erase("value");
  return e;
}

std::optional<std::string> variables::expression_of(std::int64_t reference,
                                                    const std::string& child) const {
  const node& n = at(reference);
  switch (n.what) {
  case node::kind::locals:
  case node::kind::buffers:
    return child;
  case node::kind::value:
    if (!n.expression.empty() && !child.empty()) {
      return child_expression(n.expression, child);
    }
    return std::nullopt;
  case node::kind::pointer:
    return child;
  default:
    return std::nullopt;
  }
}

} // namespace tilesim::tools::dap
