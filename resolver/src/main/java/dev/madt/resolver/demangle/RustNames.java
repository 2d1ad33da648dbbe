package dev.madt.resolver.demangle;

import java.math.BigInteger;

/**
 * Rust's second way to mangle (RFC 2603, "v0"): a grammar read by descent. Hashes of crates and the
 * types of constants are left out. Depth and length of what comes out are bounded, since back
 * references can double a name at each step.
 */
final class RustNames {
    private static final int DEEPEST = 200;
    private static final int LONGEST = 1 << 16;
    private static final String BASIC =
            "a:i8 b:bool c:char d:f64 e:str f:f32 h:u8 i:isize j:usize l:i32 m:u32 n:i128 o:u128 "
                    + "p:_ s:i16 t:u16 u:() v:... x:i64 y:u64 z:!";

    /** The name breaks the grammar. */
    private static final class Malformed extends RuntimeException {
        private Malformed() {
            super(null, null, false, false);
        }
    }

    private final RustInput in;
    private final StringBuilder out = new StringBuilder();
    private int depth;
    private long lifetimes;
    private boolean silent;

    private RustNames(String text) {
        in = new RustInput(text);
    }

    /** The name in the source, or null if it is not of this kind. */
    static String demangle(String mangled) {
        int suffix = mangled.indexOf('.');
        String text = suffix < 0 ? mangled.substring(2) : mangled.substring(2, suffix);
        try {
            RustNames names = new RustNames(text);
            names.path(true);
            if (!names.in.atEnd()) {
                names.silent = true;
                names.path(false);
            }
            return names.in.atEnd() ? names.out.toString() : null;
        } catch (Malformed
                | IndexOutOfBoundsException
                | IllegalArgumentException
                | ArithmeticException e) {
            return null;
        }
    }

    private void print(String text) {
        if (!silent && out.length() + text.length() > LONGEST) {
            throw new Malformed();
        }
        out.append(silent ? "" : text);
    }

    private void enter() {
        if (++depth > DEEPEST) {
            throw new Malformed();
        }
    }

    /**
     * @param value whether generic arguments are written with {@code ::} in front, as in
     *     expressions
     */
    private void path(boolean value) {
        enter();
        switch (in.next()) {
            case 'C' -> {
                in.disambiguator();
                print(in.identifier());
            }
            case 'N' -> nested(value);
            case 'M' -> {
                implementation();
                print("<");
                type();
                print(">");
            }
            case 'X' -> {
                implementation();
                asTrait();
            }
            case 'Y' -> asTrait();
            case 'I' -> {
                path(value);
                print(value ? "::<" : "<");
                list();
                print(">");
            }
            case 'B' -> back(() -> path(value));
            default -> throw new Malformed();
        }
        depth--;
    }

    private void nested(boolean value) {
        char space = in.next();
        path(value);
        long number = in.disambiguator();
        String name = in.identifier();
        if (Character.isUpperCase(space)) {
            String kind =
                    switch (space) {
                        case 'C' -> "closure";
                        case 'S' -> "shim";
                        default -> Character.toString(space);
                    };
            print("::{" + kind + (name.isEmpty() ? "" : ":" + name) + "#" + number + "}");
        } else if (!name.isEmpty()) {
            print("::" + name);
        }
    }

    /** The path of an impl block says where it stands, which nobody writes. */
    private void implementation() {
        in.disambiguator();
        boolean before = silent;
        silent = true;
        path(false);
        silent = before;
    }

    private void asTrait() {
        print("<");
        type();
        print(" as ");
        path(false);
        print(">");
    }

    private void list() {
        for (boolean first = true; !in.skip('E'); first = false) {
            print(first ? "" : ", ");
            argument();
        }
    }

    private void argument() {
        if (in.skip('L')) {
            lifetime(in.base62());
        } else if (in.skip('K')) {
            constant();
        } else {
            type();
        }
    }

    private void lifetime(long index) {
        print("'");
        long name = lifetimes - index;
        if (index == 0) {
            print("_");
        } else if (name < 0 || index < 0) {
            throw new Malformed();
        } else {
            print(name < 26 ? Character.toString((char) ('a' + name)) : "_" + name);
        }
    }

