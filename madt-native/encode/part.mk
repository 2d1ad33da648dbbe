# libmadtencode.so: loaded into the JVM; packs records into the columns of a trace. Its objects are
# built twice: for the library, and with sanitizers for the check. Two words in a vector cost more
# than they save.

ENCODE_OUT := $(OUT)/encode
ENCODE_SOURCES := $(sort $(wildcard encode/*.c))
ENCODE_CFLAGS := $(CFLAGS_ALL) -fno-tree-vectorize -D_GNU_SOURCE -Iencode -fPIC \
		-fvisibility=hidden -MMD -MP
ENCODE_SANITIZE := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all

all: $(OUT)/libmadtencode.so

$(ENCODE_OUT)/%.o: encode/%.c
	@mkdir -p $(@D)
	$(CC) $(ENCODE_CFLAGS) -c $< -o $@

$(ENCODE_OUT)/sane/%.o: encode/%.c
	@mkdir -p $(@D)
	$(CC) $(ENCODE_CFLAGS) $(ENCODE_SANITIZE) -c $< -o $@

$(OUT)/libmadtencode.so: $(ENCODE_SOURCES:encode/%.c=$(ENCODE_OUT)/%.o)
	$(CC) -shared -Wl,-soname,libmadtencode.so -Wl,-z,defs -o $@ $^

check: check-encode

check-encode: $(ENCODE_OUT)/check_encode
	$<

$(ENCODE_OUT)/check_encode: $(ENCODE_SOURCES:encode/%.c=$(ENCODE_OUT)/sane/%.o) \
		$(ENCODE_OUT)/sane/test/check_encode.o
	$(CC) $(ENCODE_SANITIZE) -o $@ $^

-include $(wildcard $(ENCODE_OUT)/*.d $(ENCODE_OUT)/sane/*.d $(ENCODE_OUT)/sane/test/*.d)

.PHONY: check-encode
