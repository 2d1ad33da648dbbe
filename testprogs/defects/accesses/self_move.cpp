// defect: after-free
// record: --quarantine 20M
#include <utility>
struct buffer {
    int *data;
    buffer() : data(new int[8]()) {} // allocated
    ~buffer() { delete[] data; }
    buffer &operator=(buffer &&from) {
        delete[] data; // ended
        data = new int[8];
        return *this;
    }
    void take(buffer &from) {
        int *old = from.data;
        *this = std::move(from);
        data[0] = old[1]; // here
    }
};
int main() {
    buffer b;
    b.take(b);
    return 0;
}
