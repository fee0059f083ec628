#include "report/member_names.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>

namespace heddle {
namespace {

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) == nullptr) return std::nullopt;
  return type;
}

// Behind typedefs and qualifiers.
std::optional<Dwarf_Die> plain_type_of(Dwarf_Die* die) {
  const std::optional<Dwarf_Die> type = type_of(die);
  if (!type) return std::nullopt;
  Dwarf_Die copy = *type;
  Dwarf_Die peeled;
  return dwarf_peel_type(&copy, &peeled) == 0 ? peeled : copy;
}

std::uint64_t size_of(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

std::uint64_t offset_of(Dwarf_Die* member) {
  Dwarf_Attribute attribute;
  Dwarf_Word offset = 0;
  dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &offset);
  return offset;
}

std::string path_into(Dwarf_Die type, std::uint64_t offset);

// The member that holds the byte, if it is one with a name worth showing.
std::optional<std::string> path_into_members(Dwarf_Die* type, std::uint64_t offset) {
  Dwarf_Die member;
  if (dwarf_child(type, &member) != 0) return std::nullopt;
  do {
    const int tag = dwarf_tag(&member);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    const std::uint64_t begin = offset_of(&member);
    std::optional<Dwarf_Die> inner = plain_type_of(&member);
    if (!inner || offset < begin || offset >= begin + size_of(&*inner)) continue;
    const char* name = tag == DW_TAG_member ? dwarf_diename(&member) : nullptr;
    if (name != nullptr && *name == '_') return "";
    return (name != nullptr ? "." + std::string(name) : "") + path_into(*inner, offset - begin);
  } while (dwarf_siblingof(&member, &member) == 0);
  return std::nullopt;
}

std::string path_into(Dwarf_Die type, std::uint64_t offset) {
  const int tag = dwarf_tag(&type);
  if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
    if (const auto path = path_into_members(&type, offset)) return *path;
  }
  if (tag == DW_TAG_array_type) {
    std::optional<Dwarf_Die> element = plain_type_of(&type);
    const std::uint64_t size = element ? size_of(&*element) : 0;
    if (size > 0) return "[" + std::to_string(offset / size) + "]" + path_into(*element, offset % size);
  }
  return offset != 0 ? "+" + std::to_string(offset) : "";
}

bool is_at(Dwarf_Die* variable, Dwarf_Addr address) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr) return false;
  if (dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) return false;
  return operations[0].atom == DW_OP_addr && operations[0].number == address;
}

// Among what is declared in a unit, a namespace or a function.
std::optional<Dwarf_Die> find_variable(Dwarf_Die* scope, Dwarf_Addr address) {
  Dwarf_Die die;
  if (dwarf_child(scope, &die) != 0) return std::nullopt;
  do {
    switch (dwarf_tag(&die)) {
      case DW_TAG_variable:
        if (is_at(&die, address)) return die;
        break;
      case DW_TAG_namespace:
      case DW_TAG_subprogram:
      case DW_TAG_lexical_block:
        if (const auto found = find_variable(&die, address)) return found;
        break;
      default: break;
    }
  } while (dwarf_siblingof(&die, &die) == 0);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> member_name(Dwfl_Module* module, std::uint64_t address, std::uint64_t offset) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    std::optional<Dwarf_Die> variable = find_variable(unit, address - bias);
    if (!variable) continue;
    std::optional<Dwarf_Die> type = plain_type_of(&*variable);
    if (!type) return std::nullopt;
    return path_into(*type, offset);
  }
  return std::nullopt;
}

}  // namespace heddle
