#ifndef MADT_STORAGE_LAYOUT_H
#define MADT_STORAGE_LAYOUT_H

/* Has thread-local storage be told, if the session wants it. */
void storage_set_up(void);

#endif
