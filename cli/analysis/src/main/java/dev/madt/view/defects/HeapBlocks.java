package dev.madt.view.defects;

import dev.madt.console.Numbers;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Allocation;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The blocks of heaps while they live: what has been written to them, how they end, and which of
 * them do not.
 */
final class HeapBlocks {
    /** Says what a block that is kept back counts beyond its bytes (shim/thread/quarantine.c). */
    private static final int KEPT_OVERHEAD = 32;
    /** Smaller blocks are no stacks. */
    private static final long SMALLEST_STACK = 1024;

    /** Functions of libc whose result is the caller's, who has to free it. */
    private static final Set<String> GIVING = Set.of(
            "strdup",
            "__strdup",
            "strndup",
            "__strndup",
            "wcsdup",
            "asprintf",
            "vasprintf",
            "__asprintf_chk",
            "__vasprintf_chk",
            "getdelim",
            "__getdelim",
            "getline",
            "realpath",
            "__realpath_chk",
            "canonicalize_file_name",
            "getcwd",
            "get_current_dir_name",
            "fopen",
            "fopen64",
            "fdopen",
            "tmpfile",
            "opendir",
            "scandir",
            "open_memstream",
            "popen",
            "getaddrinfo");

    private final DefectView view;
    private final DefectNotes notes;
    private final Set<Place> calls = new LinkedHashSet<>();
    private final Map<String, String> meta = new HashMap<>();
    private final Set<BlockState> readers = new LinkedHashSet<>();
    /** Knows what the trace lacks. */
    final SearchLimits limits;

    private Neighbours space;
    private boolean recording;
    private boolean givenAgain;
    private long freedBytes;
    private int unseen;

    HeapBlocks(DefectView view, DefectNotes notes) {
        this.view = view;
        this.notes = notes;
        this.limits = new SearchLimits(meta, view.found());
    }

    void neighbours(Neighbours of) {
        space = of;
    }

    void meta(Map<String, String> values) {
        meta.putAll(values);
    }

    /** The block that lives and ends in front of this one, with nothing between; or null. */
    DataObject inFront(DataObject block) {
        DataObject front = space.around(block.start() - 1);
        front = DefectRules.isGap(front) ? space.below(block.start() - 1) : front;
        return front != null
                        && front.kind() == DataObject.Kind.BLOCK
                        && !front.dead()
                        && !front.block().kind().mapping()
                ? front
                : null;
    }

    /** Returns whether an access from within a block goes beyond what may be used of it. */
    boolean isBeyond(DataObject block, long address, long length) {
        long size = block.block().size();
        if (address - block.start() + length <= size) {
            return false;
        }
        long behind = block.start() + Math.max(1, size);
        return space.around(behind) != block || space.around(address + length - 1) != block;
    }

    /** The process ran before: it may have blocks of which nothing is known. */
    private boolean attached() {
        return meta.containsKey("attached");
    }

    /** Returns which block an access has missed; null: there is none near, or perhaps another. */
    Gap gap(DataObject object, long address, long length, DataObject origin) {
        return attached() && !Gap.isNobodyElse(space, address)
                ? null
                : Gap.at(space, address, length, DefectRules.isHeap(object), origin);
    }

    /** Returns which of the defects that are wanted cannot be found in this trace; "" if none. */
    String unlooked(FoundDefects found) {
        List<String> all = new ArrayList<>();
        if (!limits.text().isEmpty()) {
            all.add(limits.text());
        }
        if (attached() && found.wants(DefectKind.BEYOND)) {
            all.add("accesses that miss a block by more than its last bytes (of a process that ran"
                    + " before, a block of which MadT does not know may be there)");
        }
        String again = givenAgain();
        if (!again.isEmpty() && found.wants(DefectKind.AFTER_FREE)) {
            all.add(again);
        }
        return String.join("; ", all);
    }

    /** Freed blocks that may have been given out again, so that their uses look right. */
    private String givenAgain() {
        long kept = number("quarantine");
        if (kept == 0) {
            return givenAgain
                    ? "uses of freed blocks whose memory was given out again (madt defects -- PROG"
                            + " looks for them)"
                    : "";
        }
        return freedBytes > kept
                ? "uses of freed blocks behind which " + Numbers.counted(kept, "byte", "bytes")
                        + " more had been freed (--quarantine SIZE keeps more)"
                : "";
    }

    /** Returns what is known of a block of a heap, which a thread accesses; null if nothing. */
    BlockState state(DataObject block, int thread) {
        BlockState state = notes.of(block);
        if (state == null) {
            return null;
        }
        state.by(thread);
        if (state.window != unseen) {
            state.written = null;
        }
        return state;
    }

    /** Something may have been written to any of the blocks that are there. */
    void writtenUnseen() {
        unseen++;
    }

