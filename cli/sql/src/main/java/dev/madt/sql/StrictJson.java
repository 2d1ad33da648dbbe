package dev.madt.sql;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Passes JSON on, with {@code null} in the place of what DuckDB writes for numbers that JSON has
 * not: {@code NaN}, {@code Infinity}, {@code -Infinity} (RFC 8259, 6).
 */
final class StrictJson extends FilterOutputStream {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private enum State {
        PLAIN,
        TEXT,
        /** Follows a backslash in a text. */
        ESCAPED,
        /** Follows a minus, which is not passed on yet. */
        MINUS,
        /** Is in a word that is left out. */
        WORD
    }

    private State state = State.PLAIN;

    StrictJson(OutputStream to) {
        super(to);
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        int begin = from;
        for (int at = from; at < from + count; at++) {
            State before = state;
            state = next(bytes[at]);
            boolean held = before == State.MINUS || before == State.WORD;
            boolean holds = state == State.MINUS || state == State.WORD;
            if (before == State.MINUS && state != State.WORD) {
                out.write('-');
            }
            if (state == State.WORD && before != State.WORD) {
                passOn(bytes, begin, held ? begin : at);
                out.write(NULL);
            } else if (holds && !held) {
                passOn(bytes, begin, at);
            }
            begin = holds ? at + 1 : held ? at : begin;
        }
        passOn(bytes, begin, from + count);
    }

    private State next(byte value) {
        return switch (state) {
            case TEXT -> value == '"' ? State.PLAIN : value == '\\' ? State.ESCAPED : State.TEXT;
            case ESCAPED -> State.TEXT;
            case WORD -> Character.isLetter(value) ? State.WORD : plain(value);
            default -> plain(value);
        };
    }

    private static State plain(byte value) {
        return switch (value) {
            case '"' -> State.TEXT;
            case '-' -> State.MINUS;
            case 'N', 'I' -> State.WORD;
            default -> State.PLAIN;
        };
    }

    private void passOn(byte[] bytes, int from, int to) throws IOException {
        if (from < to) {
            out.write(bytes, from, to - from);
        }
    }
}
