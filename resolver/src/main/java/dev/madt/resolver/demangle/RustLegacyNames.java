package dev.madt.resolver.demangle;

/**
 * Rust's first way to mangle: a C++ nested name whose last part is {@code h} and 16 hexadecimal
 * digits, with {@code $…$} for what C++ names cannot hold. The hash is left out.
 */
final class RustLegacyNames {
    private static final int HASH = 17;

    private RustLegacyNames() {}

    /** The name in the source, or null if it is not of this kind. */
    static String demangle(String mangled) {
        StringBuilder name = new StringBuilder();
        int at = 3;
        String part = null;
        while (at < mangled.length() && Character.isDigit(mangled.charAt(at))) {
            int length = 0;
            while (at < mangled.length()
                    && Character.isDigit(mangled.charAt(at))
                    && length < 1 << 20) {
                length = length * 10 + mangled.charAt(at++) - '0';
            }
            if (length > mangled.length() - at) {
                return null;
            }
            if (part != null) {
                name.append(name.isEmpty() ? "" : "::").append(unescape(part));
            }
            part = mangled.substring(at, at + length);
            at += length;
        }
        boolean ended = at < mangled.length() && mangled.charAt(at) == 'E';
        boolean plain = ended && (at + 1 == mangled.length() || mangled.charAt(at + 1) == '.');
        return plain && part != null && isHash(part) && !name.isEmpty() ? name.toString() : null;
    }

    private static boolean isHash(String part) {
        return part.length() == HASH && part.matches("h[0-9a-f]{16}");
    }

    private static String unescape(String part) {
        StringBuilder text = new StringBuilder();
        String rest = part.startsWith("_$") ? part.substring(1) : part;
        for (int i = 0; i < rest.length(); i++) {
            char c = rest.charAt(i);
            int close = c == '$' ? rest.indexOf('$', i + 1) : -1;
            String plain = close > 0 ? escaped(rest.substring(i + 1, close)) : null;
            if (plain != null) {
                text.append(plain);
                i = close;
            } else if (c == '.' && i + 1 < rest.length() && rest.charAt(i + 1) == '.') {
                text.append("::");
                i++;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static String escaped(String code) {
        return switch (code) {
            case "SP" -> "@";
            case "BP" -> "*";
            case "RF" -> "&";
            case "LT" -> "<";
            case "GT" -> ">";
            case "LP" -> "(";
            case "RP" -> ")";
            case "C" -> ",";
            default ->
                code.matches("u[0-9a-f]{1,4}")
                        ? Character.toString(Integer.parseInt(code.substring(1), 16))
                        : null;
        };
    }
}
