/*
 * The layer of triggers (MADT_EVENT, madt.h): jumps of two bytes, whose second one says whether they
 * lead past the room behind them, where the patch of their instruments lies, or into it.
 *
 *   eb 07   all instruments of a trigger are off; so it stands in the file
 *   eb 00   one of them is on, or may be switched on by the program itself at any time
 *
 * Both are right with any text behind them. So a byte may come late or stand too long: whether a hit
 * is taken, the switches of the session's file decide (session/switches.c), which are set before.
 */
#include "text/text.h"
#include "text/text_layers.h"
#include "text/text_plan.h"

#include "base/spin.h"
#include "base/state.h"
#include "session/session.h"

#define PASSES MADT_TRIGGER_ROOM /* the second byte of a jump that leads past the room */
#define ENTERS 0

/* A thread writes bytes, of one module after the other. */
static struct spin writing;

/* Triggers of a module that are gone through: those of one jump are one. */
struct triggers {
	const struct module *module;
	const struct madt_plan_trigger *at, *end;
	uintptr_t byte; /* the second one of the jump */
	bool on;
};

static struct triggers triggers_of(const struct module *module)
{
	const struct madt_plan_trigger *first = plan_table(module->plan, module->plan->triggers);

	return (struct triggers){ module, first, first + module->plan->triggers.count, 0, false };
}

static bool triggers_next(struct triggers *triggers)
{
	const uint32_t address = triggers->at < triggers->end ? triggers->at->address : 0;

	triggers->byte = triggers->module->bias + address + 1;
	triggers->on = false;
	if (triggers->at == triggers->end)
		return false;
	for (; triggers->at < triggers->end && triggers->at->address == address; triggers->at++)
		triggers->on |= switch_may_be_on(triggers->at->instrument);
	return true;
}

static void byte_put(const struct triggers *triggers, uint8_t byte, struct text_bytes *bytes)
{
	const uintptr_t at = triggers->byte;

	if (!own_taken(triggers->module, (struct range){ at, at + 1 }) && *(const uint8_t *)at != byte)
		text_byte_put(bytes, at, byte);
}

static void triggers_write(const struct module *module, bool on)
{
	struct triggers triggers = triggers_of(module);
	struct text_bytes bytes = { 0 };

	while (triggers_next(&triggers))
		byte_put(&triggers, on && triggers.on && !rate_limit_has(triggers.byte) ? ENTERS : PASSES,
				&bytes);
	text_bytes_end(&bytes);
}

static bool has_triggers(const struct module *module)
{
	return module->plan && module->plan->triggers.count;
}

static void writing_begin(void)
{
	critical_enter();
	spin_lock(&writing);
}

static void writing_end(void)
{
	spin_unlock(&writing);
	critical_leave();
}

void triggers_out(struct module *module, struct range range)
{
	(void)range; /* single patches are laid where no trigger is */
	if (!has_triggers(module))
		return;
	writing_begin();
	if (module->text.triggers)
		triggers_write(module, false);
	module->text.triggers = false;
	writing_end();
}

void triggers_in(struct module *module, struct range range)
{
	(void)range;
	if (!has_triggers(module) || !text_is_patched(module))
		return;
	writing_begin();
	/* the launcher says no more from here on, unless it knows that there are some */
	__atomic_store_n(&session.control->triggers, 1, __ATOMIC_SEQ_CST);
	module->text.triggers = true;
	triggers_write(module, true);
	writing_end();
}

void triggers_follow(struct module *module)
{
	if (!has_triggers(module))
		return;
	writing_begin();
	if (module->text.triggers)
		triggers_write(module, true);
	writing_end();
}

static void module_tell(struct module *module)
{
	if (has_triggers(module) && module->text.triggers)
		__atomic_store_n(&session.control->triggers, 1, __ATOMIC_SEQ_CST);
}

/* Another thread may have been about to write some. */
void triggers_after_fork(void)
{
	spin_after_fork(&writing);
}

void triggers_in_child(void)
{
	module_visit(module_tell);
	module_visit(triggers_follow);
}
