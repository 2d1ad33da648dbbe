/*
 * What an image that is started by execve takes over: MadT's signals that its parent ignores or
 * blocks.
 */
#include "signal/signal.h"
#include "signal/signal_table.h"

size_t signal_inheritance(char *text)
{
	uint64_t ignored = 0;
	char *end;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if (self.signal.actions->action[own_number[i]].handler == (uintptr_t)SIG_IGN)
			ignored |= SIGNAL_BIT(own_number[i]);
	if (!ignored && !self.signal.virtual_mask)
		return 0;
	end = text_number(text, ignored);
	*end++ = '.';
	return (size_t)(text_number(end, self.signal.virtual_mask) - text);
}

/*
 * Reads what signal_inheritance wrote: MadT's signals that are ignored, and those that are blocked.
 */
static void inheritance_read(const char *text, uint64_t value[2])
{
	value[0] = value[1] = 0;
	for (unsigned i = 0; i < 2; i++, text++)
		for (; *text >= '0' && *text <= '9'; text++)
			value[i] = value[i] * 10 + (uint64_t)(*text - '0');
	value[1] &= SIGNALS_OWN;
}

void signal_inherit(const char *text)
{
	uint64_t value[2];

	inheritance_read(text, value);
	for (int i = 1; i <= SIGNALS; i++)
		if (value[0] & SIGNAL_BIT(i))
			signal_ignore(i);
	self.signal.virtual_mask = value[1];
}

void signal_inherit_bare(const char *text)
{
	static const struct kernel_action none = { .handler = (uintptr_t)SIG_IGN };
	uint64_t value[2];

	inheritance_read(text, value);
	for (int i = 1; i <= SIGNALS; i++)
		if (value[0] & SIGNAL_BIT(i))
			SYS4(__NR_rt_sigaction, i, &none, NULL, KERNEL_SET);
	SYS4(__NR_rt_sigprocmask, SIG_BLOCK, &value[1], NULL, KERNEL_SET);
}
