# madt-inject: brings libmadt.so into a process that runs.

INJECT_OBJECTS := $(patsubst inject/%,$(OUT)/inject/%.o,$(sort $(wildcard inject/*.c)))

all: $(OUT)/madt-inject

$(OUT)/inject/%.c.o: inject/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -std=gnu11 -Iinject -MMD -MP -c $< -o $@

$(OUT)/madt-inject: $(INJECT_OBJECTS)
	$(CC) -o $@ $^

-include $(INJECT_OBJECTS:.o=.d)
