package dev.madt.resolver.elf;

import java.util.List;

/**
 * A place that the source of a program names for tools: a static tracepoint of {@code <sys/sdt.h>}
 * (SystemTap wiki, "UserSpaceProbeImplementation"), or a trigger, {@code MADT_EVENT} of
 * {@code <madt.h>}. Addresses are ELF virtual addresses.
 *
 * @param provider who names it; of a trigger empty
 * @param address of the instruction that stands there
 * @param semaphore of a counter of 16 bits, which is above zero while somebody looks; 0: none
 * @param operands the values that are told, in their order
 */
public record StaticProbe(
        String provider, String name, long address, long semaphore, List<StaticOperand> operands) {
    /** Returns how a user calls it: {@code event:NAME}, or {@code sdt:PROVIDER:NAME}. */
    public String place() {
        return provider.isEmpty() ? "event:" + name : "sdt:" + provider + ":" + name;
    }
}
