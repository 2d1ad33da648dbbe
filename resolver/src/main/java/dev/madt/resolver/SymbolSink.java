package dev.madt.resolver;

/** Takes entries of a SYMS frame with op 1: run-time address, bytes, name. */
@FunctionalInterface
public interface SymbolSink {
    void add(boolean code, long address, long size, String name);
}
