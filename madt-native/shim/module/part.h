/* A thread's state: the module that it looked up last. */
#ifndef MADT_MODULE_PART_H
#define MADT_MODULE_PART_H

#include "base/base.h"

struct module_part {
	uint32_t last; /* its number */
};

#endif