    /** A bulk transfer has written, and perhaps copied what nobody had written. */
    void moved(BlockAccess event, long length) {
        if (event.kind() == BlockKind.FETCH) {
            return;
        }
        BlockState to = written(event.target());
        if (to == null) {
            return;
        }
        BlockState from = event.kind() == BlockKind.COPY ? written(event.source()) : null;
        long offset = event.to() - event.target().start();
        if (from == null || event.from() < event.source().start()) {
            to.written.set(offset, length);
        } else {
            to.written.copy(from.written, event.from() - event.source().start(), offset, length);
        }
    }

    private BlockState written(DataObject object) {
        BlockState state = notes.of(object);
        return state == null || state.written == null || state.window != unseen ? null : state;
    }

    void inherited(DataObject block) {
        if (!block.block().kind().mapping()) {
            notes.keep(block, new BlockState(null, unseen, 0, false));
        }
    }

    void allocation(Allocation event) {
        BlockState old = event.ended() == null || event.ended().former() == null
                ? null
                : notes.of(event.ended().former());
        char letter = event.event().letter();
        boolean heap = event.born() != null && !event.born().block().kind().mapping();
        if (heap) {
            born(event, letter == 'R' ? old : null);
        } else if (event.born() != null) {
            mapped(event);
        }
        if (old != null && !old.ended) {
            old.end = view.calls(event.thread(), event.call());
        }
        if (letter == 'F') {
            freed(event, old);
        } else if (old != null && event.ended().block().kind().mapping()) {
            old.ended = true;
        } else if (old != null) {
            old.moved = letter == 'R';
            gone(event.ended(), old);
        } else if (letter == 'R' && event.ended() == null && event.event().old() != null) {
            revived(event);
        }
    }

    private void revived(Allocation event) {
        BlockState state = notes.of(space.around(event.event().oldAddress()));
        if (state != null) {
            state.ended = false;
        }
    }

    /** Keeps of a mapping which calls led to it: what is written there is not followed. */
    private void mapped(Allocation event) {
        BlockState state = new BlockState(null, unseen, event.thread(), false);
        state.allocated = view.calls(event.thread(), event.call());
        notes.keep(event.born(), state);
    }

    private void born(Allocation event, BlockState old) {
        givenAgain |= freedBytes > 0;
        DataObject block = event.born();
        CodeNote note = notes.of(block.call());
        long size = block.block().size();
        boolean followed = recording
                && !note.role.libc()
                && block.block().kind() != Block.Kind.CALLOC
                && !block.block().kind().nested()
                && WrittenBytes.takes(size);
        boolean counted = !DefectRules.isOfGo(block)
                && (note.role.libc()
                        ? GIVING.contains(view.trail(event.thread()).called())
                        : recording || !note.role.runtime());
        BlockState state = new BlockState(
                followed ? new WrittenBytes(size) : null, unseen, event.thread(), counted);
        if (followed && event.ended() != null) {
            long kept = Math.min(size, event.ended().block().size());
            if (old == null || old.written == null || old.window != unseen) {
                state.written.set(0, kept);
            } else {
                state.written.copy(old.written, 0, 0, kept);
            }
        }
        state.family = takeFamily(block.call(), event.thread());
        state.allocated = view.calls(event.thread(), event.call());
        notes.keep(block, state);
        if (block.block().kind() == Block.Kind.NAMED) {
            cutFrom(space.around(block.start() - 1));
            cutFrom(space.around(block.start() + size));
        }
        if (counted) {
            CodeNote site = notes.of(block.shownCall());
            site.alive = site.alive == null ? new AliveBlocks() : site.alive;
            site.alive.born(block, state.allocated);
            calls.add(block.shownCall());
        }
    }

    /** Leaves out what an allocator cuts blocks from: what it writes there itself is not seen. */
    private void cutFrom(DataObject object) {
        BlockState state = notes.of(object);
        if (state != null) {
            state.written = null;
        }
    }

    private void freed(Allocation event, BlockState state) {
        DataObject block = event.ended();
        DefectKind wrong = DefectRules.wrongFree(event.event());
        if (block == null) {
            if (wrong != null) {
                strange(
                        event.event().oldAddress(),
                        event.call(),
                        'F',
                        event.thread(),
                        event.next());
            }
        } else if (wrong != null || state != null && state.ended) {
            tell(
                    DefectKind.DOUBLE_FREE,
                    event.call(),
                    'F',
                    block,
                    0,
                    event.thread(),
                    event.next(),
                    null);
        } else if (state != null) {
            matched(block, state, event);
            state.ended = true;
            gone(block, state);
        }
    }

    /** The function that frees a block has to be of the family of the one that allocated it. */
    private void matched(DataObject block, BlockState state, Allocation event) {
        Family family = takeFamily(event.call(), event.thread());
        if (family != null && state.family != null && family != state.family) {
            tell(
                    DefectKind.MISMATCHED,
                    event.call(),
                    'F',
                    block,
                    0,
                    event.thread(),
                    event.next(),
                    null);
        }
    }

