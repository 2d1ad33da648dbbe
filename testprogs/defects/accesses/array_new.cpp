// defect: beyond
int main() {
    double *values = new double[5]; // allocated
    for (int i = 0; i < 6; i++)
        values[i] = i; // here
    delete[] values;
}
