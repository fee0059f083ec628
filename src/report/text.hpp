// Words for people: threads, places, values, operations; and lines that fit a width.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/result.hpp"

namespace heddle {

// "main", "thread 1", "thread 1.2".
[[nodiscard]] std::string thread_name(const std::string& path);

// Paths below the working directory are shown relative to it.
[[nodiscard]] std::string shown_path(const std::string& file);
// "file:line", or nothing.
[[nodiscard]] std::string place(const Location& location);
// The same with the last part of the path only, and of that no more than fits: "a-rather-lo~.cpp:12".
[[nodiscard]] std::string short_place(const Location& location, std::size_t width = 200);

// The last part of a path.
[[nodiscard]] std::string shown_file(const std::string& path);
// A function's name as it is, or, if it is very long, without what its templates are made of: "std::map<..>::~map()".
[[nodiscard]] std::string short_function(const std::string& name);

// A value of `size` bytes: as a signed number, or in hexadecimal where it is most likely an address.
[[nodiscard]] std::string value_text(std::uint64_t value, std::uint32_t size);

// What an operation did: "load hits = 0", "hits: 0 -> 1 (read-modify-write)", "lock m", "create thread 1".
[[nodiscard]] std::string operation_text(const ReportedEvent& event);

// Breaks a sentence at blanks. Lines after the first are indented.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width, std::size_t indent);

// Cuts a text that is too wide, with two dots in place of the rest. Columns are counted in characters, not bytes.
[[nodiscard]] std::string fitted(const std::string& text, std::size_t width);
[[nodiscard]] std::size_t columns(std::string_view text);
// The text, filled up with blanks.
[[nodiscard]] std::string padded(const std::string& text, std::size_t width);

// Text that a terminal may show: control characters are replaced.
[[nodiscard]] std::string printable(const std::string& text);

}  // namespace heddle
