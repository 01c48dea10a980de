// Reading /proc/meminfo and the control group's files.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/resources.hpp"

#include "tools/cli/files.hpp"
#include "tools/cli/numbers.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <sched.h>
#include <string_view>

namespace tilesim::tools {
namespace {

/// The number that a file holds; nothing for "max", or where there is no such file.
std::optional<std::uint64_t> number_in(const std::string& path) {
  const auto text = read_file(path);
  return text ? number<std::uint64_t>(std::string_view(*text).substr(0, text->find('\n')))
              : std::nullopt;
}

/// "MemAvailable:    1234 kB"
std::optional<std::uint64_t> free_memory(const std::string& path) {
  constexpr std::string_view name = "MemAvailable:";
  const auto text = read_file(path);
  const auto at = text ? text->find(name) : std::string::npos;
  if (at == std::string::npos) {
    return {};
  }
  const auto begin = text->find_first_not_of(' ', at + name.size());
  if (begin == std::string::npos) {
    return {};
  }
  const auto kibibytes =
      number<std::uint64_t>(std::string_view(*text).substr(begin, text->find(' ', begin) - begin));
  return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
}

/// What of its limit a control group has left.
std::optional<std::uint64_t> left_of_group(const std::string& limit, const std::string& used) {
  const auto most = number_in(limit);
  const auto now = number_in(used);
  if (!most || !now) {
    return {};
  }
  return *most - std::min(*most, *now);
}

/// Processors in full that "QUOTA PERIOD" stands for, rounded up.
std::optional<std::size_t> quota(const std::string& path) {
  const auto text = read_file(path);
  const auto blank = text ? text->find(' ') : std::string::npos;
  if (blank == std::string::npos) {
    return {};
  }
  const auto line = std::string_view(*text).substr(0, text->find('\n'));
  const auto time = number<std::uint64_t>(line.substr(0, blank));
  const auto period = number<std::uint64_t>(line.substr(blank + 1));
  if (!time || !period || *period == 0) {
    return {};
  }
  return static_cast<std::size_t>((*time + *period - 1) / *period);
}

} // namespace

std::size_t usable_processors(const std::string& root) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const auto mine = known ? static_cast<std::size_t>(CPU_COUNT(&allowed)) : std::size_t{1};
  const auto group = quota(root + "/sys/fs/cgroup/cpu.max").value_or(mine);
  return std::max(std::size_t{1}, std::min(mine, group));
}

std::uint64_t available_memory(const std::string& root) {
  const std::string group = root + "/sys/fs/cgroup/";
  auto least = std::numeric_limits<std::uint64_t>::max();
  for (const auto& known : {free_memory(root + "/proc/meminfo"),
                            left_of_group(group + "memory.max", group + "memory.current"),
                            left_of_group(group + "memory/memory.limit_in_bytes",
                                          group + "memory/memory.usage_in_bytes")}) {
    least = std::min(least, known.value_or(least));
  }
  return least;
}

} // namespace tilesim::tools
