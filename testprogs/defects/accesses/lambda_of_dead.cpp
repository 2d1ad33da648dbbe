// defect: after-free
// record: --quarantine 20M
#include <functional>
struct counter {
    long count = 0;
    std::function<void()> next() {
        return [this] { count++; }; // here
    }
};
int main() {
    counter *c = new counter; // allocated
    std::function<void()> next = c->next();
    next();
    delete c; // ended
    counter *d = new counter;
    next();
    delete d;
    return 0;
}
