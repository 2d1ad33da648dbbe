/* Whether this program is recorded; see pass.c. */
#ifndef MADT_START_H
#define MADT_START_H

#include <stdbool.h>

bool program_chosen(void); /* whether the session records this program */
void program_pass(void);   /* it does not */
void storage_set_up(void); /* has thread-local storage be told, if the session wants it */
/* Stands before the program's main, which is `real_main`: main.S. */
int madt_main(int, char **, char **);
extern int (*real_main)(int, char **, char **);

/* Tells of the program break as it is; the regions are known. */
void heap_set_up(void);

#endif
