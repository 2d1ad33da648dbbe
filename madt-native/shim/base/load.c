/* Where loads stand that may fault. */
#include "base/load.h"

/* The linker names the ends of the section so. */
extern const struct load_place places_begin[] __asm__("__start_madt_loads")
		__attribute__((visibility("hidden")));
extern const struct load_place places_end[] __asm__("__stop_madt_loads")
		__attribute__((visibility("hidden")));

bool load_resume(ucontext_t *context)
{
	greg_t *at = &context_registers(context)[REG_RIP];

	for (const struct load_place *place = places_begin; place < places_end; place++)
		if ((uintptr_t)*at == (uintptr_t)&place->load + (uintptr_t)place->load) {
			*at = (greg_t)((uintptr_t)&place->behind + (uintptr_t)place->behind);
			return true;
		}
	return false;
}
