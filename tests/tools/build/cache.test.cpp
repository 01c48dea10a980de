// Found again only while nothing has changed.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/cache.hpp"

#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <cstdlib>
#include <filesystem>
#include <support/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using namespace tilesim::tools;

namespace {

struct folder {
  folder() {
    auto text = (fs::temp_directory_path() / "tilesim-cache-XXXXXX").string();
    REQUIRE(mkdtemp(text.data()) != nullptr);
    path = text;
  }
  ~folder() { fs::remove_all(path); }
  [[nodiscard]] std::string file(const char* name, std::string_view bytes) const {
    write_file((path / name).string(), bytes);
    return (path / name).string();
  }
  fs::path path;
};

std::string store(cache& c,
                  const std::string& key,
                  std::string_view bytes,
                  const std::vector<std::string>& inputs,
                  std::string output = {},
                  const std::vector<std::string>& absent = {}) {
  const auto made = c.temporary(".o");
  write_file(made, bytes);
  return c.store(
      key, {made, std::move(output), inputs, absent}, ".o", std::chrono::system_clock::now() + 1s);
}

} // namespace

TEST_CASE("a result is found until a file appears that would have been read", "[tools]") {
  const folder f;
  cache c((f.path / "cache").string());
  const auto input = f.file("a.h", "one");
  const auto earlier = (f.path / "earlier \n.h").string();
  store(c, "key", "object", {input}, {}, {earlier});
  const auto found = c.find("key");
  REQUIRE(found);
  CHECK(found->absent == std::vector<std::string>{earlier});
  write_file(earlier, "");
  CHECK_FALSE(c.find("key"));
  fs::remove(earlier);
  CHECK(c.find("key"));
}

TEST_CASE("a result is found while its inputs are the same", "[tools]") {
  const folder f;
  cache c((f.path / "cache").string());
  const auto input = f.file("a.h", "one");
  CHECK_FALSE(c.find("key"));
  const auto stored = store(c, "key", "object", {input}, "a warning");
  const auto found = c.find("key");
  REQUIRE(found);
  CHECK(found->file == stored);
  CHECK(read_file(found->file) == "object");
  CHECK(found->output == "a warning");
  CHECK(found->inputs == std::vector<std::string>{input});
  CHECK_FALSE(c.find("other"));

  SECTION("changed: same size, so only the bytes tell") {
    CHECK(f.file("a.h", "two") == input);
    CHECK_FALSE(c.find("key"));
    CHECK(f.file("a.h", "one") == input);
    CHECK(c.find("key"));
  }
  SECTION("vanished") {
    fs::remove(input);
    CHECK_FALSE(c.find("key"));
  }
  SECTION("the result is gone") {
    fs::remove(stored);
    CHECK_FALSE(c.find("key"));
  }
  SECTION("the result is damaged") {
    write_file(stored, "objecT");
    CHECK_FALSE(c.find("key"));
    CHECK(read_file(store(c, "key", "object", {input})) == "object"); // made anew
    CHECK(c.find("key"));
  }
  SECTION("what the compiler said is damaged") {
    for (const auto& entry : fs::directory_iterator(f.path / "cache" / "results")) {
      if (entry.path().extension() == ".txt") {
        write_file(entry.path().string(), "a warninG");
      }
    }
    CHECK_FALSE(c.find("key"));
  }
  SECTION("a manifest that lacks an input") {
    const auto path = c.folder() + "/manifests/key";
    auto text = read_file(path).value();
    const auto at = text.find(input);
    text.erase(text.rfind('\n', at), input.size() + 33);
    write_file(path, text);
    CHECK_FALSE(c.find("key"));
  }
  SECTION("a broken manifest") {
    write_file(c.folder() + "/manifests/key", "nonsense");
    CHECK_FALSE(c.find("key"));
  }
  SECTION("cleared") {
    c.clear();
    CHECK_FALSE(c.find("key"));
    CHECK(c.usage().files == 0);
  }
}

TEST_CASE("an input that changes during the compilation is never trusted", "[tools]") {
  const folder f;
  cache c((f.path / "cache").string());
  const auto input = f.file("a.h", "one");
  const auto made = c.temporary(".o");
  write_file(made, "object");
  const auto before = std::chrono::system_clock::now() - 1h;
  CHECK(fs::exists(c.store("key", {made, {}, {input}}, ".o", before)));
  CHECK_FALSE(c.find("key"));
}

TEST_CASE("a result that is there already stays: somebody may be running it", "[tools]") {
  const folder f;
  cache c((f.path / "cache").string());
  const auto input = f.file("a.h", "one");
  const auto stored = store(c, "key", "object", {input});
  struct stat before {};
  REQUIRE(stat(stored.c_str(), &before) == 0);
  CHECK(store(c, "key", "object", {input}) == stored);
  struct stat after {};
  REQUIRE(stat(stored.c_str(), &after) == 0);
  CHECK(before.st_ino == after.st_ino);
  CHECK(fs::is_empty(f.path / "cache" / "tmp"));
}

TEST_CASE("the least recently used goes first", "[tools]") {
  const folder f;
  cache c((f.path / "cache").string());
  const auto input = f.file("a.h", "one");
  const std::string mebibyte(std::size_t{1} << 20, 'x');
  const auto old = store(c, "old", mebibyte, {input});
  const auto used = store(c, "used", mebibyte, {input});
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(old, now - 3h);
  fs::last_write_time(used, now - 2h);
  setenv("TILESIM_CACHE_SIZE", "2M", 1);
  CHECK(c.find("old")); // a look makes it the younger one
  store(c, "new", mebibyte, {input});
  CHECK(fs::exists(old));
  CHECK_FALSE(fs::exists(used));
  CHECK(c.find("new"));
  setenv("TILESIM_CACHE_SIZE", "lots", 1);
  CHECK_THROWS_WITH(c.usage(),
                    "TILESIM_CACHE_SIZE is 'lots'; write a number of mebibytes or gibibytes, such "
                    "as 500M or 2G");
  unsetenv("TILESIM_CACHE_SIZE");
}

TEST_CASE("a folder that cannot be made is named", "[tools]") {
  const folder f;
  const auto file = f.file("plain", "");
  CHECK_THROWS_AS(cache(file + "/cache"), failure);
}
