// The direct engine: memory is memory.
//
// All simulated threads share one OS thread and change places only between operations, so an
// element's update is atomic as it stands. Atomic objects are shared with other threads of the
// host, so each of their accesses is a real atomic operation, in the strongest order.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/memory/engine.hpp"

#include <array>
#include <cstring>
#include <mutex>

namespace tilesim::sim {

namespace {

template <unsigned Bytes>
struct word_of;
template <>
struct word_of<1> {
  using type = std::uint8_t;
};
template <>
struct word_of<2> {
  using type = std::uint16_t;
};
template <>
struct word_of<4> {
  using type = std::uint32_t;
};
template <>
struct word_of<8> {
  using type = std::uint64_t;
};

// Strong accesses may meet another thread of the host, so each element is a real atomic access.
template <unsigned Bytes>
void gather_strong(const tile_access& a, std::byte* out) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      using word = typename word_of<Bytes>::type;
      const word value =
          __atomic_load_n(reinterpret_cast<const word*>(a.addresses[i]), __ATOMIC_SEQ_CST);
      std::memcpy(out + (i * Bytes), &value, Bytes);
    }
  }
}

template <unsigned Bytes>
void scatter_strong(const tile_access& a, const std::byte* values) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      using word = typename word_of<Bytes>::type;
      word value;
      std::memcpy(&value, values + (i * Bytes), Bytes);
      __atomic_store_n(reinterpret_cast<word*>(a.addresses[i]), value, __ATOMIC_SEQ_CST);
    }
  }
}

template <unsigned Bytes>
void gather(const tile_access& a, std::byte* out) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      std::memcpy(out + (i * Bytes), reinterpret_cast<const void*>(a.addresses[i]), Bytes);
    }
  }
}

template <unsigned Bytes>
void scatter(const tile_access& a, const std::byte* values) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      std::memcpy(reinterpret_cast<void*>(a.addresses[i]), values + (i * Bytes), Bytes);
    }
  }
}

/// Calls f<bytes>(…) for the element sizes that exist.
template <class F>
void by_size(unsigned bytes, F&& f) {
  switch (bytes) {
  case 1:
    f.template operator()<1>();
    break;
  case 2:
    f.template operator()<2>();
    break;
  case 4:
    f.template operator()<4>();
    break;
  default:
    f.template operator()<8>();
    break;
  }
}

/// Objects that no instruction of the host accesses at once: held while one is, so that they are
/// atomic among each other.
std::mutex wide_objects;

/// Calls f with an unsigned integer of the size, if there is one; otherwise `wide` under a lock.
template <class F, class Wide>
auto as_object(std::size_t bytes, F f, Wide wide) {
  switch (bytes) {
  case 1:
    return f(std::uint8_t{});
  case 2:
    return f(std::uint16_t{});
  case 4:
    return f(std::uint32_t{});
  case 8:
    return f(std::uint64_t{});
  default: {
    const std::scoped_lock lock(wide_objects);
    return wide();
  }
  }
}

/// Calls f(cell, its offset among the values) for each element that the mask leaves.
template <class F>
void each_cell(const tile_access& a, F f) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      f(reinterpret_cast<std::byte*>(a.addresses[i]), i * a.bytes);
    }
  }
}

class direct_engine final : public memory_engine {
public:
  [[nodiscard]] bool takes_boxes() const noexcept override { return true; }

  void load(sim_thread& /*t*/, const tile_access& a, void* out) override {
    if (a.how.order != machine::memory_order::weak) {
      by_size(a.bytes,
              [&]<unsigned Bytes>() { gather_strong<Bytes>(a, static_cast<std::byte*>(out)); });
      return;
    }
    if (a.box != nullptr) {
      read_box(*a.box, a.bytes, static_cast<std::byte*>(out));
      return;
    }
    TILESIM_ASSERT(a.addresses != nullptr || a.count == 0, a.count);
    if (a.contiguous) {
      std::memcpy(out, reinterpret_cast<const void*>(a.addresses[0]), a.count * a.bytes);
      return;
    }
    by_size(a.bytes, [&]<unsigned Bytes>() { gather<Bytes>(a, static_cast<std::byte*>(out)); });
  }

  void store(sim_thread& /*t*/, const tile_access& a, const void* values) override {
    if (a.how.order != machine::memory_order::weak) {
      by_size(a.bytes, [&]<unsigned Bytes>() {
        scatter_strong<Bytes>(a, static_cast<const std::byte*>(values));
      });
      return;
    }
    if (a.box != nullptr) {
      write_box(*a.box, a.bytes, static_cast<const std::byte*>(values));
      return;
    }
    TILESIM_ASSERT(a.addresses != nullptr || a.count == 0, a.count);
    if (a.contiguous) {
      std::memcpy(reinterpret_cast<void*>(a.addresses[0]), values, a.count * a.bytes);
      return;
    }
    by_size(a.bytes,
            [&]<unsigned Bytes>() { scatter<Bytes>(a, static_cast<const std::byte*>(values)); });
  }

