// The index of a launch feed as JSON.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/launch_feed.hpp"

#include "sim/contract/json_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace tilesim::sim {

namespace {

using nlohmann::json;

/// Of the index, and of a launch in it.
namespace key {
constexpr const char* memories = "memories"; ///< [allocation, address, bytes, variable, array]
constexpr const char* launches = "launches";
constexpr const char* kernel = "kernel";
constexpr const char* grid = "grid";
constexpr const char* block = "block";
constexpr const char* shared = "shared";       ///< bytes
constexpr const char* arguments = "arguments"; ///< the bytes of each in hexadecimal
constexpr const char* arrays = "arrays";       ///< memories' numbers
constexpr const char* inputs = "inputs";       ///< [memory, offset, bytes, hash]
constexpr const char* before = "before";       ///< [memory, offset, bytes, at, mask?]
constexpr const char* observed = "observed";   ///< whether `after` and `pages` are known
constexpr const char* after = "after";         ///< as before
constexpr const char* pages = "pages";         ///< [memory, offset, bytes, hashes]
} // namespace key

json json_of(const fed_range& r) {
  json line = {r.memory, r.offset, r.bytes, r.at};
  if (r.mask) {
    line.push_back(*r.mask);
  }
  return line;
}

json json_of(const std::vector<fed_range>& ranges) {
  json list = json::array();
  for (const fed_range& r : ranges) {
    list.push_back(json_of(r));
  }
  return list;
}

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string bytes_of_hexadecimal(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

/// Bytes from `at` on lie within `all`.
bool lies_in(std::uint64_t at, std::uint64_t bytes, std::uint64_t all) noexcept {
  return at <= all && bytes <= all - at;
}

void check(bool right) {
  if (!right) {
    throw bad_feed("a launch feed points outside what it speaks of");
  }
}

fed_range
range_from(const json& line, const std::vector<fed_memory>& memories, std::uint64_t content) {
  fed_range r{.memory = line.at(0).get<std::size_t>(),
              .offset = line.at(1).get<std::uint64_t>(),
              .bytes = line.at(2).get<std::uint64_t>(),
              .at = line.at(3).get<std::uint64_t>(),
              .mask = {}};
  check(r.memory < memories.size() && lies_in(r.offset, r.bytes, memories[r.memory].bytes) &&
        lies_in(r.at, r.bytes, content));
  if (line.size() > 4) {
    r.mask = line.at(4).get<std::uint64_t>();
    check(lies_in(*r.mask, (r.bytes + 7) / 8, content));
  }
  return r;
}

std::vector<fed_range>
ranges_from(const json& list, const std::vector<fed_memory>& memories, std::uint64_t content) {
  std::vector<fed_range> result;
  for (const json& line : list) {
    result.push_back(range_from(line, memories, content));
  }
  return result;
}

fed_pages pages_from(const json& line, const std::vector<fed_memory>& memories) {
  fed_pages p{.memory = line.at(0).get<std::size_t>(),
              .offset = line.at(1).get<std::uint64_t>(),
              .bytes = line.at(2).get<std::uint64_t>(),
              .hashes = line.at(3).get<std::vector<std::uint64_t>>()};
  check(p.memory < memories.size() && lies_in(p.offset, p.bytes, memories[p.memory].bytes) &&
        p.offset % fed_pages::page_bytes == 0 && p.hashes.size() == fed_pages::count(p.bytes));
  return p;
}

fed_launch
launch_from(const json& line, const std::vector<fed_memory>& memories, std::uint64_t content) {
  fed_launch l{.kernel = line.at(key::kernel).get<std::string>(),
               .grid = line.at(key::grid).get<std::array<std::uint64_t, 3>>(),
               .block = line.at(key::block).get<std::array<std::uint64_t, 3>>(),
               .shared_bytes = line.at(key::shared).get<std::uint64_t>(),
               .arguments = {},
               .arrays = line.value(key::arrays, std::vector<std::size_t>()),
               .inputs = {},
               .before = ranges_from(line.at(key::before), memories, content),
               .observed = line.at(key::observed).get<bool>(),
               .after = ranges_from(line.at(key::after), memories, content),
               .pages = {}};
  for (const json& p : line.at(key::pages)) {
    l.pages.push_back(pages_from(p, memories));
  }
  for (const json& a : line.at(key::arguments)) {
    l.arguments.push_back(bytes_of_hexadecimal(a.get<std::string>()));
  }
  for (const std::size_t array : l.arrays) {
    check(array < memories.size());
  }
  for (const json& i : line.at(key::inputs)) {
    l.inputs.push_back({.memory = i.at(0).get<std::size_t>(),
                        .offset = i.at(1).get<std::uint64_t>(),
                        .bytes = i.at(2).get<std::uint64_t>(),
                        .hash = i.at(3).get<std::uint64_t>()});
    const fed_input& in = l.inputs.back();
    check(in.memory < memories.size() && lies_in(in.offset, in.bytes, memories[in.memory].bytes));
  }
  return l;
}

} // namespace

std::string to_text(const launch_feed& feed) {
  json memories = json::array();
  for (const fed_memory& m : feed.memories) {
    memories.push_back({m.allocation, m.address, m.bytes, m.variable, m.array});
  }
  json launches = json::array();
  for (const fed_launch& l : feed.launches) {
    json inputs = json::array();
    for (const fed_input& i : l.inputs) {
      inputs.push_back({i.memory, i.offset, i.bytes, i.hash});
    }
    json arguments = json::array();
    for (const std::string& a : l.arguments) {
      arguments.push_back(hexadecimal(a));
    }
    json pages = json::array();
    for (const fed_pages& p : l.pages) {
      pages.push_back({p.memory, p.offset, p.bytes, p.hashes});
    }
    launches.push_back({{key::kernel, l.kernel},
                        {key::grid, l.grid},
                        {key::block, l.block},
                        {key::shared, l.shared_bytes},
                        {key::arguments, std::move(arguments)},
                        {key::arrays, l.arrays},
                        {key::inputs, std::move(inputs)},
                        {key::before, json_of(l.before)},
                        {key::observed, l.observed},
                        {key::after, json_of(l.after)},
                        {key::pages, std::move(pages)}});
  }
  return json_text(
      json{{key::memories, std::move(memories)}, {key::launches, std::move(launches)}});
}

launch_feed feed_from_text(std::string_view text, std::uint64_t content_bytes) {
  const json all = parse_json(text);
  try {
    launch_feed feed;
    for (const json& m : all.at(key::memories)) {
      feed.memories.push_back({.allocation = m.at(0).get<unsigned>(),
                               .address = m.at(1).get<std::uint64_t>(),
                               .bytes = m.at(2).get<std::uint64_t>(),
                               .variable = m.size() > 3 ? m.at(3).get<std::string>() : "",
                               .array = m.size() > 4 ? m.at(4).get<std::string>() : ""});
    }
    for (const json& l : all.at(key::launches)) {
      feed.launches.push_back(launch_from(l, feed.memories, content_bytes));
    }
    return feed;
  } catch (const json::exception& e) {
    throw bad_feed(e.what());
  }
}

} // namespace tilesim::sim
