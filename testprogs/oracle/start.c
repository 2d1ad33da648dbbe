/*
 * Stands before the main of a program of the oracle, which is called program_main in the
 * executable. It gives the program what differs from run to run and decides what libc does: a stack
 * that begins at the end of a page (string functions look how near they are to one), and an
 * environment of its own. It calls exit and does not return, since the stack that main was called
 * on is not at a page's end.
 */
#include <stddef.h>
#include <stdlib.h>

extern char **environ;
int program_main(int, char **, char **);

int main(int argc, char **argv)
{
	static char *variables[] = { "HOME=/", "TZ=UTC0", NULL };
	_Alignas(4096) char page[4096];

	__asm__ volatile("" : : "r"(page) : "memory");
	environ = variables;
	exit(program_main(argc, argv, variables));
}
