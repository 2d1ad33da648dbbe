package dev.madt.resolver.local;

import dev.madt.resolver.type.Type;

/** A name of the source that stands for a number, such as that of an enumerator. */
public record Constant(long value, Type type) {}
