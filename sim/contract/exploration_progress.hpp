// How far an exploration has come: a page of memory that the program writes and `tilesim explore`
// reads meanwhile. What it comes to is told by the report [sim/contract/exploration_report.hpp].
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace tilesim::sim {

enum class exploration_phase : std::uint32_t {
  host,      ///< the program has waited for no kernel yet
  launches,  ///< executions without load buffering are explored,
  buffering, ///< those with it
  behind     ///< the host's code goes on behind each state
};

/// All of it is 0 at first.
struct exploration_progress {
  std::atomic<exploration_phase> phase;
  std::atomic<std::uint64_t> executions;
  std::atomic<std::uint64_t> states;
  std::atomic<double> share;           ///< of the phase: an estimate, 0 to 1
  std::atomic<std::uint64_t> followed; ///< states behind which the host's code has gone on
  /// It has stopped where it was to, and writes down what it has come to: not to be ended.
  std::atomic<bool> telling;
  std::atomic<bool> deeper_telling; ///< likewise, what goes on behind one of its states
};
static_assert(std::atomic<double>::is_always_lock_free);

/// Such a page, of a file that several processes know, as long as one has it.
class progress_page {
public:
  /// Without a file it is this process's, and those' that it forks.
  explicit progress_page(const std::string& file) {
    const int from = file.empty() ? -1 : open(file.c_str(), O_RDWR | O_CLOEXEC);
    if (from >= 0 && ftruncate(from, sizeof(exploration_progress)) == 0) {
      map(from, MAP_SHARED);
    }
    if (from >= 0) {
      close(from);
    }
    if (page_ == nullptr) {
      map(-1, MAP_SHARED | MAP_ANONYMOUS);
    }
    if (page_ == nullptr) {
      page_ = new exploration_progress{}; // nobody sees it
    }
  }
  ~progress_page() {
    if (mapped_) {
      munmap(page_, sizeof(exploration_progress));
    } else {
      delete page_;
    }
  }
  progress_page(const progress_page&) = delete;
  progress_page& operator=(const progress_page&) = delete;

  exploration_progress* operator->() const noexcept { return page_; }
  exploration_progress& operator*() const noexcept { return *page_; }

private:
  void map(int file, int how) {
    void* const at =
        mmap(nullptr, sizeof(exploration_progress), PROT_READ | PROT_WRITE, how, file, 0);
    if (at != MAP_FAILED) { // NOLINT: the system's
      page_ = static_cast<exploration_progress*>(at);
      mapped_ = true;
    }
  }

  exploration_progress* page_ = nullptr;
  bool mapped_ = false;
};

} // namespace tilesim::sim
