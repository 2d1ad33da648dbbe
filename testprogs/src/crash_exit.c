/* Ends by _exit with status 37 after 1,013 stores to a global: no exit handlers, nothing flushed.
 */
#include <unistd.h>

volatile long table[1013];

int main(void)
{
	for (int i = 0; i < 1013; i++)
		table[i] = i;
	_exit(37);
}
