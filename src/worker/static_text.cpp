#include "worker/static_text.hpp"

#include <nlohmann/json.hpp>

namespace heddle {

using nlohmann::json;

std::string to_text(const StaticTable& table) {
  json accesses = json::array();
  for (const StaticAccess& access : table.accesses) {
    accesses.push_back({access.object, access.object_class, access.mode, access.plain});
  }
  json locations = json::array();
  for (const StaticLocation& location : table.locations) locations.push_back({location.next, location.later});
  json code = json::array();
  for (const StaticCode& range : table.code) code.push_back({range.begin, range.location});
  return json{{"accesses", accesses}, {"locations", locations}, {"code", code}}.dump();
}

StaticTable static_table_from_text(const std::string& text) {
  const json read = json::parse(text);
  StaticTable table;
  for (const json& access : read.at("accesses")) {
    table.accesses.push_back({access.at(0), access.at(1), access.at(2), access.at(3)});
  }
  for (const json& location : read.at("locations")) table.locations.push_back({location.at(0), location.at(1)});
  for (const json& range : read.at("code")) table.code.push_back({range.at(0), range.at(1)});
  return table;
}

}  // namespace heddle
