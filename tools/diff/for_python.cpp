// Recordings of Python programs: called by api/python through ctypes, in libtilesim_check.so.
//
// Python watches launches and looks at memory, on a device or in the simulator; here its findings
// become a recording, and a recording a launch feed.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/writer.hpp"
#include "sim/contract/exit_codes.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/diff/feed.hpp"

#include <tilesim/detail/machine.hpp>

#define XXH_INLINE_ALL
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <system_error>
#include <xxhash.h>

namespace tilesim::tools::diff {
namespace {

class python_recording {
public:
  explicit python_recording(const char* path)
      : to_(path) {}

  void begin(const char* program,
             const char* compiler,
             const char* device,
             const char* capability,
             const char* driver) {
    gpu::machine_event m;
    m.program = m.sources = program;
    if (const auto text = read_file(program)) {
      m.source_hash = XXH64(text->data(), text->size(), 0);
    }
    m.compiler = compiler;
    m.device = device;
    m.capability = capability;
    m.driver = driver;
    to_.add(m);
    to_.add(gpu::run_event{});
  }

  std::uint64_t array(const char* name, std::uint64_t address, std::span<const std::byte> before) {
    const std::uint64_t number = ++arrays_;
    to_.add(gpu::memory_event{.number = number,
                              .kind = gpu::memory_kind::lent,
                              .address = address,
                              .bytes = before.size(),
                              .name = name,
                              .place = {}});
    to_.add(gpu::host_write_event{.memory = number,
                                  .offset = 0,
                                  .bytes = before.size(),
                                  .hash = XXH64(before.data(), before.size(), 0),
                                  .by = "host"});
    keep(gpu::content_event::when::before, number, 0, before);
    return number;
  }

  void launch(const char* kernel, std::span<const unsigned, 3> grid) {
    gpu::launch_event l;
    l.number = launches_;
    l.symbol = kernel;
    l.grid = {grid[0], grid[1], grid[2]};
    l.block = l.cluster = {1, 1, 1};
    l.by = "cuda.tile.launch";
    to_.add(l);
  }

  /// What the launch has changed, in whole pages.
  void changed(std::uint64_t number,
               std::span<const std::byte> before,
               std::span<const std::byte> after) {
    constexpr std::size_t page = gpu::format::page_bytes;
    std::size_t end = 0;
    for (std::size_t at = 0; at < after.size(); at = end) {
      end = std::min(at + page, after.size());
      if (std::memcmp(&before[at], &after[at], end - at) == 0) {
        continue;
      }
      while (end < after.size()) {
        const std::size_t next = std::min(page, after.size() - end);
        if (std::memcmp(&before[end], &after[end], next) == 0) {
          break;
        }
        end += next;
      }
      keep(gpu::content_event::when::after, number, at, after.subspan(at, end - at));
    }
  }

  void observed() {
    to_.add(gpu::observed_event{launches_, launches_});
    for (; freed_ < arrays_; ++freed_) {
      to_.add(gpu::freed_event{freed_ + 1});
    }
    ++launches_;
    to_.hand_over();
  }

  int end(int status) {
    to_.add(gpu::end_event{false, status});
    to_.finish();
    return to_.failed();
  }

private:
  void keep(gpu::content_event::when is,
            std::uint64_t number,
            std::size_t offset,
            std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size =
          std::min<std::size_t>(bytes.size() - at, gpu::format::most_content_bytes);
      to_.add(gpu::content_event{.is = is,
                                 .memory = number,
                                 .offset = offset + at,
                                 .bytes = size,
                                 .content = to_.keep(bytes.subspan(at, size)),
                                 .mask = {}});
      at += size;
    }
  }

  gpu::writer to_;
  std::uint64_t arrays_ = 0;
  std::uint64_t freed_ = 0;
  std::uint64_t launches_ = 0;
};

std::span<const std::byte> bytes_at(const void* at, std::size_t bytes) {
  return {static_cast<const std::byte*>(at), bytes};
}

} // namespace
} // namespace tilesim::tools::diff

extern "C" {

using tilesim::tools::diff::bytes_at;
using tilesim::tools::diff::python_recording;

TILESIM_EXPORT void* tilesim_recording_begin(const char* path,
                                             const char* program,
                                             const char* compiler,
                                             const char* device,
                                             const char* capability,
                                             const char* driver) {
  auto* const r = new python_recording(path); // until it ends
  r->begin(program, compiler, device, capability, driver);
  return r;
}

/// An array that the next launch is given, with its bytes before it; gives its number.
TILESIM_EXPORT std::uint64_t tilesim_recording_array(void* recording,
                                                     const char* name,
                                                     std::uint64_t address,
                                                     const void* before,
                                                     std::size_t bytes) {
  return static_cast<python_recording*>(recording)->array(name, address, bytes_at(before, bytes));
}

TILESIM_EXPORT void
tilesim_recording_launch(void* recording, const char* kernel, unsigned x, unsigned y, unsigned z) {
  static_cast<python_recording*>(recording)->launch(kernel, std::array{x, y, z});
}

TILESIM_EXPORT void tilesim_recording_changed(void* recording,
                                              std::uint64_t array,
                                              const void* before,
                                              const void* after,
                                              std::size_t bytes) {
  static_cast<python_recording*>(recording)->changed(
      array, bytes_at(before, bytes), bytes_at(after, bytes));
}

/// The launch is over, and what it has changed is told.
TILESIM_EXPORT void tilesim_recording_observed(void* recording) {
  static_cast<python_recording*>(recording)->observed();
}

/// Gives errno of what went wrong; 0: nothing has.
TILESIM_EXPORT int tilesim_recording_end(void* recording, int status) {
  auto* const r = static_cast<python_recording*>(recording);
  const int failed = r->end(status);
  delete r;
  return failed;
}

/// Writes a recording's launch feed; nullptr, or what is wrong with it.
TILESIM_EXPORT const char* tilesim_recording_feed(const char* recording, const char* feed) {
  using namespace tilesim::tools;
  static thread_local std::string wrong;
  try {
    static_cast<void>(diff::write_feed(tilesim::gpu::recording_file(recording), feed, 0));
    return nullptr;
  } catch (const std::system_error& e) {
    wrong = std::string(recording) + ": " + e.code().message();
  } catch (const std::exception& e) {
    wrong = e.what();
  }
  return wrong.c_str();
}
}
