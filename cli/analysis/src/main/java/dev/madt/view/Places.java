package dev.madt.view;

import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.CodeWord;
import dev.madt.resolver.line.SiteTable;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.SourceLevel;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * The places of a trace: of templates at the templates; of sites by identity; of calls by their
 * code word. Code that is made at run time brings ever new sites, so that all are forgotten when
 * there are many.
 */
final class Places {
    private static final int MOST = 1 << 17;
    private static final int MOST_DIRECT = 1 << 20;
    private static final int PAGE_BITS = 12;

    private final AddressSpace space;
    private final OwnSource own;
    /** Of code without debug information. */
    private final PlaceSource unknown;

    private final LongObjectHashMap<Place> calls = new LongObjectHashMap<>();
    private final LongObjectHashMap<AccessSite> entries = new LongObjectHashMap<>();
    private final SiteTable<Place> sites = new SiteTable<>();
    /** Of templates by their numbers; a number that is given again has another template. */
    private TemplatePlaces[] templates = {};

    private final IntObjectHashMap<TemplatePlaces> largeTemplates = new IntObjectHashMap<>();
    private final LongObjectHashMap<Definition.Source> sources = new LongObjectHashMap<>();
    private final TreeSet<Long> pages = new TreeSet<>(Long::compareUnsigned);
    private final Place start = new Place(-1, 0, 0, null, 0, CodeName.NONE, PlaceSource.UNKNOWN);
    private Place last = start;
    private int made;
    private int generation;

    /** @param own which lines accesses are charged to */
    Places(AddressSpace space, OwnSource own) {
        this.space = space;
        this.own = own;
        this.unknown = new PlaceSource(List.of(), List.of(), own, "", space);
    }

    /** Takes what a trace says of code, before the places that it names are asked for. */
    void define(Definition definition) {
        space.define(definition);
        if (definition instanceof Definition.Source source) {
            sources.put(source.code(), source);
        } else if (definition instanceof Definition.RegionsForgotten range) {
            forget(range.start(), range.end());
        } else if (definition instanceof Definition.SymbolsForgotten range) {
            forget(range.start(), range.end());
        }
    }

    /** Returns whether the trace knows source lines. */
    boolean hasSources() {
        return !sources.isEmpty();
    }

    /** The places of a template's sites. */
    TemplatePlaces of(RecordTemplate template) {
        int number = template.number();
        TemplatePlaces known =
                number < templates.length ? templates[number] : largeTemplates.get(number);
        return known != null && known.template == template ? known : make(template);
    }

    private TemplatePlaces make(RecordTemplate template) {
        Place[] ofSites = new Place[template.length()];
        for (int i = 0; i < ofSites.length; i++) {
            ofSites[i] = of(template.site(i));
        }
        TemplatePlaces made = new TemplatePlaces(template, ofSites);
        int number = template.number();
        if (number >= MOST_DIRECT) {
            largeTemplates.put(number, made);
            return made;
        }
        if (number >= templates.length) {
            templates = Arrays.copyOf(
                    templates, Math.max(number + 1, Math.min(MOST_DIRECT, 2 * number)));
        }
        templates[number] = made;
        return made;
    }

    /** The place of a site: mostly the one that came behind the last one before. */
    Place of(AccessSite site) {
        Place place = last.follower;
        if (place == null || place.site != site) {
            place = sites.get(site);
            place = place == null ? put(site) : place;
            last.follower = place;
        }
        last = place;
        return place;
    }

    /** The place at which a function is entered. */
    Place ofEntry(long function) {
        return of(entries.getIfAbsentPutWithKey(
                function, entry -> new AccessSite(entry, 0, AccessKind.ENTER, 0, 0, false)));
    }

    /** The place of a call's code word. */
    Place ofCall(long word) {
        Place place = calls.get(word);
        if (place == null) {
            if (calls.size() == MOST) {
                calls.clear();
            }
            place = named(word, null);
            calls.put(word, place);
        }
        return place;
    }

    /**
     * Returns the frames that a call's code word tells of, the innermost first: those of the
     * functions that are inlined around it, then that of the function itself.
     */
    Place[] framesOf(long word) {
        Place place = ofCall(word);
        if (place.frames == null) {
            place.frames = frames(place, sources.get(CodeWord.inside(word)));
        }
        return place.frames;
    }

    private Place[] frames(Place place, Definition.Source known) {
        int last = known == null ? 0 : known.levels().size() - 1;
        if (last <= 0) {
            return new Place[] {place};
        }
        Place[] frames = new Place[last + 1];
        for (int i = 0; i <= last; i++) {
            SourceLevel level = known.levels().get(i);
            boolean inlined = i < last && !level.function().isEmpty();
            String function = inlined ? space.named(level.function()) : place.function();
            CodeName code = new CodeName(
                    inlined ? level.function() : place.symbol(),
                    function,
                    place.name(),
                    place.module());
            PlaceSource source = new PlaceSource(
                    known.levels().subList(i, last + 1),
                    known.callers(),
                    own,
                    place.module(),
                    space);
            frames[i] = new Place(made++, place.address(), 0, null, 0, code, source);
            frames[i].frame = true;
            frames[i].around = inlined ? place : null;
        }
        return frames;
    }

    /**
     * Notes that what lies in the range has changed: if that is code with a place, all names are
     * made anew.
     */
    void forget(long start, long end) {
        Long page = pages.ceiling(start >>> PAGE_BITS);
        if (page != null && Long.compareUnsigned(page, end - 1 >>> PAGE_BITS) <= 0) {
            clear();
            generation++;
        }
    }

    /** Grows whenever names are made anew. */
    int generation() {
        return generation;
    }

    private void clear() {
        last = start;
        start.follower = null;
        pages.clear();
        Arrays.fill(templates, null);
        largeTemplates.clear();
        sites.clear();
        calls.clear();
    }

    private Place put(AccessSite site) {
        if (sites.size() == MOST) {
            clear();
        }
        Place place = named(site.address(), site);
        place.site = site;
        sites.put(site, place);
        return place;
    }

    private PlaceSource source(Definition.Source known, String module) {
        return known == null
                ? unknown
                : new PlaceSource(known.levels(), known.callers(), own, module, space);
    }

    private Place named(long word, AccessSite site) {
        pages.add(CodeWord.address(word) >>> PAGE_BITS);
        AddressSpace.Symbol symbol = space.function(word);
        String module = space.label(CodeWord.inside(word));
        String area = word == 0 ? space.code(word) : module;
        CodeName code = new CodeName(
                symbol == null ? area : symbol.linkerName(),
                symbol == null ? area : symbol.text(),
                space.code(word),
                module);
        long address = CodeWord.address(word);
        PlaceSource source = source(sources.get(CodeWord.inside(word)), module);
        return site == null
                ? new Place(made++, address, 0, null, 0, code, source)
                : new Place(made++, address, site.length(), site.kind(), site.size(), code, source);
    }
}
