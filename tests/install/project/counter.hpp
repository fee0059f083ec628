#pragma once
#include <atomic>

class Counter {
 public:
  void add();          // one step
  void add_wrongly();  // two
  int value() const { return value_; }

 private:
  std::atomic<int> value_{0};
};
