// Findings as text.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <string>

namespace tilesim::sim {

/// `file:line:col: error: message [code]`, details indented below, callers, the remedy.
[[nodiscard]] std::string render(const finding& f, bool colour);

/// `summary: code: file:line, N times` per finding; empty when there is none.
[[nodiscard]] std::string render_summary(const report& r, bool colour);

} // namespace tilesim::sim
