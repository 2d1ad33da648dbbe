// defect: after-free
#include <vector>
int main() {
    std::vector<long> values;
    values.push_back(1);
    long &first = values[0];
    for (int i = 0; i < 9; i++) values.push_back(i);
    first = 2; // here
}
