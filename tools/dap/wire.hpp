// Messages of the Debug Adapter Protocol on two descriptors: a header with Content-Length, then
// JSON.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilesim::tools::dap {

class wire {
public:
  /// Reads from `in`, writes to `out`; both stay the caller's.
  wire(int in, int out)
      : in_(in)
      , out_(out) {}

  /// The next message; nothing when the client is gone, or when a signal came. Throws failure where
  /// the bytes are none of the protocol's.
  [[nodiscard]] std::optional<nlohmann::json> receive();

  /// Takes what has come already, without waiting.
  void look();
  /// Messages that have come and have not been received.
  [[nodiscard]] std::deque<nlohmann::json>& waiting() noexcept { return messages_; }
  /// Will no more come?
  [[nodiscard]] bool closed() const noexcept { return closed_; }

  /// Adds the message's "seq".
  void send(nlohmann::json message);
  void event(const std::string& name, nlohmann::json body = nullptr);
  void respond(const nlohmann::json& request, nlohmann::json body);
  void refuse(const nlohmann::json& request, const std::string& why);

  [[nodiscard]] int input() const noexcept { return in_; }

private:
  bool read_some();
  void take_messages();
  void take_message(std::string_view text);

  int in_;
  int out_;
  std::string buffered_;
  std::deque<nlohmann::json> messages_;
  bool closed_ = false;
  std::uint64_t seq_ = 0;
};

} // namespace tilesim::tools::dap
