package dev.madt.view.heatmap;

import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says which functions accessed what has which name, and how often. A place keeps the use that it
 * counted last.
 */
final class NameUses {
    /**
     * Says what a page for a browser holds of them; what comes behind counts as one function more.
     */
    private static final int MOST = 100_000;

    private static final String OTHERS = "(other functions)";

    /** One function on one name; both are indexes. */
    static final class Use {
        private final int name;
        private final int function;
        private long loads;
        private long stores;
        private long blocks;

        private Use(int name, int function) {
            this.name = name;
            this.function = function;
        }

        int name() {
            return name;
        }

        int function() {
            return function;
        }

        long loads() {
            return loads;
        }

        long stores() {
            return stores;
        }

        /** Bulk transfers; a copy counts on both its sides. */
        long blocks() {
            return blocks;
        }
    }

    /** Holds what a place keeps. */
    private static final class Recent {
        private final int function;
        private Use use;

        private Recent(int function) {
            this.function = function;
        }
    }

    private final Notes<Recent> recents = new Notes<>();
    private final Map<String, Integer> functions = new LinkedHashMap<>();
    private final LongObjectHashMap<Use> uses = new LongObjectHashMap<>();

    /** Returns what is kept on places. */
    Notes<?> notes() {
        return recents;
    }

    void access(Place place, int name, boolean store, long times) {
        Use use = use(place, name);
        if (store) {
            use.stores += times;
        } else {
            use.loads += times;
        }
    }

    void block(Place place, int name) {
        use(place, name).blocks++;
    }

    private Use use(Place place, int name) {
        Recent recent = recents.of(place);
        if (recent == null) {
            recent = new Recent(indexOf(place.function()));
            recents.keep(place, recent);
        }
        if (recent.use == null || recent.use.name != name) {
            recent.use = find(name, recent.function);
        }
        return recent.use;
    }

    private Use find(int name, int function) {
        Use use = uses.get((long) name << Integer.SIZE | function);
        if (use == null) {
            int by = uses.size() < MOST ? function : indexOf(OTHERS);
            use = uses.getIfAbsentPut((long) name << Integer.SIZE | by, () -> new Use(name, by));
        }
        return use;
    }

    private int indexOf(String function) {
        return functions.computeIfAbsent(function, absent -> functions.size());
    }

    /** Names of functions, by index. */
    List<String> functions() {
        return new ArrayList<>(functions.keySet());
    }

    Collection<Use> all() {
        return uses.values();
    }
}
