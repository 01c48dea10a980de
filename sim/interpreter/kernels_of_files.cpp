// A kernel of the program and an entry of a file are the same if they have one name. NVIDIA's
// compiler and the host's agree on names, but for functions that a file keeps to itself.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/kernels_of_files.hpp"

#include "sim/contract/kernel_names.hpp"
#include "sim/core/context.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/interpreter/launch.hpp"
#include "sim/interpreter/program.hpp"
#include "sim/tileir/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::interpreter {

namespace {

/// "void add<float, 16>(float*)" of a linkage name: without namespaces that have no name, which
/// NVIDIA's compiler gives one that is made of the file's.
std::string comparable(const std::string& linkage) {
  std::string name = sim::demangled(linkage);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(unnamed, at)) != std::string::npos;) {
    name.erase(at, unnamed.size());
  }
  for (std::size_t at = 0; (at = name.find("_GLOBAL__N__", at)) != std::string::npos;) {
    std::size_t end = at;
    while (end < name.size() &&
           (std::isalnum(static_cast<unsigned char>(name[end])) != 0 || name[end] == '_')) {
      ++end;
    }
    name.erase(at, (name.compare(end, 2, "::") == 0 ? end + 2 : end) - at);
  }
  return name;
}

/// Where a launch keeps the values of parameters of these sizes: behind the kernel's address, one
/// after the other, each where its type wants it, for tile kernels take scalars, pointers and
/// references alone. Nothing: it keeps others.
std::optional<std::vector<const void*>> parameters_of(const detail::bound_kernel& kernel,
                                                      const std::vector<std::size_t>& sizes) {
  const auto* const closure = static_cast<const std::byte*>(kernel.closure);
  std::size_t at = sizeof(void*);
  std::size_t alignment = at;
  std::vector<const void*> values;
  for (const std::size_t size : sizes) {
    at = (at + size - 1) / size * size;
    values.push_back(closure + at);
    at += size;
    alignment = std::max(alignment, size);
  }
  at = (at + alignment - 1) / alignment * alignment;
  return at == kernel.closure_bytes ? std::optional(values) : std::nullopt;
}

class kernels_of_files final : public sim::kernel_source {
public:
  explicit kernels_of_files(std::string files)
      : files_(std::move(files)) {}

  bool replace(detail::bound_kernel& kernel, std::string& why_not) override {
    try {
      read_once();
      const auto found = entry_of(kernel, why_not);
      if (!found) {
        return false;
      }
      const auto [its, entry] = *found;
      const auto parameters = parameters_of(kernel, parameter_sizes(*its, *entry));
      if (!parameters) {
        why_not = "its parameters in the program are not those that it has in Tile IR";
        return false;
      }
      detail::bound_kernel other = bind(*its, *entry, parameters->data());
      show_globals(*its, sim::context::current());
      other.name = kernel.name;
      other.function = kernel.function;
      kernel.destroy(std::exchange(kernel, other).closure);
      return true;
    } catch (const std::runtime_error& e) { // refused, or damaged
      why_not = e.what();
      return false;
    }
  }

private:
  using place = std::pair<program*, const tileir::entry*>;

  void read_once() {
    std::istringstream lines(std::exchange(files_, {}));
    for (std::string path; std::getline(lines, path);) {
      std::ifstream file(path, std::ios::binary);
      if (!file) {
        throw std::runtime_error(fmt::format("{} cannot be read", path));
      }
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
      program& p =
          load(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
      share_globals(p);
      for (const tileir::entry& e : p.module().entries) {
        entries_.try_emplace(comparable(e.name), &p, &e);
      }
    }
  }

  /// The program's own variables are what its kernels in Tile IR use, too.
  static void share_globals(program& p) {
    if (p.globals().empty()) {
      return; // most have none, and the program has many
    }
    std::map<std::string, std::span<std::byte>> own;
    sim::for_each_object_symbol([&](const char* name, std::uintptr_t begin, std::uintptr_t end) {
      own.try_emplace(comparable(name), reinterpret_cast<std::byte*>(begin), end - begin);
    });
    for (const auto& [name, cells] : p.globals()) {
      if (const auto at = own.find(comparable(name)); at != own.end()) {
        p.use_for_global(name, at->second);
      }
    }
  }

  std::optional<place> entry_of(const detail::bound_kernel& kernel, std::string& why_not) const {
    const std::string linkage = sim::function_symbol_at(kernel.function);
    if (linkage.empty()) {
      why_not = "the program does not tell which function it is: it is stripped, or one of its "
                "parameters has no name";
      return std::nullopt;
    }
    const auto found = entries_.find(comparable(linkage));
    if (found == entries_.end()) {
      why_not = fmt::format("there is no {} in Tile IR", comparable(linkage));
      return std::nullopt;
    }
    return found->second;
  }

  std::string files_; ///< empty once they have been read
  std::map<std::string, place> entries_;
};

} // namespace

std::unique_ptr<sim::kernel_source> make_kernels_of_files(const std::string& files) {
  return std::make_unique<kernels_of_files>(files);
}

} // namespace tilesim::interpreter
