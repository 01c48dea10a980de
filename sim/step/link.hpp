// The line to the stepper: JSON objects, one a line, over a socket of the abstract name space.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilesim::sim::step {

class link {
public:
  /// Connects to the socket of this abstract name. Ends the process when nobody listens: the person
  /// who steps has gone.
  explicit link(std::string path);
  ~link();
  link(const link&) = delete;
  link& operator=(const link&) = delete;

  /// A connection of its own for a process that fork() has just made.
  void connect_anew();

  void send(const nlohmann::json& message) const;
  /// To the request that came last.
  void reply(nlohmann::json message) const;
  /// The next message; nothing when the other side has gone.
  [[nodiscard]] std::optional<nlohmann::json> receive();

private:
  void connect();

  std::string path_;
  int socket_ = -1;
  std::string buffered_;
};

} // namespace tilesim::sim::step
