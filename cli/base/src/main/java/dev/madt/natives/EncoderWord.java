package dev.madt.natives;

/**
 * The words that the encoder shares with its caller: {@code enum madt_encoder_word}, which says
 * what each is. They lie one behind the other, in this order.
 */
enum EncoderWord {
    LIMIT(1),
    MOST(1),
    EPOCH(1),
    FIRST(1),
    CLEAR(1),
    TAKEN(1),
    SLOT(1),
    ADDRESS(1),
    RECORDS(1),
    WORDS(1),
    LOADS(1),
    STORES(1),
    FRAME_EPOCH(1),
    /** By type, all that there is room for. */
    MEMORY_EVENTS(64),
    ENTERS(1),
    LEAVES(1),
    COPIES(1),
    FILLS(1),
    FETCHES(1),
    /** A column, as all up to the places: its address and its size. */
    KINDS(2),
    CODES(2),
    CONTROL(2),
    RESIDUALS(2),
    SIZE_CODES(2),
    PLACE_CODES(2),
    END_CODES(2),
    SIZES(2),
    PLACES(2),
    BIRTHS(1),
    ENDS(1),
    BELOW(1),
    ROWS(1),
    ROW_MASK(1),
    ROW_FIRST(1),
    ROW_COUNT(1),
    FOLLOWS(1),
    BLOCKS(1),
    SAMPLES(1),
    JOURNAL(1),
    ENTRIES(1);

    private static final int ALL;

    static {
        int next = 0;
        for (EncoderWord word : values()) {
            word.at = next;
            next += word.count;
        }
        ALL = next;
    }

    private final int count;
    private int at;

    EncoderWord(int count) {
        this.count = count;
    }

    /** Returns its index, of several the first one's. */
    int at() {
        return at;
    }

    /** Returns how many words there are in all. */
    static int all() {
        return ALL;
    }
}
