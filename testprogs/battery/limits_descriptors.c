/* No descriptor can be had any more; and no file may have more than a page. */
/* flags: -pthread */
#include "busy.h"

#include <fcntl.h>
#include <sys/resource.h>

int main(void)
{
	struct rlimit none = { 0, 0 }, small = { 4096, 4096 };

	busy_worker();
	printf("%d %d\n", setrlimit(RLIMIT_NOFILE, &none), setrlimit(RLIMIT_FSIZE, &small));
	printf("%d\n", open("/dev/null", O_RDONLY));
	busy("without descriptors");
	return 0;
}
