#include <vector>
int main() {
    std::vector<int> numbers(4, 7);
    numbers.reserve(5);
    int *first = &*numbers.begin();
    numbers.push_back(8);
    std::vector<int> others(4, 9);
    *first = 1;
    return numbers[0] != 1;
}
