package dev.madt.resolver.line;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.SharedLayout;

/**
 * Writes the lines of loads and stores: mostly text that is kept ready, found by what the same
 * instruction accessed last.
 */
final class AccessLines {
    private final LineBuffer line;
    private final boolean symbolic;
    private final boolean raw;
    private final DataIndex index;
    private final DataNames names;
    private final SiteLines sites;
    private final StackPlaces stacks;
    private final LineHead head = new LineHead();

    AccessLines(
            LineBuffer line,
            LineOptions options,
            DataIndex index,
            DataNames names,
            SiteLines sites,
            StackPlaces stacks) {
        this.line = line;
        this.symbolic = options.symbolic();
        this.raw = options.raw();
        this.index = index;
        this.names = names;
        this.sites = sites;
        this.stacks = stacks;
    }

    /**
     * The lines of a record's accesses, numbered from {@code first}; an address of all ones has
     * none.
     */
    void record(long first, int thread, RecordTemplate template, long[] addresses, int from) {
        stacks.record(thread, template, addresses, from);
        SiteLine[] lines = sites.of(template);
        long number = first;
        for (int i = 0; i < lines.length; i++) {
            long address = addresses[from + i];
            if (address == SharedLayout.WORD_NONE) {
                continue;
            }
            AccessSite site = template.site(i);
            AccessKind kind = site.kind();
            if (kind != AccessKind.STORE) {
                access(number++, site, lines[i], 'L', address);
            }
            if (kind != AccessKind.LOAD) {
                access(number++, site, lines[i], 'S', address);
            }
        }
    }

    void access(long number, int thread, AccessSite site, boolean store, long address) {
        stacks.access(thread, site, address);
        access(number, site, sites.of(site), store ? 'S' : 'L', address);
    }

    private void access(long number, AccessSite place, SiteLine site, char letter, long address) {
        NamedRange named = site.last;
        if (named == null || !named.contains(address)) {
            named = index.at(address);
            site.last = named;
            site.lastName = names.of(named);
        }
        DataName name = site.lastName;
        if (symbolic) {
            head.append(line, letter, '$', number);
            if (site.frame != null) {
                line.text(site.frame);
            } else if (!stacks.append(line, named, place, address)) {
                names.append(line, named, name, address, site.size);
            }
            line.text(name.region());
            line.text(site.symbolicEnd);
            line.lineEnded();
        }
        if (raw) {
            head.append(line, letter, '#', number);
            line.hexadecimal(address);
            line.text(name.region());
            line.text(site.rawEnd);
            line.lineEnded();
        }
    }
}
