package dev.madt.resolver.demangle;

/**
 * The letters of a mangled Rust name (RFC 2603). Reading over the end throws an
 * IndexOutOfBoundsException.
 */
final class RustInput {
    private static final int PUNYCODE_BASE = 36;

    private final String text;
    private int at;

    RustInput(String text) {
        this.text = text;
    }

    boolean atEnd() {
        return at >= text.length();
    }

    char next() {
        return text.charAt(at++);
    }

    void unread() {
        at--;
    }

    /** Returns whether the next letter is this one, which is then taken. */
    boolean skip(char letter) {
        boolean same = at < text.length() && text.charAt(at) == letter;
        at += same ? 1 : 0;
        return same;
    }

    int position() {
        return at;
    }

    void seek(int position) {
        at = position;
    }

    /** A number in base 62 that ends with an underscore; none is 0. Hashes take all 64 bits. */
    long base62() {
        if (skip('_')) {
            return 0;
        }
        long value = 0;
        for (char c = next(); c != '_'; c = next()) {
            value = value * 62 + digit(c);
        }
        return value + 1;
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'z') {
            return 10 + c - 'a';
        }
        if (c >= 'A' && c <= 'Z') {
            return 36 + c - 'A';
        }
        throw new IllegalArgumentException("no digit: " + c);
    }

    long disambiguator() {
        return skip('s') ? base62() + 1 : 0;
    }

    /** The target of a back reference, in front of it; the {@code B} has been taken. */
    int back() {
        int limit = at - 1;
        long target = base62();
        if (target < 0 || target >= limit) {
            throw new IllegalArgumentException("a reference forwards");
        }
        return (int) target;
    }

    String hexadecimal() {
        int end = text.indexOf('_', at);
        if (end < at) {
            throw new IndexOutOfBoundsException(at);
        }
        String digits = text.substring(at, end);
        at = end + 1;
        return digits.isEmpty() ? "0" : digits;
    }

    /** An identifier without its disambiguator. */
    String identifier() {
        boolean unicode = skip('u');
        int length = next() - '0';
        while (length > 0 && !atEnd() && Character.isDigit(text.charAt(at))) {
            length = Math.addExact(Math.multiplyExact(length, 10), next() - '0');
        }
        skip('_');
        String name = text.substring(at, at + length);
        at += length;
        return unicode ? punycode(name) : name;
    }

    /** RFC 3492, with an underscore for the hyphen. */
    private static String punycode(String coded) {
        int split = coded.lastIndexOf('_');
        StringBuilder name = new StringBuilder(split > 0 ? coded.substring(0, split) : "");
        int code = 128;
        int index = 0;
        int bias = 72;
        int from = split + 1;
        while (from < coded.length()) {
            int before = index;
            int weight = 1;
            for (int k = PUNYCODE_BASE; ; k += PUNYCODE_BASE) {
                char c = coded.charAt(from++);
                int digit = c >= 'a' ? c - 'a' : c - '0' + 26;
                index = Math.addExact(index, Math.multiplyExact(digit, weight));
                int threshold = Math.min(Math.max(k - bias, 1), 26);
                if (digit < threshold) {
                    break;
                }
                weight = Math.multiplyExact(weight, PUNYCODE_BASE - threshold);
            }
            int length = name.codePointCount(0, name.length()) + 1;
            bias = adapted(index - before, length, before == 0);
            code += index / length;
            index %= length;
            name.insert(name.offsetByCodePoints(0, index++), Character.toString(code));
        }
        return name.toString();
    }

    private static int adapted(int delta, int length, boolean first) {
        int rest = first ? delta / 700 : delta / 2;
        rest += rest / length;
        int steps = 0;
        while (rest > 455) {
            rest /= 35;
            steps += PUNYCODE_BASE;
        }
        return steps + PUNYCODE_BASE * rest / (rest + 38);
    }
}
