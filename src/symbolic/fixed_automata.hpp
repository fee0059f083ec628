// Automata written down location by location: for tests, and for the models of the paper's tables.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "symbolic/automaton.hpp"

namespace heddle::symbolic {

class FixedAutomata final : public Automata {
 public:
  ThreadIndex add_thread(std::string name, bool starts = true) {
    threads_.push_back({std::move(name), starts, {}});
    const ThreadIndex thread{static_cast<std::uint32_t>(threads_.size() - 1)};
    (void)add_location(thread);
    return thread;
  }
  // The first location of a thread, where it starts, is made with it.
  LocationId add_location(ThreadIndex thread, LocationKind kind = LocationKind::Running) {
    std::vector<Place>& places = threads_[thread.value].places;
    places.push_back({kind, {}});
    return LocationId{static_cast<std::uint32_t>(places.size() - 1)};
  }
  void add_transition(ThreadIndex thread, LocationId source, Transition transition) {
    threads_[thread.value].places[source.value].transitions.push_back(std::move(transition));
  }
  // The object's address; its bytes are 0.
  Address add_object(std::string name, std::uint32_t size) {
    objects_.push_back({.name = std::move(name), .size = size, .mortal = false, .writable = true});
    return address_of(static_cast<std::uint32_t>(objects_.size()));
  }
  void set_byte(Address address, std::uint8_t value) { bytes_[address] = value; }
  Term add_variable(std::string name, unsigned width, std::uint64_t value) {
    const Term variable = pool_.variable(std::move(name), width);
    initial_.emplace(variable, pool_.constant(value, width));
    return variable;
  }
  FailureId add_failure(Failure failure) {
    failures_.push_back(std::move(failure));
    return static_cast<FailureId>(failures_.size() - 1);
  }
  [[nodiscard]] Term address(Address value) { return pool_.constant(value, kAddressBits); }

  [[nodiscard]] std::size_t thread_count() const override { return threads_.size(); }
  [[nodiscard]] std::string thread_name(ThreadIndex thread) const override { return threads_[thread.value].name; }
  [[nodiscard]] bool starts_by_itself(ThreadIndex thread) const override { return threads_[thread.value].starts; }
  [[nodiscard]] const std::vector<Transition>& transitions(ThreadIndex thread, LocationId location) override {
    return threads_[thread.value].places[location.value].transitions;
  }
  [[nodiscard]] LocationKind kind(ThreadIndex thread, LocationId location) const override {
    return threads_[thread.value].places[location.value].kind;
  }
  [[nodiscard]] const Object* object(std::uint32_t id) const override {
    return id >= 1 && id <= objects_.size() ? &objects_[id - 1] : nullptr;
  }
  [[nodiscard]] const Failure& failure(FailureId id) const override { return failures_[id]; }
  [[nodiscard]] Term initial_byte(Address address) override {
    const auto at = bytes_.find(address);
    return pool_.constant(at != bytes_.end() ? at->second : 0, 8);
  }
  [[nodiscard]] Term initial_value(Term variable) override {
    const auto at = initial_.find(variable);
    return at != initial_.end() ? at->second : variable;
  }
  [[nodiscard]] TermPool& pool() override { return pool_; }

 private:
  struct Place {
    LocationKind kind;
    std::vector<Transition> transitions;
  };
  struct Thread {
    std::string name;
    bool starts;
    std::vector<Place> places;
  };

  TermPool pool_;
  std::vector<Thread> threads_;
  std::vector<Object> objects_;
  std::vector<Failure> failures_{{.kind = FindingKind::Crash,
                                  .message = "an address that may be anything",
                                  .file = {},
                                  .line = 0,
                                  .function = {},
                                  .unsupported = true}};
  std::map<Address, std::uint8_t> bytes_;
  std::unordered_map<Term, Term, TermHash> initial_;
};

}  // namespace heddle::symbolic
