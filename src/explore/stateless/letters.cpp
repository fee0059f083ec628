#include "explore/stateless/letters.hpp"

namespace heddle {
namespace {

// All that decides which events the letter depends on, and which choice it is.
bool same(const Letter& letter, const Event& event, bool known) noexcept {
  const Event& other = letter.event;
  return other.op.object == event.op.object && other.op.second == event.op.second && other.op.kind == event.op.kind &&
         other.op.size == event.op.size && other.thread == event.thread && other.outcome == event.outcome &&
         other.woken == event.woken && other.total == event.total && letter.known == known;
}

std::uint64_t hash_of(const Event& event, bool known) noexcept {
  std::uint64_t hash = event.op.object ^ (event.op.second << 20U) ^ (event.woken << 7U);
  hash ^= (static_cast<std::uint64_t>(event.thread.value) << 48U) ^ (static_cast<std::uint64_t>(event.outcome) << 32U);
  hash ^= static_cast<std::uint64_t>(event.op.kind) * 2 + (known ? 1 : 0);
  hash *= 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32U);
}

}  // namespace

// Where the letter is in the table, or would be.
std::size_t Letters::slot_of(const Event& event, bool known) const noexcept {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(event, known) & mask;
  while (table_[at] != kNone && !same(letters_[table_[at]], event, known)) at = (at + 1) & mask;
  return at;
}

Letters::Number Letters::number(const Event& event, bool known, Execution::Place place) {
  if (2 * letters_.size() >= table_.size()) grow();
  const std::size_t slot = slot_of(event, known);
  if (table_[slot] == kNone) {
    table_[slot] = static_cast<Number>(letters_.size());
    letters_.push_back({event, known, place});
  }
  return table_[slot];
}

// Makes room for as many again.
void Letters::grow() {
  std::size_t size = 256;
  while (size < 4 * letters_.size()) size *= 2;
  table_.assign(size, kNone);
  for (std::size_t i = 0; i < letters_.size(); ++i) {
    table_[slot_of(letters_[i].event, letters_[i].known)] = static_cast<Number>(i);
  }
}

void Letters::archive(Archive& archive) {
  archive(letters_);
  if (archive.reading()) grow();
}

}  // namespace heddle
