package dev.madt.resolver.demangle;

/** A mangled name of D that is read from the front to the end. */
final class DInput {
    /** Says that it is none, or one by rules that are not known here. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;
    }

    private static final int MOST_DIGITS = 6;
    private static final int DEEPEST = 100;
    private static final int LETTERS = 26;
    /** Stands for what was there before, so many characters in front. */
    private static final char BACK = 'Q';

    private static final String SYMBOL = "_D";
    private static final String TEMPLATE = "__T";
    private static final String TEMPLATE_UNIQUE = "__U";
    private static final String CALLS = "FUWVRY";
    private static final String ATTRIBUTES = "abcdefijlm";
    private static final String BASIC = "vghstiklmfdeopjqrcbauwn";
    private static final String REST = "(…)";

    private final String text;
    private int at;
    private int depth;

    DInput(String text) {
        this.text = text;
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private char next() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private char behind() {
        return at + 1 < text.length() ? text.charAt(at + 1) : 0;
    }

    private boolean isNextOf(String characters) {
        return next() != 0 && characters.indexOf(next()) >= 0;
    }

    private boolean take(char c) {
        boolean there = next() == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(boolean right) throws Malformed {
        if (!right) {
            throw new Malformed();
        }
    }

    void skip(int characters) throws Malformed {
        expect(characters <= text.length() - at);
        at += characters;
    }

    private int number() throws Malformed {
        int from = at;
        while (isDigit(next())) {
            at++;
        }
        expect(at > from && at - from <= MOST_DIGITS);
        return Integer.parseInt(text.substring(from, at));
    }

    /** Reads where a reference leads to. */
    private int back() throws Malformed {
        int from = at;
        expect(take(BACK));
        long distance = 0;
        while (next() >= 'A' && next() <= 'Z') {
            distance = distance * LETTERS + text.charAt(at++) - 'A';
            expect(distance < text.length());
        }
        expect(next() >= 'a' && next() <= 'z');
        distance = distance * LETTERS + text.charAt(at++) - 'a';
        expect(distance > 0 && distance <= from);
        return (int) (from - distance);
    }

    /* ------------------------------------------------------------ names */

    /** Reads the names from the outermost to the innermost. */
    String qualifiedName() throws Malformed {
        StringBuilder names = new StringBuilder();
        expect(isName());
        while (isName()) {
            String name = name();
            names.append(names.isEmpty() || name.isEmpty() ? "" : ".").append(name);
            parameters();
        }
        return names.toString();
    }

    private boolean isTemplate() {
        return text.startsWith(TEMPLATE, at) || text.startsWith(TEMPLATE_UNIQUE, at);
    }

    /** Returns whether a name follows: a reference may be to a type as well. */
    private boolean isName() throws Malformed {
        if (next() != BACK) {
            return isDigit(next()) || isTemplate();
        }
        int from = at;
        int to = back();
        at = from;
        return isDigit(text.charAt(to));
    }

    private String name() throws Malformed {
        if (isTemplate()) {
            return template();
        }
        if (next() == BACK) {
            int to = back();
            int from = at;
            at = to;
            String name = plainName();
            at = from;
            return name;
        }
        return plainName();
    }

    private String plainName() throws Malformed {
        int length = number();
        int from = at;
        if (isTemplate()) {
            String name = template();
            expect(at == from + length);
            return name;
        }
        skip(length);
        return spelled(text.substring(from, at));
    }

    /** Returns what the source calls it; a function's own scope has no name there. */
    private static String spelled(String name) {
        return switch (name) {
            case "__ctor" -> "this";
            case "__dtor" -> "~this";
            default -> name.matches("__S\\d+") ? "" : name;
        };
    }

    private String template() throws Malformed {
        skip(TEMPLATE.length());
        String name = name();
        while (!take('Z')) {
            argument();
        }
        return name + "!" + REST;
    }

    private void argument() throws Malformed {
        take('H'); // one that is written out
        switch (next()) {
            case 'T' -> {
                at++;
                type();
            }
            case 'V' -> {
                at++;
                boolean map = next() == 'H';
                type();
                value(map);
            }
            case 'X' -> {
                at++;
                skip(number());
            }
            default -> {
                expect(take('S'));
                symbol();
            }
        }
    }

    /** Reads a symbol; compilers before 2017 wrote how long it is in front. */
    private void symbol() throws Malformed {
        int from = at;
        if (text.startsWith(SYMBOL, at)) {
            mangled();
            return;
        }
        try {
            qualifiedName();
            expect(isNextOf("ZHTVSX"));
        } catch (Malformed e) {
            at = from;
            sizedSymbol();
        }
    }

    private void sizedSymbol() throws Malformed {
        int digits = at;
        while (digits < text.length() && isDigit(text.charAt(digits))) {
            digits++;
        }
        for (int end = digits; end > at && digits - at <= MOST_DIGITS; end--) {
            int length = Integer.parseInt(text.substring(at, end));
            DInput inner = new DInput(text);
            inner.at = end;
            if (inner.isSymbolOf(length)) {
                at = end + length;
                return;
            }
        }
        throw new Malformed();
    }

    private boolean isSymbolOf(int length) {
        int from = at;
        try {
            if (text.startsWith(SYMBOL, at)) {
                mangled();
            } else {
                qualifiedName();
            }
            return at == from + length;
        } catch (Malformed e) {
            return false;
        }
    }

    private void mangled() throws Malformed {
        skip(SYMBOL.length());
        qualifiedName();
        if (!take('Z')) {
            type();
        }
    }

    /* ------------------------------------------------------------ types */

    /** Reads what a function takes, if it is one and something follows. */
    private void parameters() throws Malformed {
        int from = at;
        if (take('M')) {
            modifiers();
        }
        if (!isNextOf(CALLS)) {
            at = from;
            return;
        }
        try {
            function();
        } catch (Malformed e) {
            at = from;
        }
    }

    private void modifiers() {
        while (isNextOf("xyO") || next() == 'N' && behind() == 'g') {
            at += next() == 'N' ? 2 : 1;
        }
    }

    /** Reads a function up to what it returns. */
    private void function() throws Malformed {
        expect(isNextOf(CALLS));
        at++;
        while (next() == 'N' && ATTRIBUTES.indexOf(behind()) >= 0) {
            skip(2);
        }
        while (!isNextOf("XYZ")) {
            while (next() == 'M' || next() == 'N' && behind() == 'k') {
                at += next() == 'M' ? 1 : 2;
            }
            while (isNextOf("IJKL")) {
                at++;
            }
            type();
        }
        at++;
    }

    private void type() throws Malformed {
        expect(++depth < DEEPEST);
        char kind = next();
        if (kind == BACK) {
            back();
        } else if (isNextOf(CALLS)) {
            function();
            type();
        } else {
            skip(1);
            type(kind);
        }
        depth--;
    }

    private void type(char kind) throws Malformed {
        switch (kind) {
            case 'O', 'x', 'y', 'A', 'P' -> type();
            case 'G' -> {
                number();
                type();
            }
            case 'H' -> {
                type();
                type();
            }
            case 'D' -> {
                modifiers();
                type();
            }
            case 'I', 'C', 'S', 'E', 'T' -> qualifiedName();
            case 'B' -> {
                for (int types = number(); types > 0; types--) {
                    type();
                }
            }
            case 'N' -> {
                expect(isNextOf("ghn"));
                if (!take('n')) {
                    at++;
                    type();
                }
            }
            case 'z' -> {
                expect(isNextOf("ik"));
                at++;
            }
            default -> expect(BASIC.indexOf(kind) >= 0);
        }
    }

    /* ------------------------------------------------------------ values */

    /** Reads a value; those of a map stand behind their keys. */
    private void value(boolean map) throws Malformed {
        expect(++depth < DEEPEST);
        char kind = next();
        if (isDigit(kind)) {
            number(kind);
        } else {
            skip(1);
            value(kind, map);
        }
        depth--;
    }

    private void value(char kind, boolean map) throws Malformed {
        switch (kind) {
            case 'n' -> {}
            case 'i', 'N' -> number(kind);
            case 'e' -> real();
            case 'c' -> {
                real();
                expect(take('c'));
                real();
            }
            case 'a', 'w', 'd' -> {
                int characters = number();
                expect(take('_'));
                skip(2 * characters);
            }
            case 'A', 'S' -> {
                for (int values = number() * (map ? 2 : 1); values > 0; values--) {
                    value(false);
                }
            }
            default -> {
                expect(kind == 'f' && text.startsWith(SYMBOL, at));
                mangled();
            }
        }
    }

    /** Reads a number of any length. */
    private void number(char first) throws Malformed {
        expect(isDigit(next()) || isDigit(first));
        while (isDigit(next())) {
            at++;
        }
    }

    private void real() {
        for (String special : new String[] {"NAN", "INF", "NINF"}) {
            if (text.startsWith(special, at)) {
                at += special.length();
                return;
            }
        }
        while (isNextOf("0123456789ABCDEFNP")) {
            at++;
        }
    }
}
