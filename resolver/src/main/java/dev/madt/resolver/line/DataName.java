package dev.madt.resolver.line;

import java.nio.charset.StandardCharsets;

/**
 * Says how lines call the addresses of one {@link NamedRange}: {@code name+offset}, or the address
 * itself, and the region behind it.
 */
final class DataName {
    private static final PackedText UNKNOWN = region("[?]");

    private final byte[] name;
    private final PackedText front;
    private final PackedText region;
    private final long origin;

    /**
     * @param name null to print addresses
     * @param origin what offsets count from
     * @param label of the region, null where the trace knows none
     */
    DataName(byte[] name, long origin, String label) {
        this.name = name;
        this.front = name == null
                ? null
                : new PackedText((new String(name, StandardCharsets.UTF_8) + '+')
                        .getBytes(StandardCharsets.UTF_8));
        this.region = label == null ? UNKNOWN : region(label);
        this.origin = origin;
    }

    private static PackedText region(String label) {
        return new PackedText((',' + label + ',').getBytes(StandardCharsets.UTF_8));
    }

    byte[] name() {
        return name;
    }

    void append(LineBuffer line, long address) {
        if (front == null) {
            line.hexadecimal(address);
        } else {
            line.text(front);
            line.decimal(address - origin);
        }
    }

    /** Comma, region, comma. */
    PackedText region() {
        return region;
    }
}
