// The page of a traced run, for notebooks: called by api/python through ctypes, in
// libtilesim_check.so.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/json_text.hpp"
#include "tools/cli/files.hpp"
#include "tools/trace/page.hpp"

#include <tilesim/detail/machine.hpp>

#include <nlohmann/json.hpp>
#include <string>

extern "C" {

/// The page of a run that the tracer wrote to the file `lines`, with the report of its check, until
/// the next one is made; nullptr: it is none.
TILESIM_EXPORT const char*
tilesim_recording_page(const char* lines, const char* report, const char* title) {
  using namespace tilesim::tools;
  static thread_local std::string page;
  try {
    const traced_run run =
        read_traced_run(read_file(lines).value_or(""), tilesim::sim::json_of(report));
    page = to_trace_page(run, title, false);
    return page.c_str();
  } catch (const std::exception&) {
    return nullptr;
  }
}
}
