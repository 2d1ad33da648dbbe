/* Landlock: no file can be opened for whatever purpose. */
/* flags: -pthread */
#include "busy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

int main(void)
{
	uint64_t handled = (1 << 13) - 1;
	long rules = syscall(444, &handled, sizeof handled, 0);

	busy_worker();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	printf("%d\n", rules >= 0 ? (int)syscall(446, rules, 0) : -errno);
	printf("%d\n", open("/etc/passwd", O_RDONLY) >= 0);
	busy("behind Landlock");
	return 0;
}
