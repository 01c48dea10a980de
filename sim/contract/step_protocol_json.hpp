// The stepper's protocol as JSON, both ways. docs/step-protocol.md lists what is written.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilesim::sim::step::protocol {

/// With "do" or "event" where the message has one. Defined for every message of the protocol, and
/// for values and findings, which others write, too.
template <class Message>
[[nodiscard]] nlohmann::json encode(const Message& message);

/// Throws nlohmann::json::exception where a member is missing or is something else.
template <class Message>
[[nodiscard]] Message decode(const nlohmann::json& message);

/// What the page has to say of a message, or of a part of one.
struct described {
  std::string title;
  std::string base; ///< whose members it has, too
  struct member {
    std::string name;
    bool always = true;
  };
  std::vector<member> members;
};
[[nodiscard]] std::vector<described> described_protocol();
[[nodiscard]] const char* word(stop_reason reason);
/// The words of an enumeration: of "stop_reason", "way", "led_by", "back_by".
[[nodiscard]] std::vector<std::string> words_of(const std::string& enumeration);

} // namespace tilesim::sim::step::protocol
