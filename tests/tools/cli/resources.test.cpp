// Processors and memory, as files tell of them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/resources.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <support/catch.hpp>
#include <unistd.h>

using namespace tilesim::tools;

namespace {

/// A /proc and a /sys of one's own.
class machine {
public:
  machine()
      : root_((std::filesystem::temp_directory_path() / "tilesim-resources-XXXXXX").string()) {
    REQUIRE(mkdtemp(root_.data()) != nullptr);
  }
  ~machine() { std::filesystem::remove_all(root_); }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  void file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = root_ + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  [[nodiscard]] const std::string& root() const { return root_; }

private:
  std::string root_;
};

} // namespace

TEST_CASE("memory is what the machine and each group have left", "[tools]") {
  const machine m;
  CHECK(available_memory(m.root()) == std::numeric_limits<std::uint64_t>::max());
  m.file("/proc/meminfo", "MemTotal:       100 kB\nMemAvailable:    64 kB\nSwapFree: 9 kB\n");
  CHECK(available_memory(m.root()) == 64 * 1024);
  m.file("/sys/fs/cgroup/memory.max", "max\n");
  m.file("/sys/fs/cgroup/memory.current", "4096\n");
  CHECK(available_memory(m.root()) == 64 * 1024);
  m.file("/sys/fs/cgroup/memory.max", "12288\n");
  CHECK(available_memory(m.root()) == 8192);
  m.file("/sys/fs/cgroup/memory.current", "99999\n");
  CHECK(available_memory(m.root()) == 0);
  m.file("/sys/fs/cgroup/memory.current", "0\n");
  m.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n");
  m.file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  CHECK(available_memory(m.root()) == 2000);
}

TEST_CASE("processors are no more than the group's quota", "[tools]") {
  const machine m;
  const auto all = usable_processors(m.root());
  CHECK(all >= 1);
  m.file("/sys/fs/cgroup/cpu.max", "max 100000\n");
  CHECK(usable_processors(m.root()) == all);
  m.file("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  CHECK(usable_processors(m.root()) == 1);
  m.file("/sys/fs/cgroup/cpu.max", "100000000 100000\n");
  CHECK(usable_processors(m.root()) == all);
  m.file("/sys/fs/cgroup/cpu.max", "nonsense\n");
  CHECK(usable_processors(m.root()) == all);
}