    private void back(Runnable grammar) {
        int here = in.back();
        if (!silent) {
            int before = in.position();
            in.seek(here);
            grammar.run();
            in.seek(before);
        }
    }

    private void type() {
        enter();
        char kind = in.next();
        switch (kind) {
            case 'R', 'Q' -> reference(kind == 'R' ? "" : "mut ");
            case 'P' -> pointed("*const ");
            case 'O' -> pointed("*mut ");
            case 'A', 'S' -> array(kind == 'A');
            case 'T' -> tuple();
            case 'F' -> withBinder(this::function);
            case 'D' -> {
                print("dyn ");
                withBinder(this::bounds);
                if (!in.skip('L')) {
                    throw new Malformed();
                }
                bound(in.base62());
            }
            case 'B' -> back(this::type);
            default -> basicOrPath(kind);
        }
        depth--;
    }

    private void basicOrPath(char kind) {
        int at = Character.isLowerCase(kind) ? (" " + BASIC).indexOf(" " + kind + ":") : -1;
        if (at < 0) {
            in.unread();
            path(false);
        } else {
            print((BASIC + " ").substring(at + 2, (BASIC + " ").indexOf(' ', at)));
        }
    }

    private void reference(String mutable) {
        print("&");
        if (in.skip('L')) {
            long index = in.base62();
            if (index != 0) {
                lifetime(index);
                print(" ");
            }
        }
        print(mutable);
        type();
    }

    private void pointed(String keyword) {
        print(keyword);
        type();
    }

    private void array(boolean sized) {
        print("[");
        type();
        if (sized) {
            print("; ");
            constant();
        }
        print("]");
    }

    private void tuple() {
        print("(");
        int count = 0;
        while (!in.skip('E')) {
            print(count++ > 0 ? ", " : "");
            type();
        }
        print(count == 1 ? ",)" : ")");
    }

    private void withBinder(Runnable inner) {
        long count = in.skip('G') ? in.base62() + 1 : 0;
        if (count < 0 || count > 64) {
            throw new Malformed();
        }
        if (count > 0) {
            print("for<");
            for (long i = 0; i < count; i++) {
                print(i > 0 ? ", " : "");
                lifetimes++;
                lifetime(1);
            }
            print("> ");
        }
        inner.run();
        lifetimes -= count;
    }

    private void function() {
        if (in.skip('U')) {
            print("unsafe ");
        }
        if (in.skip('K')) {
            String abi = in.skip('C') ? "C" : in.identifier().replace('_', '-');
            print("extern \"" + abi + "\" ");
        }
        print("fn(");
        list();
        print(")");
        if (!in.skip('u')) {
            print(" -> ");
            type();
        }
    }

    private void bounds() {
        for (boolean first = true; !in.skip('E'); first = false) {
            print(first ? "" : " + ");
            boolean open = openPath();
            while (in.skip('p')) {
                print(open ? ", " : "<");
                open = true;
                print(in.identifier() + " = ");
                type();
            }
            print(open ? ">" : "");
        }
    }

    /**
     * A path whose generic arguments are left open, so that bindings can follow; returns whether it
     * has any.
     */
    private boolean openPath() {
        boolean[] open = new boolean[1];
        enter();
        if (in.skip('B')) {
            back(() -> open[0] = openPath());
        } else if (in.skip('I')) {
            path(false);
            print("<");
            list();
            open[0] = true;
        } else {
            path(false);
        }
        depth--;
        return open[0];
    }

    private void bound(long index) {
        if (index != 0) {
            print(" + ");
            lifetime(index);
        }
    }

    private void constant() {
        enter();
        char kind = in.next();
        switch (kind) {
            case 'p' -> print("_");
            case 'B' -> back(this::constant);
            case 'a', 's', 'l', 'x', 'n', 'i' ->
                print((in.skip('n') ? "-" : "") + new BigInteger(in.hexadecimal(), 16));
            case 'h', 't', 'm', 'y', 'o', 'j' ->
                print(new BigInteger(in.hexadecimal(), 16).toString());
            case 'b' -> print(in.hexadecimal().equals("1") ? "true" : "false");
            case 'c' ->
                print("'" + Character.toString(Integer.parseInt(in.hexadecimal(), 16)) + "'");
            default -> throw new Malformed();
        }
        depth--;
    }
}
