// The members of each message and of each part of one, by the names that they have on the line.
//
// Of step_protocol_json.cpp alone.
//
// One file in spite of its length: a table.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"

#include <array>
#include <cstddef>
#include <tuple>

namespace tilesim::sim::step::protocol {

template <class Owner, class Member>
struct field {
  const char* name;
  Member Owner::*member;
  bool is_always;
};
/// Always there.
template <class Owner, class Member>
constexpr field<Owner, Member> always(const char* name, Member Owner::*member) {
  return {name, member, true};
}
/// Absent where it has nothing to say: a list or text is empty, a number is what it is by default.
template <class Owner, class Member>
constexpr field<Owner, Member> maybe(const char* name, Member Owner::*member) {
  return {name, member, false};
}

/// `title`, `own` (a tuple of fields) and perhaps `base`.
template <class Message>
struct fields;

template <class Message>
concept has_base = requires {
  typename fields<Message>::base;
};
template <class Message>
concept has_fields = requires {
  fields<Message>::own;
};

template <class Message>
constexpr auto all_fields() {
  if constexpr (has_base<Message>) {
    return std::tuple_cat(all_fields<typename fields<Message>::base>(), fields<Message>::own);
  } else {
    return fields<Message>::own;
  }
}

// --- Enumerations

template <class Enumeration>
struct words;
template <>
struct words<stop_reason> {
  static constexpr std::array list = {"loaded",
                                      "resumed",
                                      "interrupt",
                                      "position",
                                      "finding",
                                      "step",
                                      "until",
                                      "block ended",
                                      "watch",
                                      "breakpoint",
                                      "ended",
                                      "stopped",
                                      "interrupted",
                                      "died",
                                      "wait begins",
                                      "history begins"};
  static_assert(list.size() == static_cast<std::size_t>(stop_reason::history_begins) + 1);
};
template <>
struct words<way> {
  static constexpr std::array list = {"run", "step", "next", "finish", "until", "position", "scan"};
  static_assert(list.size() == static_cast<std::size_t>(way::scan) + 1);
};
template <>
struct words<back_by> {
  static constexpr std::array list = {"step", "line", "begin"};
  static_assert(list.size() == static_cast<std::size_t>(back_by::begin) + 1);
};
template <>
struct words<led_by> {
  static constexpr std::array list = {"left open", "older write", "shown"};
  static_assert(list.size() == static_cast<std::size_t>(led_by::shown) + 1);
};

// --- Parts

template <>
struct fields<source_frame> {
  static constexpr const char* title = "frame";
  static constexpr std::tuple own{always("file", &source_frame::file),
                                  always("line", &source_frame::line),
                                  always("column", &source_frame::column),
                                  always("function", &source_frame::function)};
};
template <>
struct fields<value> {
  static constexpr const char* title = "value";
  static constexpr std::tuple own{always("type", &value::type),
                                  always("kind", &value::kind),
                                  always("shape", &value::shape),
                                  always("count", &value::count),
                                  maybe("address", &value::address),
                                  maybe("place", &value::place),
                                  maybe("stride", &value::stride),
                                  maybe("missing", &value::missing),
                                  maybe("members", &value::members),
                                  maybe("texts", &value::texts),
                                  maybe("masked", &value::masked),
                                  maybe("padded", &value::padded),
                                  maybe("unspecified", &value::unspecified),
                                  maybe("unwritten", &value::unwritten)};
};
template <>
struct fields<named_value> {
  static constexpr const char* title = "member";
  static constexpr std::tuple own{always("name", &named_value::name),
                                  always("value", &named_value::value)};
};
template <>
struct fields<thread> {
  static constexpr const char* title = "thread";
  static constexpr std::tuple own{always("number", &thread::number),
                                  always("launch", &thread::launch),
                                  always("kernel", &thread::kernel),
                                  always("block", &thread::block),
                                  always("linear", &thread::linear),
                                  always("name", &thread::name),
                                  always("operations", &thread::operations),
                                  maybe("thread", &thread::in_block),
                                  maybe("linear_thread", &thread::linear_in_block)};
};
template <>
struct fields<waited_cell> {
  static constexpr const char* title = "waited cell";
  static constexpr std::tuple own{always("place", &waited_cell::place),
                                  always("value", &waited_cell::value)};
};
template <>
struct fields<live_thread> {
  using base = thread;
  static constexpr const char* title = "live thread";
  static constexpr std::tuple own{always("current", &live_thread::current),
                                  always("state", &live_thread::state),
                                  maybe("operation", &live_thread::operation),
                                  maybe("place", &live_thread::place),
                                  maybe("frames", &live_thread::frames),
                                  maybe("for", &live_thread::waits_for)};
};
template <>
struct fields<launch> {
  static constexpr const char* title = "launch";
  static constexpr std::tuple own{always("launch", &launch::id),
                                  always("kernel", &launch::kernel),
                                  always("grid", &launch::grid),
                                  always("threads", &launch::threads),
                                  always("started", &launch::started),
                                  always("ended", &launch::ended),
                                  always("place", &launch::place)};
};
template <>
struct fields<buffer> {
  static constexpr const char* title = "buffer";
  static constexpr std::tuple own{always("name", &buffer::name),
                                  always("address", &buffer::address),
                                  always("bytes", &buffer::bytes),
                                  always("count", &buffer::count),
                                  always("type", &buffer::type),
                                  always("kind", &buffer::kind),
                                  always("live", &buffer::live),
                                  always("place", &buffer::place)};
};
template <>
struct fields<variable> {
  static constexpr const char* title = "variable";
  static constexpr std::tuple own{always("name", &variable::name),
                                  always("type", &variable::type),
                                  always("parameter", &variable::parameter),
                                  always("line", &variable::line),
                                  always("value", &variable::value)};
};
template <>
struct fields<finding> {
  static constexpr const char* title = "finding";
  static constexpr std::tuple own{always("code", &finding::code),
                                  always("level", &finding::level),
                                  always("message", &finding::message),
                                  always("details", &finding::details),
                                  always("remedy", &finding::remedy),
                                  always("where", &finding::where),
                                  always("other", &finding::other),
                                  always("count", &finding::count),
                                  maybe("operation", &finding::operation),
                                  maybe("about", &finding::about)};
};
template <>
struct fields<lead> {
  static constexpr const char* title = "lead";
  static constexpr std::tuple own{always("how", &lead::how),
                                  always("operation", &lead::operation),
                                  always("where", &lead::where),
                                  maybe("shown", &lead::shown),
                                  maybe("what", &lead::what),
                                  maybe("remedy", &lead::remedy)};
};
template <>
struct fields<access> {
  static constexpr const char* title = "access";
  static constexpr std::tuple own{always("reads", &access::reads),
                                  always("writes", &access::writes),
                                  always("order", &access::order),
                                  maybe("scope", &access::scope),
                                  always("bytes", &access::bytes),
                                  always("places", &access::places),
                                  maybe("sources", &access::sources),
                                  maybe("unwritten", &access::unwritten),
                                  maybe("passed", &access::passed),
                                  maybe("followed", &access::followed)};
};
template <>
struct fields<operand> {
  using base = value;
  static constexpr const char* title = "operand";
  static constexpr std::tuple own{maybe("role", &operand::role)};
};
template <>
struct fields<operation> {
  static constexpr const char* title = "operation";
  static constexpr std::tuple own{always("number", &operation::number),
                                  always("operation", &operation::name),
                                  always("spelling", &operation::spelling),
                                  always("operands", &operation::operands),
                                  maybe("result", &operation::result),
                                  maybe("before", &operation::before),
                                  maybe("after", &operation::after),
                                  always("memory", &operation::memory),
                                  always("frames", &operation::frames)};
};
template <>
struct fields<past_operation> {
  static constexpr const char* title = "past operation";
  static constexpr std::tuple own{always("number", &past_operation::number),
                                  always("operation", &past_operation::operation),
                                  always("thread", &past_operation::thread),
                                  always("launch", &past_operation::launch),
                                  always("block", &past_operation::block),
                                  always("by", &past_operation::by),
                                  always("frames", &past_operation::frames)};
};
template <>
struct fields<next_operation> {
  static constexpr const char* title = "next operation";
  static constexpr std::tuple own{always("operation", &next_operation::operation),
                                  always("number", &next_operation::number),
                                  always("frames", &next_operation::frames)};
};
template <>
struct fields<frame_key> {
  static constexpr const char* title = "frame of a variable";
  static constexpr std::tuple own{always("launch", &frame_key::launch),
                                  always("thread", &frame_key::thread),
                                  always("depth", &frame_key::depth),
                                  always("function", &frame_key::function),
                                  maybe("name", &frame_key::name)};
};
template <>
struct fields<watched_place> {
  static constexpr const char* title = "watched place";
  static constexpr std::tuple own{always("address", &watched_place::address),
                                  always("kind", &watched_place::kind),
                                  always("unsigned", &watched_place::is_unsigned),
                                  always("spelling", &watched_place::spelling),
                                  always("shape", &watched_place::shape),
                                  always("stride", &watched_place::stride),
                                  always("all_writes_known", &watched_place::all_writes_known)};
};
template <>
struct fields<breakpoint> {
  static constexpr const char* title = "breakpoint";
  static constexpr std::tuple own{always("id", &breakpoint::id),
                                  maybe("file", &breakpoint::file),
                                  maybe("line", &breakpoint::line),
                                  maybe("kernel", &breakpoint::kernel),
                                  maybe("op", &breakpoint::operation),
                                  maybe("block", &breakpoint::block),
                                  maybe("launch", &breakpoint::launch),
                                  maybe("if", &breakpoint::condition),
                                  maybe("choice", &breakpoint::choice),
                                  maybe("trouble_told", &breakpoint::trouble_told)};
};
template <>
struct fields<watch> {
  static constexpr const char* title = "watch";
  static constexpr std::tuple own{always("id", &watch::id),
                                  always("what", &watch::what),
                                  maybe("frame", &watch::frame),
                                  maybe("place", &watch::place)};
};
template <>
struct fields<directive> {
  static constexpr const char* title = "directive";
  static constexpr std::tuple own{always("at", &directive::at),
                                  maybe("thread", &directive::thread),
                                  maybe("launch", &directive::launch),
                                  always("block", &directive::block)};
};
template <>
struct fields<choice> {
  static constexpr const char* title = "choice";
  static constexpr std::tuple own{always("at", &choice::at),
                                  always("launch", &choice::launch),
                                  always("thread", &choice::thread),
                                  always("read", &choice::read),
                                  always("back", &choice::back)};
};
template <>
struct fields<offered_write> {
  static constexpr const char* title = "offered write";
  static constexpr std::tuple own{always("value", &offered_write::value),
                                  maybe("operation", &offered_write::operation),
                                  maybe("by", &offered_write::by),
                                  maybe("frames", &offered_write::frames)};
};
template <>
struct fields<offered_read> {
  static constexpr const char* title = "offered read";
  static constexpr std::tuple own{always("element", &offered_read::element),
                                  always("place", &offered_read::place),
                                  always("writes", &offered_read::writes),
                                  maybe("takes", &offered_read::takes),
                                  maybe("bound", &offered_read::bound)};
};
template <>
struct fields<change> {
  static constexpr const char* title = "change";
  static constexpr std::tuple own{always("id", &change::id),
                                  maybe("before", &change::before),
                                  maybe("after", &change::after),
                                  maybe("operation", &change::operation),
                                  maybe("gone", &change::gone)};
};
template <>
struct fields<trouble> {
  static constexpr const char* title = "trouble";
  static constexpr std::tuple own{always("id", &trouble::id), always("why", &trouble::why)};
};
template <>
struct fields<reached> {
  static constexpr const char* title = "reason";
  static constexpr std::tuple own{always("reason", &reached::reason),
                                  maybe("breakpoints", &reached::breakpoints),
                                  maybe("troubles", &reached::troubles),
                                  maybe("watches", &reached::watches)};
};
template <>
struct fields<hit> {
  using base = reached;
  static constexpr const char* title = "hit";
  static constexpr std::tuple own{always("position", &hit::position)};
};

// --- What the program says

template <>
struct fields<stop> {
  using base = reached;
  static constexpr std::tuple own{always("pid", &stop::pid),
                                  always("position", &stop::position),
                                  always("checkpoints", &stop::checkpoints),
                                  always("journal_bytes", &stop::journal_bytes),
                                  always("writers_bytes", &stop::writers_bytes),
                                  maybe("thread", &stop::thread),
                                  maybe("next", &stop::next),
                                  maybe("host", &stop::host),
                                  maybe("last", &stop::last),
                                  maybe("findings", &stop::findings),
                                  maybe("ended", &stop::ended),
                                  maybe("behind", &stop::behind),
                                  maybe("status", &stop::status),
                                  maybe("hit", &stop::hit)};
};
template <>
struct fields<checkpoint> {
  static constexpr std::tuple own{always("pid", &checkpoint::pid),
                                  always("position", &checkpoint::position)};
};
template <>
struct fields<resumed> {
  static constexpr std::tuple own{always("pid", &resumed::pid),
                                  always("position", &resumed::position)};
};
template <>
struct fields<failed> {
  static constexpr std::tuple own{always("position", &failed::position)};
};
template <>
struct fields<refusal> {
  static constexpr const char* title = "refusal";
  static constexpr std::tuple own{always("error", &refusal::error),
                                  maybe("column", &refusal::column)};
};

// --- What it is asked

template <>
struct fields<done> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<go> {
  static constexpr std::tuple own{always("how", &go::how),
                                  maybe("count", &go::count),
                                  maybe("position", &go::position),
                                  maybe("file", &go::file),
                                  maybe("line", &go::line),
                                  maybe("op", &go::operation),
                                  maybe("notes", &go::notes),
                                  maybe("through", &go::through),
                                  maybe("newest_checkpoint", &go::newest_checkpoint)};
};
template <>
struct fields<set> {
  static constexpr std::tuple own{always("breakpoints", &set::breakpoints),
                                  always("watches", &set::watches),
                                  always("stop_at_findings", &set::stop_at_findings),
                                  always("journal_bytes", &set::journal_bytes),
                                  always("directives", &set::directives),
                                  maybe("choices", &set::choices)};
};
template <>
struct fields<evaluate> {
  static constexpr std::tuple own{always("expression", &evaluate::expression),
                                  maybe("frame", &evaluate::frame),
                                  maybe("format", &evaluate::format),
                                  maybe("most", &evaluate::most)};
};
template <>
struct fields<evaluated> {
  static constexpr std::tuple own{always("value", &evaluated::value),
                                  maybe("frame", &evaluated::frame),
                                  maybe("constant", &evaluated::constant),
                                  maybe("writer", &evaluated::writer),
                                  maybe("nameless", &evaluated::nameless),
                                  maybe("place", &evaluated::place)};
};
template <>
struct fields<writer> {
  static constexpr std::tuple own{always("expression", &writer::expression)};
};
template <>
struct fields<written> {
  static constexpr std::tuple own{maybe("writer", &written::writer)};
};
template <>
struct fields<locals> {
  static constexpr std::tuple own{maybe("frame", &locals::frame), maybe("most", &locals::most)};
};
template <>
struct fields<local_list> {
  static constexpr std::tuple own{always("locals", &local_list::locals)};
};
template <>
struct fields<calls> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<frame_list> {
  static constexpr std::tuple own{always("frames", &frame_list::frames)};
};
template <>
struct fields<blocks> {
  static constexpr std::tuple own{maybe("most", &blocks::most)};
};
template <>
struct fields<block_list> {
  static constexpr std::tuple own{always("blocks", &block_list::blocks),
                                  always("alive", &block_list::alive),
                                  always("launches", &block_list::launches)};
};
template <>
struct fields<buffers> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<buffer_list> {
  static constexpr std::tuple own{always("buffers", &buffer_list::buffers)};
};
template <>
struct fields<switch_to> {
  static constexpr std::tuple own{maybe("launch", &switch_to::launch),
                                  always("block", &switch_to::block),
                                  maybe("thread", &switch_to::thread)};
};
template <>
struct fields<switched> {
  static constexpr std::tuple own{always("directive", &switched::directive)};
};
template <>
struct fields<reads> {
  static constexpr std::tuple own{maybe("most", &reads::most)};
};
template <>
struct fields<read_list> {
  static constexpr std::tuple own{maybe("coming", &read_list::coming),
                                  maybe("made", &read_list::made),
                                  maybe("none", &read_list::none)};
};
template <>
struct fields<choose> {
  static constexpr std::tuple own{maybe("back", &choose::back), maybe("element", &choose::element)};
};
template <>
struct fields<chosen> {
  static constexpr std::tuple own{always("choices", &chosen::choices)};
};
template <>
struct fields<history> {
  static constexpr std::tuple own{always("first", &history::first), always("last", &history::last)};
};
template <>
struct fields<past> {
  static constexpr std::tuple own{always("history", &past::history)};
};
template <>
struct fields<back> {
  static constexpr std::tuple own{always("how", &back::how),
                                  maybe("count", &back::count),
                                  maybe("thread", &back::thread),
                                  maybe("start", &back::start),
                                  maybe("next_site", &back::next_site),
                                  maybe("line_site", &back::line_site),
                                  maybe("found", &back::found)};
};
template <>
struct fields<place_back> {
  static constexpr std::tuple own{maybe("position", &place_back::position),
                                  maybe("forgotten", &place_back::forgotten),
                                  maybe("rest", &place_back::rest)};
};
template <>
struct fields<waiting> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<wait_list> {
  static constexpr std::tuple own{always("positions", &wait_list::positions)};
};
template <>
struct fields<leads> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<lead_list> {
  static constexpr std::tuple own{always("leads", &lead_list::leads)};
};
template <>
struct fields<memory> {
  static constexpr std::tuple own{always("expression", &memory::expression),
                                  maybe("frame", &memory::frame),
                                  maybe("bytes", &memory::bytes),
                                  maybe("format", &memory::format),
                                  maybe("unit", &memory::unit)};
};
template <>
struct fields<memory_piece> {
  static constexpr std::tuple own{always("address", &memory_piece::address),
                                  always("bytes", &memory_piece::bytes),
                                  always("unwritten", &memory_piece::unwritten),
                                  maybe("texts", &memory_piece::texts)};
};
template <>
struct fields<findings> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<finding_list> {
  static constexpr std::tuple own{always("findings", &finding_list::findings)};
};
template <>
struct fields<schedule> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<schedule_now> {
  static constexpr std::tuple own{always("schedule", &schedule_now::schedule),
                                  always("turns", &schedule_now::turns),
                                  always("seed", &schedule_now::seed),
                                  always("fill", &schedule_now::fill),
                                  maybe("unfollowed", &schedule_now::unfollowed),
                                  maybe("stale", &schedule_now::stale),
                                  always("position", &schedule_now::position)};
};
template <>
struct fields<kernels> {
  static constexpr std::tuple<> own{};
};
template <>
struct fields<names> {
  static constexpr std::tuple own{always("kernels", &names::kernels),
                                  always("functions", &names::functions)};
};
template <>
struct fields<check_operation> {
  static constexpr std::tuple own{always("name", &check_operation::name)};
};
template <>
struct fields<code_of_line> {
  static constexpr std::tuple own{always("file", &code_of_line::file),
                                  always("line", &code_of_line::line)};
};
template <>
struct fields<line_known> {
  static constexpr std::tuple own{always("known", &line_known::known),
                                  always("here", &line_known::here),
                                  maybe("next", &line_known::next),
                                  maybe("files", &line_known::files)};
};
template <>
struct fields<places> {
  static constexpr std::tuple own{always("addresses", &places::addresses)};
};
template <>
struct fields<place_list> {
  static constexpr std::tuple own{always("frames", &place_list::frames)};
};
template <>
struct fields<resume> {
  static constexpr std::tuple<> own{};
};

} // namespace tilesim::sim::step::protocol
