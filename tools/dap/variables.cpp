// Values as trees.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/variables.hpp"

#include "tools/cli/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tilesim::driver::dap {
namespace {

using nlohmann::json;

constexpr std::size_t shown_at_once = 8; ///< elements on one line
/// Children that are sent unasked; more come in ranges, for clients that do not ask for pages.
constexpr std::size_t most_children = 256;
constexpr std::size_t most_in_a_page = 10'000;
constexpr std::size_t most_previews = 200; ///< of buffers

std::string shape_text(const json& shape, std::size_t from = 0) {
  std::string text;
  for (std::size_t d = from; d < shape.size(); ++d)
    text += fmt::format("{}{}", text.empty() ? "" : "x", shape[d].get<std::size_t>());
  return text;
}

std::size_t extent(const json& value, std::size_t dimension) {
  return value.at("shape").at(dimension).get<std::size_t>();
}

/// Elements below one of the dimension before.
std::size_t elements_from(const json& value, std::size_t dimension) {
  std::size_t n = 1;
  for (std::size_t d = dimension; d < value.at("shape").size(); ++d)
    n *= extent(value, d);
  return n;
}

/// A name, its members and elements: $block, part.data[3, 0:2].
bool is_plain(std::string_view expression) {
  scanner s(expression);
  if (!s.one([](char c) { return is_name_start(c) || c == '$'; }))
    return false;
  s.take([](char c) { return is_name(c) || c == ':' || c == '#'; });
  while (!s.at_end()) {
    if (s.literal(".")) {
      if (!s.one(is_name_start))
        return false;
      s.take(is_name);
      continue;
    }
    if (!s.literal("["))
      return false;
    s.take([](char c) { return is_name(c) || c == ':' || c == ',' || c == ' '; });
    if (!s.literal("]"))
      return false;
  }
  return true;
}

/// The name alone, or in parentheses: what an index or a member may follow.
std::string as_operand(const std::string& expression) {
  return is_plain(expression) ? expression : "(" + expression + ")";
}

std::string child_expression(const std::string& parent, const std::string& child) {
  if (parent.empty())
    return {};
  return as_operand(parent) + (child.front() == '[' ? child : "." + child);
}

std::string elements_preview(const json& value, std::size_t offset, std::size_t count) {
  const json& texts = value.at("texts");
  std::string text;
  for (std::size_t i = 0; i < std::min(count, shown_at_once); ++i)
    text += " " + (offset + i < texts.size() ? texts[offset + i].get<std::string>() : "…");
  return text + (count > shown_at_once ? " …" : "");
}

std::string type_of(const json& value, std::size_t dimension) {
  const std::string type = value.value("type", "");
  const std::string shape = shape_text(value.at("shape"), dimension);
  return shape.empty() ? type : fmt::format("{}[{}]", type, shape);
}

std::shared_ptr<const json> share(json value) {
  return std::make_shared<const json>(std::move(value));
}

json plain(const std::string& name, const std::string& text) {
  return {{"name", name}, {"value", text}, {"variablesReference", 0}};
}

std::string hexadecimal(const json& address) {
  return fmt::format("{:#x}", address.get<std::uint64_t>());
}

bool is_null_or_unknown(const json& value) {
  const json& texts = value.at("texts");
  return texts.empty() || texts.front() == "nullptr";
}

} // namespace

std::string variables::preview(const json& value) {
  if (value.contains("missing"))
    return fmt::format("<{}>", value.at("missing").get<std::string>());
  if (value.contains("members")) {
    std::string text = "{";
    std::size_t shown = 0;
    for (const auto& m : value.at("members")) {
      if (shown++ == shown_at_once) {
        text += ", …";
        break;
      }
      text += fmt::format("{}{} = {}",
                          text.size() == 1 ? "" : ", ",
                          m.at("name").get<std::string>(),
                          preview(m.at("value")));
    }
    return text + "}";
  }
  if (value.at("shape").empty() && value.contains("unwritten"))
    return "<never written>";
  if (value.at("shape").empty())
    return value.at("texts").empty() ? "<not read>" : value.at("texts").front().get<std::string>();
  return fmt::format("{}[{}]{}",
                     value.at("kind").get<std::string>(),
                     shape_text(value.at("shape")),
                     elements_preview(value, 0, elements_from(value, 0)));
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
  if (index < 0 || index >= static_cast<std::int64_t>(nodes_.size()))
    throw step::refused(fmt::format(
        "nothing has the variablesReference {}; the program has moved on since", reference));
  return nodes_[static_cast<std::size_t>(index)];
}

