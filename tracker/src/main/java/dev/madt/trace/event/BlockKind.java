package dev.madt.trace.event;

/**
 * The three bulk transfers; {@link #letter()} is the first character of their lines, {@link #run()}
 * their built-in run.
 */
public enum BlockKind {
    COPY('Y', 1),
    STORE('W', 2),
    FETCH('G', 3);

    private final char letter;
    private final int run;

    BlockKind(char letter, int run) {
        this.letter = letter;
        this.run = run;
    }

    public char letter() {
        return letter;
    }

    public int run() {
        return run;
    }
}
