#include <memory>
#include <vector>
struct Base { virtual ~Base() = default; virtual int size() const { return 1; } };
struct Left : virtual Base { long left = 2; int size() const override { return (int)left; } };
struct Right : virtual Base { long right = 3; };
struct Both : Left, Right {
    char name[10] = "both";
    int size() const override { return Left::size() + (int)right; }
};
int main() {
    std::vector<std::unique_ptr<Base>> all;
    for (int i = 0; i < 4; i++) {
        all.emplace_back(new Left);
        all.push_back(std::make_unique<Both>());
    }
    int sum = 0;
    for (auto &one : all) sum += one->size();
    return sum != 28;
}
