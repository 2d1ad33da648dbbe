/* All capabilities are given up: root is then a user like others. */
/* flags: -pthread */
#include "busy.h"

#include <linux/capability.h>
#include <sys/syscall.h>

int main(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[2] = { { 0 }, { 0 } };

	busy_worker();
	printf("%ld\n", syscall(SYS_capset, &head, none));
	busy("without capabilities");
	return 0;
}
