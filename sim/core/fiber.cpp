// Stacks, and fibers on Boost.Context where stack_switch.cpp has none.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/fiber.hpp"

#ifndef TILESIM_OWN_FIBERS
#  include "sim/core/floating_modes.hpp"

#  include <boost/context/fiber.hpp>
#  include <boost/context/preallocated.hpp>
#endif

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#  define TILESIM_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define TILESIM_ASAN 1
#  endif
#endif
#if defined(__SANITIZE_THREAD__)
#  define TILESIM_TSAN 1
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
#    define TILESIM_TSAN 1
#  endif
#endif

#ifdef TILESIM_ASAN
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif
#ifdef TILESIM_TSAN
#  include <sanitizer/tsan_interface.h>
#endif

namespace tilesim::sim {

namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// What stays resident of a stack that waits for its next use: whole pages.
constexpr std::size_t kept_bytes = std::size_t{64} * 1024;
// How far below its stack an overflowing frame may land: a tile is at most 16 MiB of half floats …
// 128 MiB of doubles, and compilers probe frames page by page, so the guard is hit first.
constexpr std::uintptr_t overflow_reach = std::uintptr_t{1} << 20;

/// Reservations lie at equal distances, of which caches see the same address: stacks begin at
/// different ones, so that those of a block's threads do not drive each other out.
std::size_t distance_from_end(std::uintptr_t low, std::size_t bytes) {
  constexpr std::size_t most = std::size_t{32} * 1024;
  constexpr std::size_t each = 576; // what a thread that waits uses of it, in whole lines
  return low / page_size() * each % std::min(most, bytes / 16) / 64 * 64;
}

/// Whether its last user came further down than what is kept. Compilers probe frames page by page:
/// then he has been in the first pages behind that, too.
bool was_deep(const stack_memory& stack) {
  constexpr std::size_t looked_at = std::size_t{64} * 1024;
  std::array<unsigned char, looked_at / 4096> resident{};
  const std::uintptr_t begin = (stack.high - kept_bytes) / page_size() * page_size() - looked_at;
  return begin < stack.low ||
         mincore(reinterpret_cast<void*>(begin), looked_at, resident.data()) != 0 ||
         std::ranges::any_of(resident, [](unsigned char page) { return (page & 1U) != 0; });
}

/// What its last user has left: pages beyond the first few, and marks of frames that were
/// abandoned.
void clean(const stack_memory& stack) {
  // To look is cheaper than to have the system look for pages of the whole stack.
  if (stack.high - stack.low > kept_bytes && was_deep(stack)) {
    madvise(reinterpret_cast<void*>(stack.low), stack.high - stack.low - kept_bytes, MADV_DONTNEED);
  }
  stack.forget_frames();
}

/// Makes a page one that nobody can touch. False: there is no room to say so.
bool make_guard(std::uintptr_t page) {
  constexpr int install = 102; // MADV_GUARD_INSTALL, which older headers do not name
  void* const at = reinterpret_cast<void*>(page);
  return madvise(at, page_size(), install) == 0 || mprotect(at, page_size(), PROT_NONE) == 0;
}

/// A few stacks of pools that are gone, for those to come: runs in one process, one after the
/// other.
class spare_stacks {
public:
  /// False: there are enough.
  bool put(const stack_memory& stack) {
    constexpr std::size_t most = 16;
    const std::lock_guard lock(mutex_);
    if (stacks_.size() >= most) {
      return false;
    }
    clean(stack);
    stacks_.push_back(stack);
    return true;
  }

  /// One whose low is 0: there is none of this size.
  stack_memory take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(stacks_, [bytes](const stack_memory& s) { return s.bytes == bytes; });
    if (found == stacks_.end()) {
      return {};
    }
    const stack_memory stack = *found;
    stacks_.erase(found);
    return stack;
  }

private:
  std::mutex mutex_;
  std::vector<stack_memory> stacks_;
};

spare_stacks& spare() {
  static auto& all = *new spare_stacks; // contexts may go at the very end
  return all;
}

} // namespace

