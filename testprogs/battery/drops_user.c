/* A server's worker: it becomes another user, as far as it may, and starts threads and children. */
/* flags: -pthread */
#include "busy.h"

#include <grp.h>

int main(void)
{
	int groups, group, user;

	busy_worker();
	groups = setgroups(0, NULL);
	group = setgid(65534);
	user = setuid(65534);
	printf("%d %d %d %d %d\n", groups, group, user, getuid() == 65534, setuid(0));
	busy("as nobody");
	return 0;
}
