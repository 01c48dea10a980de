// tilesim gpu show: what a recording holds, event by event.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/reader.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/kernel_names.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/cli/wording.hpp"
#include "tools/gpu/actions.hpp"
#include "tools/gpu/places.hpp"
#include "tools/gpu/recorded_sums.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

namespace tilesim::tools::gpu_tool {

namespace {

using json = nlohmann::ordered_json;

const char* word(gpu::memory_kind kind) {
  switch (kind) {
  case gpu::memory_kind::device:
    return "device";
  case gpu::memory_kind::managed:
    return "managed";
  case gpu::memory_kind::pinned:
    return "pinned";
  case gpu::memory_kind::registered:
    return "registered";
  case gpu::memory_kind::variable:
    return "variable";
  case gpu::memory_kind::lent:
    return "array";
  }
  return "?";
}

std::string range_text(std::uint64_t memory, std::uint64_t offset, std::uint64_t bytes) {
  return fmt::format("{}, bytes {} to {}", gpu::memory_text(memory), offset, offset + bytes);
}

/// "a.cu:24"; empty: nobody knows.
std::string place_text(const named_place& at) {
  return at.file.empty() ? std::string() : fmt::format("{}:{}", at.file, at.line);
}

/// A line for each event; contents that lie one behind the other are one.
class text_writer {
public:
  explicit text_writer(const gpu::recording_file& from)
      : from_(from)
      , places_(from) {}

