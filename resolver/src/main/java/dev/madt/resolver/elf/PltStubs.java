package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Names the stubs of the procedure linkage table by the symbol whose GOT slot they jump through:
 * {@code malloc@plt}, and the slot {@code got.malloc}. A stub is {@code [endbr64] [bnd] jmp
 * *disp32(%rip)} at the start of its entry (x86-64 psABI, section 5.2, and the CET form
 * {@code .plt.sec}). The entry in front of the stubs, which enters the loader, is called
 * {@code .plt}.
 */
public final class PltStubs {
    private static final int GLOBAL_DATA = 6;
    private static final int JUMP_SLOT = 7;
    private static final int INDIRECT_RELATIVE = 37;
    private static final int STUB = 16;
    private static final int SLOT = 8;
    private static final int PUSH_GOT = 0x35ff;
    private static final int RELOCATION_SIZE = 24;

    private final ElfImage image;
    private final Map<Long, String> slots = new HashMap<>();

    /**
     * Reads the relocations.
     *
     * @param functionName the name of the function at an address, or null: what an IRELATIVE slot
     *     is called after
     */
    public PltStubs(ElfImage image, LongFunction<String> functionName) throws IOException {
        this.image = image;
        for (ElfSection section : image.sections()) {
            if (section.type() == ElfSection.RELOCATIONS
                    && section.inFile()
                    && section.allocated()) {
                readSlots(section, functionName);
            }
        }
    }

    /**
     * Adds a data symbol for each slot that has a name, and a function symbol for each stub that
     * jumps through one.
     */
    public void addTo(SymbolTables tables) {
        slots.forEach((address, name) -> tables.addData(address, SLOT, "got." + name));
        for (ElfSection section : image.sections()) {
            if (section.inFile()
                    && (section.name().startsWith(".plt") || section.name().startsWith(".iplt"))) {
                addStubs(section, tables);
            }
        }
    }

    private void readSlots(ElfSection section, LongFunction<String> functionName)
            throws IOException {
        ByteBuffer table = image.data(section);
        SymbolNames symbols = null;
        for (int at = 0; at < table.limit(); at += RELOCATION_SIZE) {
            long info = table.getLong(at + 8);
            int type = (int) info;
            if (type == INDIRECT_RELATIVE) {
                long resolver = table.getLong(at + 16);
                String name = functionName.apply(resolver);
                slots.put(
                        table.getLong(at),
                        name != null ? name : String.format("*ABS*+0x%x", resolver));
            } else if (type == GLOBAL_DATA || type == JUMP_SLOT) {
                symbols = symbols == null ? new SymbolNames(section.link()) : symbols;
                String name = symbols.name((int) (info >>> 32));
                if (name != null) {
                    slots.put(table.getLong(at), name);
                }
            }
        }
    }

    /** The names of the dynamic symbol table, by index. */
    private final class SymbolNames {
        private final SymbolTable symbols;

        SymbolNames(int link) throws IOException {
            List<ElfSection> sections = image.sections();
            if (link == 0 || sections.get(link - 1).type() != ElfSection.DYNAMIC_SYMBOLS) {
                throw image.malformed("relocations refer to section " + link
                        + ", which holds no dynamic symbols");
            }
            symbols = new SymbolTable(image, sections.get(link - 1));
        }

        String name(int index) throws IOException {
            if (index < 0 || index >= symbols.count()) {
                throw image.malformed("relocation of symbol " + index + " of " + symbols.count());
            }
            return symbols.isNamed(index) ? symbols.name(index) : null;
        }
    }

    private void addStubs(ElfSection section, SymbolTables tables) {
        ByteBuffer code = image.data(section);
        int step = section.entrySize() == 8 ? 8 : STUB;
        if (code.limit() >= STUB && (code.getShort(0) & 0xffff) == PUSH_GOT) {
            tables.addFunction(section.address(), STUB, ".plt");
        }
        for (int at = 0; at + 6 <= code.limit(); at += step) {
            String name = slots.get(slotOf(code, at, section.address()));
            if (name != null) {
                tables.addFunction(section.address() + at, step, name + "@plt");
            }
        }
    }

    /** The address of the slot through which the stub at this place jumps, or -1. */
    private static long slotOf(ByteBuffer code, int start, long base) {
        int at = start;
        if (at + 4 <= code.limit() && code.getInt(at) == 0xfa1e0ff3) {
            at += 4;
        }
        if (at < code.limit() && (code.get(at) & 0xff) == 0xf2) {
            at++;
        }
        if (at + 6 > code.limit() || (code.getShort(at) & 0xffff) != 0x25ff) {
            return -1;
        }
        return base + at + 6 + code.getInt(at + 2);
    }
}
