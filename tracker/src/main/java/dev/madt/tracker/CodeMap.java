package dev.madt.tracker;

import java.io.IOException;
import java.nio.file.Path;

/** The code map of one module, mapped from its file. */
public final class CodeMap {
    private CodeMap() {}

    public static CodeMap open(Path file) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    public int entries() {
        throw new UnsupportedOperationException("not yet");
    }

    /** ELF virtual address of the instruction. */
    public long offset(int entry) {
        throw new UnsupportedOperationException("not yet");
    }

    public int length(int entry) {
        throw new UnsupportedOperationException("not yet");
    }

    public int flags(int entry) {
        throw new UnsupportedOperationException("not yet");
    }

    public int words(int entry) {
        throw new UnsupportedOperationException("not yet");
    }

    /** ELF virtual address that a direct call calls, else 0. */
    public long target(int entry) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The entry at this ELF virtual address, or -1. */
    public int find(long offset) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The call that ends where this return address (ELF virtual address) is, or -1. */
    public int findEndingAt(long offset) {
        throw new UnsupportedOperationException("not yet");
    }

    /** One site per word of the entry's run; {@code bias} is added to ELF virtual addresses. */
    public Site[] sites(int entry, long bias) {
        throw new UnsupportedOperationException("not yet");
    }

    public byte[] buildId() {
        throw new UnsupportedOperationException("not yet");
    }

    public long textBytes() {
        throw new UnsupportedOperationException("not yet");
    }

    public long gapBytes() {
        throw new UnsupportedOperationException("not yet");
    }

    public long badBytes() {
        throw new UnsupportedOperationException("not yet");
    }

    public long instructions() {
        throw new UnsupportedOperationException("not yet");
    }
}
