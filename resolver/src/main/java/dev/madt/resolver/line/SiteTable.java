package dev.madt.resolver.line;

import dev.madt.trace.event.AccessSite;
import java.util.Arrays;

/**
 * Holds what is known of sites, by their identity: a hash table with open addressing, which is
 * never more than half full. All takes constant time. Not for use by several threads.
 */
public final class SiteTable<T> {
    private static final int FIRST = 1 << 10;

    private AccessSite[] sites = new AccessSite[FIRST];
    private Object[] known = new Object[FIRST];
    private int size;

    /** Returns how many sites are known. */
    public int size() {
        return size;
    }

    /** Returns what is known of a site; null if nothing is. */
    @SuppressWarnings("unchecked") // only put() writes there
    public T get(AccessSite site) {
        return (T) known[slotOf(site)];
    }

    /** Adds what is known of a site, of which nothing was; not null. */
    public void put(AccessSite site, T knowledge) {
        if (size >= sites.length / 2) {
            grow();
        }
        add(site, knowledge);
        size++;
    }

    /** Forgets everything. */
    public void clear() {
        if (sites.length > FIRST) {
            sites = new AccessSite[FIRST];
            known = new Object[FIRST];
        } else if (size > 0) {
            Arrays.fill(sites, null);
            Arrays.fill(known, null);
        }
        size = 0;
    }

    /** The slot of the site, or the free one where it belongs. */
    private int slotOf(AccessSite site) {
        int mask = sites.length - 1;
        int slot = System.identityHashCode(site) & mask;
        while (sites[slot] != null && sites[slot] != site) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void add(AccessSite site, Object knowledge) {
        int slot = slotOf(site);
        sites[slot] = site;
        known[slot] = knowledge;
    }

    private void grow() {
        AccessSite[] oldSites = sites;
        Object[] oldKnown = known;
        sites = new AccessSite[oldSites.length * 2];
        known = new Object[oldSites.length * 2];
        for (int i = 0; i < oldSites.length; i++) {
            if (oldSites[i] != null) {
                add(oldSites[i], oldKnown[i]);
            }
        }
    }
}
