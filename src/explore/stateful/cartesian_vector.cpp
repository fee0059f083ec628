#include "explore/stateful/cartesian_vector.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace heddle {

void AccessIndex::clear() {
  by_object_.clear();
  totals_.clear();
  threads_.clear();
}

void AccessIndex::add(ThreadId thread, const Footprint& footprint) {
  if (std::find(threads_.begin(), threads_.end(), thread) == threads_.end()) threads_.push_back(thread);
  if (footprint.total) totals_.push_back(thread);
  for (const ObjectAccess& access : footprint.accesses) {
    std::vector<Entry>& entries = by_object_[access.key];
    const auto same = [&](const Entry& entry) {
      return entry.thread == thread && entry.access.mode == access.mode && entry.access.bytes == access.bytes;
    };
    if (std::none_of(entries.begin(), entries.end(), same)) entries.push_back({thread, access});
  }
}

bool AccessIndex::conflicts(ThreadId thread, const Footprint& footprint) const {
  const auto other = [&](ThreadId one) { return one != thread; };
  if (std::any_of(totals_.begin(), totals_.end(), other)) return true;
  if (footprint.total && std::any_of(threads_.begin(), threads_.end(), other)) return true;
  for (const ObjectAccess& access : footprint.accesses) {
    const auto found = by_object_.find(access.key);
    if (found == by_object_.end()) continue;
    for (const Entry& entry : found->second) {
      if (entry.thread != thread && conflict(entry.access, access)) return true;
    }
  }
  return false;
}

void CartesianVector::calculate(StateHandle base, Observer& observer) {
  base_ = base;
  observer_ = &observer;
  live_ = base;
  is_live_ = true;
  transitions_ = steps_ = 0;
  index_.clear();
  const std::size_t threads = program_.thread_count();
  prefixes_.clear();
  prefixes_.resize(threads);
  extendable_.assign(threads, true);
  for (std::size_t t = 0; t < threads; ++t) begin(t);
  settle_first();
  for (bool any = true; any;) {
    any = false;
    for (std::size_t t = 0; t < threads; ++t) {
      if (!extendable_[t]) continue;
      any = true;
      extend(t);
    }
  }
}

void CartesianVector::go_to(StateHandle state) {
  if (!is_live_ || live_ != state) program_.restore(state);
  live_ = state;
  is_live_ = true;
}

void CartesianVector::drop(std::vector<End>& ends) {
  for (const End& end : ends) {
    if (end.state == base_) continue;
    if (is_live_ && live_ == end.state) is_live_ = false;
    program_.release(end.state);
  }
  ends.clear();
}

StateHash CartesianVector::current_hash() {
  program_.describe(parts_);
  return hash_of(parts_);
}

void CartesianVector::begin(std::size_t thread) {
  Prefix& prefix = prefixes_[thread];
  prefix.thread = ThreadId{static_cast<std::uint16_t>(thread)};
  prefix.ends = {{0, base_}};
  go_to(base_);
  const ThreadState& state = program_.thread(prefix.thread);
  if (at_end(state)) {
    prefix.states.push_back({});
    close(prefix, kNowhere);
    extendable_[thread] = false;
    return;
  }
  if (state.phase == ThreadPhase::NotStarted) {
    footprint_of_wait(prefix.thread, state, prefix.last);
    prefix.at_rest = true;
    extendable_[thread] = false;
    return;
  }
  take(prefix);
  ++transitions_;
  const bool done = next_.ended || next_.creates || next_.ends.size() > 1;
  add(prefix);
  if (next_.ended) give_up(prefix);
  if (done) extendable_[thread] = false;
}

// No step of the thread led to a state that the program can go on from.
void CartesianVector::give_up(Prefix& prefix) {
  close(prefix, kNowhere);
  prefix.at_rest = false;
}

// A thread at its end, or one that cannot go on: a self-loop without accesses, for ever. `loop_from`: position of the
// first transition that repeats, where there is one.
void CartesianVector::close(Prefix& prefix, std::size_t loop_from) {
  prefix.infinite = true;
  if (loop_from == kNowhere) {
    if (!prefix.last.accesses.empty() || prefix.last.total) index_.add(prefix.thread, prefix.last);
    prefix.last = {};
    prefix.at_rest = true;
    return;
  }
  for (std::size_t i = loop_from; i < prefix.idle_steps.size(); ++i) {
    prefix.idle_loop = prefix.idle_loop && prefix.idle_steps[i];
  }
}

void CartesianVector::settle_first() {
  for (std::size_t i = 0; i < prefixes_.size(); ++i) {
    for (std::size_t j = i + 1; j < prefixes_.size(); ++j) {
      if (prefixes_[i].last.conflicts(prefixes_[j].last)) extendable_[i] = extendable_[j] = false;
    }
  }
}

