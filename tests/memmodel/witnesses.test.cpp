// The witnesses that the models show for our litmus files: every refused candidate has a closed
// cycle of edges that are there.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/chains.hpp"
#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/explain.hpp"
#include "memmodel/litmus/reader.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace tilesim::memmodel;
using namespace tilesim::memmodel::litmus;

TEST_CASE("explain: the witness of every refused candidate of our litmus files") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TILESIM_LITMUS_DIR)) {
    if (entry.path().extension() == ".litmus") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  REQUIRE(files.size() > 200);
  std::set<std::string_view> seen;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const test t = read_test(std::string{std::istreambuf_iterator<char>(in), {}});
    for (const model* m : {&ptx(), &sc()}) {
      for (const refused_candidate& c : explain(t, *m, {}, 64).candidates) {
        relations r(c.what.what);
        r.add_reads();
        r.add_fences();
        r.add_coherence();
        CAPTURE(file.stem().string(), m->name, c.broken->name, text_of(c.cycle));
        CHECK(problem_of_cycle(r, c.cycle) == "");
        seen.insert(c.broken->name);
      }
    }
  }
  // The axioms that candidates of the files break; the tests of axioms break each.
  CHECK(seen.contains("Causality"));
  CHECK(seen.contains("Coherence"));
  CHECK(seen.contains("No-Thin-Air"));
  CHECK(seen.contains("Sequential consistency"));
  CHECK(seen.contains("Atomicity (read-modify-write)"));
}
