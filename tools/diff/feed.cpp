// Writing launch feeds.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/feed.hpp"

#include "gpu_backend/container/format.hpp"
#include "sim/contract/kernel_names.hpp"
#include "sim/contract/launch_feed.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/gpu/places.hpp"
#include "tools/gpu/recorded_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace tilesim::tools::diff {

namespace {

static_assert(sim::fed_pages::page_bytes == gpu::format::page_bytes);

class feed_writer {
public:
  feed_writer(const gpu::recording_file& from, const std::string& path, std::uint64_t run)
      : from_(from)
      , path_(path)
      , wanted_(run)
      , contents_(path + ".contents", std::ios::binary | std::ios::trunc) {}

  recorded_run write() {
    for (const gpu::event& e : from_.events()) {
      const bool told = std::holds_alternative<gpu::run_event>(e) ||
                        std::holds_alternative<gpu::machine_event>(e);
      if (told || now_ == wanted_) {
        std::visit([this](const auto& it) { take(it); }, e);
      }
    }
    contents_.flush();
    if (!contents_) {
      throw failure(exit_unavailable, fmt::format("{}.contents: {}", path_, std::strerror(errno)));
    }
    write_file(path_, sim::to_text(feed_));
    run_.where.file = from_.path(); // also of one without a machine
    run_.output.finish();
    run_.launches = feed_.launches.size();
    return std::move(run_);
  }

private:
  void take(const gpu::machine_event& e) {
    run_.where = {.file = from_.path(),
                  .device = e.device,
                  .driver = e.driver,
                  .compiler = e.compiler,
                  .flags = e.flags};
    run_.source_hash = e.source_hash;
  }
  void take(const gpu::run_event& e) {
    if (e.number != (begun_ ? now_ + 1 : 0)) {
      throw gpu::bad_recording(fmt::format("{}: error: run {} follows {}; record the program anew",
                                           from_.path(),
                                           e.number + 1,
                                           begun_ ? fmt::format("run {}", now_ + 1) : "no other"));
    }
    begun_ = true;
    now_ = e.number;
    run_.runs = std::max(run_.runs, e.number + 1);
  }
  void take(const gpu::memory_event& e) {
    const bool variable = e.kind == gpu::memory_kind::variable;
    const bool array = e.kind == gpu::memory_kind::lent;
    index_[e.number] = feed_.memories.size();
    if (array) {
      pending_.arrays.push_back(feed_.memories.size());
    }
    feed_.memories.push_back({.allocation = variable || array ? 0 : static_cast<unsigned>(e.number),
                              .address = e.address,
                              .bytes = e.bytes,
                              .variable = variable ? e.name : "",
                              .array = array ? e.name : ""});
  }
  void take(const gpu::freed_event& /*e*/) {}
  void take(const gpu::host_write_event& e) {
    const std::size_t memory = index_.at(e.memory);
    // Of what is overwritten before the launch nobody knows what is left.
    std::erase_if(pending_.inputs, [&](const sim::fed_input& i) {
      return i.memory == memory && i.offset < e.offset + e.bytes && e.offset < i.offset + i.bytes;
    });
    pending_.inputs.push_back(
        {.memory = memory, .offset = e.offset, .bytes = e.bytes, .hash = e.hash});
  }
  void take(const gpu::content_event& e) {
    const std::size_t memory = index_.at(e.memory);
    sim::fed_range range{.memory = memory,
                         .offset = e.offset,
                         .bytes = e.bytes,
                         .at = keep(e.content, e.bytes),
                         .mask = {}};
    if (e.mask) {
      range.mask = keep(*e.mask, (e.bytes + 7) / 8);
    }
    (e.is == gpu::content_event::when::before ? pending_.before : after_).push_back(range);
  }
  void take(const gpu::launch_event& e) {
    pending_.kernel = sim::kernel_name(e.symbol);
    pending_.grid = e.grid;
    pending_.block = e.block;
    pending_.shared_bytes = e.shared_bytes;
    feed_.launches.push_back(std::exchange(pending_, {}));
  }
  void take(const gpu::observed_event& e) {
    feed_.launches[e.last].observed = true;
    feed_.launches[e.last].after = std::exchange(after_, {});
    feed_.launches[e.last].pages = std::exchange(pages_, {});
  }
  void take(const gpu::copy_event& /*e*/) {} // of what is compared behind the launches anyway
  void take(const gpu::error_event& e) { run_.errors.push_back(e); }
  void take(const gpu::printed_event& e) { run_.output.add(e.bytes); }
  void take(const gpu::end_event& e) { run_.status = e.exit_status(); }
  void take(const gpu::lines_event& /*e*/) {}
  void take(const gpu::sums_event& /*e*/) {}
  void take(const gpu::arguments_event& e) {
    for (const std::string_view argument : e.each()) {
      feed_.launches[e.launch].arguments.emplace_back(argument);
    }
  }
  /// Pages that the first run had, too, behind as many launches: its content is taken, where it has
  /// it.
  void take(const gpu::pages_event& e) {
    constexpr std::uint64_t page = gpu::format::page_bytes;
    const std::size_t memory = index_.at(e.memory);
    for (std::uint64_t at = 0; at < e.bytes;) {
      const gpu::content_event* const c = of_first_run(e, e.offset + at);
      const std::uint64_t end = std::min(
          e.bytes, c != nullptr ? c->offset + c->bytes - e.offset : (at / page + 1) * page);
      if (c != nullptr) {
        auto& ranges = e.is == gpu::content_event::when::before ? pending_.before : after_;
        ranges.push_back({.memory = memory,
                          .offset = e.offset + at,
                          .bytes = end - at,
                          .at = keep(c->content, c->bytes) + (e.offset + at - c->offset),
                          .mask = {}});
      } else {
        take_hash(e, memory, at);
      }
      at = end;
    }
  }

