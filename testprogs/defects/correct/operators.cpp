#include <cstddef>
#include <cstdlib>
#include <new>
struct Pool {
    static int taken;
    long value;
    static void *operator new(std::size_t size) { taken++; return std::malloc(size); }
    static void operator delete(void *p) { std::free(p); }
};
int Pool::taken;
struct alignas(64) Line { char bytes[64]; };
int main() {
    auto *pool = new Pool;
    pool->value = 1;
    auto *lines = new Line[3];
    lines[2].bytes[63] = 1;
    char room[sizeof(Pool)];
    auto *placed = ::new (room) Pool;
    placed->value = 2;
    int result = placed->value + pool->value != 3 || lines[2].bytes[63] != 1;
    delete pool;
    delete[] lines;
    return result || Pool::taken != 1;
}
