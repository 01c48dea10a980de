// Pages by a protection key: each thread's own, in handlers, and behind code that was left.
// SPDX-License-Identifier: Apache-2.0
#include "sim/process/keyed_pages.hpp"

#include "sim/process/thread_marks.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <support/catch.hpp>
#include <support/readable.hpp>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilesim::sim;

namespace {

class page {
public:
  page()
      : at_(mmap(nullptr, size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    REQUIRE(at_ != MAP_FAILED);
  }
  ~page() { munmap(at_, size()); }
  page(const page&) = delete;
  page& operator=(const page&) = delete;

  [[nodiscard]] const void* at() const { return at_; }
  [[nodiscard]] bool make() const {
    return keyed_pages::make(reinterpret_cast<std::uintptr_t>(at_), size());
  }

private:
  static std::size_t size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
  void* at_;
};

const void* looked_at = nullptr;
bool before = false;
bool after = false;

void handler(int /*signal*/) {
  const int error = errno;
  before = is_readable(looked_at);
  keyed_pages::reopen_in_handler();
  after = is_readable(looked_at);
  errno = error;
}

} // namespace

TEST_CASE(
    "keyed pages are open between open and close, in our handlers, and after a jump as marked") {
  if (!keyed_pages::can_be()) {
    WARN("skipped: this machine has no protection keys");
    return;
  }
  const page p;
  REQUIRE(p.make());
  looked_at = p.at();
  struct sigaction ours {};
  struct sigaction stood {};
  ours.sa_handler = handler;
  sigaction(SIGUSR1, &ours, &stood);

  CHECK_FALSE(is_readable(p.at()));
  raise(SIGUSR1);
  CHECK((!before && !after)); // what was interrupted did not have it open
  const thread_marks marks;
  keyed_pages::open();
  CHECK(is_readable(p.at()));
  raise(SIGUSR1);
#ifndef __SANITIZE_THREAD__ // which calls handlers itself, in the code that is interrupted
  CHECK_FALSE(before);
#endif
  CHECK(after);
  CHECK(is_readable(p.at())); // behind the handler, too

  marks.set_back(); // the code between was left for good
  keyed_pages::follow_marks();
  CHECK_FALSE(is_readable(p.at()));
  keyed_pages::open();
  keyed_pages::close();
  CHECK_FALSE(is_readable(p.at()));
  sigaction(SIGUSR1, &stood, nullptr);
}
