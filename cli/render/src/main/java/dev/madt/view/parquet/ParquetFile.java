package dev.madt.view.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of Parquet (apache/parquet-format): row groups, of which each column is one dictionary, if
 * it has one, and one page, both packed with zstd. What is written last says where they are.
 *
 * <pre>
 *   PAR1  row group 0: column 0 (dictionary page, data page), column 1 …  row group 1 …
 *   FileMetaData  its length, 4 bytes  PAR1
 * </pre>
 */
final class ParquetFile implements AutoCloseable {
    /** Types of values, by their numbers in the format. */
    enum Type {
        INT32(1),
        INT64(2),
        TEXT(6);

        private final int number;

        Type(int number) {
            this.number = number;
        }
    }

    /** @param optional whether rows may have no value */
    record Column(String name, Type type, boolean optional) {}

    /** Holds where a column of a row group lies. */
    private record Chunk(
            Column column,
            int encoding,
            long dictionary,
            long data,
            long values,
            long raw,
            long packed,
            long[] bounds) {}

    private record Group(List<Chunk> chunks, long rows) {}

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int ZSTD = 6;
    private static final int DATA_PAGE = 0;
    private static final int DICTIONARY_PAGE = 2;
    private static final int LEVEL = 1;

    private final OutputStream out;
    private final List<Column> columns;
    private final List<Group> groups = new ArrayList<>();
    private final ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(LEVEL);
    private final ByteSink head = new ByteSink();
    private byte[] packed = new byte[0];
    private List<Chunk> chunks = new ArrayList<>();
    private long position;

    ParquetFile(OutputStream out, List<Column> columns) throws IOException {
        this.out = out;
        this.columns = columns;
        write(MAGIC, MAGIC.length);
    }

    private void write(byte[] bytes, int count) throws IOException {
        out.write(bytes, 0, count);
        position += count;
    }

    /** Returns whether the next column may lack values. */
    boolean isOptional() {
        return columns.get(chunks.size()).optional;
    }

    /**
     * Writes the next column of the row group.
     *
     * @param dictionary its values, {@code values} of them; or null
     * @param page of so many rows
     * @param bounds the least and the greatest value of a column of numbers; or null
     */
    void column(
            ByteSink dictionary, int values, ByteSink page, int encoding, int rows, long[] bounds)
            throws IOException {
        long start = position;
        long raw = 0;
        if (dictionary != null) {
            raw += page(dictionary, DICTIONARY_PAGE, values, Encodings.PLAIN);
        }
        long data = position;
        raw += page(page, DATA_PAGE, rows, encoding);
        chunks.add(new Chunk(
                columns.get(chunks.size()),
                encoding,
                dictionary == null ? -1 : start,
                data,
                rows,
                raw,
                position - start,
                bounds));
    }

    private long page(ByteSink page, int type, int values, int encoding) throws IOException {
        int most = (int) Zstd.compressBound(page.size());
        if (packed.length < most) {
            packed = new byte[most];
        }
        int length = zstd.compressByteArray(packed, 0, packed.length, page.bytes(), 0, page.size());
        head.clear();
        ThriftWriter header =
                new ThriftWriter(head).begin().i32(1, type).i32(2, page.size()).i32(3, length);
        if (type == DATA_PAGE) {
            header.begin(5)
                    .i32(1, values)
                    .i32(2, encoding)
                    .i32(3, Encodings.RLE)
                    .i32(4, Encodings.RLE)
                    .end();
        } else {
            header.begin(7).i32(1, values).i32(2, encoding).end();
        }
        header.end();
        write(head.bytes(), head.size());
        write(packed, length);
        return head.size() + page.size();
    }

    /** All columns of so many rows have been written. */
    void endGroup(long rows) {
        groups.add(new Group(chunks, rows));
        chunks = new ArrayList<>();
    }

    @Override
    public void close() throws IOException {
        head.clear();
        ThriftWriter footer = new ThriftWriter(head).begin().i32(1, 2);
        schema(footer);
        footer.i64(3, groups.stream().mapToLong(Group::rows).sum());
        footer.structs(4, groups.size());
        for (Group group : groups) {
            write(footer, group);
        }
        footer.text(6, "madt").end();
        int length = head.size();
        head.little(length, Integer.BYTES);
        write(head.bytes(), head.size());
        write(MAGIC, MAGIC.length);
        zstd.close();
        out.close();
    }

    private void schema(ThriftWriter footer) {
        footer.structs(2, 1 + columns.size());
        footer.begin().text(4, "schema").i32(5, columns.size()).end();
        for (Column column : columns) {
            footer.begin()
                    .i32(1, column.type.number)
                    .i32(3, column.optional ? 1 : 0)
                    .text(4, column.name);
            if (column.type == Type.TEXT) {
                footer.i32(6, 0); // UTF8
            }
            footer.end();
        }
    }

    private static void write(ThriftWriter footer, Group group) {
        footer.begin().structs(1, group.chunks.size());
        long raw = 0;
        for (Chunk chunk : group.chunks) {
            raw += chunk.raw;
            footer.begin()
                    .i64(2, chunk.dictionary < 0 ? chunk.data : chunk.dictionary)
                    .begin(3);
            footer.i32(1, chunk.column.type.number);
            if (chunk.dictionary < 0) {
                footer.i32s(2, Encodings.RLE, chunk.encoding);
            } else {
                footer.i32s(2, Encodings.PLAIN, Encodings.RLE, chunk.encoding);
            }
            footer.texts(3, chunk.column.name)
                    .i32(4, ZSTD)
                    .i64(5, chunk.values)
                    .i64(6, chunk.raw)
                    .i64(7, chunk.packed)
                    .i64(9, chunk.data);
            if (chunk.dictionary >= 0) {
                footer.i64(11, chunk.dictionary);
            }
            if (chunk.bounds != null) {
                footer.begin(12)
                        .binary(5, little(chunk.bounds[1]))
                        .binary(6, little(chunk.bounds[0]))
                        .end();
            }
            footer.end().end();
        }
        footer.i64(2, raw).i64(3, group.rows).end();
    }

    private static byte[] little(long value) {
        byte[] bytes = new byte[Long.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (value >>> Byte.SIZE * i);
        }
        return bytes;
    }
}
