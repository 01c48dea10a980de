// The check of litmus files itself: what is no test, and what does not hold, is told.
//
// SPDX-License-Identifier: Apache-2.0
#include "litmus/check.hpp"

#include "support/catch.hpp"

using tilesim::litmus_tests::problems;

namespace {

const std::string header = "PTX T\n\"a comment\"\n{ x=0; y=0; }\n";
const std::string mp = " P0@cta 0,gpu 0   | P1@cta 1,gpu 0      ;\n"
                       " st.weak x, 1     | ld.acquire.gpu r0, y ;\n"
                       " st.release.gpu y, 1 | bne r0, 1, LC00    ;\n"
                       "                  | ld.weak r1, x        ;\n"
                       "                  | LC00:                ;\n";
const std::string stale = "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n";
const std::string deadlock = " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                             " bar.cta.sync 0 | bar.cta.sync 1 ;\n"
                             " bar.cta.sync 1 | bar.cta.sync 0 ;\n";
const std::string endless = " P0@cta 0,gpu 0 ;\n LC00: ;\n add r0, r0, 1 ;\n bne r0, 9, LC00 ;\n";

struct row {
  std::string text;
  std::vector<std::string> expected;
};

} // namespace

TEST_CASE("a litmus file that holds has no problems") {
  CHECK(problems("T.litmus", header + mp + stale + "expect ptx: forbidden, race-free\n").empty());
  CHECK(problems("dir/T.litmus",
                 header + mp + stale + "expect ptx: forbidden, race-free, terminates\n")
            .empty());
}

TEST_CASE("a litmus file that says too little is no test") {
  const row r = GENERATE_REF(values<row>({
      {header + mp + stale,
       {"T.litmus:1:1: error: nothing is expected of ptx: write 'expect ptx: …'"}},
      {header + mp + stale + "expect sc: forbidden\n",
       {"T.litmus:1:1: error: nothing is expected of ptx: write 'expect ptx: …'"}},
      {header + mp + stale + "expect ptx: forbidden\n",
       {"T.litmus:10:8: error: what is expected of ptx says nothing of the condition or of races"}},
      {header + mp + stale + "expect ptx: race-free\n",
       {"T.litmus:10:8: error: what is expected of ptx says nothing of the condition or of races"}},
      {header + mp + "expect ptx: race-free\n",
       {"T.litmus:1:1: error: there is no condition: exists, ~exists or forall",
        "T.litmus:9:8: error: what is expected of ptx says nothing of the condition or of races"}},
      {"PTX T\n{ x=0; y=0; }\n" + mp + stale + "expect ptx: forbidden, race-free\n",
       {"T.litmus:1:1: error: no comment says what the test shows"}},
      {"PTX U\n\"c\"\n{ x=0; y=0; }\n" + mp + stale + "expect ptx: forbidden, race-free\n",
       {"T.litmus:1:1: error: the test is named 'U', its file 'T'"}},
      {header + mp + "exists P1:r0 = \n",
       {"T.litmus:10:1: error: expected a variable or a register as 'P0:r0', found the end of the "
        "file"}},
  }));
  CAPTURE(r.text);
  CHECK(problems("T.litmus", r.text) == r.expected);
}

TEST_CASE("a litmus file is held to every expectation") {
  const row r = GENERATE_REF(values<row>({
      {header + mp + stale + "expect ptx: allowed, race-free\n",
       {"T.litmus:10:8: error: ptx says 'forbidden', expected 'allowed'"}},
      {header + mp + stale + "expect ptx: forbidden, race\n",
       {"T.litmus:10:8: error: ptx says 'race-free', expected 'race'"}},
      {header + mp + stale + "expect ptx: forbidden, race-free, may-hang\n",
       {"T.litmus:10:8: error: ptx says 'terminates', expected 'may-hang'"}},
      {header + mp + stale + "expect ptx: forbidden, race-free\nexpect sc: allowed\n",
       {"T.litmus:11:8: error: sc says 'forbidden', expected 'allowed'"}},
      {header + mp + "forall (P1:r0 == 1)\nexpect ptx: always, race-free\n",
       {"T.litmus:10:8: error: ptx says 'not-always', expected 'always'"}},
      {header + deadlock + "forall (x == 5)\nexpect ptx: always, race-free, may-hang\n",
       {"T.litmus:8:8: error: ptx says 'always' of no execution at all"}},
      {header + endless + "exists (true)\nexpect ptx: forbidden, race-free, terminates\n",
       {"T.litmus:9:8: error: ptx says 'unknown', expected 'terminates'"}},
  }));
  CAPTURE(r.text);
  CHECK(problems("T.litmus", r.text) == r.expected);
}
