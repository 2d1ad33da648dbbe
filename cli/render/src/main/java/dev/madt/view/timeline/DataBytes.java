package dev.madt.view.timeline;

/** Bytes that a function itself read of something and wrote to it. */
final class DataBytes {
    private final String name;
    private long read;
    private long written;

    DataBytes(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    long read() {
        return read;
    }

    long written() {
        return written;
    }

    long all() {
        return read + written;
    }

    void load(long bytes) {
        read += bytes;
    }

    void store(long bytes) {
        written += bytes;
    }
}
