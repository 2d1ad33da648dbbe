struct point { long x, y; };
int main() {
    long sum = 0;
    for (int i = 0; i < 50; i++) {
        point *a = new point{1, 2};
        sum += a->x;
        delete a;
        point *b = new point{3, 4};
        sum += b->y;
        delete b;
    }
    return sum != 250;
}
