package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The types of a Go program, which it describes for its own use, also where it is stripped
 * (runtime/type.go of Go 1.18 and later, abi.Type of later ones).
 *
 * <pre>
 *   description  0: size  …  20: flags u8  …  23: kind u8  …  40: name, from the descriptions i32
 *   name         flags u8 | length, varint | UTF-8
 *   moduledata   0: address of .gopclntab  …  280 or 296: begin of the descriptions, and their end
 * </pre>
 */
public final class GoTypes {
    private static final int DESCRIPTION = 48;
    private static final int FLAGS = 20;
    private static final int NAME = 40;
    /** The name is that of a pointer to the type. */
    private static final int EXTRA_STAR = 2;

    /** Begins of the descriptions in moduledata: Go 1.18 and 1.19, later ones. */
    private static final List<Integer> BEGINS = List.of(280, 296);

    private static final int MOST_NAME = 4096;

    /**
     * A type.
     *
     * @param name with its package: {@code main.node}
     * @param size bytes of a value
     */
    public record GoType(String name, long size) {}

    private final ElfImage module;
    private final List<ElfSection> loaded;
    private final List<Long> begins = new ArrayList<>();

    private GoTypes(ElfImage module) {
        this.module = module;
        this.loaded = module.sections().stream()
                .filter(section -> section.allocated() && section.inFile())
                .toList();
    }

    /** Returns the types of a module. */
    public static GoTypes of(ElfImage module) throws IOException {
        GoTypes types = new GoTypes(module);
        types.find();
        return types;
    }

    /**
     * By moduledata; what stands there is made by the loader in position-independent programs,
     * where the descriptions begin with a section.
     */
    private void find() {
        ElfSection table = module.section(".gopclntab");
        for (String name : List.of(".noptrdata", ".data")) {
            ElfSection data = module.section(name);
            if (table != null && data != null) {
                search(module.data(data), table.address());
            }
        }
        for (String name : List.of(".data.rel.ro", ".rodata")) {
            ElfSection section = module.section(name);
            if (section != null) {
                begins.add(section.address());
            }
        }
    }

    private void search(ByteBuffer data, long table) {
        for (int at = 0; at + Long.BYTES <= data.limit(); at += Long.BYTES) {
            if (data.getLong(at) != table) {
                continue;
            }
            for (int begin : BEGINS) {
                if (at + begin + 2 * Long.BYTES <= data.limit()) {
                    long first = data.getLong(at + begin);
                    long end = data.getLong(at + begin + Long.BYTES);
                    if (first > 0 && end > first && isLoaded(first) && isLoaded(end - 1)) {
                        begins.add(first);
                    }
                }
            }
        }
    }

    private boolean isLoaded(long address) {
        return loaded.stream().anyMatch(section -> section.contains(address));
    }

    /** Returns the type that is described at an ELF virtual address; null: none can be read. */
    public GoType at(long description) {
        try {
            ByteBuffer bytes = bytes(description, DESCRIPTION);
            if (bytes == null) {
                return null;
            }
            for (long begin : begins) {
                String name = name(begin + bytes.getInt(NAME), bytes.get(FLAGS));
                if (name != null) {
                    return new GoType(name, bytes.getLong(0));
                }
            }
            return null;
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            return null;
        }
    }

    /** Null if there is none at the address. */
    private String name(long address, byte flags) {
        ByteBuffer bytes = bytes(address, 1);
        if (bytes == null) {
            return null;
        }
        int length = 0;
        int at = 1;
        for (int shift = 0; shift <= 14; shift += 7, at++) {
            int part = bytes.get(at) & 0xff;
            length |= (part & 0x7f) << shift;
            if (part < 0x80) {
                break;
            }
        }
        byte[] text = new byte[length];
        if (length == 0 || length > MOST_NAME || bytes.get(at) < 0) {
            return null;
        }
        bytes.get(at + 1, text);
        String name = new String(text, StandardCharsets.UTF_8);
        boolean star = (flags & EXTRA_STAR) != 0;
        boolean sound = name.chars().noneMatch(Character::isISOControl)
                && name.indexOf('\ufffd') < 0
                && (!star || name.length() > 1 && name.charAt(0) == '*');
        return !sound ? null : star ? name.substring(1) : name;
    }

    /** The bytes from an address on, to the end of its section. */
    private ByteBuffer bytes(long address, int least) {
        for (ElfSection section : loaded) {
            if (section.contains(address) && section.end() - address >= least) {
                ByteBuffer all = module.data(section);
                return all.slice((int) (address - section.address()), (int)
                                (section.end() - address))
                        .order(all.order());
            }
        }
        return null;
    }
}
