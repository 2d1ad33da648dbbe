/* A daemon closes all descriptors that it may have, and looks for some that are left. */
/* flags: -pthread */
#include "busy.h"

#include <errno.h>
#include <fcntl.h>

int main(void)
{
	int out, left = 0;

	busy_worker();
	out = dup(1);
	for (int i = 0; i < 3; i++)
		close(i);
	dup2(out, 1);
	closefrom(3);
	for (int i = 2; i < 4096; i++)
		left += fcntl(i, F_GETFD) >= 0;
	printf("%d left, next %d\n", left, dup(1));
	busy("without others' descriptors");
	return 0;
}
