// For the programs about memory operations: operands, places, copies as bits.
//
// Four blocks, each with a 16x16 tile of an array of 1024 elements. SPDX-License-Identifier:
// Apache-2.0
#pragma once

#include "shaped.hpp"

namespace gpu_test {

constexpr int size = 1024; ///< elements in an array; four blocks of 16x16

template <std::size_t Bytes>
struct unsigned_of;
template <>
struct unsigned_of<1> {
  using type = std::uint8_t;
};
template <>
struct unsigned_of<2> {
  using type = std::uint16_t;
};
template <>
struct unsigned_of<4> {
  using type = std::uint32_t;
};
template <>
struct unsigned_of<8> {
  using type = std::uint64_t;
};

/// Copies an array to the host as the bits of its elements.
template <class T>
void retrieve_bits(const device_array<T>& from, const std::string& label) {
  using U = typename unsigned_of<sizeof(T)>::type;
  std::vector<U> bits(from.count());
  check(cudaMemcpy(bits.data(), from.data(), bits.size() * sizeof(T), cudaMemcpyDeviceToHost),
        label.c_str());
}

template <class T>
void finish(const std::string& label, const device_array<T>& out) {
  check(cudaGetLastError(), label.c_str());
  retrieve_bits(out, label);
  ++operations;
}

template <class T>
std::vector<bits> any_values(bits seed) {
  constexpr format f = element<T>::layout;
  operands::generator next(seed);
  std::vector<bits> made = operands::specials(f);
  while (made.size() < size) {
    made.push_back(f.is_float() ? next() & f.mask() : operands::any_integer(f, next));
  }
  arrays one{made};
  operands::shuffle(one, next);
  return one[0];
}

inline std::vector<bits> any_mask() {
  operands::generator next(70);
  std::vector<bits> made(size);
  for (bits& x : made) {
    x = next() & 1;
  }
  return made;
}

/// The places of block b: in order, and in another order over the whole array.
inline __tile__ auto places(int b) {
  return ct::iota<ct::tile<int, shape<16, 16>>>() + b * 256;
}
inline __tile__ auto other_places(int b) {
  return (places(b) * 77 + 13) % size;
}

constexpr const char* order_text(ct::memory_order o) {
  return o == ct::memory_order::relaxed   ? "relaxed"
         : o == ct::memory_order::acquire ? "acquire"
         : o == ct::memory_order::release ? "release"
                                          : "acq_rel";
}
constexpr const char* scope_text(ct::thread_scope s) {
  return s == ct::thread_scope::block    ? "block"
         : s == ct::thread_scope::device ? "device"
                                         : "system";
}
template <ct::memory_order O, ct::thread_scope S>
std::string strength_text() {
  return std::string(" ") + order_text(O) + " " + scope_text(S);
}

} // namespace gpu_test
