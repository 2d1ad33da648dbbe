#include <any>
#include <optional>
#include <variant>
#include <vector>
struct Part { char name[12]; int used; double weight; };
int main() {
    std::vector<std::optional<Part>> parts(4);
    std::vector<std::variant<int, double, Part>> kinds;
    std::vector<std::any> things;
    Part one;
    one.name[0] = 'x';
    one.used = 1;
    parts[1] = one;
    parts[2] = parts[1];
    kinds.push_back(3);
    kinds.push_back(one);
    kinds.push_back(kinds[0]);
    things.push_back(one.used);
    things.push_back(things[0]);
    return parts[2]->used != 1 || std::any_cast<int>(things[1]) != 1 || parts[0].has_value();
}
