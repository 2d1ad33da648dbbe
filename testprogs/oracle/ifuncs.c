/* Prints which of its variants glibc has chosen for each of these functions: where it lies in its
 * library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#define STRINGS                                                                                    \
	"memchr", "memcmp", "memcpy", "memmove", "mempcpy", "memrchr", "memset", "rawmemchr",          \
			"stpcpy", "stpncpy", "strcasecmp", "strcasecmp_l", "strcat", "strchr", "strchrnul",    \
			"strcmp", "strcpy", "strcspn", "strlen", "strncasecmp", "strncasecmp_l", "strncat",    \
			"strncmp", "strncpy", "strnlen", "strpbrk", "strrchr", "strspn", "strstr",             \
			"strcasestr", "wcschr", "wcscmp", "wcscpy", "wcslen", "wcsncmp", "wcsnlen", "wcsrchr", \
			"wmemchr", "wmemcmp", "wmemset", "__memcpy_chk", "__memmove_chk", "__memset_chk",      \
			"wmemcpy"
#define MATHS                                                                                    \
	"sin", "cos", "tan", "atan", "atan2", "exp", "log", "pow", "sincos", "sinf", "cosf", "expf", \
			"exp2f", "logf", "log2f", "powf", "floor", "ceil", "rint", "nearbyint", "trunc",     \
			"floorf", "ceilf", "rintf", "nearbyintf", "truncf", "fma", "fmaf"

static void show(const char *library, const char *const *names, unsigned count)
{
	void *handle = dlopen(library, RTLD_NOW);

	for (unsigned i = 0; handle && i < count; i++) {
		void *found = dlsym(handle, names[i]);
		Dl_info info;

		if (found && dladdr(found, &info))
			printf("%s %s %#tx\n", library, names[i], (char *)found - (char *)info.dli_fbase);
	}
}

int main(void)
{
	static const char *const strings[] = { STRINGS }, *const maths[] = { MATHS };

	show("libc.so.6", strings, sizeof strings / sizeof *strings);
	show("libm.so.6", maths, sizeof maths / sizeof *maths);
	return 0;
}
