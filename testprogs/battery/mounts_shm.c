/* A mount namespace with a /dev/shm of its own. */
/* flags: -pthread */
#include "busy.h"

#include <sched.h>
#include <sys/mount.h>

int main(void)
{
	busy_worker();
	printf("%d\n", geteuid() ? unshare(CLONE_NEWUSER | CLONE_NEWNS) : unshare(CLONE_NEWNS));
	printf("%d\n", mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	printf("%d\n", mount("none", "/dev/shm", "tmpfs", 0, "size=4k"));
	busy("with an empty /dev/shm");
	return 0;
}
