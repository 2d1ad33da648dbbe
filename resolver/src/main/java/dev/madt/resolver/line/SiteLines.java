package dev.madt.resolver.line;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The {@link SiteLine} of each site, by identity; for the sites of a template by the template's
 * number. Sites come and go with code that is made at run time, so the tables forget all when they
 * are full; a site that returns is rendered again.
 */
final class SiteLines {
    private static final byte[] FRAME_BELOW = ":frame-".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FRAME_ABOVE = ":frame+".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST = 1 << 17;
    private static final int FIRST = 1 << 10;
    private static final int MOST_TEMPLATES = 1 << 20;

    private final AddressSpace space;
    private final SourcePlaces places;
    private final OpenFrames frames;
    private final MemberTypes types;
    private final SiteTable<SiteLine> sites = new SiteTable<>();
    private RecordTemplate[] templates = new RecordTemplate[FIRST];
    private SiteLine[][] recordLines = new SiteLine[FIRST][];

    /** @param types null to print offsets in variables */
    SiteLines(AddressSpace space, SourcePlaces places, OpenFrames frames, MemberTypes types) {
        this.space = space;
        this.places = places;
        this.frames = frames;
        this.types = types;
    }

    /** For each site of the template what its lines end with. */
    SiteLine[] of(RecordTemplate template) {
        int number = template.number();
        if (number < templates.length && templates[number] == template) {
            return recordLines[number];
        }
        SiteLine[] made = new SiteLine[template.length()];
        for (int i = 0; i < made.length; i++) {
            made[i] = of(template.site(i));
        }
        if (number < MOST_TEMPLATES) {
            keep(template, made);
        }
        return made;
    }

    private void keep(RecordTemplate template, SiteLine[] made) {
        int number = template.number();
        if (number >= templates.length) {
            int length = Math.max(number + 1, Math.min(MOST_TEMPLATES, 2 * templates.length));
            templates = Arrays.copyOf(templates, length);
            recordLines = Arrays.copyOf(recordLines, length);
        }
        templates[number] = template;
        recordLines[number] = made;
    }

    /** Returns what the site's lines end with. */
    SiteLine of(AccessSite site) {
        SiteLine line = sites.get(site);
        return line == null ? put(site, render(site)) : line;
    }

    private SiteLine render(AccessSite site) {
        LineBuffer code = LineBuffer.detached();
        space.appendCode(code, site.address());
        LineBuffer note = LineBuffer.detached();
        places.append(note, site.address());
        return new SiteLine(
                site.address(), site.size(), code.toBytes(), frame(site), note.toBytes());
    }

    /**
     * {@code function:variable+4}, or {@code function:frame-24} where no variable is known; null
     * for what is in no frame, or in that of an unknown function.
     */
    private byte[] frame(AccessSite site) {
        FramePlace place = frames.place(site);
        if (place != null) {
            return place.name()
                    .place(place.offset(), site.size(), types)
                    .getBytes(StandardCharsets.UTF_8);
        }
        AddressSpace.Symbol function =
                site.frame() == AccessSite.NO_FRAME ? null : space.function(site.address());
        if (function == null) {
            return null;
        }
        LineBuffer name = LineBuffer.detached();
        name.text(function.name());
        name.text(site.frame() < 0 ? FRAME_BELOW : FRAME_ABOVE);
        name.decimal(Math.abs(site.frame()));
        return name.toBytes();
    }

    /** Forgets everything: code has changed. */
    void clear() {
        Arrays.fill(templates, null);
        Arrays.fill(recordLines, null);
        sites.clear();
    }

    private SiteLine put(AccessSite site, SiteLine line) {
        if (sites.size() >= MOST) {
            clear();
        }
        sites.put(site, line);
        return line;
    }
}
