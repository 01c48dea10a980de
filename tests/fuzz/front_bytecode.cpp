// Bytecode of Tile IR, as a file that somebody sent.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/printer.hpp"
#include "sim/tileir/reader.hpp"
#include "tests/fuzz/fronts.hpp"

#include <span>

namespace tilesim::fuzz {

namespace {

using namespace tilesim::tileir;

/// Files of which the text would be gigabytes: tables of zeros, named again and again.
constexpr std::size_t longest = 100'000;

} // namespace

bool judge_bytecode(std::string_view text) {
  if (text.size() > longest) {
    return false;
  }
  const std::span bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  const std::size_t length = length_of(bytes.data(), bytes.size());
  must(length <= bytes.size(), "a file that is longer than its bytes");
  try {
    const auto m = read(bytes);
    must(length == bytes.size(), "a file that was read, and ends elsewhere");
    const std::string shown = print(*m, {.places = true});
    for (const entry& e : m->entries) {
      must(shown.find("entry @") != std::string::npos, "a text without its entries");
      must(e.locations.size() == e.operations, "operations without locations");
    }
    return true;
  } catch (const bad_bytecode& e) {
    const std::string_view what = e.what();
    must(what.starts_with("section ") && what.find(", offset 0x") != std::string_view::npos &&
             e.offset() <= text.size(),
         "a refusal without its place");
    return false;
  }
}

} // namespace tilesim::fuzz
