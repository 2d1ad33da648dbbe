package dev.madt.resolver.elf;

import dev.madt.trace.codec.PrintableText;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One symbol table of a file with its strings (System V ABI, chapter 4, symbol table;
 * {@code Elf64_Sym}), read in place: the symbols of libc and its debug file are most of what a
 * short run waits for. Symbols count from 0; those of an index out of range throw.
 *
 * <pre>
 * 0  name u32      4  type and binding u8    5  other u8    6  section u16
 * 8  value u64    16  size u64
 * </pre>
 */
final class SymbolTable {
    private static final int SYMBOL_BYTES = 24;

    private final ByteBuffer symbols;
    private final byte[] strings;
    private final int count;

    /** @param table a section of symbols whose place and size were checked */
    SymbolTable(ElfImage image, ElfSection table) throws IOException {
        symbols = image.data(table);
        count = symbols.limit() / SYMBOL_BYTES;
        ByteBuffer text = image.strings(table);
        strings = new byte[text.limit()];
        text.get(0, strings);
    }

    /** Symbols, the null one at 0 included. */
    int count() {
        return count;
    }

    /** STT_…, the low half of st_info. */
    int type(int symbol) {
        return symbols.get(symbol * SYMBOL_BYTES + 4) & 0xf;
    }

    /** STB_…, the high half of st_info. */
    int binding(int symbol) {
        return symbols.get(symbol * SYMBOL_BYTES + 4) >> 4 & 0xf;
    }

    /** The number of its section, or a reserved one from 0xff00. */
    int section(int symbol) {
        return symbols.getShort(symbol * SYMBOL_BYTES + 6) & 0xffff;
    }

    long value(int symbol) {
        return symbols.getLong(symbol * SYMBOL_BYTES + 8);
    }

    long size(int symbol) {
        return symbols.getLong(symbol * SYMBOL_BYTES + 16);
    }

    boolean isNamed(int symbol) {
        return symbols.getInt(symbol * SYMBOL_BYTES) != 0;
    }

    /** Returns what the table calls it, as a {@link PrintableText}. */
    String string(int symbol) {
        int start = symbols.getInt(symbol * SYMBOL_BYTES);
        return text(start, end(start));
    }

    /** Its name without {@code @VERSION} or {@code @@VERSION}. */
    String name(int symbol) {
        int start = symbols.getInt(symbol * SYMBOL_BYTES);
        int end = end(start);
        for (int at = start + 1; at < end; at++) {
            if (strings[at] == '@') {
                return text(start, at);
            }
        }
        return text(start, end);
    }

    private int end(int start) {
        int end = start;
        while (strings[end] != 0) {
            end++;
        }
        return end;
    }

    private String text(int start, int end) {
        return PrintableText.field(strings, start, end - start);
    }
}
