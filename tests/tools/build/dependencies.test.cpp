// make's syntax.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/dependencies.hpp"

#include "tools/cli/files.hpp"

#include <filesystem>
#include <support/catch.hpp>
#include <unistd.h>

using namespace tilesim::tools;
using words = std::vector<std::string>;

TEST_CASE("prerequisites of the first rule", "[tools]") {
  CHECK(parse_dependencies("x: a.cu b.h \\\n  dir/c.h\n\nb.h:\n") ==
        words{"a.cu", "b.h", "dir/c.h"});
  CHECK(parse_dependencies("x: a\\ b.cu c$$.h d\\#.h") == words{"a b.cu", "c$.h", "d#.h"});
  CHECK(parse_dependencies("x:  \\\n").empty());
  CHECK(parse_dependencies("").empty());
}

TEST_CASE("a rule comes back as it was written", "[tools]") {
  const words inputs{"a.cu", "dir/b c.h", "$d#.h"};
  CHECK(parse_dependencies(format_dependencies("x y", inputs)) == inputs);
}

TEST_CASE("folders are looked through as the compiler does it", "[tools]") {
  CHECK(include_folders("src/a.cu",
                        {"-isystem", "sys", "-Ione", "-DX", "-I", "two", "-iquotebeside"}) ==
        words{"src", "beside", "one", "two", "sys"});
  CHECK(include_folders("a.cu", {}) == words{""});
}

TEST_CASE("what would be read instead is known by every folder that comes earlier", "[tools]") {
  namespace fs = std::filesystem;
  auto text = (fs::temp_directory_path() / "tilesim-absent-XXXXXX").string();
  REQUIRE(mkdtemp(text.data()) != nullptr);
  const fs::path root = text;
  const auto at = [&](const char* name) { return (root / name).string(); };
  for (const auto* folder : {"src", "one", "two/sub"}) {
    fs::create_directories(root / folder);
  }
  write_file(at("one/b.h"), "");
  const words folders{at("src"), at("one"), at("two")};
  CHECK(absent_headers({at("src/a.cu")}, folders).empty());
  CHECK(absent_headers({at("one/a.h")}, folders) == words{at("src/a.h")});
  CHECK(absent_headers({at("two/./sub/a.h")}, folders) ==
        words{at("one/sub/a.h"), at("src/sub/a.h")});
  CHECK(absent_headers({at("two/b.h")}, folders) == words{at("src/b.h")});
  CHECK(absent_headers({"/usr/include/stdio.h"}, folders).empty());
  CHECK(absent_headers({"inc/a.h", "b.h"}, {"", "inc"}) == words{"a.h"}); // as they are named
  fs::remove_all(root);
}