void stack_memory::forget_frames() const noexcept {
#ifdef TILESIM_ASAN
  // Marks are an eighth of the stack, which is large: those of a thousand stacks are not to be
  // written, and so kept, to say that nothing is marked. Pages of them that are given back say so.
  std::size_t scale = 0;
  std::size_t offset = 0;
  __asan_get_shadow_mapping(&scale, &offset);
  const std::size_t page = page_size();
  const std::uintptr_t begin = ((low >> scale) + offset + page - 1) / page * page;
  const std::uintptr_t end = ((high >> scale) + offset) / page * page;
  if (begin >= end) {
    __asan_unpoison_memory_region(reinterpret_cast<void*>(low), high - low);
    return;
  }
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  const std::uintptr_t first = (begin - offset) << scale;
  const std::uintptr_t last = (end - offset) << scale;
  __asan_unpoison_memory_region(reinterpret_cast<void*>(low), first - low);
  __asan_unpoison_memory_region(reinterpret_cast<void*>(last), high - last);
#endif
}

bool stack_memory::overflowed_at(std::uintptr_t address) const noexcept {
  return address < low && low - address <= overflow_reach;
}

stack_pool::stack_pool(std::size_t bytes)
    : bytes_((bytes + page_size() - 1) / page_size() * page_size()) {}

stack_pool::~stack_pool() {
  for (const std::uintptr_t begin : reserved_) {
    munmap(reinterpret_cast<void*>(begin), bytes_ + page_size());
  }
  for (const stack_memory& s : all_) {
    if (!spare().put(s)) {
      munmap(reinterpret_cast<void*>(s.low - page_size()), bytes_ + page_size());
    }
  }
}

void stack_pool::reserve() {
  constexpr std::size_t most = 64;
  const std::size_t each = bytes_ + page_size();
  for (std::size_t count = std::clamp<std::size_t>(all_.size(), 1, most); count != 0; count /= 8) {
    void* const base = mmap(nullptr,
                            count * each,
                            PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK,
                            -1,
                            0);
    if (base != MAP_FAILED) {
      for (std::size_t i = 0; i < count; ++i) {
        reserved_.push_back(reinterpret_cast<std::uintptr_t>(base) + (i * each));
      }
      return;
    }
  }
}

stack_memory stack_pool::take() {
  if (!free_.empty()) {
    const stack_memory stack = free_.back();
    free_.pop_back();
    return stack;
  }
  if (const stack_memory stack = spare().take(bytes_); stack.low != 0) {
    all_.push_back(stack);
    return stack;
  }
  if (reserved_.empty()) {
    reserve();
  }
  if (reserved_.empty() || !make_guard(reserved_.back())) {
    return {};
  }
  const std::uintptr_t low = reserved_.back() + page_size();
  reserved_.pop_back();
  stack_memory{low, low + bytes_, bytes_}.forget_frames(); // another one's may have been here
  all_.push_back({low, low + bytes_ - distance_from_end(low, bytes_), bytes_});
  return all_.back();
}

void stack_pool::give_back(stack_memory stack) {
  TILESIM_ASSERT(stack.bytes == bytes_, stack.bytes, bytes_);
  TILESIM_ASSERT(free_.size() < all_.size(), free_.size(), all_.size());
  clean(stack);
  free_.push_back(stack);
}

