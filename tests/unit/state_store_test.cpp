#include "explore/stateful/state_store.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace heddle {
namespace {

// A state as a list of texts; the first part is shared, the others are threads.
struct Texts {
  explicit Texts(std::vector<std::string> texts) : strings(std::move(texts)) {
    for (std::size_t i = 0; i < strings.size(); ++i) {
      parts.push_back({i == 0 ? StatePart::Kind::Shared : StatePart::Kind::Local, static_cast<std::uint32_t>(i), 0,
                       std::as_bytes(std::span(strings[i]))});
    }
  }
  std::vector<std::string> strings;
  std::vector<StatePart> parts;
};

StateStore make_store(bool hash_only) { return StateStore(ordinary_processes(), {hash_only, std::uint64_t{1} << 26U}); }

TEST(StateStore, AgreesWithAMap) {
  for (const bool hash_only : {false, true}) {
    StateStore store = make_store(hash_only);
    std::map<std::vector<std::string>, StateNumber> known;
    std::mt19937 random(7);
    for (int i = 0; i < 20000; ++i) {
      std::vector<std::string> texts(1 + random() % 6);
      for (std::string& text : texts) text = std::string(random() % 3, static_cast<char>('a' + random() % 3));
      const StateStore::Found found = store.insert(Texts(texts).parts, {});
      const auto [entry, is_new] = known.try_emplace(texts, found.number);
      ASSERT_EQ(found.is_new, is_new);
      ASSERT_EQ(found.number, entry->second);
    }
    EXPECT_EQ(store.size(), known.size());
  }
}

// Every split of one text into parts is another state, and so is every naming of them.
TEST(StateStore, WherePartsEndMatters) {
  StateStore store = make_store(false);
  EXPECT_TRUE(store.insert(Texts({"ab", "c"}).parts, {}).is_new);
  EXPECT_TRUE(store.insert(Texts({"a", "bc"}).parts, {}).is_new);
  EXPECT_TRUE(store.insert(Texts({"abc"}).parts, {}).is_new);
  EXPECT_TRUE(store.insert(Texts({"abc", ""}).parts, {}).is_new);
  Texts named({"ab", "c"});
  named.parts[1].name = 7;
  EXPECT_TRUE(store.insert(named.parts, {}).is_new);
  EXPECT_FALSE(store.insert(Texts({"ab", "c"}).parts, {}).is_new);
}

TEST(StateStore, AVersionStandsForBytes) {
  StateStore store = make_store(false);
  Texts first({"x", "y"});
  first.parts[0].version = 5;
  EXPECT_TRUE(store.insert(first.parts, {}).is_new);
  // The bytes are not looked at again.
  Texts second({"?", "y"});
  second.parts[0].version = 5;
  EXPECT_FALSE(store.insert(second.parts, {}).is_new);
  second.parts[0].version = 6;
  EXPECT_TRUE(store.insert(second.parts, {}).is_new);
}

TEST(StateStore, SaysWhenThereIsNoRoom) {
  StateStore store(ordinary_processes(), {false, 1U << 18U});
  StateNumber last = 0;
  for (int i = 0; i < 100000 && last != kNoState; ++i) last = store.insert(Texts({std::to_string(i)}).parts, {}).number;
  EXPECT_EQ(last, kNoState);
  EXPECT_LE(store.bytes(), 1U << 19U);
}

TEST(StateStore, RemembersHowAStateWasFirstReached) {
  StateStore store = make_store(false);
  const StateNumber root = store.insert(Texts({"a"}).parts, {}).number;
  const StateNumber next = store.insert(Texts({"b"}).parts, {root, 3, 1, 4}).number;
  store.insert(Texts({"b"}).parts, {root, 9, 9, 9});
  EXPECT_EQ(store.arrival(root).parent, kNoState);
  EXPECT_EQ(store.arrival(next).parent, root);
  EXPECT_EQ(store.arrival(next).thread, 3);
  EXPECT_EQ(store.arrival(next).steps, 4U);
}

}  // namespace
}  // namespace heddle