json variables::scopes(std::size_t frame, const json* other) {
  json list = json::array();
  const auto add = [&](const char* name, node n) {
    n.frame = frame;
    list.push_back(
        {{"name", name}, {"variablesReference", keep(std::move(n))}, {"expensive", false}});
  };
  if (other == nullptr) {
    add("Locals", {.what = node::kind::locals, .expression = {}, .value = share(nullptr)});
    list.back()["presentationHint"] = "locals";
  }
  add("Buffers", {.what = node::kind::buffers, .expression = {}, .value = share(nullptr)});
  const json& here = session_.here();
  if (other == nullptr && here.contains("last"))
    add("Last operation",
        {.what = node::kind::operation, .expression = {}, .value = share(here.at("last"))});
  if (other != nullptr) {
    add("Block", {.what = node::kind::block, .expression = {}, .value = share(*other)});
  } else if (here.contains("thread")) {
    json block = here.at("thread");
    block["operation"] = here.at("next").at("operation");
    block["position"] = here.at("position");
    add("Block", {.what = node::kind::block, .expression = {}, .value = share(std::move(block))});
  }
  return list;
}

json variables::variable(const std::string& name, node n) {
  const std::shared_ptr<const json> kept = n.value;
  const json& v = *kept;
  json one = plain(name, "");
  const bool whole = n.dimension == 0;
  if (!n.expression.empty())
    one["evaluateName"] = n.expression;
  if (whole && v.contains("address"))
    one["memoryReference"] = hexadecimal(v.at("address"));
  if (v.contains("missing")) {
    one["type"] = v.value("type", "");
    one["value"] = preview(v);
    return one;
  }
  one["type"] = type_of(v, n.dimension);
  if (v.contains("members")) {
    one["value"] = preview(v);
    one["namedVariables"] = v.at("members").size();
    one["variablesReference"] = keep(std::move(n));
    return one;
  }
  if (n.dimension == v.at("shape").size()) {
    const json& texts = v.at("texts");
    one["value"] = v.at("shape").empty() && v.contains("unwritten") ? "<never written>"
                   : n.offset < texts.size() ? texts[n.offset].get<std::string>()
                                             : "<not kept>";
    if (v.at("kind") == "ptr" && whole && !n.expression.empty() && !is_null_or_unknown(v)) {
      n.what = node::kind::pointer;
      one["variablesReference"] = keep(std::move(n));
    }
    return one;
  }
  one["value"] = fmt::format("{}[{}]{}",
                             v.at("kind").get<std::string>(),
                             shape_text(v.at("shape"), n.dimension),
                             elements_preview(v, n.offset, elements_from(v, n.dimension)));
  if (n.last == 0)
    n.last = extent(v, n.dimension);
  one["indexedVariables"] = n.last - n.first;
  one["variablesReference"] = keep(std::move(n));
  return one;
}

json variables::children(std::int64_t reference, const page& p) {
  const node n = at(reference); // a copy: children are added to the list that it stands in
  const bool indexed = n.what == node::kind::value && !n.value->contains("members");
  if ((p.filter == "indexed" && !indexed) || (p.filter == "named" && indexed))
    return json::array();
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
    const json reply = session_.ask(
        {{"do", "evaluate"}, {"expression", behind}, {"frame", n.frame}, {"most", shown_at_once}});
    return json::array({variable(
        behind, {.frame = n.frame, .expression = behind, .value = share(reply.at("value"))})});
  }
  case node::kind::value:
    break;
  }
  return indexed ? elements(n, p) : members(n);
}

json variables::locals(std::size_t frame) {
  const json reply = session_.ask({{"do", "locals"}, {"frame", frame}, {"most", shown_at_once}});
  json all;
  json list = json::array();
  std::set<std::string> seen;
  std::size_t index = 0;
  for (const auto& v : reply.at("locals")) {
    const std::string name = v.at("name");
    node n{.frame = frame, .expression = name, .value = share(v.at("value"))};
    if (!seen.insert(name).second) {
      // One of an inner scope hides it from expressions: its elements have to be kept.
      if (all.is_null())
        all = session_.ask({{"do", "locals"}, {"frame", frame}});
      n.expression.clear();
      n.value = share(all.at("locals").at(index).at("value"));
    }
    json one = variable(name, std::move(n));
    if (const std::string type = v.value("type", ""); !type.empty())
      one["type"] = type;
    list.push_back(std::move(one));
    ++index;
  }
  return list;
}

