// The part of a search over states that writes down where it stands, and goes on from there.
#include "explore/stateful/state_search.hpp"

namespace heddle {

bool StateSearch::had_sets(std::string_view resume_from) {
  Archive read(resume_from);
  std::uint8_t sets = 0;  // of a file that may be damaged: any byte
  read(sets);
  return sets != 0;
}

bool StateSearch::archive(Archive& archive) {
  std::uint8_t sets = sets_ ? 1 : 0;
  archive(sets);
  if (sets != (sets_ ? 1 : 0)) return false;
  store_.archive(archive);
  idle_.archive(archive);
  crew_.archive(archive);
  sleeping_.archive(archive);
  archive(steps_);
  archive(noted_);
  archive(told_);
  archive(found_);
  archive(expansions_);
  archive(own_);
  std::vector<Item> waiting(stack_.begin(), stack_.end());
  for (const StateNumber state : crew_.waiting()) {
    Item item;
    item.state = state;
    for (StateNumber at = state; at != kNoState; at = store_.arrival(at).parent) item.depth += store_.arrival(at).steps;
    waiting.push_back(item);
  }
  archive(waiting, [&](Item& item) {
    archive(item.state);
    archive(item.depth);
    archive(item.only);
    archive(item.sleep, [&](Asleep& sleeper) {
      archive(sleeper.thread);
      archive(sleeper.events);
    });
    if (item.state >= store_.size()) archive.refuse();
    if (archive.reading()) item.kept = false;
  });
  if (archive.reading()) stack_.assign(waiting.begin(), waiting.end());
  return archive.sound();
}

bool StateSearch::resume(std::string_view state) {
  Archive read(state);
  if (!archive(read) || !read.left().empty()) return false;
  constexpr std::uint64_t kLookedAt = 16;
  const std::uint64_t last = store_.size() - 1;
  for (std::uint64_t i = 0; i < kLookedAt && store_.size() > 0; ++i) {
    if (!reach_again(static_cast<StateNumber>(last * i / (kLookedAt - 1)))) return false;
  }
  return true;
}

bool StateSearch::reach_again(StateNumber state) {
  const std::uint64_t replayed = own_.replayed;
  const bool there = !retrace(state, {});
  own_.replayed = replayed;  // what it takes to go on does not count
  if (!there) return false;
  program_.describe(parts_);
  const StateNumber found = store_.insert(parts_, {}).number;
  return found == state || found == kNoState;  // without room the next state ends the search anyway
}

bool StateSearch::get_handle(Item& item) {
  if (!reach_again(item.state)) {
    crew_.stop(Ended::NotResumed);
    return false;
  }
  item.handle = here_ = program_.save();
  item.kept = at_handle_ = true;
  return true;
}

std::vector<StateNumber> StateSearch::states_of_stack() const {
  std::vector<StateNumber> states;
  for (const Item& item : stack_) states.push_back(item.state);
  return states;
}

void StateSearch::write_checkpoint() {
  if (forked_ && !crew_.pause()) return;
  tell_progress();
  Archive written;
  written.reserve(store_.bytes() + idle_.bytes() + sleeping_.bytes());
  if (archive(written)) listener_.checkpoint(written.written());
  // The next step is to find the registers as a search leaves them, not as writing does.
  program_.restart();
  at_handle_ = false;
  if (forked_) crew_.go_on();
}

void StateSearch::write_last_checkpoint() {
  const std::optional<Ended> why = crew_.stopped();
  const bool more_would_help = why == Ended::Interrupted || why == Ended::Time || why == Ended::Memory;
  if (!more_would_help || crew_.spoilt()) return;
  forked_ = false;  // the others have gone, and left their states
  write_checkpoint();
}

}  // namespace heddle
