package dev.madt.view.parquet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes structures in Thrift's compact protocol (thrift/doc/specs/thrift-compact-protocol.md),
 * as far as Parquet's headers need it. Fields of a structure come by ascending numbers.
 */
final class ThriftWriter {
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;
    private static final int MOST_SHORT = 15;

    private final ByteSink out;
    private final Deque<Integer> outer = new ArrayDeque<>();
    private int last;

    ThriftWriter(ByteSink out) {
        this.out = out;
    }

    private void field(int number, int type) {
        out.put(number - last << 4 | type);
        last = number;
    }

    ThriftWriter i32(int number, int value) {
        field(number, I32);
        out.zigzag(value);
        return this;
    }

    ThriftWriter i64(int number, long value) {
        field(number, I64);
        out.zigzag(value);
        return this;
    }

    ThriftWriter text(int number, String text) {
        return binary(number, text.getBytes(StandardCharsets.UTF_8));
    }

    ThriftWriter binary(int number, byte[] bytes) {
        field(number, BINARY);
        out.varint(bytes.length);
        out.put(bytes, bytes.length);
        return this;
    }

    /** A list of structures follows, each between {@link #begin()} and {@link #end}. */
    ThriftWriter structs(int number, int count) {
        field(number, LIST);
        listHead(count, STRUCT);
        return this;
    }

    ThriftWriter i32s(int number, int... values) {
        field(number, LIST);
        listHead(values.length, I32);
        for (int value : values) {
            out.zigzag(value);
        }
        return this;
    }

    /** A list of one text. */
    ThriftWriter texts(int number, String only) {
        byte[] bytes = only.getBytes(StandardCharsets.UTF_8);
        field(number, LIST);
        listHead(1, BINARY);
        out.varint(bytes.length);
        out.put(bytes, bytes.length);
        return this;
    }

    private void listHead(int count, int type) {
        if (count < MOST_SHORT) {
            out.put(count << 4 | type);
        } else {
            out.put(MOST_SHORT << 4 | type);
            out.varint(count);
        }
    }

    /** A structure begins that is a field. */
    ThriftWriter begin(int number) {
        field(number, STRUCT);
        return begin();
    }

    /** A structure begins that is an element of a list, or the outermost one. */
    ThriftWriter begin() {
        outer.push(last);
        last = 0;
        return this;
    }

    ThriftWriter end() {
        out.put(0);
        last = outer.pop();
        return this;
    }
}
