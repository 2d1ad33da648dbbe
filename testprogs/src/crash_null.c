/* Ends by SIGSEGV: 1,013 stores to a global, then one through a null pointer. */
volatile long table[1013];
volatile long *volatile nowhere;

int main(void)
{
	for (int i = 0; i < 1013; i++)
		table[i] = i;
	*nowhere = 1;
	return 0;
}
