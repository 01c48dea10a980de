// The allocation registry: address space, guard pages, open and close.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/allocations.hpp"

#include "memmodel/assertion.hpp"
#include "sim/memory/judging.hpp"
#include "sim/memory/round_up.hpp"
#include "sim/process/keyed_pages.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tilesim::sim {

namespace {

// What cudaMalloc promises, and what its users rely on (vector accesses, assume_aligned<256>).
constexpr std::size_t alignment = 256;
// Reserved address space: never reused, so it bounds what a program allocates in its whole life.
constexpr std::size_t arena_bytes = std::size_t{1} << 42;
// Memory is opened and closed around every launch, page by page; and a tile of a matrix has each of
// its rows on another page. Both cost little where pages are this large.
constexpr std::size_t huge_page = std::size_t{1} << 21;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// What concerns hooks of an allocation of this kind.
std::atomic<unsigned>& reasons_of(memory_kind kind) {
  return kind == memory_kind::device ? judging::device_allocations : judging::reasons;
}

// Each with its guard is two mappings, of which the system permits some 65 000 to a process. What
// is allocated beside so many others has no guard: it joins its neighbours.
constexpr std::size_t most_guarded = 16'384;

// What is kept of a run's small allocations for the next run: of one, and in all.
constexpr std::size_t small_bytes = std::size_t{1} << 16;
constexpr std::size_t most_kept_bytes = std::size_t{1} << 20;

/// Address space that is reserved and of which a part has been used.
struct arena {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  std::vector<kept_pages> kept;
};

/// That of a run that is over, for the next one in this process.
std::mutex spare_arena_changes;
arena spare_arena;

/// Closed and empty: mapped anew rather than advised away, which gives the pages back and closes
/// them in one call.
bool empty_again(std::uintptr_t begin, std::size_t size) {
  return size == 0 || mmap(reinterpret_cast<void*>(begin),
                           size,
                           PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                           -1,
                           0) != MAP_FAILED;
}

} // namespace

std::atomic<unsigned> judging::reasons = 0;
std::atomic<unsigned> judging::device_allocations = 0;
std::atomic<bool> judging::hooked = false;

// Functions of which there are two versions ask for it by this name
// (tools/build/host_versions.hpp); the library itself by one that nobody can put another in the
// place of.
__asm__(".globl tilesim_hooks_reasons\n"
        ".type tilesim_hooks_reasons, @object\n"
        ".size tilesim_hooks_reasons, 4\n"
        ".set tilesim_hooks_reasons, _ZN7tilesim3sim7judging7reasonsE\n");
static_assert(sizeof(judging::reasons) == 4);

const char* name(memory_kind kind) noexcept {
  switch (kind) {
  case memory_kind::device:
    return "device memory";
  case memory_kind::managed:
    return "managed memory";
  case memory_kind::pinned:
    return "pinned host memory";
  case memory_kind::registered:
    return "registered host memory";
  case memory_kind::lent:
    return "host memory";
  }
  return "?";
}

allocations::allocations(std::size_t capacity, closing how)
    : capacity_(capacity)
    , by_key_(how == closing::best && keyed_pages::can_be()) {
  take_spare(capacity);
  if (arena_size_ != 0) {
    return;
  }
  // Sanitizers and containers limit the address space: take what there is.
  for (std::size_t size = arena_bytes; size >= capacity && size >= (std::size_t{1} << 30);
       size /= 2) {
    void* base = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base != MAP_FAILED) {
      arena_begin_ = reinterpret_cast<std::uintptr_t>(base);
      arena_size_ = size;
      arena_next_ = arena_begin_;
      return;
    }
  }
}

