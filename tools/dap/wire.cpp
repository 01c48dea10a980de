// Framing.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/wire.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/whole_bytes.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace tilesim::tools::dap {
namespace {

using nlohmann::json;

constexpr std::size_t longest_header = 4096;
constexpr std::size_t longest_message = std::size_t{64} << 20U;
constexpr std::string_view end_of_header = "\r\n\r\n";

[[noreturn]] void malformed(const std::string& what) {
  throw failure(
      exit_usage,
      fmt::format("the client's message is none of the Debug Adapter Protocol: {}", what));
}

bool is_content_length(std::string_view name) {
  constexpr std::string_view wanted = "content-length";
  return std::ranges::equal(name, wanted, {}, [](unsigned char c) { return std::tolower(c); });
}

/// The number of bytes behind a header.
std::size_t content_length(std::string_view header) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find("\r\n"), header.size());
    const std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(end + 2, header.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_content_length(line.substr(0, colon))) {
      continue;
    }
    std::string_view digits = line.substr(colon + 1);
    digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
    std::size_t length = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (error != std::errc{} || stop != digits.data() + digits.size() || length > longest_message) {
      malformed(fmt::format(
          "its Content-Length is '{}', not a number up to {}", digits, longest_message));
    }
    return length;
  }
  malformed("its header has no Content-Length");
}

} // namespace

std::optional<json> wire::receive() {
  while (messages_.empty()) {
    if (closed_ || !read_some()) {
      return std::nullopt;
    }
    take_messages();
  }
  json message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

void wire::look() {
  for (;;) {
    pollfd ready{in_, POLLIN, 0};
    if (closed_ || poll(&ready, 1, 0) <= 0 || !read_some()) {
      break;
    }
  }
  take_messages();
}

bool wire::read_some() {
  std::array<char, 65536> piece; // NOLINT: read() fills it
  const ssize_t n = read(in_, piece.data(), piece.size());
  if (n < 0 && errno == EINTR) {
    return false;
  }
  if (n <= 0) {
    closed_ = true;
    return false;
  }
  buffered_.append(piece.data(), static_cast<std::size_t>(n));
  return true;
}

void wire::take_messages() {
  for (;;) {
    const std::size_t end = buffered_.find(end_of_header);
    if (end == std::string::npos) {
      if (buffered_.size() > longest_header) {
        malformed(fmt::format("{} bytes without a header", buffered_.size()));
      }
      return;
    }
    const std::size_t begin = end + end_of_header.size();
    const std::size_t length = content_length(std::string_view(buffered_).substr(0, end));
    if (buffered_.size() < begin + length) {
      return;
    }
    take_message(std::string_view(buffered_).substr(begin, length));
    buffered_.erase(0, begin + length);
  }
}

/// A message that is none has been delimited: it is answered, and the next one is read.
void wire::take_message(std::string_view text) {
  if (sim::is_too_deep(text)) {
    // What it answers to is at the top.
    refuse(sim::top_of_json(text),
           fmt::format("the message is nested more than {} deep", sim::deepest_json));
    return;
  }
  json message = sim::read_json(text);
  if (!message.is_object()) {
    refuse(message, "the message is no JSON object");
  } else {
    messages_.push_back(std::move(message));
  }
}

void wire::send(json message) {
  message["seq"] = ++seq_;
  const std::string text = sim::json_text(message);
  const std::string bytes = fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
  if (!sim::write_whole(out_, bytes)) {
    closed_ = true; // nobody reads any more
  }
}

void wire::event(const std::string& name, json body) {
  json message = {{"type", "event"}, {"event", name}};
  if (!body.is_null()) {
    message["body"] = std::move(body);
  }
  send(std::move(message));
}

void wire::respond(const json& request, json body) {
  json message = {{"type", "response"},
                  {"request_seq", request.at("seq")},
                  {"success", true},
                  {"command", request.at("command")}};
  if (!body.is_null()) {
    message["body"] = std::move(body);
  }
  send(std::move(message));
}

void wire::refuse(const json& request, const std::string& why) {
  // What is shown is "format"; braces in it would name variables.
  const json error = {
      {"id", 1}, {"format", "{why}"}, {"variables", {{"why", why}}}, {"showUser", true}};
  // A message may be refused for having none of these.
  const auto member = [&](const char* name) {
    const auto it = request.is_object() ? request.find(name) : request.end();
    return it == request.end() ? json() : *it;
  };
  const json seq = member("seq");
  const json command = member("command");
  send({{"type", "response"},
        {"request_seq", seq.is_number_integer() ? seq : json(0)},
        {"success", false},
        {"command", command.is_string() ? command : json("")},
        {"message", why},
        {"body", {{"error", error}}}});
}

} // namespace tilesim::tools::dap
