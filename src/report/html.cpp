#include "report/forms.hpp"
#include "report/html_parts.hpp"
#include "report/story.hpp"
#include "report/text.hpp"

namespace heddle {
namespace {

using nlohmann::json;

void replace(std::string& page, std::string_view name, std::string_view text) {
  page.replace(page.find(name), name.size(), text);
}

// The result, with what the page would otherwise have to work out a second time.
json data_of(const Result& result) {
  json data = to_json(result);
  for (std::size_t k = 0; k < result.findings.size(); ++k) {
    const ReportedFinding& finding = result.findings[k];
    json& shown = data["findings"][k];
    for (std::size_t i = 0; i < finding.events.size(); ++i) {
      shown["events"][i]["label"] = operation_text(finding.events[i]);
    }
    shown["relevant"] = relevant_events(finding);
    shown["decisive_sentence"] = tell_story(finding).decisive;
  }
  return data;
}

// JSON inside a script element: nothing in it may look like the end of that element or like a comment.
std::string embedded(const json& data) {
  std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string to_html(const Result& result) {
  std::string page(kHtmlPage);
  replace(page, "@STYLE@", kHtmlStyle);
  replace(page, "@SCRIPT@", kHtmlScript);
  replace(page, "@DATA@", embedded(data_of(result)));
  return page;
}

}  // namespace heddle
