// Sums in Tile IR, and where they stand.
//
// An operation's location is the line and column where its expression begins, in preprocessed text,
// with the calls that have been inlined. Several sums begin at one place (a * b + c + d); equal
// operations of one kernel are merged before products are fused, and what is left of them is the
// end of such a chain: what is missing is its beginning.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/compiled_sums.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/tileir/reader.hpp"
#include "tools/build/sum_operators.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace tilesim::tools {

namespace {

namespace fs = std::filesystem;
using sim::compiled_sum;
using sim::sum_place;
using sim::text_position;
using tileir::opcode;

/// A sum of a kernel, as the bytecode has it.
struct sum_operation {
  compiled_sum::how is{};
  bool of_two = false;
  bool scalar = false;
  std::string element;
};

using chain = std::vector<std::tuple<std::string, unsigned, unsigned>>; ///< innermost first

class entry_reader {
public:
  entry_reader(const tileir::module& m, const tileir::entry& e, std::string foreign)
      : module_(m)
      , entry_(e)
      , foreign_(std::move(foreign)) {
    makers_.resize(e.values.size());
    walk(e.body);
  }

  /// By where they begin, in the order of the kernel's text.
  [[nodiscard]] const std::map<std::pair<chain, std::string>, std::vector<sum_operation>>&
  sums() const {
    return sums_;
  }

private:
  /// `combined`: the location of the reduction or scan whose body it is; else 0.
  void walk(const tileir::region& r, std::uint32_t combined = 0) {
    for (const tileir::operation& o : r.operations) {
      for (const tileir::value_id v : o.results) {
        makers_[v] = &o;
      }
      const bool adds = o.what == opcode::addf || o.what == opcode::subf || o.what == opcode::fma;
      const std::uint32_t at = location_of(o);
      if (adds && (combined == 0 || at != combined)) { // ct::sum's own stand where it is called
        take(o);
      }
      const bool combines = o.what == opcode::reduce || o.what == opcode::scan;
      std::ranges::for_each(
          o.regions, [&](const tileir::region& inner) { walk(inner, combines ? at : combined); });
    }
  }

  void take(const tileir::operation& o) {
    const tileir::type& type = *entry_.values[o.results.front()].type;
    const chain where = chain_of(o);
    if (!type.is(tileir::type::kind::tile) || where.empty()) {
      return; // of nobody's line, or in a function of NVIDIA's
    }
    const std::string element = tileir::name(type.element->num);
    const bool fused = o.what == opcode::fma;
    sums_[{where, element}].push_back(
        {.is = fused ? compiled_sum::how::fused : compiled_sum::how::apart,
         .of_two = fused && is_product(o.operands.back()),
         .scalar = type.shape.empty(),
         .element = element});
  }

  /// A product, or one that has been negated to be subtracted.
  [[nodiscard]] bool is_product(tileir::value_id v) const {
    const tileir::operation* o = makers_[v];
    if (o != nullptr && o->what == opcode::negf) {
      o = makers_[o->operands.front()];
    }
    return o != nullptr && o->what == opcode::mulf;
  }

  [[nodiscard]] std::uint32_t location_of(const tileir::operation& o) const {
    return o.number < entry_.locations.size() ? entry_.locations[o.number] : 0;
  }

  [[nodiscard]] chain chain_of(const tileir::operation& o) const {
    chain found;
    for (const tileir::frame& f : module_.frames(location_of(o))) {
      if (f.file.empty() || f.file.starts_with(foreign_)) {
        if (found.empty()) {
          return {};
        }
        continue;
      }
      std::error_code error;
      const auto path = fs::weakly_canonical(f.file, error);
      found.emplace_back(error ? f.file : path.string(),
                         static_cast<unsigned>(f.line),
                         static_cast<unsigned>(f.column));
    }
    return found;
  }

  const tileir::module& module_;
  const tileir::entry& entry_;
  std::string foreign_;
  std::vector<const tileir::operation*> makers_; ///< of values
  std::map<std::pair<chain, std::string>, std::vector<sum_operation>> sums_;
};

/// A file's name as the command line, or the folder, has it.
std::string shown(const std::string& path, const std::vector<std::string>& sources) {
  std::error_code error;
  for (const std::string& s : sources) {
    if (fs::weakly_canonical(s, error).string() == path) {
      return s;
    }
  }
  const std::string here = fs::current_path(error).string() + "/";
  return path.starts_with(here) ? path.substr(here.size()) : path;
}

class sum_namer {
public:
  sum_namer(const sum_operators& operators, const std::vector<std::string>& sources)
      : operators_(operators)
      , sources_(sources) {}

