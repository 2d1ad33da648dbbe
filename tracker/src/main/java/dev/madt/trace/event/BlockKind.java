package dev.madt.trace.event;

/**
 * The three bulk transfers; {@link #letter()} is the first character of their lines,
 * {@link #template)} their built-in template.
 */
public enum BlockKind {
    COPY('Y', 1),
    STORE('W', 2),
    FETCH('G', 3);

    private final char letter;
    private final int template;

    BlockKind(char letter, int template) {
        this.letter = letter;
        this.template = template;
    }

    public char letter() {
        return letter;
    }

    public int template() {
        return template;
    }
}
