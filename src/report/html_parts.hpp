// The page, style and script of the HTML report, compiled in.
#pragma once

#include <string_view>

namespace heddle {

extern const std::string_view kHtmlPage;
extern const std::string_view kHtmlStyle;
extern const std::string_view kHtmlScript;

}  // namespace heddle