    /**
     * The family of the function that was called, if the code took its address for the call; null
     * if that is not known, as in libc. What comes next takes an address of its own.
     */
    private Family takeFamily(Place call, int thread) {
        if (notes.of(call).role.libc()) {
            return null;
        }
        ThreadTrail trail = view.trail(thread);
        Family family = Family.of(trail.called());
        trail.leaveLibc("");
        return family;
    }

    /** A block has come to its end. */
    private void gone(DataObject block, BlockState state) {
        state.ended = true;
        if (state.gone) {
            return;
        }
        state.gone = true;
        freedBytes += block.block().size() + KEPT_OVERHEAD;
        state.written = null;
        if (readers.remove(state)) {
            state.takeReads().forEach(view::tell);
        }
        if (state.counted) {
            notes.of(block.shownCall()).alive.gone(block, state.allocated);
        }
    }

    /** Somebody may read what nobody has written. */
    void reader(BlockState state) {
        readers.add(state);
    }

    /** Something has been freed that no block begins at. */
    private void strange(long address, Place call, char letter, int thread, long next) {
        DataObject there = space.around(address);
        String guess =
                there.kind() == DataObject.Kind.REGION && !there.region().startsWith("[stack")
                        ? "MadT may not have seen how this memory was allocated"
                        : null;
        tell(
                DefectKind.INVALID_FREE,
                call,
                letter,
                there,
                address - there.start(),
                thread,
                next,
                guess);
    }

    private void tell(
            DefectKind kind,
            Place call,
            char letter,
            DataObject block,
            long offset,
            int thread,
            long next,
            String guess) {
        view.tell(new Defect.Case(kind, call, letter, block, offset, 0, thread, next, guess), 1);
    }

    void ring(TraceEvent event, long next) {
        switch (event.type()) {
            case RECORD_START -> {
                recording = true;
                unseen++;
            }
            case RECORD_STOP -> recording = false;
            case REALLOC_BEGIN, NAMED_REALLOC_BEGIN ->
                beginRealloc((TraceEvent.Allocation) event, next);
            case THREAD_START -> stack((TraceEvent.ThreadStart) event);
            case CRASH -> crash((TraceEvent.Crash) event, next);
            default -> {}
        }
    }

    /**
     * Leaves out a thread's stack: what the thread does there is not recorded, nor seen as writing.
     */
    private void stack(TraceEvent.ThreadStart event) {
        DataObject object = event.stack() == 0 ? null : space.around(event.stack());
        BlockState state = object == null ? null : notes.of(object);
        if (state != null && object.block().size() >= SMALLEST_STACK) {
            state.written = null;
        }
    }

    /** The access that the process ends by, which is none of those that are recorded. */
    private void crash(TraceEvent.Crash event, long next) {
        DataObject there = space.around(event.address());
        Place code = space.call(event.code());
        BlockState state = there.former() == null ? null : notes.of(there.former());
        view.found().crash(new Crash(event, code, view.calls(event.thread(), code), there, state));
        if (there.dead()) {
            view.tell(
                    new Defect.Case(
                            view.afterEnd(there),
                            code,
                            event.how() == Crash.STORE ? 'S' : 'L',
                            there,
                            event.address() - there.start(),
                            0,
                            event.thread(),
                            next,
                            null),
                    1);
        }
    }

    private void beginRealloc(TraceEvent.Allocation event, long next) {
        if (event.old() == 0) {
            return;
        }
        DataObject block = space.around(event.old());
        BlockState state = block.former() == null ? null : notes.of(block.former());
        boolean begins = block.dead() && block.start() == event.old();
        if (begins && state != null && state.ended) {
            tell(
                    DefectKind.REALLOC_FREED,
                    space.call(event.code()),
                    'R',
                    block,
                    0,
                    event.thread(),
                    next,
                    null);
        } else if (!begins && event.type() == RingEventType.REALLOC_BEGIN) {
            strange(event.old(), space.call(event.code()), 'R', event.thread(), next);
        } else if (state != null) {
            state.ended = true;
        }
    }

    /** Only a process that has come to its own end had the time to free everything. */
    void end(long next) {
        readers.forEach(state -> state.takeReads().forEach(view::tell));
        for (Place call :
                meta.getOrDefault("ended", "").startsWith("exit ") ? calls : Set.<Place>of()) {
            AliveBlocks alive = notes.of(call).alive;
            if (alive.count() > 0) {
                view.tell(
                        new Defect.Case(
                                DefectKind.NEVER_FREED,
                                call,
                                'M',
                                alive.last(),
                                0,
                                alive.bytes(),
                                0,
                                next,
                                null),
                        alive.count());
            }
        }
        boolean unrecorded = meta.getOrDefault("unrecorded", "")
                .contains("[anon]"); // code that the program made as it ran
        if (unrecorded || number("ring_errors") + number("access_errors") > 0) {
            view.found().drop(DefectKind.UNINITIALISED);
        }
    }

    private long number(String key) {
        return Long.parseLong(meta.getOrDefault(key, "0"));
    }
}