  /// A page of which there is no content.
  void take_hash(const gpu::pages_event& e, std::size_t memory, std::uint64_t at) {
    constexpr std::uint64_t page = gpu::format::page_bytes;
    if (e.is == gpu::content_event::when::before || at % page != 0) {
      throw gpu::bad_recording(
          fmt::format("{}: error: run {} has byte {} of memory {} as the first run had it, and "
                      "that has not recorded it; record the program anew",
                      from_.path(),
                      wanted_ + 1,
                      e.offset + at,
                      e.memory));
    }
    const std::uint64_t bytes = std::min(page, e.bytes - at);
    const std::uint64_t hash = e.hashes[at / page];
    if (!pages_.empty() && pages_.back().memory == memory &&
        pages_.back().offset + pages_.back().bytes == e.offset + at) {
      pages_.back().bytes += bytes;
      pages_.back().hashes.push_back(hash);
    } else {
      pages_.push_back(
          {.memory = memory, .offset = e.offset + at, .bytes = bytes, .hashes = {hash}});
    }
  }

  /// What the first run recorded of a byte of memory at this time; nullptr: nothing.
  const gpu::content_event* of_first_run(const gpu::pages_event& e, std::uint64_t offset) {
    for (const gpu::content_event* const c : of_first_run(e.is, feed_.launches.size(), e.memory)) {
      if (c->offset <= offset && offset - c->offset < c->bytes) {
        return c;
      }
    }
    return nullptr;
  }

  /// What the first run recorded of a memory before, or behind, so many launches.
  const std::vector<const gpu::content_event*>&
  of_first_run(gpu::content_event::when is, std::size_t launches, std::uint64_t memory) {
    if (first_run_.empty()) {
      std::size_t so_far = 0;
      for (const gpu::event& e : from_.events()) {
        if (const auto* const run = std::get_if<gpu::run_event>(&e);
            run != nullptr && run->number != 0) {
          break;
        }
        if (std::holds_alternative<gpu::launch_event>(e)) {
          ++so_far;
        }
        if (const auto* const c = std::get_if<gpu::content_event>(&e); c != nullptr && !c->mask) {
          first_run_[{c->is, so_far, c->memory}].push_back(c);
        }
      }
    }
    return first_run_[{is, launches, memory}];
  }

  std::uint64_t keep(const gpu::content_ref& ref, std::uint64_t bytes) {
    const auto content = from_.content(ref, bytes);
    const std::uint64_t at = kept_;
    contents_.write(reinterpret_cast<const char*>(content.data()),
                    static_cast<std::streamsize>(content.size()));
    kept_ += content.size();
    return at;
  }

  const gpu::recording_file& from_;
  const std::string& path_;
  const std::uint64_t wanted_;
  std::uint64_t now_ = 0; ///< the run that events are of
  bool begun_ = false;    ///< any
  std::ofstream contents_;
  std::uint64_t kept_ = 0;
  sim::launch_feed feed_;
  sim::fed_launch pending_;                    ///< of the launch to come
  std::vector<sim::fed_range> after_;          ///< of the launches to be observed
  std::vector<sim::fed_pages> pages_;          ///< … whose content the recording does not have
  std::map<std::uint64_t, std::size_t> index_; ///< of memories, by their number in the recording
  std::map<std::tuple<gpu::content_event::when, std::size_t, std::uint64_t>,
           std::vector<const gpu::content_event*>>
      first_run_; ///< by before or behind, how many launches, memory; made when it is asked for
  recorded_run run_;
};

} // namespace

recorded_run
write_feed(const gpu::recording_file& recording, const std::string& path, std::uint64_t number) {
  recorded_run run = feed_writer(recording, path, number).write();
  run.sums = gpu_tool::sums_of(recording);
  if (!recording.complete() && number + 1 == run.runs) {
    run.remarks.emplace_back(
        "the recording is not complete: its program was killed; what it holds is compared");
  }
  return run;
}

} // namespace tilesim::tools::diff
