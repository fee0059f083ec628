// Functions, lambdas with captures and virtual calls run by two threads: copies keep their own state, dispatch is right.
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
    virtual std::string name() const { return "shape"; }
};
struct Square : Shape {
    explicit Square(int s) : side(s) {}
    int area() const override { return side * side; }
    std::string name() const override { return "square of side " + std::to_string(side); }
    int side;
};
struct Strip : Shape {
    int area() const override { return 5; }
};

static std::mutex lock;
static std::vector<std::string> seen;
static int total;

static void measure(const Shape &shape, std::function<int(int)> counter) {
    assert(counter(shape.area()) == shape.area() + 1); // a copy of the counter, starting anew
    std::lock_guard<std::mutex> guard(lock);
    total += counter(0);
    seen.push_back(shape.name());
}

int main() {
    assert(total == 0 && seen.empty());
    std::unique_ptr<Shape> shapes[] = {std::make_unique<Square>(3), std::make_unique<Strip>()};
    assert(dynamic_cast<Square *>(shapes[0].get()) && !dynamic_cast<Square *>(shapes[1].get()));
    const Shape &strip = *shapes[1];
    assert(typeid(strip) == typeid(Strip));
    std::function<int(int)> counter = [sum = 1](int add) mutable { return sum += add; };
    int failures = 0;
    std::thread first(measure, std::cref(*shapes[0]), counter);
    std::thread second([&, text = std::string("captured by value, and long enough for the heap")] {
        measure(*shapes[1], counter);
        try {
            std::function<void()>()();
        } catch (const std::bad_function_call &) {
            failures += text.size() == 47;
        }
    });
    first.join();
    second.join();
    assert(total == 10 + 6 && failures == 1);
    assert(seen.size() == 2 && (seen[0] == "square of side 3" || seen[1] == "square of side 3"));
    assert(counter(1) == 2); // the original was never called before
}
