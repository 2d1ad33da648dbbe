package dev.madt.trace.instrument;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Says how the words of a leaf are read that a record has.
 *
 * @param kind of words
 * @param size bytes of the value, or of the text at most
 * @param signed whether the value has a sign
 * @param distance added to what was recorded, where its kind does not say otherwise
 * @param formula computes the value; null, unless its kind says so
 */
public record LeafForm(Kind kind, int size, boolean signed, long distance, Formula formula) {
    /** All bits of a register. */
    public static final LeafForm WHOLE = new LeafForm(Kind.REGISTER, Long.BYTES, true, 0);
    /** A time, which may not be known. */
    public static final LeafForm SPAN = new LeafForm(Kind.SPAN, Long.BYTES, false, 0);
    /** It is nowhere at this place. */
    public static final LeafForm NOWHERE = new LeafForm(Kind.NOWHERE, 0, false, 0);

    /** Between a form and its formula. */
    private static final String FORMULA = "~";

    private static final int LONG_WORDS = 3;
    /** The exponent of an x87 number that is 1 where its significand is an integer. */
    private static final int LONG_BIAS = 16383 + 63;

    private static final int LONG_SIGN = 0x8000;
    private static final int PIECE = 8;
    private static final long LOW = 0xffffffffL;

    /** Kinds of words; a letter each in files. */
    public enum Kind {
        /** A register, without as many low bits as the distance says, cut to the size. */
        REGISTER('r'),
        /** Memory: a word, or of eight bytes two, so that all ones tell that it is not there. */
        MEMORY('m'),
        /** Memory with a bit-field: the distance is its first bit, its second byte the size. */
        BITS('b'),
        /** An address, which is not there if all ones. */
        POINTER('p'),
        /** An address, and pieces of a text. */
        TEXT('t'),
        /** A floating-point number of the size in a register, as {@link #REGISTER}. */
        FLOAT('f'),
        /** One in memory, as {@link #MEMORY}. */
        FLOAT_MEMORY('g'),
        /** One of ten bytes in memory: two words of four bytes, and one of two. */
        LONG_FLOAT_MEMORY('l'),
        /** A time, which is not known if all ones. */
        SPAN('a'),
        /** None: the value is the distance. */
        CONSTANT('c'),
        /** None: the value is the distance, the bits of a double. */
        REAL('d'),
        /** Words of a formula, whose value is cut as that of a register. */
        COMPUTED('x'),
        /** Words of a formula, whose value is the bits of a floating-point number of the size. */
        COMPUTED_FLOAT('y'),
        /** None. */
        NOWHERE('n');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }
    }

    public LeafForm(Kind kind, int size, boolean signed, long distance) {
        this(kind, size, signed, distance, null);
    }

    /** Returns whether the value is a floating-point number. */
    public boolean isReal() {
        return switch (kind) {
            case FLOAT, FLOAT_MEMORY, LONG_FLOAT_MEMORY, REAL, COMPUTED_FLOAT -> true;
            default -> false;
        };
    }

    /** Returns how many words it has. */
    public int words() {
        return switch (kind) {
            case REGISTER, POINTER, FLOAT, SPAN -> 1;
            case MEMORY, BITS, FLOAT_MEMORY -> size == Long.BYTES ? 2 : 1;
            case LONG_FLOAT_MEMORY -> LONG_WORDS;
            case COMPUTED, COMPUTED_FLOAT -> formula.words();
            case TEXT -> 1 + pieces();
            case CONSTANT, REAL, NOWHERE -> 0;
        };
    }

    /** Returns how many pieces of a text there are. */
    public int pieces() {
        return (size + PIECE - 1) / PIECE + 1;
    }

    /** Returns whether the value is an integer of 64 bits that has no sign. */
    public boolean isUnsigned() {
        return !signed
                && size == Long.BYTES
                && switch (kind) {
                    case REGISTER, MEMORY, CONSTANT, COMPUTED -> true;
                    default -> false;
                };
    }

    /** Returns the value of words, from one on. */
    public Value read(long[] words, int at) {
        Value value = plain(words, at);
        return isUnsigned() && value.known() ? Value.of(value.bits(), true) : value;
    }

    private Value plain(long[] words, int at) {
        if (kind == Kind.NOWHERE || at + words() > words.length) {
            return Value.UNKNOWN;
        }
        return switch (kind) {
            case REGISTER -> Value.of(cut(words[at] >>> distance));
            case FLOAT -> number(Value.of(words[at] >>> distance));
            case CONSTANT -> Value.of(distance);
            case REAL -> Value.of(Double.longBitsToDouble(distance), size);
            case MEMORY -> memory(words, at);
            case FLOAT_MEMORY -> number(memory(words, at));
            case LONG_FLOAT_MEMORY -> longNumber(words[at], words[at + 1], words[at + 2]);
            case COMPUTED -> {
                Value value = formula.evaluate(words, at);
                yield value.known() ? Value.of(cut(value.bits() >>> distance)) : value;
            }
            case COMPUTED_FLOAT -> {
                Value value = formula.evaluate(words, at);
                yield value.known() ? number(Value.of(value.bits() >>> distance)) : value;
            }
            case BITS -> bits(memory(words, at));
            case POINTER, SPAN -> words[at] == -1 ? Value.UNKNOWN : Value.of(words[at] + distance);
            default -> text(words, at);
        };
    }

    private Value memory(long[] words, int at) {
        if (words[at] == -1 || size == Long.BYTES && words[at + 1] == -1) {
            return Value.UNKNOWN;
        }
        return Value.of(
                size == Long.BYTES
                        ? words[at] & LOW | words[at + 1] << Integer.SIZE
                        : cut(words[at]));
    }

    /** Returns the one of a bit-field in memory of so many bytes. */
    public static LeafForm bits(int size, boolean signed, int first, int bits) {
        return new LeafForm(Kind.BITS, size, signed, first | (long) bits << Byte.SIZE);
    }

    private Value bits(Value all) {
        int above = Long.SIZE - (int) (distance & 0xff) - (int) (distance >> Byte.SIZE);
        long left = all.bits() << above;
        int right = Long.SIZE - (int) (distance >> Byte.SIZE);
        return all.known() ? Value.of(signed ? left >> right : left >>> right) : all;
    }

    private Value number(Value bits) {
        return bits.known()
                ? Value.of(Double.longBitsToDouble(real(bits.bits(), size)), size)
                : bits;
    }

    /** Returns the nearest double of an x87 number (SDM vol. 1, 4.2.2). */
    private static Value longNumber(long low, long high, long top) {
        if (low == -1 || high == -1 || top == -1) {
            return Value.UNKNOWN;
        }
        long significand = low & LOW | high << Integer.SIZE;
        int exponent = (int) top & LONG_SIGN - 1;
        double size = exponent == LONG_SIGN - 1
                ? significand << 1 == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                : Math.scalb(
                        new BigInteger(Long.toUnsignedString(significand)).doubleValue(),
                        exponent - LONG_BIAS);
        return Value.of((top & LONG_SIGN) == 0 ? size : -size, Double.BYTES);
    }

    /** Returns the bits of a double from those of a floating-point number of so many bytes. */
    public static long real(long bits, int size) {
        return size == Float.BYTES
                ? Double.doubleToRawLongBits(Float.intBitsToFloat((int) bits))
                : bits;
    }

    /** Returns a value as people write it. */
    String show(Value value) {
        if (!value.known()) {
            return "?";
        }
        return switch (kind) {
            case FLOAT, FLOAT_MEMORY, LONG_FLOAT_MEMORY, REAL, COMPUTED_FLOAT ->
                Double.toString(value.number());
            case POINTER -> "0x" + Long.toHexString(value.bits());
            case TEXT -> '"' + value.text() + '"';
            default -> signed ? Long.toString(value.bits()) : Long.toUnsignedString(value.bits());
        };
    }

    private long cut(long word) {
        int unused = Long.SIZE - Byte.SIZE * size;
        return signed ? word << unused >> unused : word << unused >>> unused;
    }

    /** As madt_text_read does. */
    private Value text(long[] words, int at) {
        long address = words[at] + distance;
        if (words[at] == -1) {
            return Value.UNKNOWN;
        }
        ByteBuffer bytes = ByteBuffer.allocate(PIECE * pieces()).order(ByteOrder.LITTLE_ENDIAN);
        int count = 0;
        while (count < pieces() && words[at + 1 + count] != -1) {
            bytes.putLong(words[at + 1 + count++]);
        }
        int from = (int) (address & PIECE - 1);
        int most = Math.min(from + size, PIECE * count);
        int end = from;
        while (end < most && bytes.get(end) != 0) {
            end++;
        }
        if (end <= from && end >= most) {
            return Value.UNKNOWN;
        }
        String text = new String(bytes.array(), from, end - from, StandardCharsets.UTF_8);
        boolean cutOff = end == most;
        return new Value(address, true, text + (cutOff ? "…" : ""), 0, false);
    }

    /** Returns it as files have it. */
    public String text() {
        return "" + kind.letter + (signed ? 's' : 'u') + size
                + (distance == 0 ? "" : "+" + distance)
                + (formula == null ? "" : FORMULA + formula.text());
    }

    /** Returns the one of this text. */
    static LeafForm of(String text) {
        for (Kind kind : Kind.values()) {
            if (kind.letter == text.charAt(0)) {
                String[] parts = text.substring(2).split(FORMULA);
                String[] numbers = parts[0].split("\\+");
                return new LeafForm(
                        kind,
                        Integer.parseInt(numbers[0]),
                        text.charAt(1) == 's',
                        numbers.length > 1 ? Long.parseLong(numbers[1]) : 0,
                        parts.length > 1 ? Formula.of(parts[1]) : null);
            }
        }
        return NOWHERE;
    }
}
