package dev.madt.trace.codec;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;

/**
 * Holds what one frame has told of a template so far; writer and reader follow the same rules, so
 * that both predict the same. What is known of its words stands in an array beside it, from
 * {@link #base} on.
 */
final class TemplateContext {
    final int number;
    final int words;
    final int base;
    /** Of {@link SharedLayout#TEMPLATE_SITE}: the site whose events it tells; else -1. */
    int site = -1;
    /** The sites, for module templates; null for the others, or as long as nobody has asked. */
    RecordTemplate template;
    /** Loads and stores when every word is made. */
    int loads;

    int stores;
    /** Functions entered and left when the first word is made. */
    int enters;

    int leaves;
    /** Writer: the frame of which the rest is true. */
    int frame;
    /** Writer: the state of the address space that the array knows. */
    int space;
    /** Writer: whether the trace has the definition. */
    boolean defined;
    /** Place among the templates of the frame. */
    int index;

    TemplateContext likely;
    TemplateContext second;
    /**
     * Reader: {@link RecordReader#rows} walks over it: a template of the program, of so few words
     * that their codes are in one load.
     */
    boolean plain;
    /** Reader: nobody wants more of its records than how many accesses they made. */
    boolean unwanted;
    /** Reader: the bits of its words' codes. */
    long codeBits;
    /**
     * Reader: 0 if the words that are expected next are those of the last time, and nothing of what
     * is known of them changes by that.
     */
    long moving = 1;
    /** Reader: every word of the last time was made. */
    boolean whole;
    /**
     * Reader: the frame may have introduced the template twice, so that this context does not know
     * its last words.
     */
    boolean twin;
    /** Reader: loads in the upper half, stores in the lower one, when every word is made. */
    long made;
    /**
     * Reader: the {@link RecordRows} that have its last words, by their number, and its place
     * there.
     */
    int rows;

    int place;

    TemplateContext(int number, int words, int base) {
        this.number = number;
        this.words = words;
        this.base = base;
        this.loads = number == SharedLayout.TEMPLATE_LOAD_UNKNOWN ? 1 : 0;
        this.stores = number == SharedLayout.TEMPLATE_WRITE_UNKNOWN ? 1 : 0;
    }

    /** A context that stands in front of the first record of a frame. */
    static TemplateContext root() {
        return new TemplateContext(-1, 0, 0);
    }

    /** The template without words that tells of events of a site. */
    static TemplateContext ofSite(int site, int base) {
        TemplateContext context = new TemplateContext(SharedLayout.TEMPLATE_SITE, 0, base);
        context.site = site;
        return context;
    }

    /** Forgets everything but the template. */
    void begin(int inFrame, int at) {
        frame = inFrame;
        index = at;
        likely = null;
        second = null;
    }

    /** Notes which template came behind this one, when it was not the likely one. */
    void follow(TemplateContext next) {
        second = likely;
        likely = next;
    }

    /** Says what the template is. */
    void identify(RecordTemplate known) {
        template = known;
        loads = known.loads();
        stores = known.stores();
        enters = known.isProbe() && known.site(0).kind() == AccessKind.ENTER ? 1 : 0;
        leaves = known.isProbe() ? 1 - enters : 0;
        plain = words > 0 && words <= EventsLayout.CODES_AT_ONCE && !known.isProbe();
        unwanted = plain && known.isUnwanted();
        codeBits = plain ? (1L << 4 * words) - 1 : 0;
        made = (long) loads << Integer.SIZE | stores;
    }

    /** Reader: returns whether it is of accesses of the program, and has had a record. */
    boolean isOfAccesses() {
        return template != null && !template.isProbe();
    }

    /** Words in a chunk. */
    int stored() {
        return template == null ? words : template.stored();
    }

    /** Returns whether a word is a load that counts when it is made. */
    boolean loads(int word) {
        return template == null
                ? loads == 1 && word == 1
                : template.site(word).kind().loads();
    }

    boolean stores(int word) {
        return template == null
                ? stores == 1 && word == 1
                : template.site(word).kind().stores();
    }
}
