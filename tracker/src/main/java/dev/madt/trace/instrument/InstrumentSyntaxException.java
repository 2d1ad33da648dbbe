package dev.madt.trace.instrument;

/** Says what is wrong with the text of an instrument, and where. */
public final class InstrumentSyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final String text;
    private final int column;

    /**
     * @param text that was read
     * @param column of the first character that is wrong, from 0
     */
    public InstrumentSyntaxException(String message, String text, int column) {
        super(message);
        this.text = text;
        this.column = column;
    }

    /** Returns the column of the first character that is wrong, from 0. */
    public int column() {
        return column;
    }

    /** Returns the text, and below it a caret at what is wrong: two lines. */
    public String picture() {
        int cut = Math.max(0, column - 60);
        String shown = (cut > 0 ? "…" : "") + text.substring(cut);
        return shown + "\n" + " ".repeat(column - cut + (cut > 0 ? 1 : 0)) + "^";
    }
}
