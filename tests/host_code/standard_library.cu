// Host code that uses the standard library in every way that emits its functions into the program, where libstdc++
// and tilesim's own library find them: containers, strings, streams, files, exceptions, threads, expressions, locales.
//
// SPDX-License-Identifier: Apache-2.0
#include "host_code.h"

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <charconv>
#include <chrono>
#include <complex>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {

struct options {
  std::string name = "a name that is longer than a short string", input = "in", output = "out", format = "%d";
  std::vector<std::string> files{"a", "b"};
  std::map<std::string, std::string> defines{{"A", "1"}};
};

std::size_t strings() {
  options a, b, c, d;
  a = b;
  a.name = "x";
  b = a;
  c = d;
  d.name = a.name;
  a.output = d.name + b.input;
  std::string text = a.output;
  text.append("abc").insert(1, "def").replace(0, 2, "ghi").erase(3, 1);
  text.resize(100, '.');
  text.shrink_to_fit();
  text += std::to_string(3.5) + std::to_string(7);
  std::wstring wide = L"wide";
  wide = wide + L" text that is long enough for the heap";
  std::u8string utf8 = u8"utf";
  utf8 = utf8 + utf8;
  const std::string_view view = text;
  std::swap(a, c);
  return text.find("..") + view.rfind('.') + wide.size() + utf8.size() + a.files.size() + std::stoul("12") +
         (text.compare(a.name) < 0 ? 1U : 0U);
}

template <class C>
std::size_t filled(C c) {
  for (int i = 0; i < 100; ++i)
    c.insert(c.end(), {std::to_string(i)});
  C copy = c;
  copy = c;
  c = std::move(copy);
  c.erase(c.begin());
  return static_cast<std::size_t>(std::distance(c.begin(), c.end()));
}

std::size_t containers() {
  std::size_t n = filled(std::vector<std::string>{}) + filled(std::deque<std::string>{}) + filled(std::list<std::string>{}) +
                  filled(std::set<std::string>{}) + filled(std::multiset<std::string>{}) +
                  filled(std::unordered_set<std::string>{}) + filled(std::unordered_multiset<std::string>{});
  std::map<long, long> map;
  std::unordered_map<std::string, std::vector<std::byte>> hashed;
  std::multimap<std::string, int> many;
  std::vector<bool> bits;
  std::deque<long> longs;
  std::forward_list<int> forward;
  std::priority_queue<int> heap;
  std::queue<std::string> queue;
  std::stack<std::string> stack;
  for (int i = 0; i < 200; ++i) {
    map[i * 37 % 101] += i;
    hashed[std::to_string(i % 50)].push_back(std::byte(i));
    many.emplace("key", i);
    bits.push_back(i % 3 == 0);
    longs.push_front(i);
    forward.push_front(i);
    heap.push(i);
    queue.push("q");
    stack.push("s");
  }
  forward.sort();
  std::sort(longs.begin(), longs.end());
  const std::array<std::string, 3> fixed{"1", "2", "3"};
  const std::bitset<70> set(5);
  const std::variant<int, std::string> either = std::string("either");
  const std::optional<std::string> maybe = "maybe";
  const std::any anything = std::vector<int>{1, 2};
  const std::tuple<std::string, int> pair{"t", 1};
  return n + map.size() + hashed.size() + many.size() + static_cast<std::size_t>(std::count(bits.begin(), bits.end(), true)) +
         static_cast<std::size_t>(heap.top()) + queue.size() + stack.size() + fixed.size() + set.count() +
         std::get<std::string>(either).size() + maybe->size() + std::any_cast<std::vector<int>>(anything).size() +
         std::get<0>(pair).size();
}

/// An own stream buffer, under std::cerr, where the library could meet it; and own operators.
class counting : public std::streambuf {
public:
  std::size_t count = 0;

protected:
  int overflow(int c) override {
    ++count;
    text_ += static_cast<char>(c);
    return c;
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    count += static_cast<std::size_t>(n);
    text_.append(s, static_cast<std::size_t>(n));
    return n;
  }

private:
  std::string text_;
};

std::ostream& operator<<(std::ostream& to, const options& o) {
  return to << o.name << ' ' << o.files.size();
}

std::size_t streams() {
  std::ostringstream out;
  out << std::setw(8) << std::setprecision(3) << 3.14159 << std::hex << 255 << std::boolalpha << true << options{} << '\n'
      << std::put_time(std::gmtime(std::array<std::time_t, 1>{}.data()), "%F") << std::quoted("quoted");
  std::istringstream in("12 3.5 word\nline two\n");
  int i = 0;
  double d = 0;
  std::string word, line;
  in >> i >> d >> word;
  std::getline(in, line);
  std::getline(in, line);
  counting buffer;
  std::ostream own(&buffer);
  own << options{} << 42 << ' ' << 1.5 << std::endl;
  std::streambuf* const before = std::cerr.rdbuf(&buffer);
  std::cerr << "counted, not shown " << 7 << '\n';
  std::cerr.rdbuf(before);
  std::stringstream both;
  both << std::complex<double>(1, 2);
  char digits[32];
  const auto end = std::to_chars(digits, digits + 32, 12345);
  int back = 0;
  std::from_chars(digits, end.ptr, back);
  char formatted[64];
  std::snprintf(formatted, sizeof formatted, "%s %d %5.2f", word.c_str(), i, d);
  return out.str().size() + line.size() + buffer.count + both.str().size() + static_cast<std::size_t>(back) +
         std::string(formatted).size();
}

