#include <vector>
int main() {
    std::vector<long> row(10, 1);
    long *data = row.data();
    for (unsigned i = 0; i < row.size(); i++)
        data[i] = i;
    return 0;
}