/// The address space of a run that is over, with what it has kept.
void allocations::take_spare(std::size_t capacity) {
  const std::lock_guard lock(spare_arena_changes);
  if (spare_arena.size < capacity || spare_arena.size == 0) {
    return;
  }
  arena spare = std::exchange(spare_arena, {});
  arena_begin_ = arena_next_ = spare.begin;
  arena_size_ = spare.size;
  earlier_ = std::move(spare.kept);
  kept_by_key_ = static_cast<std::size_t>(std::ranges::count_if(earlier_, &kept_pages::keyed));
  if (!by_key_) {
    close_kept();
  }
}

allocations::~allocations() {
  for (const allocation* a : live()) {
    judging::remove(reasons_of(a->kind));
  }
  if (arena_size_ == 0) {
    return;
  }
  if (!live().empty()) { // what is released is closed, and empty or kept, at once
    kept_.clear();
    if (!empty_again(arena_begin_, arena_next_ - arena_begin_)) {
      munmap(reinterpret_cast<void*>(arena_begin_), arena_size_);
      return;
    }
  }
  std::ranges::sort(kept_, {}, &kept_pages::begin);
  kept_.insert(kept_.end(),
               earlier_.begin() + static_cast<std::ptrdiff_t>(next_earlier_),
               earlier_.end()); // which lie behind all of this run's
  {
    const std::lock_guard lock(spare_arena_changes);
    if (spare_arena.size == 0) {
      spare_arena = {arena_begin_, arena_size_, std::move(kept_)};
      return;
    }
  }
  munmap(reinterpret_cast<void*>(arena_begin_), arena_size_);
}

/// What the run before has kept of an allocation with just these pages. From the first ones on that
/// differ, nothing is kept.
std::optional<kept_pages> allocations::take_kept(std::uintptr_t first, std::size_t pages) {
  if (next_earlier_ == earlier_.size()) {
    return std::nullopt;
  }
  const kept_pages& next = earlier_[next_earlier_];
  if (next.begin == first && next.size == pages) {
    ++next_earlier_;
    kept_by_key_ -= next.keyed ? 1 : 0;
    return next;
  }
  if (next.begin < first + pages) {
    give_up_earlier();
  }
  return std::nullopt;
}

void allocations::give_up_earlier() {
  for (; next_earlier_ != earlier_.size(); ++next_earlier_) {
    const kept_pages& k = earlier_[next_earlier_];
    empty_again(k.begin, k.size);
    kept_by_key_ -= k.keyed ? 1 : 0;
  }
}

/// Closes what is kept to those, too, who have the key.
void allocations::close_kept() {
  if (kept_by_key_ == 0) {
    return;
  }
  const auto close_page = [](kept_pages& k) {
    if (std::exchange(k.keyed, false)) {
      empty_again(k.begin, k.size); // without the key, too
    }
  };
  std::for_each(
      earlier_.begin() + static_cast<std::ptrdiff_t>(next_earlier_), earlier_.end(), close_page);
  std::ranges::for_each(kept_, close_page);
  kept_by_key_ = 0;
}

/// Keeps the pages of a released allocation. False: it is large, or there are enough.
bool allocations::keep(const allocation& a) {
  if (a.mapped > small_bytes || kept_bytes_ + a.mapped > most_kept_bytes) {
    return false;
  }
  // Nobody has it open, and who opens it next closes what is kept.
  const bool closed = a.kind == memory_kind::device && open_count_ == 0;
  if (a.keyed && !closed) {
    return false; // in the middle of kernels: rare
  }
  if (!closed && mprotect(reinterpret_cast<void*>(a.pages), a.mapped, PROT_NONE) != 0) {
    return false;
  }
  kept_bytes_ += a.mapped;
  kept_.push_back({a.pages, a.mapped, a.keyed});
  kept_by_key_ += a.keyed ? 1 : 0;
  return true;
}

