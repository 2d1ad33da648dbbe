#include <utility>
struct buffer {
    int *data;
    buffer() : data(new int[8]()) {}
    ~buffer() { delete[] data; }
    buffer &operator=(buffer &&from) {
        if (&from != this) {
            delete[] data;
            data = from.data;
            from.data = nullptr;
        }
        return *this;
    }
    void take(buffer &from) {
        *this = std::move(from);
        data[0] = data[1];
    }
};
int main() {
    buffer b, c;
    b.take(b);
    b.take(c);
    return 0;
}
