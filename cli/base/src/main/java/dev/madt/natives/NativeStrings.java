package dev.madt.natives;

import java.util.List;

/** Byte strings in C's form, until they are closed. */
public final class NativeStrings implements AutoCloseable {
    private final NativeMemory table;
    private final NativeMemory text;

    /**
     * A table of pointers to NUL-terminated copies, ended by a null pointer: {@code argv},
     * {@code envp}.
     */
    public NativeStrings(List<byte[]> strings) {
        long bytes = 1;
        for (byte[] string : strings) {
            bytes += string.length + 1;
        }
        text = new NativeMemory(Math.toIntExact(bytes));
        table = new NativeMemory(Long.BYTES * (strings.size() + 1));
        int offset = 0;
        for (int i = 0; i < strings.size(); i++) {
            byte[] string = strings.get(i);
            text.bytes().put(offset, string);
            table.bytes().putLong(Long.BYTES * i, text.address() + offset);
            offset += string.length + 1;
        }
    }

    /** Address of the table. */
    public long table() {
        return table.address();
    }

    @Override
    public void close() {
        table.close();
        text.close();
    }
}
