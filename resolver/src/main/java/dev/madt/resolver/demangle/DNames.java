package dev.madt.resolver.demangle;

/**
 * Names of D (its ABI, name mangling): {@code _D3app4Item5priceMFZl} is {@code app.Item.price}.
 * What a function takes and returns is left out, as are the arguments of templates.
 */
final class DNames {
    private static final String FRONT = "_D";

    private DNames() {}

    static boolean isMangled(String name, int at) {
        return name.startsWith(FRONT, at)
                && at + FRONT.length() < name.length()
                && DInput.isDigit(name.charAt(at + FRONT.length()));
    }

    /** Null if it cannot be understood. */
    static String demangle(String name) {
        if (!isMangled(name, 0)) {
            return null;
        }
        try {
            DInput input = new DInput(name);
            input.skip(FRONT.length());
            return input.qualifiedName();
        } catch (DInput.Malformed e) {
            return null;
        }
    }
}