json variables::buffers() {
  const json reply = session_.ask({{"do", "buffers"}});
  json list = json::array();
  for (const auto& b : reply.at("buffers")) {
    const std::string name = b.at("name");
    const std::size_t count = b.at("count");
    if (!b.at("live").get<bool>() || count == 0 || list.size() >= most_previews) {
      list.push_back(plain(name,
                           fmt::format("{} bytes{}",
                                       b.at("bytes").get<std::size_t>(),
                                       b.at("live").get<bool>() ? "" : ", freed")));
      continue;
    }
    json value =
        session_
            .ask({{"do", "evaluate"},
                  {"expression", fmt::format("{}[0:{}]", name, std::min(count, shown_at_once))},
                  {"most", shown_at_once}})
            .at("value");
    if (value.value("address", json()) != b.at("address")) {
      list.push_back(plain(name, "hidden by a variable of that name"));
      continue;
    }
    value["shape"] = {count};
    value["address"] = b.at("address");
    json one = variable(name, {.expression = name, .value = share(std::move(value))});
    one["type"] = fmt::format("{}, {}, allocated at {}",
                              one.at("type").get<std::string>(),
                              b.at("kind").get<std::string>(),
                              b.at("place").get<std::string>());
    list.push_back(std::move(one));
  }
  return list;
}

json variables::operation(const node& n) {
  const json& o = *n.value;
  json list = json::array();
  std::string name = o.at("operation");
  if (const std::string spelling = o.value("spelling", ""); !spelling.empty())
    name += fmt::format(" ({})", spelling);
  list.push_back(plain(fmt::format("#{}", o.at("number").get<std::uint64_t>()), name));
  std::size_t number = 0;
  for (const auto& operand : o.at("operands"))
    list.push_back(variable(operand.value("role", fmt::format("operand {}", ++number)),
                            {.frame = n.frame, .expression = {}, .value = share(operand)}));
  for (const char* when : {"before", "after"}) {
    if (o.contains(when))
      list.push_back(
          variable(when, {.frame = n.frame, .expression = {}, .value = share(o.at(when))}));
  }
  if (o.contains("result"))
    list.push_back(
        variable("result", {.frame = n.frame, .expression = {}, .value = share(o.at("result"))}));
  for (const auto& m : o.at("memory")) {
    const bool reads = m.at("reads");
    const bool writes = m.at("writes");
    const std::string order = m.at("order");
    json one =
        plain(reads && writes ? "updates"
              : reads         ? "reads"
                              : "writes",
              order == "weak" ? order : fmt::format("{}, {} scope", order, m.value("scope", "")));
    one["namedVariables"] = m.at("places").size();
    one["variablesReference"] =
        keep({.what = node::kind::access, .expression = {}, .value = share(m)});
    list.push_back(std::move(one));
  }
  return list;
}

json variables::access(const node& n) {
  const json sources = n.value->value("sources", json::array());
  json list = json::array();
  std::size_t i = 0;
  for (const auto& place : n.value->at("places")) {
    std::string text;
    if (i < sources.size() && !sources[i].is_null()) {
      const auto writer = sources[i].get<std::uint64_t>();
      text = n.value->at("unwritten")[i].get<bool>() ? std::string("never written")
             : writer != 0                       ? fmt::format("written by operation #{}", writer)
             : n.value->value("followed", false) ? std::string("written by the host")
                                                 : std::string("written by the host, or by nobody");
    }
    list.push_back(place.is_null() ? plain(fmt::format("({})", i), "masked out")
                                   : plain(place.get<std::string>(), text));
    ++i;
  }
  return list;
}

