// What a function is called in reports, from what the demangler makes of it.
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/function_names.hpp"

#include "support/catch.hpp"

#include <array>
#include <string_view>

namespace {

struct example {
  std::string_view demangled;
  std::string_view name;
};

constexpr std::array examples{
    example{"main", "main"},
    example{"fill(int*, unsigned long)", "fill"},
    example{"dbuf<int>::dbuf(unsigned long)", "dbuf<int>::dbuf"},
    example{"int* make<int>(unsigned long)", "make<int>"},
    // types of several words
    example{"unsigned long long* mk<unsigned long long>(unsigned long)", "mk<unsigned long long>"},
    example{"char const* cmk<char>(unsigned long) [clone .isra.0]", "cmk<char>"},
    example{"std::pair<int, long> const& ns::get<int, long>() const &", "ns::get<int, long>"},
    example{"decltype ({parm#1}+{parm#2}) dmk<int>(int*, unsigned long)", "dmk<int>"},
    example{"decltype (*({parm#1})) deref<int*>(int*)", "deref<int*>"},
    example{"decltype(auto) amk<long>(unsigned long)", "amk<long>"},
    example{"int (*pick<int>(int))(float)", "pick<int>"},
    // operators, and conversions to types
    example{"Conv::operator int*() const", "Conv::operator int*"},
    example{"Conv::operator float*<float>() const", "Conv::operator float*<float>"},
    example{"Conv::operator unsigned long() const", "Conv::operator unsigned long"},
    example{"Conv::operator<(int) const", "Conv::operator<"},
    example{"bool operator< <int>(Conv const&, int)", "operator< <int>"},
    example{"bool operator><unsigned int>(Conv const&, unsigned int)", "operator><unsigned int>"},
    example{"Conv::operator<<(int)", "Conv::operator<<"},
    example{"Conv::operator()(int)", "Conv::operator()"},
    example{"Conv::operator->*(int)", "Conv::operator->*"},
    example{"Conv::operator[](int)", "Conv::operator[]"},
    example{"std::strong_ordering operator<=> <int>(S<int>, S<int>)", "operator<=> <int>"},
    example{"operator new(unsigned long)", "operator new"},
    example{"operator\"\" _kb(unsigned long long)", "operator\"\" _kb"},
    example{"my_operator(int)", "my_operator"},
    // what has no name, or is local to a function
    example{"(anonymous namespace)::anon(unsigned long)", "(anonymous namespace)::anon"},
    example{"unsigned short* (anonymous namespace)::t<unsigned short>(int)",
            "(anonymous namespace)::t<unsigned short>"},
    example{"main::{lambda(int*)#1}::operator()(int*) const", "main::{lambda(int*)#1}::operator()"},
    example{"use(int)::{lambda()#1}::operator()() const", "use(int)::{lambda()#1}::operator()"},
    example{"A::f(int) const::{lambda(int)#2}::operator()(int) const",
            "A::f(int) const::{lambda(int)#2}::operator()"},
    example{"auto glam::{lambda(auto:1)#1}::operator()<int>(int) const",
            "glam::{lambda(auto:1)#1}::operator()<int>"},
    example{"void call<main::{lambda()#1}>(main::{lambda()#1})", "call<main::{lambda()#1}>"},
    example{"int* via<&(twice(int))>(unsigned long)", "via<&(twice(int))>"},
    example{"int* shifted<(8>>1)>(unsigned long)", "shifted<(8>>1)>"},
    example{"void k<&(Conv::operator<(int))>(int*)", "k<&(Conv::operator<(int))>"},
    example{"std::string join[abi:cxx11](int)", "join[abi:cxx11]"},
};

} // namespace

TEST_CASE("a function's name stands alone, whatever it returns and takes") {
  for (const example& e : examples) {
    CHECK(tilesim::sim::without_signature(e.demangled) == e.name);
  }
}

TEST_CASE("a name that is not mangled is no type's") {
  for (const char* const name : {"m", "d", "i", "f", "v", "main", "St", "PKc"}) {
    CHECK(tilesim::sim::demangled(name) == name);
  }
  CHECK(tilesim::sim::demangled("_Z4fillPim") == "fill(int*, unsigned long)");
}
