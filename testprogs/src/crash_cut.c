/*
 * Ends by SIGSEGV in straight-line code: 1,013 stores to a global, then one through a null pointer,
 * and one that never happens, at a distance from one that has.
 */
volatile char table[2 * 1013];

int main(void)
{
	for (int i = 0; i < 1012; i++)
		table[i] = (char)i;
	__asm__ volatile("movb $1, (%0)\n\tmovb $1, (%1)\n\tmovb $1, 1(%0)"
					 :
					 : "r"(table + 1012), "r"(0L)
					 : "memory");
	return 0;
}
