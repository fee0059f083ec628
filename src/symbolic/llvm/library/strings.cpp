// Strings that are known: literals, and in main, before there are threads, all that have been built from constants.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {

std::string Machine::known_text(Path& path, const llvm::Value* pointer) {
  const Term place = value(path, pointer);
  std::string text;
  if (!pool_.is_constant(place)) throw Refused("a string whose place is not constant");
  const Address begin = pool_.value(place);
  const Object* object = world_.objects.find(object_of(begin));
  const bool readable = object != nullptr && !object->foreign && !object->mortal && (alone_ || !object->writable);
  if (!readable) throw Refused("a string whose characters are not constant");
  for (Address at = begin; offset_of(at) < object->size; ++at) {
    const Term byte = world_.objects.byte(at);
    if (!pool_.is_constant(byte)) break;
    if (pool_.value(byte) == 0) return text;
    text += static_cast<char>(pool_.value(byte));
  }
  throw Refused("a string without a known end");
}

Machine::Next Machine::string_length(Path& path, const llvm::CallBase& c) {
  return done(path, c, known_text(path, c.getArgOperand(0)).size());
}

Machine::Next Machine::string_compare(Path& path, const llvm::CallBase& c) {
  const std::string a = known_text(path, c.getArgOperand(0));
  const int order = a.compare(known_text(path, c.getArgOperand(1)));
  return done(path, c, static_cast<std::uint64_t>(order < 0 ? -1 : order > 0 ? 1 : 0));
}

Machine::Next Machine::string_duplicate(Path& path, const llvm::CallBase& c) {
  const std::string text = known_text(path, c.getArgOperand(0));
  const Address block = new_block(path, text.size() + 1);
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const auto character = static_cast<unsigned char>(i < text.size() ? text[i] : '\0');
    store(path, pool_.constant(block + i, kAddressBits), pool_.constant(character, 8), Sharing::Private, kUnchecked);
  }
  set(path, c, {pool_.constant(block, kAddressBits)});
  return Next::Advance;
}

}  // namespace heddle::symbolic
