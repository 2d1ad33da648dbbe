package dev.madt.view.top;

/** Says what the rows of a live screen are. */
public enum TopKind {
    DATA("data", "symbol", "region"),
    FUNCTIONS("functions", "function", "module"),
    SITES("access sites", "access site", "module"),
    THREADS("threads", "thread", "");

    private final String title;
    private final String heading;
    private final String besides;

    TopKind(String title, String heading, String besides) {
        this.title = title;
        this.heading = heading;
        this.besides = besides;
    }

    /** Returns what all of them are called. */
    public String title() {
        return title;
    }

    /** Returns what one of them is called. */
    String heading() {
        return heading;
    }

    /** Returns what tells rows of one name apart; empty if nothing does. */
    String besides() {
        return besides;
    }
}
