/* The table of modules: module.c changes it, module_find.c looks in it. */
#ifndef MADT_MODULE_TABLE_H
#define MADT_MODULE_TABLE_H

#include "module/module.h"

extern struct module *modules;
extern uint32_t module_count; /* slots in use, absent modules included */

#endif