  std::string write(const gpu::recording_file& from) {
    for (const gpu::event& e : from.events()) {
      if (!std::holds_alternative<gpu::content_event>(e)) {
        end_contents();
      }
      std::visit([this](const auto& it) { take(it); }, e);
    }
    end_contents();
    text_ += fmt::format("{}: {}, {} of memory recorded\n",
                         from.complete() ? "complete" : "not complete: the program was killed",
                         counted(launches_, "launch", "es"),
                         counted(bytes_, "byte"));
    return std::move(text_);
  }

private:
  void take(const gpu::machine_event& e) {
    text_ += fmt::format("{} of {}, compiled by {} {}\n",
                         e.program,
                         e.sources,
                         e.compiler,
                         e.flags.empty() ? "without flags" : e.flags);
    text_ += e.device.empty()
                 ? "no device\n"
                 : fmt::format("{}, compute capability {}, driver {}, CUDA runtime {}\n",
                               e.device,
                               e.capability,
                               e.driver.empty() ? "unknown" : e.driver,
                               e.runtime);
  }
  void take(const gpu::run_event& e) {
    run_ = e.number;
    text_ += fmt::format("run {}\n", e.number + 1);
  }
  void take(const gpu::memory_event& e) {
    text_ += fmt::format("  {}{}: {} bytes, {}, at {:#x}{}\n",
                         gpu::memory_text(e.number),
                         e.name.empty() ? "" : " (" + e.name + ")",
                         e.bytes,
                         word(e.kind),
                         e.address,
                         where(e.place));
  }
  [[nodiscard]] std::string where(const gpu::call_place& place,
                                  const std::string& symbol = {}) const {
    const std::string text = place_text(places_.of(place, symbol));
    return text.empty() ? text : ", " + text;
  }
  void take(const gpu::freed_event& e) {
    text_ += fmt::format("  {} is freed\n", gpu::memory_text(e.number));
  }
  void take(const gpu::host_write_event& e) {
    text_ += fmt::format("  {} writes {}\n", e.by, range_text(e.memory, e.offset, e.bytes));
  }
  void take(const gpu::content_event& e) {
    bytes_ += e.bytes;
    if (contents_ && contents_->is == e.is && contents_->memory == e.memory &&
        contents_->offset + contents_->bytes == e.offset) {
      contents_->bytes += e.bytes;
      return;
    }
    end_contents();
    contents_ = e;
  }
  void take(const gpu::launch_event& e) {
    ++launches_;
    text_ += fmt::format("  launch {}: {}, grid ({}), block ({}), stream {}{}\n",
                         e.number + 1,
                         e.symbol.empty() ? e.by : sim::demangled(e.symbol),
                         fmt::join(e.grid, ","),
                         fmt::join(e.block, ","),
                         e.stream,
                         where(e.place, e.symbol));
  }
  void take(const gpu::observed_event& e) {
    if (e.first != e.last) {
      text_ += fmt::format("  launches {} to {} were observed together\n", e.first + 1, e.last + 1);
    }
  }
  void take(const gpu::copy_event& e) {
    text_ += fmt::format("  {} copies {} to the host{}\n",
                         e.by,
                         range_text(e.memory, e.offset, e.bytes),
                         where(e.place));
  }
  void take(const gpu::error_event& e) {
    text_ += fmt::format("  {} returns {}\n", e.function, e.name);
  }
  void take(const gpu::printed_event& e) {
    std::string_view rest = e.bytes;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      text_ += fmt::format("  printed: {}\n", sim::printable(std::string(rest.substr(0, end))));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  void take(const gpu::end_event& e) {
    text_ += fmt::format("  ends {} {}\n", e.by_signal ? "by signal" : "with status", e.status);
  }
  void take(const gpu::lines_event& /*e*/) {}
  void take(const gpu::arguments_event& e) {
    text_ += "    arguments:";
    for (const std::string_view argument : e.each()) {
      text_ += " " + bits_text(argument);
    }
    text_ += "\n";
  }
  void take(const gpu::sums_event& /*e*/) {
    if (!std::exchange(sums_told_, true)) {
      text_ += counted_sums(from_) + "\n";
    }
  }
  void take(const gpu::pages_event& e) {
    text_ += fmt::format("    {} {}, {}\n",
                         when(e.is),
                         range_text(e.memory, e.offset, e.bytes),
                         run_ == 0 ? "as hashes" : "as in run 1");
  }

  static const char* when(gpu::content_event::when is) {
    return is == gpu::content_event::when::before ? "found before:" : "changed:";
  }

  void end_contents() {
    if (contents_) {
      text_ += fmt::format("    {} {}\n",
                           when(contents_->is),
                           range_text(contents_->memory, contents_->offset, contents_->bytes));
      contents_.reset();
    }
  }

  const gpu::recording_file& from_;
  place_names places_;
  bool sums_told_ = false;
  std::string text_;
  std::optional<gpu::content_event> contents_;
  std::uint64_t launches_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t run_ = 0;
};

json event_json(const gpu::machine_event& e) {
  return {{"event", "machine"},
          {"program", e.program},
          {"sources", e.sources},
          {"source_hash", fmt::format("{:016x}", e.source_hash)},
          {"compiler", e.compiler},
          {"flags", e.flags},
          {"device", e.device},
          {"capability", e.capability},
          {"driver", e.driver},
          {"runtime", e.runtime}};
}
json event_json(const gpu::run_event& e) {
  return {{"event", "run"}, {"number", e.number}};
}
json event_json(const gpu::memory_event& e) {
  return {{"event", "memory"},
          {"number", e.number},
          {"kind", word(e.kind)},
          {"address", e.address},
          {"bytes", e.bytes},
          {"name", e.name},
          {"place", e.place}};
}
json event_json(const gpu::freed_event& e) {
  return {{"event", "freed"}, {"number", e.number}};
}
json event_json(const gpu::host_write_event& e) {
  return {{"event", "host write"},
          {"memory", e.memory},
          {"offset", e.offset},
          {"bytes", e.bytes},
          {"hash", fmt::format("{:016x}", e.hash)},
          {"by", e.by}};
}
json event_json(const gpu::content_event& e) {
  return {{"event", "content"},
          {"when", e.is == gpu::content_event::when::before ? "before" : "after"},
          {"memory", e.memory},
          {"offset", e.offset},
          {"bytes", e.bytes}};
}
json event_json(const gpu::launch_event& e) {
  return {{"event", "launch"},
          {"number", e.number},
          {"symbol", e.symbol},
          {"kernel", sim::demangled(e.symbol)},
          {"grid", e.grid},
          {"block", e.block},
          {"cluster", e.cluster},
          {"shared_bytes", e.shared_bytes},
          {"stream", e.stream},
          {"by", e.by},
          {"place", e.place}};
}
json event_json(const gpu::observed_event& e) {
  return {{"event", "observed"}, {"first", e.first}, {"last", e.last}};
}
json event_json(const gpu::copy_event& e) {
  return {{"event", "copy"},
          {"memory", e.memory},
          {"offset", e.offset},
          {"bytes", e.bytes},
          {"hash", fmt::format("{:016x}", e.hash)},
          {"by", e.by},
          {"place", e.place}};
}
json event_json(const gpu::error_event& e) {
  return {{"event", "error"}, {"function", e.function}, {"code", e.code}, {"name", e.name}};
}
json event_json(const gpu::printed_event& e) {
  return {{"event", "printed"}, {"text", e.bytes}};
}
json event_json(const gpu::end_event& e) {
  return {{"event", "end"}, {"by_signal", e.by_signal}, {"status", e.status}};
}
json event_json(const gpu::lines_event& e) {
  return {{"event", "lines"}, {"bytes", e.bytes}};
}
json event_json(const gpu::sums_event& e) {
  return {{"event", "sums"}, {"bytes", e.bytes}};
}
json event_json(const gpu::arguments_event& e) {
  json list = json::array();
  for (const std::string_view argument : e.each()) {
    list.push_back(bits_text(argument));
  }
  return {{"event", "arguments"}, {"launch", e.launch}, {"arguments", std::move(list)}};
}
json event_json(const gpu::pages_event& e) {
  json hashes = json::array();
  for (const std::uint64_t hash : e.hashes) {
    hashes.push_back(fmt::format("{:016x}", hash));
  }
  return {{"event", "pages"},
          {"when", e.is == gpu::content_event::when::before ? "before" : "after"},
          {"memory", e.memory},
          {"offset", e.offset},
          {"bytes", e.bytes},
          {"hashes", std::move(hashes)}};
}

/// Where the program made the call.
template <class E>
std::string place_of(const E& e, const place_names& places) {
  if constexpr (requires { e.symbol; }) {
    return place_text(places.of(e.place, e.symbol));
  } else if constexpr (requires { e.place; }) {
    return place_text(places.of(e.place));
  } else {
    return {};
  }
}

std::string json_text(const gpu::recording_file& from) {
  const place_names places(from);
  json events = json::array();
  for (const gpu::event& e : from.events()) {
    events.push_back(std::visit([](const auto& it) { return event_json(it); }, e));
    const std::string at = std::visit([&](const auto& it) { return place_of(it, places); }, e);
    if (!at.empty()) {
      events.back()["at"] = at;
    }
  }
  const json all = {{"schema", 1}, {"complete", from.complete()}, {"events", std::move(events)}};
  return sim::json_text(all, 2) + "\n";
}

} // namespace

int show(const std::vector<std::string>& words) {
  CLI::App app("Shows what a recording holds.", "gpu show");
  set_usage(app, "usage: tilesim gpu show FILE.rec [--json | --sums]");
  bool as_json = false;
  bool sums = false;
  auto* const json_flag = app.add_flag("--json", as_json, "as data");
  app.add_flag("--sums", sums, "which sums the compiler has fused with a product, by line")
      ->excludes(json_flag);
  app.footer(
      "Exit status: 0; 64 no such file; 65 it is no recording, or damaged.\n"
      "\n"
      "examples:\n"
      "  tilesim gpu show saxpy.rec\n"
      "  tilesim gpu show --json saxpy.rec | jq '.events[] | select(.event == \"launch\")'\n");
  const std::string path = one_recording(parse_words(app, words), "show");
  try {
    const gpu::recording_file recording(path);
    // Names in it may hold any bytes.
    print_out(sums      ? sim::printable_text(listed_sums(recording))
              : as_json ? json_text(recording)
                        : sim::printable_text(text_writer(recording).write(recording)));
  } catch (const gpu::bad_recording& e) {
    throw printed_failure(exit_input, std::string(e.what()) + "\n");
  } catch (const std::system_error& e) {
    throw failure(exit_usage, fmt::format("{}: {}", path, e.code().message()));
  }
  return exit_clean;
}

} // namespace tilesim::tools::gpu_tool
