// `--via` and `--contract`, together.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/kernel_options.hpp"

#include "sim/contract/exit_codes.hpp"
#include "tools/build/contraction.hpp"
#include "tools/build/start.hpp"
#include "tools/build/tile_ir.hpp"
#include "tools/cli/failure.hpp"

namespace tilesim::tools {

kernel_options::kernel_options(CLI::App& app) {
  add_via(app, via_);
  add_contract(app, contract_);
}

void kernel_options::follow(const arguments& given, bool verbose, nlohmann::json& simulator) const {
  if (is_python(given) && via_ == "tileir") {
    throw failure(
        exit_usage,
        "--via is for programs in C++: kernels in Python are run by their Tile IR anyway");
  }
  if (is_python(given) && !contract_.empty()) {
    throw failure(exit_usage,
                  "--contract is for programs in C++: what cuTile has fused is an fma in its "
                  "bytecode, and is run so");
  }
  follow_via(via_, given.request, verbose, simulator);
  follow_contract(contract_, given.request, simulator);
}

} // namespace tilesim::tools
