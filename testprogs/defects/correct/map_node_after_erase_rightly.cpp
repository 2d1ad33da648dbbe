#include <map>
int main() {
    std::map<int, int> map{{1, 10}, {2, 20}, {3, 30}};
    int &two = map[2];
    map.erase(3);
    map[4] = 40;
    two++;
    return map[2] != 21;
}
