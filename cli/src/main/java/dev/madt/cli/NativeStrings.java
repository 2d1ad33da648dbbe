package dev.madt.cli;

import java.util.List;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/** Byte strings in C's form, alive as long as this object. */
final class NativeStrings {
    private final Pointer table;
    private final Pointer text;

    /** A table of pointers to NUL-terminated copies, ended by a null pointer: {@code argv}, {@code envp}. */
    NativeStrings(List<byte[]> strings) {
        long bytes = 1;
        for (byte[] string : strings) {
            bytes += string.length + 1;
        }
        text = Memory.allocateDirect(Libc.RUNTIME, Math.toIntExact(bytes), true);
        table = Memory.allocateDirect(Libc.RUNTIME, 8 * (strings.size() + 1), true);
        long offset = 0;
        for (int i = 0; i < strings.size(); i++) {
            byte[] string = strings.get(i);
            text.put(offset, string, 0, string.length);
            table.putLong(8L * i, text.address() + offset);
            offset += string.length + 1;
        }
    }

    Pointer table() {
        return table;
    }

    /** The first string. */
    Pointer first() {
        return text;
    }
}
