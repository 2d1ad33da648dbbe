package dev.madt.trace.codec;

import java.nio.ByteBuffer;

/**
 * One frame of a trace, uncompressed; docs/FORMAT.md has the payloads.
 *
 * @param payload little-endian, position 0, limit at its end; not to be changed
 */
public record Frame(FrameType type, int pid, int tid, ByteBuffer payload) {}
