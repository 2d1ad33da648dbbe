// defect: after-free
// record: --quarantine 20M
struct point { long x, y; };
int main() {
    point *a = new point{1, 2}; // allocated
    delete a; // ended
    point *b = new point{3, 4};
    long x = a->x; // here
    delete b;
    return x == 100;
}
