#include "program/native/checkpoints.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::native {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20U;     // bytes of one: more is not worth copying
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;  // of all that is kept
constexpr std::size_t kNever = ~std::size_t{0};

}  // namespace

void Checkpoints::forget() noexcept {
  count_ = bytes_ = 0;
  thinned_ = 1;
  plan_next();
}

void Checkpoints::forget_beyond(std::size_t depth) noexcept {
  while (count_ > 0 && kept_[count_ - 1].depth > depth) bytes_ -= kept_[--count_].state.size();
  plan_next();
}

// With --backtrack=restore, which is for tests and for comparing, there are as many as possible.
void Checkpoints::plan_spacing() noexcept {
  if (mode_ != Backtrack::Auto) {
    spacing_ = shallowest_ = 1;
    return;
  }
  // Most of the time the search does not go back as far as that.
  constexpr double kFarBack = 4;
  const double step = std::max(step_.value, 1.0);
  worth_ = std::max<std::size_t>(2, static_cast<std::size_t>(save_.value / step));
  spacing_ = std::max<std::size_t>(
      2, static_cast<std::size_t>(kFarBack * std::sqrt(2 * new_steps_.value * save_.value / step)));
  shallowest_ = 1 + static_cast<std::size_t>(std::max(0.0, restore_.value - restart_.value) / step);
}

void Checkpoints::execution_ended(std::size_t new_steps) noexcept {
  ++executions_;
  if (!measuring()) return;
  new_steps_.add(static_cast<double>(new_steps));
  plan_spacing();
}

void Checkpoints::plan_next() noexcept {
  if (mode_ == Backtrack::Replay) {
    next_ = kNever;
  } else {
    next_ = std::max(shallowest_, (count_ == 0 ? 0 : kept_[count_ - 1].depth) + thinned_ * spacing_);
  }
}

void Checkpoints::keep(std::size_t depth) {
  if (count_ == kept_.size()) kept_.emplace_back();
  Kept& kept = kept_[count_];
  const Stopwatch watch(measuring());
  const std::optional<std::size_t> room = rt.stopped || rt.abandoned ? std::nullopt : Checkpoint::room();
  if (!room || *room > kLargest) {
    constexpr std::uint64_t kSomeTime = 64;
    next_ = 2 * depth + 16;  // what stands against it is likely to do so for some time
    hopeless_until_ = executions_ + kSomeTime;
    return;
  }
  kept.state.save(*room);
  save_.add(watch.nanoseconds());
  kept.depth = depth;
  bytes_ += kept.state.size();
  ++count_;
  if (bytes_ > kMostBytes) thin_out();
  plan_next();
}

std::optional<std::size_t> Checkpoints::wanted_between(std::size_t from, std::size_t depth) noexcept {
  if (mode_ != Backtrack::Auto || executions_ < hopeless_until_ || depth - from <= worth_) return std::nullopt;
  const std::size_t at = depth - worth_ / 2;
  return at > shallowest_ ? std::optional(at) : std::nullopt;
}

void Checkpoints::thin_out() noexcept {
  std::size_t left = 0;
  for (std::size_t i = 1; i < count_; i += 2) std::swap(kept_[left++], kept_[i]);
  count_ = left;
  bytes_ = 0;
  for (std::size_t i = 0; i < count_; ++i) bytes_ += kept_[i].state.size();
  kept_.resize(count_);  // gives the memory back
  thinned_ *= 2;
}

std::optional<std::size_t> Checkpoints::restore(std::size_t depth) {
  forget_beyond(depth);
  if (count_ == 0 || kept_[count_ - 1].depth < shallowest_) return std::nullopt;
  const Stopwatch watch(measuring());
  kept_[count_ - 1].state.restore();
  restore_.add(watch.nanoseconds());
  return kept_[count_ - 1].depth;
}

}  // namespace heddle::native