  bool update(sim_thread& /*t*/,
              const tile_access& a,
              ops::rmw_function f,
              const void* arguments,
              void* old) override {
    bool changed = false;
    each_cell(a, [&](std::byte* cell, std::size_t at) {
      std::byte* before = static_cast<std::byte*>(old) + at;
      std::memcpy(before, cell, a.bytes);
      f(cell, static_cast<const std::byte*>(arguments) + at);
      changed = changed || std::memcmp(before, cell, a.bytes) != 0;
    });
    return changed;
  }

  bool compare_exchange(sim_thread& /*t*/,
                        const tile_access& a,
                        const void* expected,
                        const void* desired,
                        void* old) override {
    bool changed = false;
    each_cell(a, [&](std::byte* cell, std::size_t at) {
      std::memcpy(static_cast<std::byte*>(old) + at, cell, a.bytes);
      if (std::memcmp(cell, static_cast<const std::byte*>(expected) + at, a.bytes) == 0) {
        const std::byte* wanted = static_cast<const std::byte*>(desired) + at;
        changed = changed || std::memcmp(cell, wanted, a.bytes) != 0;
        std::memcpy(cell, wanted, a.bytes);
      }
    });
    return changed;
  }

  void load(const accessor& /*who*/, const plain_access& a, void* out) override {
    const void* const p = reinterpret_cast<const void*>(a.address);
    as_object(
        a.bytes,
        [&]<class U>(U) {
          const U value = __atomic_load_n(static_cast<const U*>(p), __ATOMIC_SEQ_CST);
          std::memcpy(out, &value, sizeof value);
        },
        [&] { std::memcpy(out, p, a.bytes); });
  }

  bool store(const accessor& /*who*/, const plain_access& a, const void* value) override {
    void* const p = reinterpret_cast<void*>(a.address);
    return as_object(
        a.bytes,
        [&]<class U>(U now) {
          std::memcpy(&now, value, sizeof now);
          return __atomic_exchange_n(static_cast<U*>(p), now, __ATOMIC_SEQ_CST) != now;
        },
        [&] {
          const bool differ = std::memcmp(p, value, a.bytes) != 0;
          std::memcpy(p, value, a.bytes);
          return differ;
        });
  }

  bool update(const accessor& /*who*/,
              const plain_access& a,
              const object_change& f,
              void* old) override {
    void* const p = reinterpret_cast<void*>(a.address);
    return as_object(
        a.bytes,
        [&]<class U>(U now) {
          U before = __atomic_load_n(static_cast<U*>(p), __ATOMIC_SEQ_CST);
          do {
            now = before;
            f(&now);
          } while (!__atomic_compare_exchange_n(
              static_cast<U*>(p), &before, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
          std::memcpy(old, &before, sizeof before);
          return now != before;
        },
        [&] {
          std::memcpy(old, p, a.bytes);
          f(p);
          return std::memcmp(old, p, a.bytes) != 0;
        });
  }

  bool compare_exchange(const accessor& /*who*/,
                        const plain_access& a,
                        void* expected,
                        const void* desired) override {
    void* const p = reinterpret_cast<void*>(a.address);
    return as_object(
        a.bytes,
        [&]<class U>(U before) {
          U now;
          std::memcpy(&before, expected, sizeof before);
          std::memcpy(&now, desired, sizeof now);
          const bool equal = __atomic_compare_exchange_n(
              static_cast<U*>(p), &before, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
          std::memcpy(expected, &before, sizeof before);
          return equal;
        },
        [&] {
          const bool equal = std::memcmp(p, expected, a.bytes) == 0;
          std::memcpy(equal ? p : expected, equal ? desired : p, a.bytes);
          return equal;
        });
  }

  void copy(const accessor& /*who*/,
            const void* /*site*/,
            const byte_place& to,
            const byte_place& from,
            std::size_t bytes) override {
    std::memmove(to.at, from.at, bytes);
  }
  void fill(const accessor& /*who*/,
            const void* /*site*/,
            const byte_place& to,
            unsigned char value,
            std::size_t bytes) override {
    std::memset(to.at, value, bytes);
  }
};

} // namespace

std::unique_ptr<memory_engine> make_direct_engine() {
  return std::make_unique<direct_engine>();
}

memory_engine& unwatched_memory() noexcept {
  static direct_engine memory;
  return memory;
}

} // namespace tilesim::sim
