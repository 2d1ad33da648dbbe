/* How the C library and the loader keep thread-local storage, as they tell debuggers. */
#include "start/start.h"

#include "fault/fault.h"
#include "module/storage.h"
#include "session/session.h"

#include <dlfcn.h>

#define BLOCK_BYTES 2304  /* struct pthread, where the C library does not say it */
#define STATIC_BYTES 4096 /* likewise */

/* Returns the offset of a field (nptl_db): told are its bits, how many there are, where it is. */
static uint32_t field_at(const char *name)
{
	const uint32_t *field = dlsym(RTLD_DEFAULT, name);

	return field ? field[2] : 0;
}

void storage_set_up(void)
{
	void (*sizes)(size_t *, size_t *) = NULL;
	const uint32_t *block = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
	struct storage_layout layout;
	size_t size = 0, alignment = 0;

	if (!engine.leads || !(session.page->flags & MADT_SESSION_TLS))
		return;
	layout.id = field_at("_thread_db_link_map_l_tls_modid");
	layout.offset = field_at("_thread_db_link_map_l_tls_offset");
	layout.block = block ? *block : BLOCK_BYTES;
	*(void **)&sizes = dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info");
	if (sizes)
		sizes(&size, &alignment);
	layout.below = size > layout.block ? size - layout.block : STATIC_BYTES;
	storage_begin(&layout);
}
