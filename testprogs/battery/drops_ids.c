/* The effective ids alone are given away, and taken back after that. */
/* flags: -pthread */
#include "busy.h"

int main(void)
{
	busy_worker();
	printf("%d\n", setresgid(-1, 65534, -1));
	printf("%d\n", setresuid(-1, 65534, -1));
	busy("effectively nobody");
	printf("%d\n", seteuid(getuid()));
	busy("oneself");
	return 0;
}
