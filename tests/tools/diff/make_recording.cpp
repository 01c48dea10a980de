// Writes a recording from lines of text: what a GPU would have recorded, for tests without one.
//
//   make_recording FILE.rec < LINES
//
//   machine DEVICE            memory NUMBER KIND ADDRESS BYTES [NAME]         freed NUMBER
//   wrote MEMORY OFFSET HEX              before MEMORY OFFSET HEX            after MEMORY OFFSET
//   HEX [MASK] launch SYMBOL GX GY GZ BX BY BZ      observed FIRST LAST                 printed
//   TEXT error FUNCTION CODE NAME             end STATUS                          killed run NUMBER
//   flags TEXT                          variable NUMBER NAME ADDRESS BYTES source HASH, before
//   machine          same MEMORY OFFSET HEX              lines TEXT sums TEXT
//
// Bytes are hexadecimal digits, the first byte first; `wrote` records their hash. Numbers are
// decimal, addresses hexadecimal. `same`: as in the first run; `lines`, `sums`: with | for each
// line's end. A launch's place is what stands behind its block, `at HEX…`.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/writer.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <xxhash.h>

namespace {

using namespace tilesim::gpu;

std::vector<std::byte> bytes_of(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

class maker {
public:
  explicit maker(const std::string& path)
      : to_(path) {}

  /// False: a line that it does not know.
  bool take(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "source") {
      words >> std::hex >> source_hash_;
      return true;
    }
    if (what == "no") { // driver
      driver_.clear();
      return true;
    }
    if (what == "machine") {
      std::string device;
      std::getline(words >> std::ws, device);
      to_.add(machine_event{.program = "a",
                            .sources = "a.cu",
                            .source_hash = source_hash_,
                            .compiler = "nvcc 13.4.92",
                            .flags = flags_,
                            .device = device,
                            .capability = "9.0",
                            .driver = driver_,
                            .runtime = "13.4"});
      return true;
    }
    if (what == "flags") { // of the machine that follows
      std::getline(words >> std::ws, flags_);
      return true;
    }
    if (what == "run") {
      run_event e;
      words >> e.number;
      launches_ = 0;
      to_.add(e);
      return true;
    }
    return take_memory(what, words) || take_launch(what, words) || take_end(what, words);
  }

  [[nodiscard]] bool wrote() {
    if (!killed_) {
      to_.finish();
    }
    to_.flush();
    return to_.failed() == 0;
  }

private:
  bool take_memory(const std::string& what, std::istringstream& words) {
    std::uint64_t memory = 0;
    std::uint64_t offset = 0;
    std::string hex;
    std::string mask;
    if (what == "memory") {
      std::string kind;
      std::string address;
      std::uint64_t bytes = 0;
      std::string name;
      words >> memory >> kind >> address >> bytes >> name;
      to_.add(memory_event{.number = memory,
                           .kind = kind == "managed" ? memory_kind::managed
                                   : kind == "lent"  ? memory_kind::lent
                                                     : memory_kind::device,
                           .address = std::stoull(address, nullptr, 16),
                           .bytes = bytes,
                           .name = name,
                           .place = {}});
    } else if (what == "variable") {
      std::string name;
      std::string address;
      std::uint64_t bytes = 0;
      words >> memory >> name >> address >> bytes;
      to_.add(memory_event{.number = memory_event::first_variable + memory,
                           .kind = memory_kind::variable,
                           .address = std::stoull(address, nullptr, 16),
                           .bytes = bytes,
                           .name = name,
                           .place = {}});
    } else if (what == "freed") {
      words >> memory;
      to_.add(freed_event{memory});
    } else if (what == "wrote" || what == "before" || what == "after") {
      words >> memory >> offset >> hex >> mask;
      const std::vector<std::byte> bytes = bytes_of(hex);
      if (what == "wrote") {
        to_.add(host_write_event{.memory = memory,
                                 .offset = offset,
                                 .bytes = bytes.size(),
                                 .hash = XXH64(bytes.data(), bytes.size(), 0),
                                 .by = "cudaMemcpy"});
      } else {
        keep(what == "after", memory, offset, bytes, mask);
      }
    } else if (what == "same") {
      words >> memory >> offset >> hex;
      const std::vector<std::byte> bytes = bytes_of(hex);
      to_.add(pages_event{.is = content_event::when::after,
                          .memory = memory,
                          .offset = offset,
                          .bytes = bytes.size(),
                          .hashes = {XXH64(bytes.data(), bytes.size(), 0)}});
    } else {
      return false;
    }
    return true;
  }

  void keep(bool after,
            std::uint64_t memory,
            std::uint64_t offset,
            const std::vector<std::byte>& bytes,
            const std::string& mask) {
    content_event e{.is = after ? content_event::when::after : content_event::when::before,
                    .memory = memory,
                    .offset = offset,
                    .bytes = bytes.size(),
                    .content = to_.keep(bytes),
                    .mask = {}};
    if (!mask.empty()) {
      e.mask = to_.keep(bytes_of(mask));
    }
    to_.add(e);
  }

  bool take_launch(const std::string& what, std::istringstream& words) {
    if (what == "launch") {
      launch_event e{.number = launches_++,
                     .symbol = {},
                     .grid = {},
                     .block = {},
                     .cluster = {},
                     .shared_bytes = 0,
                     .stream = 0,
                     .by = "__cudaLaunchKernel",
                     .place = {}};
      words >> e.symbol >> e.grid[0] >> e.grid[1] >> e.grid[2] >> e.block[0] >> e.block[1] >>
          e.block[2];
      std::string word;
      if (words >> word && word == "at") {
        while (words >> word) {
          e.place.push_back(std::stoull(word, nullptr, 16));
        }
      }
      to_.add(e);
    } else if (what == "arguments") { // of the last launch: the bytes of each in hexadecimal
      arguments_event e{.launch = launches_ - 1, .sizes = {}, .bytes = {}};
      for (std::string one; words >> one;) {
        e.sizes.push_back(one.size() / 2);
        for (std::size_t i = 0; i + 1 < one.size(); i += 2) {
          e.bytes += static_cast<char>(std::stoi(one.substr(i, 2), nullptr, 16));
        }
      }
      to_.add(e);
    } else if (what == "observed") {
      observed_event e;
      words >> e.first >> e.last;
      to_.add(e);
    } else {
      return false;
    }
    return true;
  }

  bool take_end(const std::string& what, std::istringstream& words) {
    if (what == "printed") {
      printed_event e;
      std::getline(words >> std::ws, e.bytes);
      e.bytes += "\n";
      to_.add(e);
    } else if (what == "error") {
      error_event e;
      words >> e.function >> e.code >> e.name;
      to_.add(e);
    } else if (what == "end") {
      end_event e;
      words >> e.status;
      to_.add(e);
    } else if (what == "lines") {
      std::string text;
      std::getline(words >> std::ws, text);
      std::ranges::replace(text, '|', '\n');
      const auto bytes = std::as_bytes(std::span(text));
      to_.add(lines_event{.content = to_.keep(bytes), .bytes = bytes.size()});
    } else if (what == "sums") {
      std::string text;
      std::getline(words >> std::ws, text);
      std::ranges::replace(text, '|', '\n');
      const auto bytes = std::as_bytes(std::span(text));
      to_.add(sums_event{.content = to_.keep(bytes), .bytes = bytes.size()});
    } else if (what == "killed") {
      killed_ = true;
    } else {
      return false;
    }
    return true;
  }

  writer to_;
  std::string flags_ = "-fmad=false";
  std::uint64_t launches_ = 0;
  std::uint64_t source_hash_ = 0;
  std::string driver_ = "580";
  bool killed_ = false;
};

} // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: make_recording FILE.rec < LINES\n");
    return 64;
  }
  maker to(words[1]);
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && !to.take(line)) {
      std::fprintf(stderr, "make_recording: error: no such line: %s\n", line.c_str());
      return 65;
    }
  }
  return to.wrote() ? 0 : 69;
}
