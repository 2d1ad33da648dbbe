// defect: after-free
struct Shape {
    int sides = 3;
    virtual ~Shape() {} // ended
    virtual int count() { return sides; }
};
int main() {
    Shape *shape = new Shape; // allocated
    delete shape;
    shape->sides = 4; // here
}
