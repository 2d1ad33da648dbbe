package dev.madt.generated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A jitdump file (Linux, tools/perf/Documentation/jitdump-specification.txt), of the byte order of
 * this machine.
 *
 * <pre>
 *   header   0: magic  4: version  8: bytes of the header …
 *   record   0: kind   4: bytes of the record  8: time  16: …
 *     load   16: pid  20: tid  24: vma  32: address  40: size  48: number  56: name NUL code
 *     move   16: pid  20: tid  24: vma  32: old address  40: new address  48: size  56: number
 * </pre>
 */
final class JitDump extends GrowingSource {
    private static final int MAGIC = 0x4a695444;
    private static final int HEADER_SIZE = 8;
    private static final int LEAST_HEADER = 12;
    private static final int RECORD_SIZE = 4;
    private static final int LEAST_RECORD = 16;
    private static final int LOAD = 0;
    private static final int MOVE = 1;
    private static final int ADDRESS = 32;
    private static final int SECOND = 40;
    private static final int NAME = 56;

    private boolean begun;

    JitDump(Path file, FunctionsByAddress functions) throws IOException {
        super(file, functions);
    }

    @Override
    int take(ByteBuffer bytes) throws IOException {
        int taken = begun ? 0 : header(bytes);
        while (begun && bytes.limit() - taken >= LEAST_RECORD) {
            int size = bytes.getInt(taken + RECORD_SIZE);
            if (size < LEAST_RECORD) {
                throw new IOException("a record of " + size + " bytes");
            }
            if (bytes.limit() - taken < size) {
                break;
            }
            record(bytes.slice(taken, size).order(bytes.order()));
            taken += size;
        }
        return taken;
    }

    private int header(ByteBuffer bytes) throws IOException {
        if (bytes.limit() < LEAST_HEADER) {
            return 0;
        }
        int size = bytes.getInt(HEADER_SIZE);
        if (bytes.getInt(0) != MAGIC || size < LEAST_HEADER) {
            throw new IOException("no jitdump file of this machine");
        }
        begun = bytes.limit() >= size;
        return begun ? size : 0;
    }

    private void record(ByteBuffer record) {
        int kind = record.getInt(0);
        if (kind == LOAD && record.limit() > NAME) {
            int end = NAME;
            while (end < record.limit() && record.get(end) != 0) {
                end++;
            }
            byte[] name = new byte[end - NAME];
            record.get(NAME, name);
            functions()
                    .add(new GeneratedFunction(
                            record.getLong(ADDRESS),
                            Math.max(1, record.getLong(SECOND)),
                            new String(name, StandardCharsets.UTF_8)));
        } else if (kind == MOVE && record.limit() >= NAME) {
            functions().move(record.getLong(ADDRESS), record.getLong(SECOND));
        }
    }
}