void CartesianVector::extend(std::size_t thread) {
  Prefix& prefix = prefixes_[thread];
  HEDDLE_REQUIRE(prefix.ends.size() == 1, "a prefix with several ends was to be extended");
  go_to(prefix.ends.front().state);
  if (at_end(program_.thread(prefix.thread))) {
    close(prefix, kNowhere);
    extendable_[thread] = false;
    return;
  }
  take(prefix);
  if (index_.conflicts(prefix.thread, next_.footprint)) {
    // Definition 2 would not hold. No trace is lost: from the end of this prefix the transition will be the first.
    extendable_[thread] = false;
    if (next_.reads_and_writes) ++transitions_;
    if (next_.step) drop(next_.ends);
    return;
  }
  ++transitions_;
  for (std::size_t j = 0; j < prefixes_.size(); ++j) {
    if (j == thread || !next_.footprint.conflicts(prefixes_[j].last)) continue;
    extendable_[thread] = extendable_[j] = false;
  }
  if (next_.ended || next_.creates || next_.ends.size() > 1) {
    extendable_[thread] = false;
    add(prefix);
    if (next_.ended) give_up(prefix);
    return;
  }
  const std::size_t position = extendable_[thread] ? repeated(prefix, next_.hash) : kNowhere;
  add(prefix);
  if (position != kNowhere) {
    extendable_[thread] = false;
    close(prefix, position + 1);
  }
}

void CartesianVector::take(Prefix& prefix) {
  next_ = {};
  const StateHandle from = prefix.ends.front().state;
  const ThreadState state = program_.thread(prefix.thread);
  if (!program_.enabled().contains(prefix.thread)) {
    footprint_of_wait(prefix.thread, state, next_.footprint);
    next_.ends = {{prefix.ends.front().outcome, from}};
    next_.hash = prefix.states.empty() ? current_hash() : prefix.states.back();
    prefix.timed = prefix.timed || state.pending.timed;
    return;
  }
  next_.step = true;
  for (Outcome outcome = state.outcomes.first; outcome < state.outcomes.end(); ++outcome) {
    go_to(from);
    is_live_ = false;
    const Event event = program_.step({prefix.thread, outcome});
    ++steps_;
    Footprint footprint;
    footprint_of_step(program_, event, footprint);
    next_.footprint.add(footprint);
    next_.creates = next_.creates || event.announced == OpKind::ThreadCreate;
    next_.idle = next_.idle && is_idle(program_, event);
    const auto reads = [](const ObjectAccess& access) { return detail::only_reads(access.mode); };
    const auto writes = [](const ObjectAccess& access) { return access.mode == Mode::Write; };
    const std::span<const ObjectAccess> section = program_.section();
    next_.reads_and_writes =
        next_.reads_and_writes || event.announced == OpKind::Cas || event.announced == OpKind::Rmw ||
        (std::any_of(section.begin(), section.end(), reads) && std::any_of(section.begin(), section.end(), writes));
    if (!observer_->stepped(prefix.thread, prefix.steps + 1, outcome)) continue;
    live_ = program_.save();
    is_live_ = true;
    next_.ends.push_back({outcome, live_});
  }
  next_.ended = next_.ends.empty();
  if (next_.ends.size() == 1 && is_live_) next_.hash = current_hash();
}

// The transition taken becomes the last of the prefix; what was last becomes one that nobody may conflict with.
void CartesianVector::add(Prefix& prefix) {
  if (!prefix.states.empty()) index_.add(prefix.thread, prefix.last);
  prefix.last = next_.footprint;
  prefix.at_rest = !next_.step;
  if (next_.step) {
    if (next_.ends.empty()) {
      next_.ends = prefix.ends;  // nothing to go on from: the state before stands for it
    } else {
      drop(prefix.ends);
      ++prefix.steps;
    }
  }
  prefix.ends = next_.ends;
  prefix.first_with.emplace(next_.hash.low, prefix.states.size());
  prefix.states.push_back(next_.hash);
  prefix.idle_steps.push_back(next_.idle);
  prefix.idle = prefix.idle && next_.idle;
}

// A prefix may be long, so the states are not looked through. Should another state have the same hash, the prefix goes
// on.
std::size_t CartesianVector::repeated(Prefix& prefix, const StateHash& hash) {
  const auto found = prefix.first_with.find(hash.low);
  if (found == prefix.first_with.end()) return kNowhere;
  const std::size_t position = found->second;
  if (position + 1 >= prefix.states.size() || prefix.states[position] != hash) return kNowhere;
  return !next_.step || same_state(prefix, position) ? position : kNowhere;
}

std::uint64_t CartesianVector::bytes() const {
  constexpr std::uint64_t kEntry = 4 * sizeof(void*);  // of a map: link, key, value, and its share of the buckets
  std::uint64_t bytes = 0;
  for (const Prefix& prefix : prefixes_) bytes += prefix.states.size() * (sizeof(StateHash) + kEntry);
  return bytes;
}

// Whether the state that the transition led to is the one behind transition `position`, byte for byte.
bool CartesianVector::same_state(const Prefix& prefix, std::size_t position) {
  const auto copy = [&] {
    program_.describe(parts_);
    return bytes_of(parts_);
  };
  go_to(next_.ends.front().state);
  const std::vector<std::byte> here = copy();
  go_to(base_);
  is_live_ = false;
  // All transitions but a last one are steps with one outcome: a prefix that has begun to wait goes on waiting.
  for (std::size_t i = 0; i <= position; ++i) {
    program_.step({prefix.thread, program_.thread(prefix.thread).outcomes.first});
    ++steps_;
  }
  return copy() == here;
}

}  // namespace heddle
