// Findings as text: the shape of a report.
// SPDX-License-Identifier: Apache-2.0
#include "sim/findings/report_text.hpp"

#include <support/catch.hpp>

using namespace tilesim;
using namespace tilesim::sim;

TEST_CASE("a finding says verdict, who, where, and the way out") {
  finding f;
  f.kind = finding_kind::out_of_bounds;
  f.where = {{"saxpy.cu", 17, 3, "saxpy"}, {"main.cu", 40, 0, "main"}};
  f.message = "read of 4 bytes out of bounds";
  f.details = {"by tile block (3,0,0) of saxpy"};
  f.remedy = "mask it";
  CHECK(render(f, false) == "saxpy.cu:17:3: error: read of 4 bytes out of bounds [out-of-bounds]\n"
                            "  by tile block (3,0,0) of saxpy\n"
                            "  in saxpy (saxpy.cu:17:3)\n"
                            "  called from main (main.cu:40)\n"
                            "  to fix: mask it\n");
}

TEST_CASE("a finding without a place names the tool, and a note is no error") {
  finding f;
  f.kind = finding_kind::interrupted;
  f.severity = finding::level::note;
  f.message = "interrupted";
  CHECK(render(f, false) == "tilesim: note: interrupted [interrupted]\n");
  CHECK(render(f, true).find("\033[") != std::string::npos);
}

TEST_CASE("the summary has one greppable line per finding") {
  report r;
  CHECK(render_summary(r, false).empty());
  r.findings.push_back({});
  r.findings.back().kind = finding_kind::misaligned;
  r.findings.back().where = {{"a.cu", 3, 1, "k"}};
  r.findings.back().count = 5;
  CHECK(render_summary(r, false) == "summary: misaligned: a.cu:3:1, 5 times\n");
  CHECK_FALSE(r.clean());
  r.findings.back().severity = finding::level::note;
  CHECK(r.clean());
}
