# libmadtcode.so: loaded into the JVM; makes code maps with Zydis. Its objects are built twice: for
# the library, and with sanitizers for the check that feeds it damaged files.

CODE_OUT := $(OUT)/analyser
CODE_ROOMS := base elf decode map cfg emit probe trampoline patch image plan graph
CODE_SOURCES := $(sort $(wildcard analyser/*.c $(CODE_ROOMS:%=analyser/%/*.c)))
CODE_OBJECTS := $(CODE_SOURCES:analyser/%.c=$(CODE_OUT)/%.o)
CODE_CFLAGS := $(CFLAGS_ALL) -D_GNU_SOURCE -Ianalyser -fPIC -fvisibility=hidden -MMD -MP

all: $(OUT)/libmadtcode.so

# What libmadt.so interposes, of whose calls nothing is recorded.
$(CODE_OUT)/interposed.h: shim/shim.map
	@mkdir -p $(@D)
	sed -n '/^global:/,/^local:/p' $< | grep -oE '[A-Za-z_][A-Za-z0-9_]*;' | tr -d ';' | \
		awk 'BEGIN { printf "#define INTERPOSED" } { printf " \"%s\",", $$0 } END { print "" }' >$@

$(CODE_OUT)/probe/plan_leaps.o $(CODE_OUT)/sane/probe/plan_leaps.o: $(CODE_OUT)/interposed.h
$(CODE_OUT)/probe/plan_leaps.o $(CODE_OUT)/sane/probe/plan_leaps.o: \
		CODE_CFLAGS += -include $(CODE_OUT)/interposed.h

$(CODE_OUT)/%.o: analyser/%.c
	@mkdir -p $(@D)
	$(CC) $(CODE_CFLAGS) -c $< -o $@

$(OUT)/libmadtcode.so: $(CODE_OBJECTS)
	$(CC) -shared -Wl,-soname,libmadtcode.so -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ \
			$(CODE_OBJECTS) -lZydis

# ---------------------------------------------------------------- checks

# For tests in Java that cannot load the library.
all: $(CODE_OUT)/make_map

$(CODE_OUT)/make_map: analyser/test/make_map.c $(OUT)/libmadtcode.so
	$(CC) $(CFLAGS_ALL) -Ianalyser -o $@ $< -L$(OUT) -lmadtcode -Wl,-rpath,'$$ORIGIN/..'

CODE_SANITIZE := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
CODE_SANE := $(CODE_SOURCES:analyser/%.c=$(CODE_OUT)/sane/%.o) \
		$(CODE_OUT)/sane/test/check_damage.o \
	$(CODE_OUT)/sane/test/damage_plan.o $(CODE_OUT)/sane/test/map_file.o
CODE_CHECKS := $(CODE_OUT)/check_instructions $(CODE_OUT)/check_decoder \
		$(CODE_OUT)/check_objdump $(CODE_OUT)/check_damage $(CODE_OUT)/check_splice \
	$(CODE_OUT)/check_libraries $(CODE_OUT)/check_plan $(CODE_OUT)/check_identity \
	$(CODE_OUT)/check_probes $(CODE_OUT)/check_blocks $(CODE_OUT)/check_graph \
	$(CODE_OUT)/check_flow
CODE_SPLICE := call_out.o splice_apply.o splice_world.o splice_watch.o splice_flags.o splice_call.o map_file.o operand.o

check: check-code

check-code: $(CODE_CHECKS) $(CODE_OUT)/instructions.so $(CODE_OUT)/splice_cases.so \
		$(CODE_OUT)/splice_cases_low.so \
		$(CODE_OUT)/splice_throw.so
	sh analyser/test/check_code.sh $(CODE_OUT)

$(CODE_OUT)/check_instructions $(CODE_OUT)/check_objdump $(CODE_OUT)/check_plan \
		$(CODE_OUT)/check_blocks $(CODE_OUT)/check_graph $(CODE_OUT)/check_flow: $(CODE_OUT)/%: \
		$(CODE_OUT)/test/%.o $(CODE_OUT)/test/map_file.o $(CODE_OBJECTS)
	$(CC) -o $@ $^ -lZydis

$(CODE_OUT)/check_decoder $(CODE_OUT)/check_identity: $(CODE_OUT)/%: $(CODE_OUT)/test/%.o \
		$(CODE_OBJECTS)
	$(CC) -o $@ $^ -lZydis

$(CODE_OUT)/check_damage: $(CODE_SANE)
	$(CC) $(CODE_SANITIZE) -o $@ $^ -lZydis

$(CODE_OUT)/sane/%.o: analyser/%.c
	@mkdir -p $(@D)
	$(CC) $(CODE_CFLAGS) $(CODE_SANITIZE) -c $< -o $@

$(CODE_OUT)/instructions.so: analyser/test/instructions.S
	@mkdir -p $(@D)
	$(CC) -shared -nostdlib -Wl,-Bsymbolic,--build-id=sha1 -o $@ $<

# The trap engine's own operand rules judge what splicing records. At a fixed address itself, this
# check leaves the loader the choice of where the low copy lies.
$(CODE_OUT)/check_splice $(CODE_OUT)/check_libraries $(CODE_OUT)/check_probes: $(CODE_OUT)/%: $(CODE_OUT)/test/%.o \
		$(CODE_SPLICE:%=$(CODE_OUT)/test/%) $(CODE_OBJECTS)
	$(CC) -no-pie -o $@ $^ -lZydis

$(CODE_OUT)/check_probes: $(CODE_OUT)/test/guard_model.o

$(CODE_OUT)/test/splice_%.o $(CODE_OUT)/test/check_splice.o $(CODE_OUT)/test/check_libraries.o \
		$(CODE_OUT)/test/check_probes.o $(CODE_OUT)/test/guard_model.o \
		$(CODE_OUT)/test/operand.o: CODE_CFLAGS += -Ishim

$(CODE_OUT)/test/operand.o: shim/module/operand.c
	@mkdir -p $(@D)
	$(CC) $(CODE_CFLAGS) -c $< -o $@

$(CODE_OUT)/test/call_out.o: shim/splice/call_out.S $(OUT)/shim/offsets.h
	@mkdir -p $(@D)
	$(CC) -Ishim -include $(OUT)/shim/offsets.h -MMD -MP -c $< -o $@

$(CODE_OUT)/test/splice_call.o: analyser/test/splice_call.S
	@mkdir -p $(@D)
	$(CC) -c $< -o $@

# Functions of random bytes; others with `make check-code OVERLAPS=FUNCTIONS OVERLAPS_SEED=NUMBER`
# once overlaps.inc is removed.
OVERLAPS := 60
OVERLAPS_SEED := 1999993

$(CODE_OUT)/make_overlaps: analyser/test/make_overlaps.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -o $@ $< -lZydis

$(CODE_OUT)/overlaps.inc: $(CODE_OUT)/make_overlaps
	$< $(OVERLAPS) $(OVERLAPS_SEED) >$@.new
	mv $@.new $@

CODE_CASES := $(CC) -shared -nostdlib -I$(CODE_OUT) -Wl,-Bsymbolic,--build-id=sha1

$(CODE_OUT)/splice_cases.so: analyser/test/splice_cases.S $(CODE_OUT)/overlaps.inc
	$(CODE_CASES) -o $@ $<

$(CODE_OUT)/splice_cases_low.so: analyser/test/splice_cases.S $(CODE_OUT)/overlaps.inc
	$(CODE_CASES) -Wl,-Ttext-segment=0x10000000 -o $@ $<

$(CODE_OUT)/splice_throw.so: analyser/test/splice_throw.cc
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -fPIC -shared -Wl,--build-id=sha1 -o $@ $<

-include $(CODE_OBJECTS:.o=.d) $(CODE_SANE:.o=.d) $(wildcard $(CODE_OUT)/test/*.d)

.PHONY: check-code
