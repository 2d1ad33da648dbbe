#include <cstdlib>
#include <memory>
int main() {
    std::unique_ptr<int, void (*)(void *)> number(static_cast<int *>(malloc(sizeof(int))), free);
    *number = 3;
    return 0;
}
