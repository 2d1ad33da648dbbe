#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>
struct Pool {
    static int taken;
    long value;
    static void *operator new(std::size_t size) { taken++; return std::malloc(size); }
    static void operator delete(void *p) { std::free(p); }
};
int Pool::taken;
struct alignas(64) Line { char bytes[64]; };
struct Free { void operator()(char *p) const { std::free(p); } };
// Functions that free, called by their addresses: one after the other, with nothing between.
static void free_both(void *first, void (*one)(void *), void *second, void (*other)(void *)) {
    one(first);
    other(second);
}
static int families() {
    std::unique_ptr<char, Free> copy(strdup("a copy by the library of C"));
    std::unique_ptr<int[]> numbers(new int[7]());
    int *maybe = new (std::nothrow) int(5);
    void *page = std::aligned_alloc(64, 128);
    char *grown = static_cast<char *>(std::realloc(std::malloc(3), 30));
    std::strcpy(grown, "grown");
    std::vector<std::string> texts(3, "a text that needs a block of its own");
    int wrong = *maybe != 5 || numbers[6] != 0 || copy.get()[0] != 'a' || texts[2].size() != 36;
    std::free(page);
    free_both(maybe, static_cast<void (*)(void *)>(::operator delete), grown, std::free);
    free_both(std::malloc(9), std::free, ::operator new(9),
              static_cast<void (*)(void *)>(::operator delete));
    return wrong;
}
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
    return result || Pool::taken != 1 || families();
}
