#include "worker/static_knowledge.hpp"

#include <link.h>

#include <algorithm>

#include "worker/static_text.hpp"

namespace heddle {
namespace {

// Where the executable was loaded: the first object is the program itself.
std::uint64_t base_of_program() {
  std::uint64_t base = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        *static_cast<std::uint64_t*>(found) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

}  // namespace

StaticKnowledge static_knowledge(const std::string& text, bool visible_all) {
  StaticKnowledge known{.table = static_table_from_text(text), .locate = {}, .visible_all = visible_all};
  known.locate = [code = known.table.code, base = base_of_program()](ThreadId, const Operation& pending) {
    const std::uint64_t address = pending.site - 1 - base;  // within the call
    const auto behind = std::upper_bound(code.begin(), code.end(), address,
                                         [](std::uint64_t at, const StaticCode& range) { return at < range.begin; });
    return behind == code.begin() || pending.site == 0 ? kUnknownLocation : (behind - 1)->location;
  };
  return known;
}

}  // namespace heddle
