/* The loader's own list of modules (struct r_debug, System V ABI debugging interface). */
#ifndef MADT_MODULE_LOADER_H
#define MADT_MODULE_LOADER_H

#include <link.h>

extern struct r_debug *loader_list;

#endif