#ifndef TILESIM_OWN_FIBERS
namespace {

namespace ctx = boost::context;

/// What a fiber that is left has below the frame that leaves it: registers, and who is called.
constexpr std::uintptr_t switched_bytes = 192;

// Boost.Context wants an allocator although the memory is ours.
struct no_allocator {
  void deallocate(ctx::stack_context&) const noexcept {}
};

/// Calls an entry as if nobody called it: what it finds in registers that calls preserve, and
/// saves, is nobody's. Boost.Context has there, and in its own frames, where the stack was left
/// that resumed the fiber first; `begins` is where the entry's frames begin, below all that.
[[gnu::noinline]] void call_entry(fiber::entry function, void* argument, std::uintptr_t& begins) {
  std::uintptr_t at = 0;
#  if defined(__x86_64__)
  asm volatile("movq %%rsp, %0\n\t"
               "xorl %%ebx, %%ebx\n\t"
               "xorl %%r12d, %%r12d\n\t"
               "xorl %%r13d, %%r13d\n\t"
               "xorl %%r14d, %%r14d\n\t"
               "xorl %%r15d, %%r15d"
               : "=r"(at)
               :
               : "rbx", "r12", "r13", "r14", "r15", "cc");
#  elif defined(__aarch64__)
  asm volatile("mov %0, sp\n\t"
               "mov x19, xzr\n\tmov x20, xzr\n\tmov x21, xzr\n\tmov x22, xzr\n\t"
               "mov x23, xzr\n\tmov x24, xzr\n\tmov x25, xzr\n\tmov x26, xzr\n\t"
               "mov x27, xzr\n\tmov x28, xzr\n\t"
               "fmov d8, xzr\n\tfmov d9, xzr\n\tfmov d10, xzr\n\tfmov d11, xzr\n\t"
               "fmov d12, xzr\n\tfmov d13, xzr\n\tfmov d14, xzr\n\tfmov d15, xzr"
               : "=r"(at)
               :
               : "x19",
                 "x20",
                 "x21",
                 "x22",
                 "x23",
                 "x24",
                 "x25",
                 "x26",
                 "x27",
                 "x28",
                 "d8",
                 "d9",
                 "d10",
                 "d11",
                 "d12",
                 "d13",
                 "d14",
                 "d15");
#  endif
  begins = at;
  function(argument);
  asm volatile(""); // a jump in the call's place would give the registers back first
}

/// Leaves for a context. Where one was left is gone on at by a jump, behind which all returns of
/// the frames there would be predicted wrongly: off by the call that was left. A function that runs
/// on the context's top ends in a return, which makes up for it.
ctx::fiber enter(ctx::fiber&& context) {
  return std::move(context).resume_with([](ctx::fiber&& left) { return std::move(left); });
}

} // namespace

struct fiber::impl {
  impl() { ::new (&inside) ctx::fiber; }
  // Destroying a suspended Boost fiber would unwind it, through the user's noexcept functions. Its
  // stack belongs to the pool, and the handle owns nothing else.
  ~impl() {
    if (!inside) {
      inside.~fiber();
    }
  }
  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;

  // Who is begun again lies where it lay: its address is on its stack, and states of a thread are
  // compared by its stack's bytes. An allocator of the library's gives now this address, now that.
  static void* operator new(std::size_t bytes) {
    const std::lock_guard lock(freed().mutex);
    std::vector<void*>& all = freed().all;
    if (all.empty()) {
      return ::operator new(bytes);
    }
    void* const last = all.back();
    all.pop_back();
    return last;
  }
  static void operator delete(void* at) {
    const std::lock_guard lock(freed().mutex);
    freed().all.push_back(at);
  }
  struct freed_memory {
    std::mutex mutex;
    std::vector<void*> all;
  };
  static freed_memory& freed() {
    static auto& memory = *new freed_memory; // contexts may go at the very end
    return memory;
  }

  entry function = nullptr;
  void* argument = nullptr;
  std::uintptr_t begins = 0; ///< fiber::begins_at()
  union {
    ctx::fiber inside; // the fiber, while it is suspended
  };
  ctx::fiber outside; // who resumed it, or who passed control on to it, while it runs
#  ifdef TILESIM_ASAN
  void* outside_fake_stack = nullptr;
  void* inside_fake_stack = nullptr;
  const void* outside_bottom = nullptr;
  std::size_t outside_size = 0;
#  endif
#  ifdef TILESIM_TSAN
  void* tsan_inside = nullptr;
  void* tsan_outside = nullptr;
#  endif
};

[[gnu::tls_model("initial-exec")]] thread_local fiber::impl* fiber::running = nullptr;

