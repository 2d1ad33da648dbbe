#include <functional>
struct counter {
    long count = 0;
    std::function<void()> next() {
        return [this] { count++; };
    }
};
int main() {
    counter *c = new counter;
    std::function<void()> next = c->next();
    next();
    delete c;
    counter *d = new counter;
    next = d->next();
    next();
    long n = d->count;
    delete d;
    return n != 1;
}
