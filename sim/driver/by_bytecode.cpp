// Tile kernels of C++ programs by the bytecode that NVIDIA's compiler has made of them
// (tilesim run --via tileir): a launch is the host program's as ever, and what runs is the
// entry of the same name.
//
// The arguments are those that the launch has bound: behind the kernel's address they lie one after
// the other, each where its type wants it, for kernels of tiles take scalars, pointers and
// references alone.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/kernel_exchange.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/interpreter/launch.hpp"
#include "sim/interpreter/program.hpp"
#include "sim/process/sections.hpp"
#include "sim/tileir/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilesim::driver_stand_in {
namespace {

constexpr const char* variable = "TILESIM_TILE_IR"; ///< files, with ':' between them

interpreter::program& load_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.empty()) {
    throw std::runtime_error(fmt::format("${}: {} cannot be read, or is empty", variable, path));
  }
  return interpreter::load({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::vector<interpreter::program*>& programs() {
  static auto& all = *new std::vector<interpreter::program*>([] {
    std::vector<interpreter::program*> read;
    std::istringstream paths(std::getenv(variable));
    for (std::string path; std::getline(paths, path, ':');) {
      read.push_back(&load_file(path));
    }
    return read;
  }());
  return all;
}

/// What the program keeps elsewhere is not what the bytecode would work on.
void refuse_variables(const interpreter::program& p) {
  for (const tileir::global& g : p.module().globals) {
    if (!g.is_constant && !g.is_private) {
      throw std::runtime_error(
          fmt::format("the kernels' variable {} is the host program's, too: the two would not be "
                      "one",
                      g.name));
    }
  }
}

detail::bound_kernel
bind_entry(interpreter::program& p, const tileir::entry& e, const detail::bound_kernel& kernel) {
  refuse_variables(p);
  const auto* const closure = static_cast<const std::byte*>(kernel.closure);
  std::size_t at = sizeof(void*);
  std::size_t alignment = at;
  std::vector<const void*> arguments;
  for (const std::size_t size : interpreter::parameter_sizes(p, e)) {
    at = (at + size - 1) / size * size;
    arguments.push_back(closure + at);
    at += size;
    alignment = std::max(alignment, size);
  }
  if ((at + alignment - 1) / alignment * alignment != kernel.closure_bytes) {
    throw std::runtime_error("its parameters are not those of the entry in the bytecode");
  }
  interpreter::show_globals(p, sim::context::current());
  detail::bound_kernel bound = interpreter::bind(p, e, arguments.data());
  bound.name = kernel.name;
  return bound;
}

detail::bound_kernel exchanged(const detail::bound_kernel& kernel, const void* site) {
  const sim::library_section inside;
  std::string why;
  try {
    const std::string name = kernel.function == nullptr ? "" : sim::linkage_name(kernel.function);
    for (interpreter::program* const p : programs()) {
      if (const tileir::entry* const e = p->find(name)) {
        const detail::bound_kernel bound = bind_entry(*p, *e, kernel);
        kernel.destroy(kernel.closure);
        return bound;
      }
    }
    why = fmt::format("the bytecode has no entry '{}'", name);
  } catch (const std::exception& e) {
    why = e.what();
  }
  sim::context::current().found.stop(
      site,
      {.kind = finding_kind::unsupported,
       .message = fmt::format("{} cannot be launched by its bytecode: {}", kernel.name, why),
       .remedy = "run the program without --via tileir"});
}

[[gnu::constructor]] void take_over() {
  if (const char* const files = std::getenv(variable); files != nullptr && *files != '\0') {
    sim::exchange_of_tile_kernels() = &exchanged;
  }
}

} // namespace
} // namespace tilesim::driver_stand_in