  /// The sums that begin at one place, each at its operator.
  void name(const std::string& kernel,
            const chain& where,
            std::span<const sum_operation> sums,
            sim::sum_table& to) {
    const auto& [in, line, column] = where.front();
    const std::string& file = in; // a lambda below takes no part of a pair
    const auto operators = operators_.from(file, {.line = line, .column = column});
    std::vector<sum_place> callers;
    for (const auto& [f, l, c] : std::span(where).subspan(1)) {
      callers.push_back(
          {.file = shown(f, sources_), .at = operators_.call(f, {.line = l, .column = c})});
    }
    const auto add = [&](const sum_operation& s, std::vector<text_position> at) {
      compiled_sum made{.kernel = kernel,
                        .element = s.element,
                        .is = s.is,
                        .of_two = s.of_two,
                        .scalar = s.scalar,
                        .frames = {{.file = shown(file, sources_), .at = std::move(at)}}};
      made.frames.insert(made.frames.end(), callers.begin(), callers.end());
      to.push_back(std::move(made));
    };
    if (sums.size() <= operators.size()) {
      for (std::size_t i = 0; i < sums.size(); ++i) {
        add(sums[i], operators[operators.size() - sums.size() + i]);
      }
      return;
    }
    // More than are written there: a loop that has been unrolled, or text that is not understood.
    sum_operation all = sums.front();
    for (const sum_operation& s : sums) {
      all.is = s.is == all.is ? all.is : compiled_sum::how::open;
      all.of_two = all.of_two && s.of_two;
      all.scalar = all.scalar || s.scalar;
    }
    add(all, {{.line = line, .column = 0}});
  }

private:
  const sum_operators& operators_;
  const std::vector<std::string>& sources_;
};

/// The preprocessed text that nvcc has kept there.
std::string kept_text(const std::string& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".ii") {
      return read_file(entry.path().string()).value_or("");
    }
  }
  return {};
}

std::unique_ptr<const tileir::module> read_bytecode(const std::string& path,
                                                    const std::string& source) {
  const std::string bytes = read_file(path).value_or("");
  try {
    return tileir::read({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  } catch (const tileir::bad_bytecode& e) {
    throw failure(exit_input, fmt::format("the Tile IR of {}: {}", source, e.what()));
  }
}

void add_sums_of(const std::string& nvcc,
                 const std::string& source,
                 const std::vector<std::string>& sources,
                 const std::vector<std::string>& flags,
                 sums_of_sources& to) {
  const temporary_folder kept("sums");
  const std::string bytecode = kept.path() + "/out.tilebc";
  command_line command = tile_ir_command(nvcc, flags, source);
  command.insert(command.end(), {"--keep", "--keep-dir", kept.path(), "-o", bytecode});
  run_nvcc(command, source);
  const auto module = read_bytecode(bytecode, source);
  const std::string foreign = toolkit_folder(nvcc);
  std::set<std::string> files;
  std::vector<std::pair<std::string, entry_reader>> entries;
  for (const tileir::entry& e : module->entries) {
    const auto& sums =
        entries.emplace_back(e.name, entry_reader(*module, e, foreign)).second.sums();
    for (const auto& [where, of_it] : sums) {
      for (const auto& frame : where.first) {
        files.insert(std::get<0>(frame));
      }
    }
  }
  const sum_operators operators(kept_text(kept.path()), files);
  for (const std::string& file : operators.own_files()) {
    if (!file.starts_with(foreign)) {
      to.inputs.push_back(file);
    }
  }
  sum_namer namer(operators, sources);
  for (const auto& [kernel, entry] : entries) {
    for (const auto& [where, sums] : entry.sums()) {
      namer.name(kernel, where.first, sums, to.sums);
    }
  }
}

} // namespace

std::string toolkit_folder(const std::string& nvcc) {
  std::error_code error;
  const auto path = fs::canonical(nvcc, error);
  return error ? "/usr/" : path.parent_path().parent_path().string() + "/";
}

bool contracts(const std::vector<std::string>& flags) {
  bool does = true;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string_view f = flags[i];
    for (const std::string_view name : {"-fmad", "--fmad"}) {
      if (f == name && i + 1 < flags.size()) {
        does = flags[i + 1] != "false";
      } else if (f.starts_with(name) && f.substr(name.size()).starts_with('=')) {
        does = f.substr(name.size() + 1) != "false";
      }
    }
  }
  return does;
}

sums_of_sources compiled_sums(const std::string& nvcc,
                              const std::vector<std::string>& sources,
                              const std::vector<std::string>& flags) {
  sums_of_sources all;
  for (const std::string& source : sources) {
    if (source.ends_with(".cu")) {
      add_sums_of(nvcc, source, sources, flags, all);
    }
  }
  return all;
}

} // namespace tilesim::tools
