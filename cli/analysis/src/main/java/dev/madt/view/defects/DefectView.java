package dev.madt.view.defects;

import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;
import dev.madt.view.Selection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * Finds what a program must not do with the blocks of heaps. It looks at every event, whatever is
 * selected, and tells the defects of a selection. Its memory grows with the blocks that live, a bit
 * for each of their bytes.
 */
public final class DefectView implements Analysis {
    private static final long HUGE = 1L << 47;
    private static final int VECTOR = 16;
    private static final int REGISTER = 8;
    /** Blocks begin at multiples of this. */
    static final int GRAIN = 16;
    /** So far behind the end of a block an access may have been meant for it. */
    private static final long NEAR = 64;

    private static final String MAY_COPY =
            "the code may only copy what it loads, or not use it: the trace does not tell";
    /** Functions that copy, but not onto what they copy from. */
    private static final Pattern COPIES =
            Pattern.compile("(__)?(memcpy|mempcpy|strn?cpy|stpn?cpy|strn?cat|wmemcpy)(_chk)?");

    private final Selection selection;
    private final DefectNotes notes = new DefectNotes();
    private final FoundDefects found;
    private final IntObjectHashMap<ThreadTrail> trails = new IntObjectHashMap<>();
    private final HeapBlocks blocks;
    private final StackWatch stacks;
    private final OpenCalls calls = new OpenCalls();
    private Neighbours space;
    private long window;
    private long next;

    public DefectView(Set<DefectKind> kinds, Selection selection) {
        this.selection = selection;
        this.found = new FoundDefects(kinds, notes);
        this.blocks = new HeapBlocks(this, notes);
        this.stacks = new StackWatch(this, notes);
    }

    public FoundDefects found() {
        return found;
    }

    /** Returns what was not looked for, to be said behind "Not looked for:"; empty if nothing. */
    public String unlooked() {
        return blocks.unlooked(found);
    }

    public SearchLimits limits() {
        return blocks.limits;
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.keeping(notes.all());
    }

    @Override
    public void neighbours(Neighbours of) {
        space = of;
        blocks.neighbours(of);
        calls.neighbours(of);
    }

