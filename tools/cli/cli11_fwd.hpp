// CLI11's classes, for who passes them on.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {

class App;
class Option;

} // namespace CLI
