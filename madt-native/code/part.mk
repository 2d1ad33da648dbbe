# libmadtcode.so: loaded into the JVM; makes code maps.

CODE_OBJECTS := $(patsubst code/%.c,$(OUT)/code/%.o,$(wildcard code/*.c))

all: $(OUT)/libmadtcode.so

$(OUT)/code/%.o: code/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -D_GNU_SOURCE -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

$(OUT)/libmadtcode.so: $(CODE_OBJECTS)
	$(CC) -shared -Wl,-soname,libmadtcode.so -Wl,-z,defs -o $@ $(CODE_OBJECTS) -lZydis

-include $(CODE_OBJECTS:.o=.d)
