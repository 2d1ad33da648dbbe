/* Does what each byte says that it reads, with functions that nobody has called before. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <wchar.h>

static char from[512], to[512];
static wchar_t wide[64];
static volatile size_t bytes = 100; /* the compiler makes no moves of it */

static void act(char what)
{
	switch (what) {
	case 'c':
		memcpy(to, from, bytes);
		break;
	case 's':
		memset(from, 'x', bytes);
		break;
	case 't':
		strcpy(to, from);
		break;
	case 'w':
		wmemset(wide, L'y', bytes / 2);
		break;
	case 'a':
		strncat(to, from, bytes / 10);
		break;
	default:
		exit(stpcpy(to, from) != to + bytes);
	}
}

int main(void)
{
	char byte;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	while (read(0, &byte, 1) == 1) {
		act(byte);
		if (write(1, &byte, 1) != 1)
			return 1;
	}
	return 2;
}
