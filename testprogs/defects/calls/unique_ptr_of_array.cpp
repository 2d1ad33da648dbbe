// defect: mismatched
// record: --quarantine 20M
#include <memory>
int main() {
    std::unique_ptr<char> text(new char[30]); // allocated
    text.get()[0] = 'a';
    return 0;
}
