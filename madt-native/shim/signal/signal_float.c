/*
 * The state in which the kernel enters a handler (arch/x86/kernel/fpu/core.c,
 * fpu__clear_user_states): that of a new process. It comes by the rt_sigreturn of MadT's own
 * handler, whose XRSTOR takes it from the area in this context:
 *
 *   0    x87, MXCSR, xmm      (FXSAVE; Intel SDM volume 1, 10.5.1)
 *   464  struct _fpx_sw_bytes
 *   512  header: which components the area holds; XRSTOR clears all others of xstate_bv
 *   576  components, of which CPUID says where they are (13.4.3)
 */
#include "signal/signal_float.h"

#include <cpuid.h>

#define SOFTWARE_AT 464
#define LEGACY_BYTES 512
#define CONTROL_AT 0
#define CONTROL_AT_FIRST 0x37f
#define MXCSR_AT 24
#define MXCSR_AT_FIRST 0x1f80
#define KEYS 9 /* PKRU */

static uint32_t keys_at;

void float_set_up(void)
{
	uint32_t size, c, d;

	__cpuid_count(0xd, KEYS, size, keys_at, c, d);
	(void)size;
	(void)c;
	(void)d;
}

static const struct _fpx_sw_bytes *software_of(const ucontext_t *context)
{
	return (const void *)((const char *)context->uc_mcontext.fpregs + SOFTWARE_AT);
}

size_t float_size(const ucontext_t *context)
{
	const struct _fpx_sw_bytes *software = software_of(context);

	if (!context->uc_mcontext.fpregs)
		return 0;
	return software->magic1 == FP_XSTATE_MAGIC1 ? software->extended_size : LEGACY_BYTES;
}

/*
 * Returns what this handler began with itself: the kernel may have another one than the processor.
 */
static uint32_t keys_now(void)
{
	uint32_t keys, d;

	__asm__ volatile(".byte 0x0f, 0x01, 0xee" : "=a"(keys), "=d"(d) : "c"(0)); /* rdpkru */
	return keys;
}

void float_clear(ucontext_t *context)
{
	static const uint16_t control = CONTROL_AT_FIRST;
	static const uint32_t mxcsr = MXCSR_AT_FIRST;
	char *area = (char *)context->uc_mcontext.fpregs;
	size_t size = float_size(context);
	uint64_t held = 0;

	if (!size)
		return;
	bytes_set(area, 0, MXCSR_AT);
	bytes_set(area + MXCSR_AT + 8, 0, SOFTWARE_AT - MXCSR_AT - 8);
	bytes_copy(area + CONTROL_AT, &control, sizeof control);
	bytes_copy(area + MXCSR_AT, &mxcsr, sizeof mxcsr); /* XRSTOR takes it in any case */
	if (size == LEGACY_BYTES)
		return;
	if (software_of(context)->xstate_bv >> KEYS & 1) {
		uint32_t keys = keys_now();

		bytes_copy(area + keys_at, &keys, sizeof keys);
		held = (uint64_t)1 << KEYS;
	}
	bytes_copy(area + LEGACY_BYTES, &held, sizeof held);
}
