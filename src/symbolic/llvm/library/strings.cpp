// Strings that are known: literals, and in main, before there are threads, all that have been built from constants.
#include "symbolic/llvm/machine.hpp"

namespace heddle::symbolic {
namespace {

constexpr std::uint64_t kMostCompared = 256;

}  // namespace

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

// The first bytes that differ decide.
Machine::Next Machine::memory_compare(Path& path, const llvm::CallBase& c) {
  const Term length = value(path, c.getArgOperand(2));
  if (!pool_.is_constant(length)) throw Refused("a comparison of a number of bytes that is not constant");
  const std::uint64_t size = pool_.value(length);
  if (size > kMostCompared) throw Refused("a comparison of more than 256 bytes");
  if (size > 0 && !copy_gate(path, c, false)) return Next::Stop;
  const FailureId failure = invalid(c);
  const auto byte = [&](unsigned argument, std::uint64_t at) {
    const Term place = value(path, c.getArgOperand(argument));
    return load(path, pool_.add(place, at), 8, sharing_of(path, c.getArgOperand(argument), place), failure);
  };
  std::vector<std::pair<Term, Term>> bytes;
  for (std::uint64_t at = 0; at < size; ++at) bytes.emplace_back(byte(0, at), byte(1, at));
  Term order = pool_.constant(0, 32);
  for (auto pair = bytes.rbegin(); pair != bytes.rend(); ++pair) {
    const auto [a, b] = *pair;
    const Term differ = pool_.ite(pool_.apply(Op::ULess, a, b), pool_.constant(mask_of(32), 32), pool_.constant(1, 32));
    order = pool_.ite(pool_.equal(a, b), order, differ);
  }
  set(path, c, Scalars{order});
  return Next::Advance;
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
