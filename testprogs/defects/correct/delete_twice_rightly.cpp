struct item { int n[6]; };
int main() {
    item *a = new item{{1}};
    delete a;
    a = nullptr;
    item *b = new item{{2}};
    delete a;
    int n = b->n[0];
    delete b;
    return n != 2;
}