json variables::block(const node& n) {
  const json& b = *n.value;
  json list = json::array();
  const auto coordinates = [](const json& at) {
    return fmt::format("({},{},{})",
                       at[0].get<std::uint64_t>(),
                       at[1].get<std::uint64_t>(),
                       at[2].get<std::uint64_t>());
  };
  list.push_back(plain("block", coordinates(b.at("block"))));
  if (b.contains("thread"))
    list.push_back(plain("thread", coordinates(b.at("thread"))));
  list.push_back(plain("number", b.at("linear").dump()));
  list.push_back(plain("kernel", b.at("kernel").get<std::string>()));
  list.push_back(plain("launch", b.at("launch").dump()));
  list.push_back(plain("operations", b.at("operations").dump()));
  if (b.contains("operation"))
    list.push_back(plain("next", b.at("operation").get<std::string>()));
  if (b.contains("position"))
    list.push_back(plain("position", b.at("position").dump()));
  for (const auto& c : b.value("for", json::array()))
    list.push_back(plain("waits",
                         fmt::format("for {} to become other than {}",
                                     c.at("place").get<std::string>(),
                                     c.at("value").get<std::uint64_t>())));
  return list;
}

json variables::members(const node& n) {
  json list = json::array();
  for (const auto& m : n.value->at("members")) {
    const std::string name = m.at("name");
    list.push_back(variable(name,
                            {.frame = n.frame,
                             .expression = child_expression(n.expression, name),
                             .value = share(m.at("value"))}));
  }
  return list;
}

json variables::ranges(const node& n) {
  // The smallest power of most_children that leaves at most so many ranges.
  std::size_t size = most_children;
  while ((n.last - n.first + size - 1) / size > most_children)
    size *= most_children;
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
  if (p.count == 0 && p.start == 0 && n.last - n.first > most_children)
    return ranges(n);
  const std::size_t begin = std::min(n.first + p.start, n.last);
  const std::size_t wanted = p.count == 0 ? most_in_a_page : std::min(p.count, most_in_a_page);
  const std::size_t end = std::min(begin + wanted, n.last);
  if (begin == end)
    return json::array();
  if (!n.expression.empty())
    return fetched(n, begin, end);
  json list = json::array();
  const std::size_t inner = elements_from(*n.value, n.dimension + 1);
  for (std::size_t i = begin; i < end; ++i)
    list.push_back(variable(fmt::format("[{}]", i),
                            {.frame = n.frame,
                             .expression = {},
                             .value = n.value,
                             .offset = n.offset + (i * inner),
                             .dimension = n.dimension + 1}));
  return list;
}

json variables::fetched(const node& n, std::size_t begin, std::size_t end) {
  const auto evaluate = [&](const std::string& expression, std::size_t most) {
    return session_
        .ask({{"do", "evaluate"}, {"expression", expression}, {"frame", n.frame}, {"most", most}})
        .at("value");
  };
  const std::string operand = as_operand(n.expression);
  json list = json::array();
  if (n.value->at("shape").size() > 1) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string row = fmt::format("{}[{}]", operand, i);
      list.push_back(variable(
          fmt::format("[{}]", i),
          {.frame = n.frame, .expression = row, .value = share(evaluate(row, shown_at_once))}));
    }
    return list;
  }
  const json slice = evaluate(fmt::format("{}[{}:{}]", operand, begin, end), end - begin);
  json element = slice;
  element["shape"] = json::array();
  element["count"] = 1;
  element.erase("address");
  element.erase("place");
  element.erase("unwritten"); // how many of the slice: they are those that read "?"
  for (std::size_t i = begin; i < end; ++i) {
    const json& texts = slice.at("texts");
    json one = element;
    one["texts"] = json::array();
    if (i - begin < texts.size())
      one["texts"].push_back(texts[i - begin]);
    if (slice.contains("unwritten") && one["texts"] == json::array({"?"}))
      one["unwritten"] = 1;
    list.push_back(variable(fmt::format("[{}]", i),
                            {.frame = n.frame,
                             .expression = fmt::format("{}[{}]", operand, i),
                             .value = share(std::move(one))}));
  }
  return list;
}

variables::evaluated
variables::evaluate(const std::string& expression, std::size_t frame, std::size_t most) {
  const json reply = session_.ask(
      {{"do", "evaluate"}, {"expression", expression}, {"frame", frame}, {"most", most}});
  evaluated e{
      variable("", {.frame = frame, .expression = expression, .value = share(reply.at("value"))}),
      reply.at("value")};
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
    if (!n.expression.empty() && !child.empty())
      return child_expression(n.expression, child);
    return std::nullopt;
  case node::kind::pointer:
    return child;
  default:
    return std::nullopt;
  }
}

} // namespace tilesim::driver::dap
