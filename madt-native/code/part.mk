# libmadtcode.so: loaded into the JVM; makes code maps.

CODE_OBJECTS := $(patsubst code/%.c,$(OUT)/code/%.o,$(wildcard code/*.c))

all: $(OUT)/libmadtcode.so

$(OUT)/code/%.o: code/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -D_GNU_SOURCE -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

$(OUT)/libmadtcode.so: $(CODE_OBJECTS)
	$(CC) -shared -Wl,-soname,libmadtcode.so -Wl,-z,defs -o $@ $(CODE_OBJECTS) -lZydis

-include $(CODE_OBJECTS:.o=.d)

# ---------------------------------------------------------------- checks

CODE_TESTS := $(OUT)/test/code_oracle $(OUT)/test/code_malformed

$(CODE_TESTS): $(OUT)/test/%: test/%.c $(OUT)/libmadtcode.so
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -D_GNU_SOURCE $< -o $@ -L$(OUT) -lmadtcode -Wl,-rpath,'$$ORIGIN/..'

check: check-code

check-code: $(CODE_TESTS)
	$(OUT)/test/code_oracle /bin/bash /usr/bin/perl $(shell $(CC) -print-file-name=libc.so.6)
	$(OUT)/test/code_malformed /bin/true

.PHONY: check-code
