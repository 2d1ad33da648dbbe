package dev.madt.resolver.demangle;

/**
 * Names of D (its ABI, name mangling): {@code _D3app4Item5priceMFZl} is {@code app.Item.price}.
 * What a function takes and returns is left out, as are the arguments of templates.
 */
final class DNames {
    private static final String FRONT = "_D";
    private static final String TEMPLATE = "__T";
    private static final String TEMPLATE_UNIQUE = "__U";
    /** Stands for a name that was there before. */
    private static final char BACK = 'Q';

    private static final int MOST_DIGITS = 6;

    private DNames() {}

    static boolean isMangled(String name, int at) {
        return name.startsWith(FRONT, at)
                && at + FRONT.length() < name.length()
                && isDigit(name.charAt(at + FRONT.length()));
    }

    /** Null if it cannot be understood. */
    static String demangle(String name) {
        if (!isMangled(name, 0)) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        int at = FRONT.length();
        while (at < name.length() && isDigit(name.charAt(at))) {
            int digits = at;
            while (digits < name.length() && isDigit(name.charAt(digits))) {
                digits++;
            }
            int end = digits - at > MOST_DIGITS
                    ? name.length() + 1
                    : digits + Integer.parseInt(name.substring(at, digits));
            if (end > name.length() || end == digits) {
                return null;
            }
            text.append(text.isEmpty() ? "" : ".").append(part(name.substring(digits, end)));
            at = end;
        }
        if (isTemplate(name.substring(at))) { // where its arguments end needs the types of all
            text.append('.').append(part(name.substring(at)));
        }
        return at < name.length() && name.charAt(at) == BACK ? null : text.toString();
    }

    private static boolean isTemplate(String part) {
        return part.startsWith(TEMPLATE) || part.startsWith(TEMPLATE_UNIQUE);
    }

    /** A part of a name; of a template only its own name. */
    private static String part(String part) {
        String inner = isTemplate(part)
                ? demangle(FRONT + leading(part.substring(TEMPLATE.length())))
                : null;
        return inner == null ? part : inner + "!(…)";
    }

    /** The first name of those behind each other. */
    private static String leading(String names) {
        int digits = 0;
        while (digits < names.length() && isDigit(names.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > MOST_DIGITS) {
            return names;
        }
        int end = digits + Integer.parseInt(names.substring(0, digits));
        return names.substring(0, Math.min(end, names.length()));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
