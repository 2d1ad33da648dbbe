// defect: uninitialised
// record: --stack
#include <cstdio>
struct Settings {
    int width = 80;
    int height;
    bool wide() const {
        return height < width; // here
    }
};
static int __attribute__((noinline)) before(int count) {
    volatile int rows[32];
    for (int i = 0; i < 32; i++) {
        rows[i] = count;
    }
    return rows[3];
}
static bool __attribute__((noinline)) wide() {
    Settings settings;
    return settings.wide();
}
int main(int argc, char **) {
    std::printf("%d\n", before(argc));
    return wide() ? 3 : 0;
}
