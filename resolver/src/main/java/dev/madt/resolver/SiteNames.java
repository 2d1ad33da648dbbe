package dev.madt.resolver;

import dev.madt.tracker.Site;

/**
 * The rendered names of sites, by identity: a hash table with open addressing, since every line looks here. Sites come
 * and go with code that is made at run time, so the table forgets all when it is full; a site that returns is rendered
 * again.
 */
final class SiteNames {
    private static final int SLOTS = 1 << 18;
    private static final int MOST = SLOTS / 2;

    private final AddressSpace space;
    private Site[] sites = new Site[1 << 10];
    private byte[][] names = new byte[1 << 10][];
    private int used;

    SiteNames(AddressSpace space) {
        this.space = space;
    }

    /** The name of the site's instruction. */
    byte[] of(Site site) {
        int slot = slotOf(site);
        if (sites[slot] == site) {
            return names[slot];
        }
        LineBuffer name = LineBuffer.detached();
        space.appendCode(name, site.address());
        return put(site, name.toBytes());
    }

    /** Forgets all names: code has changed. */
    void clear() {
        if (used > 0) {
            sites = new Site[1 << 10];
            names = new byte[1 << 10][];
            used = 0;
        }
    }

    private byte[] put(Site site, byte[] name) {
        if (used >= MOST) {
            clear();
        } else if (used >= sites.length / 2) {
            grow();
        }
        int slot = slotOf(site);
        sites[slot] = site;
        names[slot] = name;
        used++;
        return name;
    }

    /** The slot of the site, or the free one where it belongs. */
    private int slotOf(Site site) {
        int mask = sites.length - 1;
        int slot = System.identityHashCode(site) & mask;
        while (sites[slot] != null && sites[slot] != site) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        Site[] oldSites = sites;
        byte[][] oldNames = names;
        sites = new Site[oldSites.length * 2];
        names = new byte[oldSites.length * 2][];
        for (int i = 0; i < oldSites.length; i++) {
            if (oldSites[i] != null) {
                int slot = slotOf(oldSites[i]);
                sites[slot] = oldSites[i];
                names[slot] = oldNames[i];
            }
        }
    }
}
