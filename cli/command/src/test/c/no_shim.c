/* In the place of libmadt.so: does nothing. */
extern int madt_test_shim;
int madt_test_shim = 1;
