#include <algorithm>
#include <numeric>
#include <vector>
int main() {
    std::vector<std::vector<int>> rows;
    for (int i = 0; i < 12; i++) {
        std::vector<int> row;
        for (int k = 0; k < i; k++) row.push_back((k * 7 + i) % 5);
        std::sort(row.begin(), row.end());
        rows.push_back(row);
    }
    rows.erase(rows.begin() + 3);
    long sum = 0;
    for (auto &row : rows) sum = std::accumulate(row.begin(), row.end(), sum);
    return sum < 0;
}
