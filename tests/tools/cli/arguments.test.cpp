// The split of a command line.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/arguments.hpp"

#include "tools/cli/failure.hpp"

#include <CLI/CLI.hpp>
#include <support/catch.hpp>

using namespace tilesim::tools;

namespace {

using words = std::vector<std::string>;

struct parsed {
  arguments args;
  int seed = 0;
  bool hooks = false;
};

parsed parse(const words& line) {
  CLI::App app("test", "run");
  parsed p;
  app.add_option("--seed", p.seed);
  app.add_flag("--hooks", p.hooks);
  p.args = parse_arguments(app, line);
  return p;
}

} // namespace

TEST_CASE("options, files, compiler flags and program arguments", "[tools]") {
  const auto p = parse(
      {"--seed", "4", "-DX", "a.cu", "--hooks", "b.cpp", "-O2", "c.o", "--", "a", "--seed", "7"});
  CHECK(p.seed == 4);
  CHECK(p.hooks);
  CHECK(p.args.request.sources == words{"a.cu", "b.cpp"});
  CHECK(p.args.request.preprocess == words{"-DX"});
  CHECK(p.args.request.compile == words{"-O2"});
  CHECK(p.args.request.link == words{"c.o"});
  CHECK(p.args.program == words{"a", "--seed", "7"});
  CHECK(parse({"--seed=5", "a.cu"}).seed == 5);
}

TEST_CASE("the first file may have any name", "[tools]") {
  CHECK(parse({"kernel.txt"}).args.request.sources == words{"kernel.txt"});
}

TEST_CASE("wrong command lines are told apart", "[tools]") {
  CHECK_THROWS_WITH(parse({"--sed", "4", "a.cu"}),
                    "unknown option '--sed'; did you mean '--seed'? see 'tilesim run --help'");
  CHECK_THROWS_WITH(parse({"a.cu", "--unheard-of"}),
                    "unknown option '--unheard-of'; what the program is to get stands behind '--', "
                    "see 'tilesim run --help'");
  CHECK_THROWS_WITH(parse({"a.cu", "data.txt"}),
                    "'data.txt' is no source file; what the program is to get stands behind '--': "
                    "tilesim run a.cu -- data.txt");
  CHECK_THROWS_WITH(parse({}),
                    "no source file; write 'tilesim run FILE.cu', see 'tilesim run --help'");
  CHECK_THROWS_AS(parse({"--seed", "x", "a.cu"}), CLI::ParseError);
}

TEST_CASE("an option takes no other option for its value", "[tools]") {
  CHECK_THROWS_WITH(parse({"--seed", "-o", "x", "a.cu"}),
                    "'--seed' needs a value behind it, and '-o' is an option; a value of that name "
                    "is written --seed=-o");
  CHECK_THROWS_WITH(parse({"--seed", "--hooks", "a.cu"}),
                    "'--seed' needs a value behind it, and '--hooks' is an option; a value of that "
                    "name is written --seed=--hooks");
  CHECK_THROWS_WITH(parse({"a.cu", "-o", "--seed", "3"}),
                    "'-o' needs a value behind it, and '--seed' is an option; a value of that name "
                    "is written -o ./--seed");
  CHECK_THROWS_WITH(parse({"a.cu", "--seed", "--", "3"}),
                    "'--seed' needs a value behind it, and '--' is an option; a value of that name "
                    "is written --seed=--");
  CHECK(parse({"--seed", "-4", "a.cu"}).seed == -4);
  CHECK(parse({"-o", "-", "a.cu"}).args.request.output == "-");
  CHECK(parse({"-Xcompiler", "-fopenmp", "-Xlinker", "-s", "-Xptxas", "-v", "a.cu"})
            .args.request.link == words{"-fopenmp", "-Xlinker", "-s"});
}

TEST_CASE("the nearest word", "[tools]") {
  CHECK(nearest("rnu", {"run", "build"}) == "run");
  CHECK(nearest("bild", {"run", "build"}) == "build");
  CHECK_FALSE(nearest("quite-other", {"run", "build"}));
}
