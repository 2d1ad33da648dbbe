// defect: mismatched
// record: --quarantine 20M
#include <cstdlib>
#include <memory>
int main() {
    std::unique_ptr<int> number(static_cast<int *>(malloc(sizeof(int)))); // allocated
    *number = 3;
    return 0;
}
