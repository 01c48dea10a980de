// Values as bytes, for another process that was forked from the same one.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilesim::detail {

template <class V>
inline constexpr bool is_sequence = false;
template <class V, class... Rest>
inline constexpr bool is_sequence<::std::vector<V, Rest...>> = true;
template <class... All>
inline constexpr bool is_sequence<::std::basic_string<All...>> = true;

template <class V>
inline constexpr bool is_tuple = false;
template <class First, class Second>
inline constexpr bool is_tuple<::std::pair<First, Second>> = true;
template <class... All>
inline constexpr bool is_tuple<::std::tuple<All...>> = true;

template <class V>
void append_bytes(::std::string& to, const V& value) {
  if constexpr (is_sequence<V>) {
    append_bytes(to, value.size());
    for (const auto& element : value) {
      append_bytes(to, element);
    }
  } else if constexpr (is_tuple<V>) {
    ::std::apply([&](const auto&... all) { (append_bytes(to, all), ...); }, value);
  } else {
    static_assert(::std::is_trivially_copyable_v<V> && !::std::is_pointer_v<V>,
                  "tilesim::explore: the callable returns nothing, or numbers and other types that "
                  "are trivially copyable, strings, and vectors, pairs and tuples of these");
    const auto at = to.size();
    to.resize(at + sizeof(V));
    ::std::memcpy(to.data() + at, ::std::addressof(value), sizeof(V));
  }
}

template <class V>
[[nodiscard]] V take_value(const char*& at) {
  if constexpr (is_sequence<V>) {
    V out;
    for (auto left = take_value<::std::size_t>(at); left != 0; --left) {
      out.push_back(take_value<typename V::value_type>(at));
    }
    return out;
  } else if constexpr (is_tuple<V>) {
    return [&]<::std::size_t... I>(::std::index_sequence<I...>) {
      return V{take_value<::std::remove_cv_t<::std::tuple_element_t<I, V>>>(at)...}; // from left to right
    }(::std::make_index_sequence<::std::tuple_size_v<V>>());
  } else {
    V out;
    ::std::memcpy(::std::addressof(out), at, sizeof(V));
    at += sizeof(V);
    return out;
  }
}

template <class V>
[[nodiscard]] ::std::string bytes_of_value(const V& value) {
  ::std::string out;
  append_bytes(out, value);
  return out;
}

template <class V>
[[nodiscard]] V value_of_bytes(const ::std::string& bytes) {
  const char* at = bytes.data();
  return take_value<V>(at);
}

} // namespace tilesim::detail
