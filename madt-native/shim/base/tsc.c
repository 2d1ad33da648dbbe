/* The time stamp counter, which a thread may have forbidden itself to read. */
#include "base/state.h"

#include <linux/prctl.h>

uint64_t tsc_forced(void)
{
	uint64_t now;

	SYS2(__NR_prctl, PR_SET_TSC, PR_TSC_ENABLE);
	now = __builtin_ia32_rdtsc();
	SYS2(__NR_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
	return now;
}

long tsc_set(unsigned long mode)
{
	long result = SYS2(__NR_prctl, PR_SET_TSC, mode);

	if (result == 0)
		self.tsc_forbidden = mode == PR_TSC_SIGSEGV;
	return result;
}
