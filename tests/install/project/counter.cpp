#include "counter.hpp"

void Counter::add() { ++value_; }
void Counter::add_wrongly() { value_ = value_ + 1; }
