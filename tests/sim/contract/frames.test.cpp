// Places in the source as text and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/frames_json.hpp"
#include "sim/contract/frames_text.hpp"

#include <nlohmann/json.hpp>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim;

TEST_CASE("places: what is not known is not printed") {
  CHECK(sim::to_string({"a.cu", 12, 7, "f"}) == "a.cu:12:7");
  CHECK(sim::to_string({"a.cu", 12, 0, "f"}) == "a.cu:12");
  CHECK(sim::to_string({"a.cu", 0, 0, "f"}) == "a.cu");
  CHECK(sim::to_string({"a.cu", 0, 7, "f"}) == "a.cu");
  CHECK(sim::place_text("a.cu", 12, 7) == "a.cu:12:7");
  CHECK(sim::place_text("a.cu", 12, 0) == "a.cu:12");
}

TEST_CASE("places: a chain is a line each, and begins with what is known") {
  CHECK(sim::frames_text({}, "in").empty());
  CHECK(sim::frames_text({{"a.cu", 12, 7, "f"}, {"b.cu", 3, 0, "g"}}, "other in") ==
        "  other in f (a.cu:12:7)\n  called from g (b.cu:3)\n");
  CHECK(sim::frames_text({{"a.cu", 12, 7, ""}, {"b.cu", 3, 0, "g"}}, "in") ==
        "  called from g (b.cu:3)\n");
}

TEST_CASE("places: as JSON and back, with and without the members' order kept") {
  const std::vector<source_frame> all = {{"a.cu", 12, 7, "f"}, {"b.cu", 0, 0, ""}};
  const auto json = sim::frames_json<nlohmann::json>(all);
  CHECK(sim::frames_from_json(json) == all);
  const auto ordered = sim::frames_json<nlohmann::ordered_json>(all);
  CHECK(sim::frames_from_json(ordered) == all);
  CHECK(ordered.dump() == R"([{"file":"a.cu","line":12,"column":7,"function":"f"},)"
                          R"({"file":"b.cu","line":0,"column":0,"function":""}])");
  CHECK(sim::frames_from_json(nlohmann::json::array()).empty());
}
