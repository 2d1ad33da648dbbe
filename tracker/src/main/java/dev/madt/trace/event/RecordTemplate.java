package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;

/**
 * Says what a template number means: the sites that its words belong to, in their order. A number
 * that is given again has another template; whoever keeps something for a template compares
 * templates by identity.
 */
public final class RecordTemplate {
    private final int number;
    private final AccessSite[] sites;
    private final int loads;
    private final int stores;
    private final boolean probe;
    private final WordSources sources;
    private final boolean unwanted;

    /** @param sites not copied, and not to be changed */
    public RecordTemplate(int number, AccessSite[] sites) {
        this(number, sites, null);
    }

    /**
     * @param sites not copied, and not to be changed
     * @param sources how its words follow from those in a chunk; null: all of them are there
     */
    public RecordTemplate(int number, AccessSite[] sites, WordSources sources) {
        this(number, sites, sources, false);
    }

    private RecordTemplate(int number, AccessSite[] sites, WordSources sources, boolean unwanted) {
        this.unwanted = unwanted;
        this.number = number;
        this.sites = sites;
        this.sources = sources;
        int reading = 0;
        int writing = 0;
        for (AccessSite site : sites) {
            reading += site.kind().loads() ? 1 : 0;
            writing += site.kind().stores() ? 1 : 0;
        }
        this.loads = reading;
        this.stores = writing;
        this.probe = sites.length > 0 && sites[0].kind().probes();
    }

    /**
     * Returns a template of whose records nobody wants more than how many accesses they made.
     *
     * @param sites not copied, and not to be changed
     */
    public static RecordTemplate unwanted(int number, AccessSite[] sites) {
        return new RecordTemplate(number, sites, null, true);
    }

    /** Returns whether nobody wants more of its records than how many accesses they made. */
    public boolean isUnwanted() {
        return unwanted;
    }

    public int number() {
        return number;
    }

    /** Returns whether it is none of accesses; its first site says of what. */
    public boolean isProbe() {
        return probe;
    }

    /** Returns whether it is of a kind that a newer recorder wrote. */
    public boolean isUnknown() {
        return probe && sites[0].kind() == AccessKind.UNKNOWN;
    }

    /** Returns whether it tells of a call and of the time of it, which is its second word. */
    public boolean isTimed() {
        return probe && sites.length > 1 && sites[1].kind() == AccessKind.TIME;
    }

    /** The index of the first argument or result of a call; {@link #length} if it has none. */
    public int firstValue() {
        return isTimed() ? 2 : 1;
    }

    /** Words behind the header, one for each site. */
    public int length() {
        return sites.length;
    }

    /** Returns how its words follow from those in a chunk; null: all of them are there. */
    public WordSources sources() {
        return sources;
    }

    /** Words behind the header in a chunk. */
    public int stored() {
        return sources == null ? sites.length : sources.stored();
    }

    /** One for each word; not to be changed. */
    public AccessSite[] sites() {
        return sites;
    }

    public AccessSite site(int index) {
        return sites[index];
    }

    /** Loads when every access is made; a modify is one. */
    public int loads() {
        return loads;
    }

    /** Loads and stores when every access is made. */
    public int accesses() {
        return loads + stores;
    }

    /** Loads and stores that a record made whose words stand from an index on. */
    public int made(long[] words, int at) {
        int made = accesses();
        for (int i = 0; i < sites.length; i++) {
            made -= words[at + i] == SharedLayout.WORD_NONE ? sites[i].kind().accesses() : 0;
        }
        return made;
    }

    /** Stores when every access is made; a modify is one. */
    public int stores() {
        return stores;
    }
}
