package dev.madt.resolver.local;

/**
 * A value that a caller gives to a function.
 *
 * @param after the address that the function returns to then: an ELF virtual address
 * @param value in terms of the caller, before the call
 */
public record Given(long after, Computed value) {}
