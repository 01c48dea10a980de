// The allocation registry: which addresses a kernel may use, who allocated them, and when they
// died.
//
// Device memory is a large reserved range of the address space. Every allocation has pages of its
// own that end as near to the allocation's end as its alignment permits, with an unmapped guard
// page behind, unless it lives beside very many others; those of 2 MiB and more begin on a huge
// page, if there are such; freed ranges are unmapped and not used again, so a stale pointer names
// its allocation. While host code runs, device memory is closed: a host access faults, also inside
// libc. Where it can be, that is by a protection key, and each thread of the host's has it open or
// closed for itself; else by PROT_NONE of all pages.
//
// Runs in one process, one after the other, take over the address space, and a few pages where one
// run's allocations lie as the last one's did: mapping and unmapping them costs more than a small
// kernel.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace tilesim::sim {

enum class memory_kind : std::uint8_t {
  device,     ///< cudaMalloc: the host may not touch it
  managed,    ///< cudaMallocManaged: both sides
  pinned,     ///< cudaMallocHost, cudaHostAlloc: host memory that kernels may use
  registered, ///< cudaHostRegister: the same, memory the program brought
  lent,       ///< an array of the host program's, for the time of a launch
};

/// "device memory", "managed memory", …
[[nodiscard]] const char* name(memory_kind kind) noexcept;

struct allocation {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  memory_kind kind{};
  bool live = true;
  unsigned id = 0;                  ///< 1 for the program's first allocation
  const void* site = nullptr;       ///< return address of the allocating call
  const void* freed_site = nullptr; ///< return address of the freeing call
  std::size_t mapped = 0;           ///< bytes of whole pages behind it; 0 for registered memory
  std::uintptr_t pages = 0;         ///< first of those pages
  bool keyed = false;               ///< a thread opens and closes them by the key
  bool is_stale = false;            ///< they hold what an earlier run has left there

  [[nodiscard]] std::uintptr_t end() const noexcept { return begin + size; }
  [[nodiscard]] bool contains(std::uintptr_t address, std::size_t bytes = 1) const noexcept {
    return address >= begin && address <= end() && end() - address >= bytes;
  }
};

/// Pages that stay mapped, closed, for an allocation of the next run's that lies where one of this
/// run's has lain: they hold what that one has left. By address.
struct kept_pages {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  bool keyed = false; ///< closed by the key alone, which opens what is allocated, too
};

/// How device memory is closed to host code.
enum class closing : std::uint8_t {
  best,    ///< by a protection key where there are such, else by pages
  by_page, ///< by the protection of each allocation's pages
};

class allocations {
public:
  /// capacity: bytes of device memory that the simulated device has.
  explicit allocations(std::size_t capacity, closing how = closing::best);
  ~allocations();
  allocations(const allocations&) = delete;
  allocations& operator=(const allocations&) = delete;

  /// Memory of `size` > 0 bytes, aligned to 256, zero-filled pages (the contents are unspecified to
  /// the program). nullptr when the device's memory is exhausted.
  [[nodiscard]] void* allocate(memory_kind kind, std::size_t size, const void* site);

  /// Makes a range of the program's own memory usable by kernels. False if it overlaps another.
  bool register_range(void* address,
                      std::size_t size,
                      const void* site,
                      memory_kind kind = memory_kind::registered);

  /// Frees the live allocation that begins at `address`. False if there is none.
  bool release(const void* address, const void* site);

  /// The allocation, dead or alive, that holds `address`; nullptr if none does.
  [[nodiscard]] const allocation* find(const void* address) const noexcept;

  /// The same for a thread that does not hold the runtime's lock: another may allocate meanwhile.
  [[nodiscard]] std::optional<allocation> look_up(const void* address) const;

  /// The allocation nearest to an address: for messages. Outside of device memory, where other
  /// things lie between, one that is no further away than it is long, or 1 MiB.
  [[nodiscard]] const allocation* nearest(std::uintptr_t address) const noexcept;

  /// True if `address` lies in the range reserved for simulated memory, allocated or not.
  [[nodiscard]] bool in_arena(std::uintptr_t address) const noexcept {
    return address - arena_begin_ < arena_size_;
  }

  /// Opens device memory to the code that runs on this OS thread; calls nest. The runtime holds it
  /// open while it copies, the scheduler while kernels run. See scoped_access.
  void open();
  void close();

  /// True once memory of the program's own has been registered.
  [[nodiscard]] bool has_registered() const noexcept { return has_registered_; }

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }
  [[nodiscard]] std::vector<const allocation*> live() const;

private:
  void take_spare(std::size_t capacity);
  void protect_all(int protection);
  void close_kept();
  [[nodiscard]] bool make_usable(allocation& a);
  [[nodiscard]] std::optional<kept_pages> take_kept(std::uintptr_t first, std::size_t pages);
  void give_up_earlier();
  bool keep(const allocation& a);
  void forget_found() noexcept;
  [[nodiscard]] const allocation* find_among_all(std::uintptr_t at) const noexcept;
  [[nodiscard]] const allocation* nearest_of_program(std::uintptr_t address) const noexcept;

  std::size_t capacity_;
  const bool by_key_;
  std::size_t used_ = 0;
  bool has_registered_ = false;
  std::size_t mapped_ = 0; ///< live allocations with pages of their own
  unsigned next_id_ = 1;
  unsigned open_count_ = 0;
  std::uintptr_t arena_begin_ = 0;
  std::size_t arena_size_ = 0;
  std::uintptr_t arena_next_ = 0;
  std::vector<kept_pages> earlier_; ///< of the run before, from next_earlier_ on
  std::size_t next_earlier_ = 0;
  std::vector<kept_pages> kept_; ///< of this run, for the next one
  std::size_t kept_bytes_ = 0;
  std::size_t kept_by_key_ = 0;                      ///< of both, how many the key would open
  std::map<std::uintptr_t, allocation> allocations_; ///< by begin; dead ones stay
  /// Live device allocations that are closed by page: what open() opens.
  std::vector<allocation*> by_page_;
  mutable std::mutex changes_; ///< of allocations_
  /// The last ones of live memory: a kernel reads here and writes there in turn.
  mutable std::array<std::atomic<const allocation*>, 4> last_found_{};
  mutable std::atomic<unsigned> found_next_ = 0; ///< which of them is replaced next
};

/// Holds device memory open for a scope.
class scoped_access {
public:
  explicit scoped_access(allocations& m)
      : allocations_(m) {
    allocations_.open();
  }
  ~scoped_access() { allocations_.close(); }
  scoped_access(const scoped_access&) = delete;
  scoped_access& operator=(const scoped_access&) = delete;

private:
  allocations& allocations_;
};

} // namespace tilesim::sim
