// defect: after-free
// record: --quarantine 20M
#include <list>
int main() {
    std::list<int> list{1, 2, 3};
    auto second = std::next(list.begin());
    int *value = &*second;
    list.erase(second);
    list.push_back(4);
    return *value == 100; // here
}
