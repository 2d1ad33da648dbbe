// defect: beyond
// record: --quarantine 20M
#include <array>
struct table { std::array<int, 10> cells; };
int main() {
    table *t = new table{}; // allocated
    int *cells = t->cells.data(), sum = 0;
    for (int i = 0; i <= 10; i++)
        sum += cells[i]; // here
    delete t;
    return sum == 100;
}