    @Override
    public void meta(Map<String, String> values) {
        selection.thread().meta(values);
        blocks.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {
        ThreadTrail trail = trail(batch.thread());
        for (int row = 0; row < batch.count(); row++) {
            Place place = batch.place(row);
            CodeNote note = notes.of(place);
            blocks.limits.accessed(batch.object(row));
            if (note.role.stub()) {
                if (!note.role.libc()) {
                    stub(batch.object(row), trail);
                }
                continue;
            }
            if (trail.pending.active()) {
                trail.pending.look(place, batch.address(row), batch.store(row));
            }
            stacks.access(batch, row, note, trail);
            access(batch, row, trail);
            trail.add(batch, row);
        }
        next = batch.first() + batch.count();
    }

    /**
     * An entry of the procedure linkage table: it takes an address, and where that is not known
     * yet, the first entry asks the loader for it.
     */
    private void stub(DataObject object, ThreadTrail trail) {
        if (!DefectRules.slot(object).isEmpty()) {
            leaveLibc(object, trail);
        }
    }

    ThreadTrail trail(int thread) {
        ThreadTrail trail = trails.get(thread);
        if (trail == null) {
            trail = new ThreadTrail(calls.start());
            trails.put(thread, trail);
        }
        return trail;
    }

    private void access(Accesses batch, int row, ThreadTrail trail) {
        DataObject object = batch.object(row);
        CodeNote note = notes.of(batch.place(row));
        if (note.role.looksAround(batch.store(row))) {
            string(batch, row, note, trail);
            return;
        }
        if (!note.role.libc()) {
            leaveLibc(object, trail);
        }
        if (DefectRules.isGap(object)) {
            gap(batch, row, note, trail);
        } else if (object.dead()) {
            dead(batch, row, note, trail);
        } else if (object.kind() == DataObject.Kind.BLOCK
                && !object.block().kind().mapping()) {
            live(batch, row, note, trail);
        }
    }

    private void leaveLibc(DataObject object, ThreadTrail trail) {
        trail.leaveLibc(DefectRules.slot(object));
        if (trail.called().equals("sigaltstack")) {
            blocks.writtenUnseen(); // by the kernel, for handlers
        }
    }

    /**
     * A load by a function that may look at whole vectors around its string. Of a masked load, each
     * element of which is an access, it counts where the whole begins.
     */
    private void string(Accesses batch, int row, CodeNote note, ThreadTrail trail) {
        long address = batch.address(row);
        long begin = address - batch.place(row).inFront();
        DataObject object = batch.object(row);
        if (begin != address && isSuspect(object)) {
            object = space.around(begin);
        }
        boolean suspect = isSuspect(object);
        DataObject dead = object.dead() ? object : null;
        boolean live = !suspect;
        for (long at = begin;
                suspect && !live && at < address + batch.size(row);
                at = (at | GRAIN - 1) + 1) {
            DataObject there = space.around(at);
            live = there.kind() == DataObject.Kind.BLOCK && !there.dead();
            dead = dead == null && there.dead() ? there : dead;
        }
        if (trail.string(batch.place(row), address, live)) {
            return;
        }
        if (dead != null) {
            found(batch, row, afterEnd(dead), dead, null, trail);
        } else {
            gap(batch, row, note, trail);
        }
    }

    private static boolean isSuspect(DataObject object) {
        return DefectRules.isGap(object) || object.dead();
    }

    private void gap(Accesses batch, int row, CodeNote note, ThreadTrail trail) {
        Place place = batch.place(row);
        long address = batch.address(row);
        int size = Math.max(1, place.size());
        DataObject origin = note.lastBlock(batch.thread());
        Gap gap = blocks.gap(
                batch.object(row), address, size, origin == null ? trail.lastBlock(place) : origin);
        if (gap != null) {
            note.step(null, batch.thread(), address);
            tell(
                    new Defect.Case(
                            gap.kind(),
                            place,
                            Defect.Case.letter(batch, row),
                            gap.block(),
                            address - gap.block().start(),
                            size,
                            batch.thread(),
                            batch.first() + row,
                            null),
                    gap.other(),
                    trail);
        }
    }

    private void dead(Accesses batch, int row, CodeNote note, ThreadTrail trail) {
        DataObject object = batch.object(row);
        long address = batch.address(row);
        DataObject front = blocks.inFront(object);
        boolean near = front != null && address - front.end() < NEAR;
        if (front != null && note.leads(front, object, batch.thread(), address, near)) {
            note.strayed(address);
            tell(
                    Defect.Case.of(batch, row, DefectKind.BEYOND, front, null).or(object),
                    null,
                    trail);
            return;
        }
        DataObject from = note.walkedFrom(object, batch.thread(), address);
        if (from != null) {
            strayed(batch, row, from, note, trail);
            return;
        }
        boolean either = near && Gap.same(front, trail.lastBlock(batch.place(row)));
        tell(
                Defect.Case.of(batch, row, afterEnd(object), object, null)
                        .or(either ? front : null),
                null,
                trail);
    }

    /** Returns what an access to a dead block is. */
    DefectKind afterEnd(DataObject object) {
        BlockState state = object.former() == null ? null : notes.of(object.former());
        return state != null && state.moved ? DefectKind.AFTER_REALLOC : DefectKind.AFTER_FREE;
    }

    private void live(Accesses batch, int row, CodeNote note, ThreadTrail trail) {
        DataObject object = batch.object(row);
        long address = batch.address(row);
        int size = batch.size(row);
        long offset = address - object.start();
        boolean unwritten = written(batch, row, note, offset);
        DataObject from =
                note.role.libc() ? null : note.walkedFrom(object, batch.thread(), address);
        if (from != null) {
            strayed(batch, row, from, note, trail);
            return;
        }
        if (!note.role.libc()) {
            note.step(object, batch.thread(), address);
        }
        if (size > 0 && blocks.isBeyond(object, address, size)) {
            boolean aligned = !batch.store(row) && size >= VECTOR && (address & size - 1) == 0;
            found(
                    batch,
                    row,
                    DefectKind.BEYOND,
                    object,
                    aligned
                            ? "a vector that is aligned may be looked at beyond the end of what it"
                                    + " is needed for"
                            : null,
                    trail);
        } else if (unwritten) {
            uninitialised(batch, row, trail);
        }
    }

    /**
     * Follows what is written to a block; whether an access loads something of which nobody has
     * written a byte.
     */
    private boolean written(Accesses batch, int row, CodeNote note, long offset) {
        DataObject object = batch.object(row);
        int size = batch.size(row);
        BlockState state = blocks.state(object, batch.thread());
        if (state == null || state.written == null) {
            return false;
        }
        if (!batch.store(row)) {
            return !note.role.libc()
                    && size > 0
                    && size <= REGISTER
                    && !state.written.any(offset, size);
        }
        if (note.role.context()) {
            state.written = null; // what lies on stacks is not recorded
        } else {
            state.written.set(offset, size == 0 ? object.block().size() : size);
        }
        return false;
    }

    private void uninitialised(Accesses batch, int row, ThreadTrail trail) {
        if (!trail.copies(batch, row)) {
            BlockState state = blocks.state(batch.object(row), batch.thread());
            unwritten(batch, row, read -> {
                blocks.reader(state);
                state.read(read);
            });
        }
    }

    /** A load of what nobody has written; {@code to} is given it if nothing explains it. */
    void unwritten(Accesses batch, int row, Consumer<BlockState.Read> to) {
        Place place = batch.place(row);
        Defect.Case each = new Defect.Case(
                DefectKind.UNINITIALISED,
                place,
                'L',
                batch.object(row),
                batch.address(row) - batch.start(row),
                batch.size(row),
                batch.thread(),
                batch.first() + row,
                MAY_COPY);
        if (wanted(each)) {
            trail(batch.thread())
                    .pending
                    .begin(
                            to,
                            new BlockState.Read(each, history(batch.thread(), place)),
                            place,
                            batch.address(row));
        }
    }

    /** A bulk fetch of what nobody has written. */
    void fetched(BlockAccess event, Consumer<BlockState.Read> to) {
        Defect.Case each = new Defect.Case(
                DefectKind.UNINITIALISED,
                event.place(),
                event.kind().letter(),
                event.target(),
                event.to() - event.targetStart(),
                event.length(),
                event.thread(),
                event.number(),
                null);
        if (wanted(each)) {
            to.accept(new BlockState.Read(each, history(event.thread(), event.place())));
        }
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        calls.call(thread, place, stack);
    }

    /** The calls that led to code that is at work in a thread; null if nobody knows. */
    CallChain calls(int thread, Place at) {
        return calls.to(at, thread, trail(thread).stack);
    }

    private Defect.History history(int thread, Place at) {
        return new Defect.History(calls(thread, at), trail(thread).told());
    }

    private void strayed(
            Accesses batch, int row, DataObject from, CodeNote note, ThreadTrail trail) {
        note.strayed(batch.address(row));
        Defect.Case each = new Defect.Case(
                DefectKind.NEIGHBOUR,
                batch.place(row),
                Defect.Case.letter(batch, row),
                from,
                batch.address(row) - from.start(),
                Math.max(1, batch.size(row)),
                batch.thread(),
                batch.first() + row,
                "the instruction came with even steps from there to "
                        + batch.object(row).name());
        tell(each, null, trail);
    }

    private void found(
            Accesses batch,
            int row,
            DefectKind kind,
            DataObject object,
            String guess,
            ThreadTrail trail) {
        tell(Defect.Case.of(batch, row, kind, object, guess), null, trail);
    }

    /** Tells a case; {@code other}: the block that it may be as well, or null. */
    private void tell(Defect.Case each, DataObject other, ThreadTrail trail) {
        if (wanted(each)) {
            found.add(each, () -> {
                List<String> before = trail.told();
                if (other != null) {
                    before.add("as near: " + other.name());
                }
                return new Defect.History(calls(each.thread(), each.code()), before);
            });
        }
    }

    void tell(Defect.Case each, long cases) {
        if (wanted(each)) {
            found.add(each, cases, () -> history(each.thread(), each.code()));
        }
    }

    void tell(BlockState.Read read) {
        found.add(read.each(), read::history);
    }

    private boolean wanted(Defect.Case each) {
        return each.in(selection, window) && !DefectRules.isOfGo(each.block());
    }

    @Override
    public void block(BlockAccess event) {
        ThreadTrail trail = trail(event.thread());
        trail.pending.settle();
        boolean fetch = event.kind() == BlockKind.FETCH;
        long length = event.length() < 0 ? HUGE : Math.min(HUGE, event.length());
        if (length > 0) {
            if (event.source() != null) {
                side(event, event.source(), event.from(), length, false, trail);
            }
            side(event, event.target(), event.to(), length, !fetch, trail);
            if (!fetch) {
                stacks.written(event, length);
            } else {
                stacks.fetched(event);
            }
            blocks.moved(event, length);
            overlap(event, trail);
        }
        trail.add(
                event.place(),
                event.target(),
                event.to() - event.targetStart(),
                event.kind().letter());
        next = event.number() + 1;
    }

    /**
     * A copy by a function that must not copy onto its source, if the code took its address for the
     * call; a whole structure may be copied onto itself.
     */
    private void overlap(BlockAccess event, ThreadTrail trail) {
        String called = trail.called();
        if (notes.of(event.place()).role.libc()) {
            return;
        }
        trail.leaveLibc("");
        long apart = Math.abs(event.to() - event.from());
        if (event.kind() == BlockKind.COPY
                && apart != 0
                && apart < event.length()
                && COPIES.matcher(called).matches()) {
            tell(
                    new Defect.Case(
                            DefectKind.OVERLAP,
                            event.place(),
                            'Y',
                            event.target(),
                            event.to() - event.targetStart(),
                            event.length(),
                            event.thread(),
                            event.number(),
                            null),
                    null,
                    trail);
        }
    }

    private void side(
            BlockAccess event,
            DataObject object,
            long address,
            long length,
            boolean store,
            ThreadTrail trail) {
        CodeRole role = notes.of(event.place()).role;
        char letter = event.kind().letter();
        blocks.limits.accessed(object);
        if (DefectRules.isGap(object)) {
            Gap gap = blocks.gap(object, address, length, trail.lastBlock(event.place()));
            if (gap != null) {
                tell(
                        new Defect.Case(
                                gap.kind(),
                                event.place(),
                                letter,
                                gap.block(),
                                address - gap.block().start(),
                                length,
                                event.thread(),
                                event.number(),
                                null),
                        gap.other(),
                        trail);
            }
        } else if (object.dead()) {
            tell(
                    new Defect.Case(
                            afterEnd(object),
                            event.place(),
                            letter,
                            object,
                            address - object.start(),
                            length,
                            event.thread(),
                            event.number(),
                            DefectRules.doubtOfTransfer(role, store)),
                    null,
                    trail);
        } else if (object.kind() == DataObject.Kind.BLOCK
                && !object.block().kind().mapping()) {
            long offset = address - object.start();
            if (blocks.isBeyond(object, address, length) && (store || !role.libc())) {
                tell(
                        new Defect.Case(
                                DefectKind.BEYOND,
                                event.place(),
                                letter,
                                object,
                                offset,
                                length,
                                event.thread(),
                                event.number(),
                                null),
                        null,
                        trail);
            }
            BlockState state = blocks.state(object, event.thread());
            if (event.kind() == BlockKind.FETCH
                    && !role.libc()
                    && state != null
                    && state.written != null
                    && !state.written.any(offset, length)) {
                fetched(event, read -> {
                    blocks.reader(state);
                    state.read(read);
                });
            }
        }
    }

    @Override
    public void allocation(Allocation event) {
        calls.at(event);
        trail(event.thread()).pending.settle();
        next = event.next();
        blocks.allocation(event);
        calls.at(null);
    }

    @Override
    public void inherited(DataObject block, long size) {
        blocks.inherited(block);
    }

    @Override
    public void ring(TraceEvent event) {
        selection.thread().ring(event);
        calls.ring(event);
        switch (event.type()) {
            case RECORD_START -> {
                window++;
                stacks.forget();
            }
            case THREAD_START, THREAD_END -> {
                trail(event.thread()).pending.settle();
                trails.remove(event.thread());
            }
            default -> {}
        }
        blocks.ring(event, next);
    }

    @Override
    public void end(boolean complete) {
        trails.forEachValue(trail -> trail.pending.settle());
        stacks.end();
        blocks.end(next);
    }
}
