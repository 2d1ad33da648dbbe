/*
 * The states of a module's text, but for those that patches bring about (text_patches.c,
 * text_patched.c):
 *
 *   BARE ──text_defer──▶ DEFERRED ──text_ready──▶ RESTING ──text_patch──▶ WRITTEN or PATCHED
 *     └──────text_ready──▶ WRITTEN, and its patches at once   ◀──text_rest──┘
 *
 * Other threads lay patches where text is deferred or rests, when a window opens.
 */
#include "text/text.h"
#include "text/text_layers.h"

void text_take(struct module *module, long fd)
{
	module->text.state = TEXT_BARE;
	patched_text_take(module, fd);
}

void text_defer(struct module *module)
{
	STORE_RELEASE(&module->text.state, TEXT_DEFERRED);
}

void text_ready(struct module *module)
{
	STORE_RELEASE(&module->text.state,
			module->text.state == TEXT_DEFERRED ? TEXT_RESTING : TEXT_WRITTEN);
}

void text_leave_plan(struct module *module)
{
	patched_text_drop(module);
	module->text.triggers = false;
}

/* First of all there is nothing that a child would undo: another thread may fork at any time. */
void text_drop(struct module *module)
{
	module->text.triggers = false;
	STORE_RELEASE(&module->text.state, TEXT_BARE);
	patched_text_drop(module);
	own_drop(module);
}
