// defect: after-free
// record: --quarantine 20M
#include <map>
int main() {
    std::map<int, int> map{{1, 10}, {2, 20}, {3, 30}};
    int &two = map[2];
    map.erase(2);
    map[4] = 40;
    two++; // here
    return 0;
}
