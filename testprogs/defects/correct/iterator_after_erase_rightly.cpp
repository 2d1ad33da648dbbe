#include <list>
int main() {
    std::list<int> list{1, 2, 3};
    auto second = std::next(list.begin());
    second = list.erase(second);
    list.push_back(4);
    int *value = &*second;
    return *value != 3;
}