/// Its pages, which are new or kept, are opened to whoever may use them, and zero. False: the
/// system refuses.
bool allocations::make_usable(allocation& a) {
  const auto kept = take_kept(a.pages, a.mapped);
  auto* const pages = reinterpret_cast<void*>(a.pages);
  // A wish: refused by kernels without huge pages. Pages about which another one has been uttered
  // than about their neighbours are not joined with these whenever they are closed, and cut off
  // whenever they are opened: that is twice as fast.
  if (!kept) {
    madvise(pages, a.mapped, a.mapped >= huge_page ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  const bool of_device = a.kind == memory_kind::device;
  if (of_device && by_key_) {
    a.keyed = (kept && kept->keyed) || keyed_pages::make(a.pages, a.mapped);
    if (a.keyed) {
      if (kept) {
        keyed_pages::open();
        std::memset(pages, 0, a.mapped);
        keyed_pages::close();
      }
      return true;
    }
  }
  if (kept && kept->keyed && !empty_again(a.pages, a.mapped)) {
    return false;
  }
  // What has not been allocated is closed.
  if (of_device && open_count_ == 0) {
    a.is_stale = kept.has_value();
    return true;
  }
  if (mprotect(pages, a.mapped, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  if (kept) {
    std::memset(pages, 0, a.mapped);
  }
  return true;
}

void* allocations::allocate(memory_kind kind, std::size_t size, const void* site) {
  const bool counts = kind == memory_kind::device || kind == memory_kind::managed;
  if (counts && (size > capacity_ || used_ > capacity_ - size)) {
    return nullptr;
  }
  const std::size_t pages = round_up(size, page_size());
  const std::size_t guard = mapped_ < most_guarded ? page_size() : 0;
  const std::size_t taken = pages + guard;
  const std::uintptr_t arena_end = arena_begin_ + arena_size_;
  if (size == 0 || pages < size || taken > arena_end - arena_next_) {
    return nullptr;
  }
  allocation a;
  a.pages = arena_next_;
  if (pages >= huge_page && taken <= arena_end - round_up(a.pages, huge_page)) {
    a.pages = round_up(a.pages, huge_page);
  }
  a.mapped = pages;
  a.begin = a.pages + pages - round_up(size, alignment);
  a.size = size;
  a.kind = kind;
  a.site = site;
  if (!make_usable(a)) {
    return nullptr;
  }
  a.id = next_id_++;
  arena_next_ = a.pages + taken;
  const std::scoped_lock lock(changes_);
  allocation& stored = allocations_[a.begin] = a;
  if (kind == memory_kind::device && !a.keyed) {
    by_page_.push_back(&stored);
  }
  used_ += counts ? size : 0;
  ++mapped_;
  judging::add(reasons_of(kind));
  return reinterpret_cast<void*>(a.begin);
}

bool allocations::register_range(void* address,
                                 std::size_t size,
                                 const void* site,
                                 memory_kind kind) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  // Those that live do not overlap, so the last one that begins before the range's end decides.
  for (auto at = allocations_.lower_bound(begin + size); at != allocations_.begin();) {
    const allocation& before = (--at)->second;
    if (before.live) {
      if (begin < before.end()) {
        return false;
      }
      break;
    }
  }
  const std::scoped_lock lock(changes_);
  allocation a;
  a.begin = begin;
  a.size = size;
  a.kind = kind;
  has_registered_ = true;
  a.id = next_id_++;
  a.site = site;
  allocations_[begin] = a;
  forget_found();
  judging::add(reasons_of(a.kind));
  return true;
}

bool allocations::release(const void* address, const void* site) {
  const auto it = allocations_.find(reinterpret_cast<std::uintptr_t>(address));
  if (it == allocations_.end() || !it->second.live) {
    return false;
  }
  const std::scoped_lock lock(changes_);
  allocation& a = it->second;
  a.live = false;
  a.freed_site = site;
  judging::remove(reasons_of(a.kind));
  forget_found();
  std::erase(by_page_, &a);
  if (a.kind == memory_kind::device || a.kind == memory_kind::managed) {
    TILESIM_ASSERT(used_ >= a.size, used_, a.size);
    used_ -= a.size;
  }
  if (a.kind == memory_kind::registered || a.kind == memory_kind::lent) {
    allocations_.erase(it); // the memory is the program's and lives on
    return true;
  }
  --mapped_;
  if (!keep(a)) {
    empty_again(a.pages, a.mapped);
  }
  return true;
}

const allocation* allocations::find(const void* address) const noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const auto& known : last_found_) {
    const allocation* const last = known.load(std::memory_order_relaxed);
    if (last != nullptr && last->contains(at)) {
      return last;
    }
  }
  const allocation* const found = find_among_all(at);
  if (found != nullptr && found->live) {
    const unsigned place = found_next_.fetch_add(1, std::memory_order_relaxed);
    last_found_[place % last_found_.size()].store(found, std::memory_order_relaxed);
  }
  return found;
}

void allocations::forget_found() noexcept {
  for (auto& known : last_found_) {
    known.store(nullptr, std::memory_order_relaxed);
  }
}

const allocation* allocations::find_among_all(std::uintptr_t at) const noexcept {
  const auto behind = allocations_.upper_bound(at);
  if (behind == allocations_.begin() || !std::prev(behind)->second.contains(at)) {
    return nullptr;
  }
  return &std::prev(behind)->second;
}

std::optional<allocation> allocations::look_up(const void* address) const {
  const std::scoped_lock lock(changes_);
  const allocation* const found = find_among_all(reinterpret_cast<std::uintptr_t>(address));
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

const allocation* allocations::nearest(std::uintptr_t address) const noexcept {
  if (!in_arena(address)) {
    return nearest_of_program(address);
  }
  const auto above = allocations_.upper_bound(address);
  const allocation* best = nullptr;
  std::uintptr_t distance = 0;
  if (above != allocations_.begin()) {
    best = &std::prev(above)->second;
    distance = address - best->begin < best->size ? 0 : address - best->end();
  }
  if (above != allocations_.end() && in_arena(above->first) &&
      (best == nullptr || above->first - address < distance)) {
    best = &above->second;
  }
  return best != nullptr && in_arena(best->begin) ? best : nullptr;
}

const allocation* allocations::nearest_of_program(std::uintptr_t address) const noexcept {
  constexpr std::uintptr_t near_enough = std::uintptr_t{1} << 20;
  const allocation* best = nullptr;
  std::uintptr_t distance = 0;
  const auto look_at = [&](const allocation& a) {
    const std::uintptr_t away = address < a.begin ? a.begin - address : address - a.end();
    if (!in_arena(a.begin) && away <= std::max<std::uintptr_t>(a.size, near_enough) &&
        (best == nullptr || away < distance)) {
      best = &a;
      distance = away;
    }
  };
  const auto above = allocations_.upper_bound(address);
  if (above != allocations_.begin()) {
    look_at(std::prev(above)->second);
  }
  if (above != allocations_.end()) {
    look_at(above->second);
  }
  return best;
}

void allocations::open() {
  if (by_key_) {
    close_kept();
    keyed_pages::open();
  }
  if (open_count_++ != 0) {
    return;
  }
  protect_all(PROT_READ | PROT_WRITE);
  for (allocation* a : by_page_) {
    if (std::exchange(a->is_stale, false)) {
      std::memset(reinterpret_cast<void*>(a->pages), 0, a->mapped);
    }
  }
}

void allocations::close() {
  TILESIM_ASSERT(open_count_ != 0);
  if (by_key_) {
    keyed_pages::close();
  }
  if (--open_count_ == 0) {
    protect_all(PROT_NONE);
  }
}

void allocations::protect_all(int protection) {
  for (const allocation* a : by_page_) {
    mprotect(reinterpret_cast<void*>(a->pages), a->mapped, protection);
  }
}

std::vector<const allocation*> allocations::live() const {
  std::vector<const allocation*> result;
  for (const auto& [at, a] : allocations_) {
    if (a.live) {
      result.push_back(&a);
    }
  }
  return result;
}

} // namespace tilesim::sim
