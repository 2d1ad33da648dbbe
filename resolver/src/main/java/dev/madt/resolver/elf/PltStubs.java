package dev.madt.resolver.elf;

import dev.madt.trace.code.CodeFunctions;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Names the stubs of the procedure linkage table by the symbol whose GOT slot they jump through:
 * {@code malloc@plt}, and the slot {@code got.malloc}. The analyser knows where stubs are, and
 * their slots. The entry in front of the stubs, which enters the loader, is called {@code .plt}.
 */
public final class PltStubs {
    private static final int GLOBAL_DATA = 6;
    private static final int JUMP_SLOT = 7;
    private static final int INDIRECT_RELATIVE = 37;
    private static final int SLOT = 8;
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
    public void addTo(SymbolTables tables, CodeFunctions functions) {
        slots.forEach((address, name) -> tables.addData(address, SLOT, "got." + name));
        for (int row = 0; row < functions.count(); row++) {
            if (functions.is(row, SharedLayout.FUNCTION_STUB)) {
                addStub(
                        functions.start(row),
                        functions.end(row) - functions.start(row),
                        functions.where(row),
                        tables);
            }
        }
    }

    private void addStub(long address, long size, long slot, SymbolTables tables) {
        String name = slots.get(slot);
        if (slot == 0) {
            tables.addFunction(address, size, ".plt");
        } else if (name != null) {
            tables.addFunction(address, size, name + ElfSymbol.STUB);
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
}
