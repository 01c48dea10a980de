// What printf touches by way of its arguments. [C: fprintf; POSIX: positions]
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/format_strings.hpp"

#include <cstdarg>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

using tilesim::sim::accesses_of_format;
using tilesim::sim::format_access;

namespace {

struct touched {
  const void* address;
  std::size_t bytes;
  bool writes = false;

  friend bool operator==(const touched&, const touched&) = default;
};

std::vector<touched> of(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vector<touched> list;
  for (const format_access& a : accesses_of_format(format, arguments)) {
    list.push_back({a.address, a.most == 0 ? 0 : a.bytes(), a.writes});
  }
  va_end(arguments);
  return list;
}

using list = std::vector<touched>;

const char text[] = "text";
const char open_end[] = {'o', 'p', 'e', 'n'}; // has no zero behind it
const wchar_t wide[] = L"wide";

} // namespace

TEST_CASE("%s reads up to the zero", "[sim]") {
  CHECK(of("no conversion") == list{});
  CHECK(of("100%%") == list{});
  CHECK(of("%s", text) == list{{text, 5}});
  CHECK(of("%-10s|%8s", text, text + 2) == list{{text, 5}, {text + 2, 3}});
  CHECK(of("%s", nullptr) == list{});
}

TEST_CASE("the precision ends a string", "[sim]") {
  CHECK(of("%.4s", open_end) == list{{open_end, 4}});
  CHECK(of("%.*s", 3, open_end) == list{{open_end, 3}});
  CHECK(of("%*.*s", 9, 2, open_end) == list{{open_end, 2}});
  CHECK(of("%.s", open_end) == list{{open_end, 0}});
  CHECK(of("%.9s", text) == list{{text, 5}});
  CHECK(of("%.*s", -1, text) == list{{text, 5}}); // as if there were none
}

TEST_CASE("other arguments are stepped over by their types", "[sim]") {
  CHECK(of("%d %ld %lld %hhd %zu %c %f %Lf %p %s",
           1,
           2L,
           3LL,
           4,
           std::size_t{5},
           'c',
           1.5,
           1.5L,
           static_cast<const void*>(text),
           text) == list{{text, 5}});
  CHECK(of("%d %d %d %d %d %d %d %f %f %f %f %f %f %f %f %f %s %s",
           1,
           2,
           3,
           4,
           5,
           6,
           7,
           1.,
           2.,
           3.,
           4.,
           5.,
           6.,
           7.,
           8.,
           9.,
           text,
           text + 1) == list{{text, 5}, {text + 1, 4}});
  CHECK(of("%m %s", text) == list{{text, 5}});
}

TEST_CASE("arguments with positions", "[sim]") {
  CHECK(of("%2$s %1$d %2$.2s", 1, text) == list{{text, 5}, {text, 2}});
  CHECK(of("%3$.*1$s %2$f", 3, 1.5, open_end) == list{{open_end, 3}});
}

TEST_CASE("wide strings are read by the character", "[sim]") {
  CHECK(of("%ls", wide) == list{{wide, 5 * sizeof(wchar_t)}});
  CHECK(of("%S", wide) == list{{wide, 5 * sizeof(wchar_t)}});
  CHECK(of("%.2ls", wide) == list{{wide, 2 * sizeof(wchar_t)}});
}

TEST_CASE("%n writes a number of its size", "[sim]") {
  int i = 0;
  long l = 0;
  short s = 0;
  signed char c = 0;
  CHECK(of("%n%ln%hn%hhn", &i, &l, &s, &c) ==
        list{{&i, sizeof i, true}, {&l, sizeof l, true}, {&s, 2, true}, {&c, 1, true}});
}
