// defect: after-free
// record: --quarantine 20M
#include <vector>
int main() {
    std::vector<int> numbers(4, 7);
    int *first = &*numbers.begin();
    numbers.push_back(8);
    std::vector<int> others(4, 9);
    *first = 1; // here
    return 0;
}
