/* A thread's state: the module that it looked up last, and what it told of its storage. */
#ifndef MADT_MODULE_PART_H
#define MADT_MODULE_PART_H

#include "base/base.h"

struct module_part {
	uint32_t last;          /* its number */
	uint32_t storage_seen;  /* the changes that it has told; 0: not all */
	uintptr_t storage_base; /* of FS, as it has told it; 0: not yet */
};

#endif
