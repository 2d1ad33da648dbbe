# libmadt.so: preloaded into the target. Freestanding: it exports memcpy and memset, so gcc must not
# call them for it.

SHIM_OBJECTS := $(patsubst shim/%,$(OUT)/shim/%.o,$(sort $(wildcard shim/*/*.c shim/*/*.S)))
SHIM_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(OPTIMISE) -Wall -Wextra -Werror -Iinclude -Ishim -fPIC \
		-fvisibility=hidden \
	-ffreestanding -fno-tree-loop-distribute-patterns -fno-stack-protector \
	-ftls-model=initial-exec -mgeneral-regs-only \
	-fno-omit-frame-pointer -U_FORTIFY_SOURCE $(PLACE)

all: $(OUT)/libmadt.so

$(OUT)/shim/%.c.o: shim/%.c
	@mkdir -p $(@D)
	$(CC) $(SHIM_CFLAGS) -MMD -MP -c $< -o $@

$(OUT)/shim/%.S.o: shim/%.S $(OUT)/shim/offsets.h
	@mkdir -p $(@D)
	$(CC) $(PLACE) -Ishim -include $(OUT)/shim/offsets.h -MMD -MP -c $< -o $@

$(OUT)/shim/offsets.h: shim/base/offsets.c
	@mkdir -p $(@D)
	$(CC) $(SHIM_CFLAGS) -MMD -MP -MT $@ -MF $(OUT)/shim/offsets.d -S $< -o $@.s
	sed -n 's/^[ \t]*# offset \([a-z_]*\) \([0-9]*\)$$/#define \1 \2/p' $@.s >$@

# Without gcc's start files: their finaliser would call __cxa_finalize, in the program's trace.
$(OUT)/libmadt.so: $(SHIM_OBJECTS) shim/shim.map
	$(CC) -shared -nostartfiles -Wl,-soname,libmadt.so -Wl,-z,initfirst -Wl,-z,now -Wl,-z,defs \
			-Wl,--no-undefined \
		-Wl,--version-script=shim/shim.map -o $@ $(SHIM_OBJECTS)

-include $(SHIM_OBJECTS:.o=.d) $(OUT)/shim/offsets.d

# ---------------------------------------------------------------- checks and benchmarks

SHIM_PROGRAMS := \
		$(patsubst %,$(OUT)/test/%,signals children stacks waits dropped attributes gs threads \
		processes mappings instructions stress calls kernel_threads contexts faults many map_threads \
		shared_pages jumps trampolines trampoline_signals direct mended windows closed robust transfers \
		lent i386 begin probes outs)
BENCHMARKS := $(patsubst bench/%.c,$(OUT)/bench/%,$(wildcard bench/*.c))

all: $(BENCHMARKS)

check: check-shim

# The longest first.
SHIM_PARTS := signals trap splice begin library

check-shim: $(SHIM_PARTS:%=check-shim-%)

$(SHIM_PARTS:%=check-shim-%): check-shim-%: $(OUT)/libmadt.so $(OUT)/test/recorder \
		$(OUT)/test/scan_maps $(SHIM_PROGRAMS)
	sh test/check_shim.sh $(OUT) $*

$(SHIM_PROGRAMS): $(OUT)/test/%: test/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -std=gnu11 -pthread $< -o $@

$(OUT)/test/outs: test/outs_state.h
$(OUT)/test/outs $(OUT)/test/direct $(OUT)/test/trampolines: test/rounds.h

# A part of the shim by itself.
$(OUT)/test/scan_maps: test/scan_maps.c $(OUT)/shim/module/region_scan.c.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -Ishim -std=gnu11 $^ -o $@

$(OUT)/test/recorder: test/recorder.c test/recorder_probes.h include/madt_layout.h $(OUT)/libmadtcode.so
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -std=gnu11 $< -o $@ -L$(OUT) -lmadtcode -Wl,-rpath,'$$ORIGIN/..'

$(OUT)/bench/calls_logged: CFLAGS_ALL += -finstrument-functions
$(OUT)/bench/calls_logged: bench/calls.c

# For plain x86-64, since Valgrind runs them too.
$(BENCHMARKS): $(OUT)/bench/%: bench/%.c bench/measured.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -std=gnu11 $< -o $@ -lm

.PHONY: check-shim $(SHIM_PARTS:%=check-shim-%)
