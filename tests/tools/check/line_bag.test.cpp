// Output compared as a multiset of lines.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/line_bag.hpp"

#include <string>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::tools;

namespace {

line_bag bag(const std::vector<std::string>& pieces) {
  line_bag b;
  for (const auto& p : pieces) {
    b.add(p);
  }
  b.finish();
  return b;
}

} // namespace

TEST_CASE("lines count, their order and the pieces that they came in do not", "[tools]") {
  const auto b = bag({"one\ntwo\n", "two\n"});
  CHECK(b.same_as(bag({"t", "wo\non", "e\ntwo"})));
  CHECK_FALSE(b.same_as(bag({"one\ntwo\n"})));
  CHECK_FALSE(b.same_as(bag({"one\none\ntwo\n"})));
  CHECK_FALSE(b.same_as(bag({"one\ntwo\ntwo\n\n"})));
  CHECK(bag({}).same_as(bag({""})));
}

TEST_CASE("the first line that the other does not have", "[tools]") {
  const auto a = bag({"one\ntwo\ntwo\n"});
  CHECK_FALSE(a.first_not_in(a));
  CHECK(a.first_not_in(bag({"two\none\n"})) == "two");
  CHECK(a.first_not_in(bag({"two\nthree\ntwo\n"})) == "one");
  CHECK_FALSE(bag({}).first_not_in(a));
}

TEST_CASE("output beyond what is kept still counts", "[tools]") {
  const std::string megabyte(1U << 20U, 'x');
  const auto a = bag({megabyte, "\n", megabyte, "\nsame\n"});
  const auto b = bag({megabyte, "\n", megabyte, "\nother\n"});
  CHECK_FALSE(a.same_as(b));
  CHECK_FALSE(a.first_not_in(b));
}

TEST_CASE("the last line that says something", "[tools]") {
  CHECK(bag({}).last().empty());
  CHECK(bag({"one\ntw", "o"}).last() == "two");
  CHECK(bag({"one\n\n\n"}).last() == "one");
  CHECK(bag({std::string(5000, 'x')}).last() == std::string(1000, 'x'));
}
