package dev.madt.view;

import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Gives a view the events of a selection. Of a copy whose sides are not both selected only one is
 * given, as a fetch or a store. Allocations are given whatever the code, kind or position that is
 * selected, so that a view knows the lives of the blocks; not so to one that tells every event.
 */
public final class SelectedView implements Analysis {
    private static final int MOST_KNOWN = 1 << 16;

    private final Analysis view;
    private final Selection selection;
    private final Map<Place, Boolean> places = new IdentityHashMap<>();
    private final Map<DataObject, Boolean> data = new IdentityHashMap<>();
    private final Accesses named = new Accesses();
    /** Says of places whether their last accesses, as {@link SelectedCounter} got them, count. */
    private final Notes<Boolean> counts = new Notes<>();

    private boolean listsEvents;
    private long window;
    private long seen;
    private long given;

    public SelectedView(Analysis view, Selection selection) {
        this.view = view;
        this.selection = selection;
    }

    /**
     * Accesses and bulk transfers that there were; and allocations, for a view that tells every
     * event.
     */
    public long seen() {
        return seen;
    }

    /** Accesses and bulk transfers that the view got. */
    public long given() {
        return given;
    }

    @Override
    public void meta(Map<String, String> values) {
        selection.thread().meta(values);
        view.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {
        seen += batch.count();
        if (!selection.thread(batch.thread()) || !selection.window(window)) {
            return;
        }
        int row = 0;
        while (row < batch.count()) {
            int from = row;
            while (row < batch.count() && wanted(batch, row)) {
                row++;
            }
            if (row > from) {
                given += row - from;
                view.accesses(row - from == batch.count() ? batch : named.of(batch, from, row));
            } else {
                row++;
            }
        }
    }

    private boolean wanted(Accesses batch, int row) {
        return selection.number(batch.first() + row)
                && selection.letter(batch.store(row) ? 'S' : 'L')
                && code(batch.place(row))
                && data(batch.object(row), batch.address(row), batch.size(row));
    }

    private boolean code(Place place) {
        return !selection.selectsCode() || known(places, place, () -> selection.code(place));
    }

    private boolean data(DataObject object, long address, long length) {
        if (!selection.selectsData()) {
            return true;
        }
        return selection.page() < 0 ? data(object) : selection.data(object, address, length);
    }

    private boolean data(DataObject object) {
        return known(data, object, () -> selection.data(object));
    }

    private static <T> boolean known(Map<T, Boolean> answers, T of, BooleanSupplier question) {
        Boolean answer = answers.get(of);
        if (answer == null) {
            if (answers.size() == MOST_KNOWN) {
                answers.clear();
            }
            answer = question.getAsBoolean();
            answers.put(of, answer);
        }
        return answer;
    }

    @Override
    public void idle(long accesses) {
        seen += accesses;
    }

    @Override
    public void block(BlockAccess event) {
        seen++;
        if (!selection.thread(event.thread())
                || !selection.window(window)
                || !selection.number(event.number())
                || !selection.letter(event.kind().letter())
                || !code(event.place())) {
            return;
        }
        boolean target = data(event.target(), event.to(), event.reach());
        boolean source =
                event.kind() == BlockKind.COPY && data(event.source(), event.from(), event.reach());
        if (target && (source || event.kind() != BlockKind.COPY)) {
            give(event);
        } else if (target) {
            give(new BlockAccess(
                    event.number(),
                    event.thread(),
                    BlockKind.STORE,
                    event.to(),
                    0,
                    event.length(),
                    event.reach(),
                    event.place(),
                    event.target(),
                    null,
                    event.targetStart(),
                    0));
        } else if (source) {
            give(new BlockAccess(
                    event.number(),
                    event.thread(),
                    BlockKind.FETCH,
                    event.from(),
                    0,
                    event.length(),
                    event.reach(),
                    event.place(),
                    event.source(),
                    null,
                    event.sourceStart(),
                    0));
        }
    }

    private void give(BlockAccess event) {
        given++;
        view.block(event);
    }

    /** An event that the view gets from somebody else, or does not get. */
    public void count(boolean wanted) {
        seen++;
        given += wanted ? 1 : 0;
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        view.call(thread, place, stack, time);
    }

    @Override
    public Needs needs() {
        Needs needs = view.needs();
        listsEvents = needs.listsEvents();
        AccessCounter counter = needs.counter();
        boolean counted = counter != null
                && counter.until() == Long.MAX_VALUE // else the numbers of accesses matter
                && selection.isOfPlacesAndData();
        return needs.counting(counted ? new SelectedCounter(counter) : null)
                .living(null)
                .of(selection.selectsCode() ? this::code : null)
                .in(null)
                .keeping(counts);
    }

    @Override
    public void neighbours(Neighbours space) {
        view.neighbours(space);
    }

    @Override
    public void stacks(CallChain.Source source) {
        view.stacks(source);
    }

    @Override
    public void lost(DataObject site, long size, long note) {
        if (lives(site)) {
            view.lost(site, size, note);
        }
    }

    @Override
    public void replaced(DataObject site, Allocation.Life life, long next) {
        if (lives(site)) {
            view.replaced(site, life, next);
        }
    }

    @Override
    public void allocation(Allocation event) {
        boolean wanted = selection.thread(event.thread())
                && (!selection.selectsData() || lives(event.born()) || lives(event.ended()));
        if (listsEvents) {
            seen++;
            wanted &= selection.letter(event.event().letter())
                    && selection.window(window)
                    && selection.number(event.next())
                    && code(event.call());
            given += wanted ? 1 : 0;
        }
        if (wanted) {
            view.allocation(event);
        }
    }

    @Override
    public void inherited(DataObject block, long size) {
        if (lives(block)) {
            view.inherited(block, size);
        }
    }

    private boolean lives(DataObject block) {
        return block != null
                && (!selection.selectsData()
                        || selection.data(block, block.start(), block.end() - block.start()));
    }

    @Override
    public void event(NamedEvent event) {
        boolean wanted = event.isIn(selection, window);
        if (listsEvents) {
            count(wanted);
        }
        if (wanted) {
            view.event(event);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        window += event.type() == RingEventType.RECORD_START ? 1 : 0;
        selection.thread().ring(event);
        view.ring(event);
    }

    /** Counts the selected ones of accesses, where place and data object tell whether they are. */
    private final class SelectedCounter implements AccessCounter {
        private final AccessCounter counter;
        private final boolean byDataObject;

        private SelectedCounter(AccessCounter counter) {
            this.counter = counter;
            this.byDataObject = counter.byDataObject();
        }

        @Override
        public void access(long number, int thread, Place place, DataObject object, long address) {
            boolean wanted = code(place) && (!selection.selectsData() || data(object));
            counts.keep(place, wanted);
            seen += place.kind().accesses();
            if (wanted) {
                given += place.kind().accesses();
                counter.access(number, thread, place, byDataObject ? object : null, address);
            }
        }

        @Override
        public void again(long number, int thread, Place place, long times) {
            seen += times * place.kind().accesses();
            if (counts.of(place)) {
                given += times * place.kind().accesses();
                counter.again(number, thread, place, times);
            }
        }

        @Override
        public void touch(Place place, long address) {
            if (counts.of(place)) {
                counter.touch(place, address);
            }
        }

        @Override
        public boolean byDataObject() {
            return byDataObject || selection.selectsData();
        }

        @Override
        public boolean wants(Place place) {
            return code(place) && counter.wants(place);
        }

        @Override
        public int unitBits(Place place, DataObject object) {
            return counts.of(place) ? counter.unitBits(place, object) : ONE_UNIT;
        }

        @Override
        public boolean byUnit() {
            return counter.byUnit();
        }

        @Override
        public boolean byThread() {
            return counter.byThread();
        }
    }

    @Override
    public void mapped(RegionKind kind, long start, long end, String label) {
        view.mapped(kind, start, end, label);
    }

    @Override
    public void end(boolean complete) {
        view.end(complete);
    }
}