fiber::fiber(stack_memory stack, entry function, void* argument)
    : stack_(stack)
    , left_at_(stack.high)
    , impl_(std::make_unique<impl>()) {
  impl_->function = function;
  impl_->argument = argument;
  impl_->begins = stack.high;
  ctx::stack_context where;
  where.size = stack.high - stack.low;
  where.sp = reinterpret_cast<void*>(stack.high);
  const ctx::preallocated on{where.sp, where.size, where};
  impl_->inside = ctx::fiber{
      std::allocator_arg, on, no_allocator{}, [self = impl_.get()](ctx::fiber&& from) {
        self->outside = std::move(from);
#  ifdef TILESIM_ASAN
        __sanitizer_finish_switch_fiber(nullptr, &self->outside_bottom, &self->outside_size);
#  endif
        set_floating_modes(kernel_floating_modes);
        call_entry(self->function, self->argument, self->begins);
#  ifdef TILESIM_ASAN
        __sanitizer_start_switch_fiber(nullptr, self->outside_bottom, self->outside_size);
#  endif
#  ifdef TILESIM_TSAN
        __tsan_switch_to_fiber(self->tsan_outside, 0);
#  endif
        return std::move(self->outside);
      }};
#  ifdef TILESIM_TSAN
  impl_->tsan_inside = __tsan_create_fiber(0);
#  endif
}

#  ifdef TILESIM_TSAN
fiber::~fiber() {
  __tsan_destroy_fiber(impl_->tsan_inside);
}
#  else
fiber::~fiber() = default;
#  endif

std::uintptr_t fiber::begins_at() const noexcept {
  return impl_->begins;
}

void fiber::resume() {
  TILESIM_ASSERT(static_cast<bool>(impl_->inside)); // it has not ended, and does not run
  const unsigned outside = current_sections();
  const floating_modes modes =
      current_floating_modes(); // Boost.Context keeps them on some machines
#  ifdef TILESIM_ASAN
  __sanitizer_start_switch_fiber(
      &impl_->outside_fake_stack, reinterpret_cast<void*>(stack_.low), stack_.high - stack_.low);
#  endif
#  ifdef TILESIM_TSAN
  impl_->tsan_outside = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(impl_->tsan_inside, 0);
#  endif
  running = impl_.get();
  ctx::fiber left = enter(std::move(impl_->inside));
  running->inside = std::move(left); // it may have passed control on to another one
  running = nullptr;
#  ifdef TILESIM_ASAN
  __sanitizer_finish_switch_fiber(impl_->outside_fake_stack, nullptr, nullptr);
#  endif
  set_floating_modes(modes);
  set_sections(outside);
}

void fiber::pass_to(fiber& next) {
  TILESIM_ASSERT(can_pass());
  TILESIM_ASSERT(static_cast<bool>(impl_->outside) && static_cast<bool>(next.impl_->inside));
  const unsigned inside = current_sections();
  const floating_modes modes = current_floating_modes();
  left_at_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - switched_bytes;
  running = next.impl_.get();
  ctx::fiber from = std::move(next.impl_->inside).resume_with([this](ctx::fiber&& left) {
    impl_->inside = std::move(left);
    return std::move(impl_->outside);
  });
  impl_->outside = std::move(from);
  set_floating_modes(modes);
  set_sections(inside);
}

void fiber::suspend() {
  TILESIM_ASSERT(static_cast<bool>(impl_->outside)); // it runs
  const unsigned inside = current_sections();
  const floating_modes modes = current_floating_modes();
  left_at_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - switched_bytes;
#  ifdef TILESIM_ASAN
  __sanitizer_start_switch_fiber(
      &impl_->inside_fake_stack, impl_->outside_bottom, impl_->outside_size);
#  endif
#  ifdef TILESIM_TSAN
  __tsan_switch_to_fiber(impl_->tsan_outside, 0);
#  endif
  impl_->outside = enter(std::move(impl_->outside));
#  ifdef TILESIM_ASAN
  __sanitizer_finish_switch_fiber(
      impl_->inside_fake_stack, &impl_->outside_bottom, &impl_->outside_size);
#  endif
  set_floating_modes(modes);
  set_sections(inside);
}

#endif // TILESIM_OWN_FIBERS

} // namespace tilesim::sim
