#include <memory>
struct thing { int a = 1, b = 2; };
int main() {
    auto shared = std::make_shared<thing>();
    std::weak_ptr<thing> weak = shared;
    std::shared_ptr<thing> held = weak.lock();
    thing *raw = held.get();
    weak.reset();
    shared = nullptr;
    auto other = std::make_shared<thing>();
    return raw->b != 2;
}
