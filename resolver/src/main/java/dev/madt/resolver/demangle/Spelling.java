package dev.madt.resolver.demangle;

/** Says how much is shown of a name of the source, from short to long. */
final class Spelling {
    /** Without template arguments, parameters and what a function returns. */
    static final int BRIEF = -1;

    /** Template arguments within each other that are shown. */
    static final int DEEPEST = 6;

    /** Levels behind {@link #BRIEF}: the last one is the whole name. */
    static final int LEVELS = 2 * DEEPEST + 1;

    private Spelling() {}

    /**
     * The name at a level: template arguments of that many levels and one, then parameters too.
     */
    static String of(String whole, int level) {
        if (level == BRIEF) {
            return ShortNames.brief(whole);
        } else if (level == LEVELS - 1) {
            return whole;
        }
        return ShortNames.withoutType(
                level < DEEPEST
                        ? ShortNames.of(whole, level + 1, -1)
                        : ShortNames.of(whole, level - DEEPEST, level - DEEPEST + 1));
    }
}
