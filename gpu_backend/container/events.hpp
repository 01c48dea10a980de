// What a recording of a program on a GPU says, event by event, in the program's order.
//
// Shared by the recorder, which is compiled into programs, and by who reads recordings: the
// standard library alone. docs/recording.md has the same byte by byte.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tilesim::gpu {

/// Bytes in the recording's contents: a chunk of contents, and where in it.
struct content_ref {
  std::uint64_t chunk = 0; ///< the first chunk of contents is 0
  std::uint64_t offset = 0;

  friend bool operator==(const content_ref&, const content_ref&) = default;
};

/// Where in the program a call was made: return addresses, as offsets from where the program was
/// loaded, the innermost first.
using call_place = std::vector<std::uint64_t>;

/// On what it was recorded, and of what. The first event of a recording.
struct machine_event {
  std::string program;           ///< its file's name
  std::string sources;           ///< names, separated by blanks
  std::uint64_t source_hash = 0; ///< XXH64 of the sources' bytes, one behind the other
  std::string compiler;          ///< "nvcc 13.4.92"
  std::string flags;
  std::string device;     ///< "NVIDIA H200"; empty: there was none
  std::string capability; ///< "9.0"
  std::string driver;     ///< "580.159.04"
  std::string runtime;    ///< "13.4"

  friend bool operator==(const machine_event&, const machine_event&) = default;
};

/// A run of the program begins; a recording may hold several.
struct run_event {
  std::uint64_t number = 0; ///< from 0

  friend bool operator==(const run_event&, const run_event&) = default;
};

enum class memory_kind : std::uint8_t {
  device,
  managed,
  pinned,
  registered,
  variable,
  lent ///< an array of a Python program's, for one launch: the next one
};

/// Memory has come into being. Allocations are numbered from 1 in the order of the calls that make
/// them, whichever these are; variables have numbers of their own from first_variable on.
struct memory_event {
  static constexpr std::uint64_t first_variable = std::uint64_t{1} << 32U;

  std::uint64_t number = 0;
  memory_kind kind{};
  std::uint64_t address = 0; ///< on the device
  std::uint64_t bytes = 0;
  std::string name; ///< of a variable, of an array: the kernel's parameter
  call_place place;

  friend bool operator==(const memory_event&, const memory_event&) = default;
};

/// "memory 3", "variable 1": of the number of a memory_event.
[[nodiscard]] inline std::string memory_text(std::uint64_t number) {
  return number < memory_event::first_variable
             ? "memory " + std::to_string(number)
             : "variable " + std::to_string(number - memory_event::first_variable + 1);
}

struct freed_event {
  std::uint64_t number = 0;

  friend bool operator==(const freed_event&, const freed_event&) = default;
};

/// The host has written there: a copy, a fill, an access to managed memory. XXH64 with seed 0.
struct host_write_event {
  std::uint64_t memory = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
  std::string by; ///< "cudaMemcpy"; "host": its own code

  friend bool operator==(const host_write_event&, const host_write_event&) = default;
};

/// Bytes of memory whose content is in the recording.
struct content_event {
  enum class when : std::uint8_t {
    before, ///< what lay there, written by nobody, when the next launch began
    after   ///< what launches have changed, up to the next observation
  };
  when is{};
  std::uint64_t memory = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0; ///< at most most_content_bytes
  content_ref content;
  /// A bit for each byte, the lowest first: 1, it is meant. Nothing: all are.
  std::optional<content_ref> mask;

  friend bool operator==(const content_event&, const content_event&) = default;
};

struct launch_event {
  std::uint64_t number = 0; ///< from 0, of the run
  std::string symbol;       ///< the kernel's, mangled
  std::array<std::uint64_t, 3> grid{};
  std::array<std::uint64_t, 3> block{};
  std::array<std::uint64_t, 3> cluster{};
  std::uint64_t shared_bytes = 0; ///< dynamic
  std::uint64_t stream = 0;       ///< 0: the default one; else in the order of their first use
  std::string by;                 ///< "cudaLaunchKernel"
  call_place place;

  friend bool operator==(const launch_event&, const launch_event&) = default;
};

/// Memory behind these launches, all at once, is what the content events before this one made of
/// it.
struct observed_event {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  friend bool operator==(const observed_event&, const observed_event&) = default;
};

/// A copy to the host, with the hash of what came.
struct copy_event {
  std::uint64_t memory = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
  std::string by;
  call_place place;

  friend bool operator==(const copy_event&, const copy_event&) = default;
};

/// A call of the runtime's that failed.
struct error_event {
  std::string function;
  std::int64_t code = 0;
  std::string name; ///< "cudaErrorNoDevice"

  friend bool operator==(const error_event&, const error_event&) = default;
};

/// What the program wrote to standard output, piece by piece.
struct printed_event {
  std::string bytes;

  friend bool operator==(const printed_event&, const printed_event&) = default;
};

/// The run is over. Without it the program was killed.
struct end_event {
  bool by_signal = false;
  std::int64_t status = 0; ///< the exit status, or the signal

  /// As a shell has it.
  [[nodiscard]] int exit_status() const noexcept {
    return static_cast<int>(by_signal ? 128 + status : status);
  }

  friend bool operator==(const end_event&, const end_event&) = default;
};

/// Lines of the program's sources by offset of the code, as `tilesim gpu build` puts them into it
/// (docs/recording.md). Of several, one stands behind the other.
struct lines_event {
  content_ref content;
  std::uint64_t bytes = 0; ///< at most most_content_bytes

  friend bool operator==(const lines_event&, const lines_event&) = default;
};

/// Bytes of memory that are what the recording's first run had there, when as many launches had
/// been made: the XXH64 of each page, of which the last may be shorter.
struct pages_event {
  content_event::when is{};
  std::uint64_t memory = 0;
  std::uint64_t offset = 0; ///< a multiple of page_bytes
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> hashes;

  friend bool operator==(const pages_event&, const pages_event&) = default;
};

/// Which sums of the program's kernels its compiler has fused with a product, by their place in the
/// source (docs/recording.md). Of several, one stands behind the other. None: it was told not to.
struct sums_event {
  content_ref content;
  std::uint64_t bytes = 0; ///< at most most_content_bytes

  friend bool operator==(const sums_event&, const sums_event&) = default;
};

/// What a launch passed to its kernel, as far as the runtime tells how large each parameter is. It
/// comes behind the launch.
struct arguments_event {
  std::uint64_t launch = 0;         ///< its number
  std::vector<std::uint64_t> sizes; ///< of each, in bytes
  std::string bytes;                ///< of all, one behind the other

  /// The bytes of each: fewer than its size, where there are no more.
  [[nodiscard]] std::vector<std::string_view> each() const {
    std::vector<std::string_view> list;
    std::string_view rest = bytes;
    for (const std::uint64_t size : sizes) {
      list.push_back(rest.substr(0, size));
      rest.remove_prefix(list.back().size());
    }
    return list;
  }

  friend bool operator==(const arguments_event&, const arguments_event&) = default;
};

/// In the order of their numbers in the file, which count from 1.
using event = std::variant<machine_event,
                           run_event,
                           memory_event,
                           freed_event,
                           host_write_event,
                           content_event,
                           launch_event,
                           observed_event,
                           copy_event,
                           error_event,
                           printed_event,
                           end_event,
                           lines_event,
                           pages_event,
                           sums_event,
                           arguments_event>;

} // namespace tilesim::gpu
