/* The loaded modules, their code maps, and addresses from registers. */
#ifndef MADT_MODULE_H
#define MADT_MODULE_H

#include "madt_attach.h"

#include "base/base.h"

#include <link.h>

enum module_flag { MODULE_LOADER = 1, MODULE_SHIM = 2 };

#define MODULES_MAX 4096
#define MODULE_TEXTS 8 /* executable segments; of a module with more nothing is recorded */
#define MODULE_LOOKS 4 /* at a file that changes all the time */

enum text_state {
	TEXT_BARE = 0,     /* no plan; or its patches come at once */
	TEXT_DEFERRED = 1, /* the text is its own, the plan's areas are reserved */
	TEXT_RESTING = 2,  /* the text is its own, but for patches of single instructions */
	TEXT_WRITTEN = 3,  /* patches are written into its own text */
	TEXT_PATCHED = 4   /* the patched text image is in the place of its own text */
};

/* What stands in a module's text; the files of text/ alone change it. */
struct module_text {
	uint32_t state; /* enum text_state */
	/*
	 * Of its own text and its patched text image the one that is not in place; 0: no patched text
	 * image.
	 */
	uintptr_t aside;
	uintptr_t leaving; /* while they change places: where the one in place goes */
	struct madt_point *points;
	uint32_t point_count;
	uint8_t *marks;     /* of its pages, and what stood in them: text_saved.c; or NULL */
	struct range saved; /* these pages */
	bool taken;         /* some of them are the program's own by now */
	bool yields;        /* or are about to be */
	bool triggers;      /* those in it are as switches say: text_triggers.c */
};

struct module {
	uintptr_t start, end, bias;
	uintptr_t unwind; /* its .eh_frame_hdr, or 0 */
	uintptr_t link;   /* the loader's struct link_map */
	uint32_t flags;
	uint32_t first_template;
	uint32_t plans; /* of the session's, up to which its plan has instruments */
	const struct madt_codemap *map;
	const struct madt_code_entry *entry;
	const struct madt_code_operand *operand;
	const struct madt_plan *plan; /* applied, or to be applied when recording begins */
	struct module_text text;
	/* What stays in memory as it is in the file: madt_sum.h */
	struct range texts[MODULE_TEXTS];
	uint32_t text_count;
	bool present; /* while the list is gone through */
	bool asked;   /* for its code map */
	bool storage_told;
	long storage_offset; /* of its thread-local storage, as it was told */
	char path[256];
};

bool program_imports(const char *function); /* whether the program itself calls it */
/* of the loader; of the program */
bool module_set_up(struct r_debug *list, const ElfW(Phdr) * headers, size_t count);
/* This library lies there, which is in no list of the loader's. */
void module_shim_is(uintptr_t start, uintptr_t end);
/* Asks the launcher and waits. True if it answered, with what was asked for. */
bool module_answered(const struct module *module, struct madt_request *request);
/*
 * Looks at answers that the launcher has prepared before it asks; and no more. Between the two, the
 * process stands still.
 */
void module_prepared_begin(void);
uint64_t module_prepared_end(void); /* returns how many were asked for all the same */
/* Opens what the answer names: a descriptor, to be closed; a negated errno on failure. */
long module_file(struct madt_request *request);
/* Maps the code map of the answer. False: it is of other code than the module's. */
bool module_take_map(struct module *module, struct madt_request *request);
/* The module's plan is of no use: as if it had come without one. */
void module_tell_again(struct module *module);
/* A program header; whether the text in memory has this sum. */
void module_text_note(struct module *module, const ElfW(Phdr) * header);
bool module_text_is(const struct module *module, uint64_t sum);
/*
 * Sums that the injector has made of texts, until it is told that there are none. Returns how many
 * others were made since it was last told.
 */
uint64_t module_texts_known(const struct madt_attach_text *texts, uint64_t count);
/* Returns whether the launcher knows what the child of a fork has from its parent. */
bool module_numbers_kept(const struct module *program);
/*
 * No module comes or goes until module_let_go. The first waits besides until the loader is not
 * about to change its list.
 */
void module_hold_list(void);
void module_hold(void);
void module_let_go(void);
void module_after_fork(void);
void module_list(void);    /* compares the loader's list with what is known; the caller holds it */
void module_ask_new(void); /* asks for the code maps of modules that have none yet */
void module_ask_again(void); /* after fork */
const struct module *module_of(uintptr_t code);
const struct madt_code_entry *module_entry(const struct module *module, uintptr_t code);
/* The number for module_number, or MODULES_MAX. */
uint32_t module_index(uintptr_t code);
/* Returns whether the address lies in the image of a module that is traced. */
bool module_covers(uintptr_t address);
/* The lowest start or end of an image above the address; UINTPTR_MAX if there is none. */
uintptr_t module_edge(uintptr_t address);

void region_scan(void); /* the first look at what is mapped, with the modules known */
/* The file that is mapped at an address; none: empty. Returns where its first mapping is. */
uintptr_t region_file(uintptr_t address, char *name, size_t size);

extern uint32_t modules_gone; /* how many so far */
/* NULL behind the last; modules that are gone have end 0 */
const struct module *module_number(uint32_t i);
/* Visits the modules that are there; the caller holds the list. */
void module_visit(void (*visit)(struct module *module));

/* ---------------------------------------------------------------- operand */

void operand_set_up(void);
/* Index in a context's general registers, by the number in instruction encodings. */
unsigned register_place(unsigned number);
/* One word per element; MADT_WORD_NONE where it is masked out or marked as stack. */
uint32_t operand_addresses(const struct module *module, const struct madt_code_operand *operand,
		const ucontext_t *context, uint64_t *words);

#endif
