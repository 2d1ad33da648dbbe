/* Another root, in which nothing is. */
/* flags: -pthread */
#include "busy.h"

#include <sched.h>

int main(void)
{
	busy_worker();
	printf("%d\n", unshare(CLONE_NEWUSER) || chroot("/proc/self/fdinfo") || chdir("/"));
	printf("%d\n", access("/dev/shm", F_OK));
	busy("elsewhere");
	return 0;
}