std::size_t files() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("tilesim_host_code_" + std::to_string(std::rand() * 0 + 1));
  std::error_code error;
  fs::path p = folder;
  p /= "a folder";
  p = p.lexically_normal();
  fs::path q = p / ".." / "b.txt";
  q.replace_extension(".log");
  const fs::path relative = q.lexically_relative(folder);
  std::size_t n = relative.string().size() + q.stem().string().size() + fs::absolute(q, error).has_root_path();
  for (const auto& part : q)
    n += part.native().empty() ? 0 : 1;
  for (const auto& entry : fs::directory_iterator("/", error))
    n += entry.path().empty() ? 1 : 0;
  try {
    n += fs::file_size("/no such file");
  } catch (const fs::filesystem_error& e) {
    n += std::string(e.what()).empty() ? 0 : 1;
  }
  std::ifstream none("/no such file");
  std::ifstream self("/proc/self/stat");
  std::string line;
  std::getline(self, line);
  return n + (none ? 1 : 0) + (line.empty() ? 0 : 1);
}

struct own_error : std::runtime_error {
  explicit own_error(std::string what)
      : std::runtime_error(what)
      , more(std::move(what)) {}
  std::string more;
};

std::size_t exceptions() {
  std::size_t n = 0;
  for (int i = 0; i < 5; ++i) {
    try {
      if (i == 0)
        throw own_error("thrown, and long enough for the heap: it is copied");
      if (i == 1)
        static_cast<void>(std::vector<int>().at(3));
      if (i == 2)
        static_cast<void>(std::stoi("no number"));
      if (i == 3)
        throw std::system_error(std::make_error_code(std::errc::io_error), "io");
      std::throw_with_nested(own_error("nested"));
    } catch (const own_error& e) {
      n += e.more.size();
    } catch (const std::exception& e) {
      n += std::string(e.what()).size() > 0 ? 1 : 0;
    }
  }
  std::exception_ptr kept;
  try {
    throw std::logic_error("kept");
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    std::rethrow_exception(kept);
  } catch (const std::logic_error&) {
    ++n;
  }
  return n;
}

std::size_t threads() {
  std::mutex mutex;
  std::condition_variable changed;
  std::shared_mutex shared;
  std::atomic<int> count = 0;
  std::vector<std::string> made;
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i)
    all.emplace_back([&, i] {
      const std::scoped_lock lock(mutex);
      made.push_back(std::to_string(i));
      ++count;
      changed.notify_all();
    });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return made.size() == 3; });
  }
  for (auto& t : all)
    t.join();
  auto later = std::async(std::launch::async, [] { return std::string("a result that is on the heap"); });
  std::promise<int> promise;
  std::thread setter([&promise] { promise.set_value(3); });
  const int got = promise.get_future().get();
  setter.join();
  const std::shared_lock reading(shared);
  std::once_flag once;
  std::call_once(once, [&count] { ++count; });
  std::jthread joined([&count] { ++count; });
  joined.join();
  return made.size() + static_cast<std::size_t>(count.load()) + later.get().size() + static_cast<std::size_t>(got);
}

std::size_t expressions() {
  const std::regex pattern("([a-z]+)-([0-9]+)");
  std::smatch match;
  const std::string text = "say word-42 and other-7";
  std::size_t n = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    n += (*it)[1].str().size();
  n += std::regex_replace(text, pattern, "$2").size();
  try {
    const std::regex wrong("(");
  } catch (const std::regex_error&) {
    ++n;
  }
  const std::locale own(std::locale::classic(), new std::numpunct<char>);
  std::ostringstream out;
  out.imbue(own);
  out << 1234567 << std::use_facet<std::collate<char>>(own).compare("a", "a" + 1, "b", "b" + 1);
  std::mt19937 random(1);
  std::uniform_int_distribution<int> die(1, 6);
  std::vector<int> numbers(100);
  std::generate(numbers.begin(), numbers.end(), [&] { return die(random); });
  std::shuffle(numbers.begin(), numbers.end(), random);
  std::stable_sort(numbers.begin(), numbers.end());
  const std::function<int(int)> twice = [](int x) { return 2 * x; };
  const auto shared = std::make_shared<options>();
  const std::weak_ptr<options> weak = shared;
  return n + out.str().size() + static_cast<std::size_t>(twice(std::accumulate(numbers.begin(), numbers.end(), 0))) +
         weak.lock()->name.size() + (std::chrono::steady_clock::now() == std::chrono::steady_clock::time_point{} ? 1U : 0U);
}

} // namespace

void host_code(const char* when) {
  std::cout << when << ": " << strings() << ' ' << containers() << ' ' << streams() << ' ' << files() << ' ' << exceptions()
            << ' ' << threads() << ' ' << expressions() << std::endl;
}

void watch_library(const int* /*managed*/) {}
