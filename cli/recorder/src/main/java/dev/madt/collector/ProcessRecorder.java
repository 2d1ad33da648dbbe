package dev.madt.collector;

import dev.madt.guard.FollowedSwitches;
import dev.madt.limit.RateLimit;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.OwnMappings;
import dev.madt.modules.TrapSites;
import dev.madt.natives.Futex;
import dev.madt.natives.RingSlots;
import dev.madt.natives.SessionSpaceException;
import dev.madt.natives.SharedMapping;
import dev.madt.natives.TimeStamps;
import dev.madt.session.Engine;
import dev.madt.session.ProcessSignal;
import dev.madt.session.SessionDirectory;
import dev.madt.trace.buffer.EventOrder;
import dev.madt.trace.buffer.EventRing;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTracker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Empties the ring and the chunks of one process, pass by pass, into its trace. A pass emits what
 * lies below the ring's write index of the pass before: by then every thread that had read an older
 * epoch has had its time to write.
 */
final class ProcessRecorder implements AutoCloseable {
    /**
     * Ring events of a pass: what is taken is passed on before it has left the processor's caches.
     */
    private static final int MOST_DRAINED = 4096;

    /** Threads that wait for chunks are woken for several at a time. */
    private static final int WOKEN_FOR = 8;

    /** Nanoseconds until a request is repeated that nobody has seen. */
    private static final long UNTIL_AGAIN = 500_000_000;

    private final SessionDirectory directory;
    private final int serial;
    private final int pid;
    private final SharedMapping control;
    private final EventRing ring;
    private final Futex request;
    /** Says when a request is repeated, by {@link System#nanoTime}. */
    private volatile long askedAgainAt;

    /** Likewise, of the functions that are called too often. */
    private long rateLimitedAgainAt;

    private final FollowedSwitches switches;
    private final ModuleTable modules;
    private final EventMerge merge = new EventMerge(this::countFreed);
    private final List<BufferReader> buffers = new ArrayList<>();
    private final ProcessTrace trace;
    private ForkState parent;
    private final boolean inheritsModules;
    private boolean inherits;
    private boolean begun;
    private long limit;
    private int freed;
    private MalformedBufferException damage;
    private boolean ended;
    private final Set<String> answeredFiles = ConcurrentHashMap.newKeySet();
    /** The system calls in which its threads ended, until they stand in the trace. */
    private final List<TraceEvent> openCalls = new ArrayList<>();

    /**
     * @param pid as this process sees it
     * @param parent what the process that forked this one left to it, or null
     */
    ProcessRecorder(
            SessionDirectory directory,
            int serial,
            int pid,
            SharedMapping control,
            ModuleTable modules,
            ProcessTrace trace,
            ForkState parent)
            throws IOException {
        this.directory = directory;
        this.serial = serial;
        this.pid = pid;
        this.control = control;
        this.ring = new EventRing(
                control.bytes(),
                new RingSlots(control.address(0), at -> directory.isWritten(serial, at)));
        this.request = control.futex(SharedLayout.Control.REQUEST + SharedLayout.Request.STATE);
        this.switches = new FollowedSwitches(pid, control, directory::plans);
        this.modules = modules;
        this.trace = trace;
        this.parent = parent;
        this.inherits = parent != null;
        this.inheritsModules = parent != null;
    }

    int pid() {
        return pid;
    }

    int serial() {
        return serial;
    }

    ProcessTrace trace() {
        return trace;
    }

    ModuleTable modules() {
        return modules;
    }

    /** A counter of the control page. */
    long counter(int offset) {
        return control.bytes().getLong(offset);
    }

    /** Returns whether accesses or calls are recorded at the moment. */
    boolean isRecording() {
        return control.bytes().getInt(SharedLayout.Control.RECORDING) != 0;
    }

    /** Returns whether it has been recorded and will not be again. */
    boolean isOver() {
        boolean last = trace.windows().isLast(control.bytes());
        return !isRecording() && (last || trace.limit().isReached());
    }

    /**
     * The counts of its instruments, summed over its threads.
     *
     * @param room of each thread
     * @param used of these
     */
    long[] counts(int room, int used) throws IOException {
        long[] sums = new long[used];
        int told = used == 0 ? 0 : control.bytes().getInt(SharedLayout.Control.COUNTED);
        long most = SharedLayout.COUNTS_BYTES / Math.max(1, (long) room * Long.BYTES);
        int threads = (int) Math.max(0, Math.min(told, most)); // whatever the program has written
        for (int i = 0; i < threads; i++) {
            ByteBuffer counts = directory.counts(serial, i, room);
            for (int k = 0; k < used; k++) {
                sums[k] += counts.getLong(k * Long.BYTES);
            }
        }
        return sums;
    }

    /** Returns how many threads found no room for their counts. */
    int threadsUncounted() {
        return control.bytes().getInt(SharedLayout.Control.UNCOUNTED);
    }

    /** The number of the last event so far. */
    long lastTicket() {
        return Math.max(0, ring.read() - 1);
    }

    /** Returns where its patches trapped. */
    TrapSites trapSites() {
        return TrapSites.of(control.bytes(), modules);
    }

    /** MadT's mappings in the target, as they are now. */
    OwnMappings ownMappings() {
        return OwnMappings.of(control.bytes());
    }

    /** Why the process went on without MadT, as enum madt_left has it; 0: it did not. */
    int left() {
        return control.bytes().getInt(SharedLayout.Control.LEFT);
    }

    /** Returns whether it goes on without MadT since the user wishes so. */
    boolean isDetached() {
        return left() == SharedLayout.LEFT_DETACHED;
    }

    /** Slots that a dying thread left half written. */
    int abandoned() {
        return ring.abandoned();
    }

    /** Returns what the target's memory held against the layout, or null. */
    MalformedBufferException damage() {
        return damage;
    }

    /** Returns whether the target waits for a code map. */
    boolean asks() {
        return request.get() == SharedLayout.REQUEST_ASKED;
    }

    /** Returns whether it asks what it has from its parent: {@link #inheritsModules}. */
    boolean asksToInherit() {
        return requestBytes().getInt(SharedLayout.Request.VARIANT) == SharedLayout.REQUEST_INHERIT;
    }

    /** Returns whether the modules that its parent had are known, with their template numbers. */
    boolean inheritsModules() {
        return inheritsModules;
    }

    /** Returns whether an answer has named a code map or plan. */
    boolean hasAnswered(String file) {
        return answeredFiles.contains(file);
    }

    void answeredFile(Path file) {
        answeredFiles.add(file.toString());
    }

    /** Puts into its area what it is to read from there. */
    void put(long at, ByteBuffer bytes) throws IOException {
        directory.put(serial, at, bytes);
    }

    /** The request part of the control page, for whoever answers it. */
    ByteBuffer requestBytes() {
        return control.bytes()
                .slice(SharedLayout.Control.REQUEST, SharedLayout.Request.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Publishes the answer that was put into {@link #requestBytes}. */
    void answered() {
        request.set(SharedLayout.REQUEST_ANSWERED);
        request.wake();
    }

    /**
     * Asks the target to open a window, or to close the one that is open.
     *
     * @return whether it takes part and could be asked
     */
    boolean askForWindow(boolean open) {
        return ask(
                SharedLayout.Control.ASKED,
                open ? SharedLayout.ASKED_OPEN : SharedLayout.ASKED_CLOSE);
    }

    /** Sends the target its signal, behind a word that says why; false if it cannot be asked. */
    private boolean ask(int word, int value) {
        boolean asked =
                !ended && ProcessSignal.ask(pid, control, word, value, SharedLayout.ASK_VALUE);
        askedAgainAt = System.nanoTime() + UNTIL_AGAIN;
        return asked;
    }

    private void askAgain() {
        int asked = control.futex(SharedLayout.Control.ASKED).get();
        if (asked != 0 && System.nanoTime() - askedAgainAt > 0) {
            ProcessSignal.askAgain(
                    pid, control, SharedLayout.Control.ASKED, asked, SharedLayout.ASK_VALUE);
            askedAgainAt = System.nanoTime() + UNTIL_AGAIN;
        }
    }

    /** Returns how it follows instruments that are switched or added. */
    FollowedSwitches switches() {
        return switches;
    }

    /** Tells the target to record no more accesses, or nothing at all. */
    private void stop(int what) {
        control.bytes().putInt(SharedLayout.Control.STOP, what);
    }

    /**
     * Takes what has come.
     *
     * @return whether there was something, or there is no room for it, so that another pass is due
     *     at once
     */
    boolean pass() throws IOException {
        if (damage != null || ended) {
            return false;
        }
        if (trace.intake().isFull()) {
            return true;
        }
        try {
            return passUndamaged();
        } catch (MalformedBufferException e) {
            damage = e;
            stop(SharedLayout.STOP_EVERYTHING);
            return false;
        }
    }

    private boolean passUndamaged() throws IOException {
        long written = ring.written();
        boolean busy = drainRing();
        openBuffers();
        busy |= scan();
        begin();
        askAgain();
        switches.ask();
        if (inherits && !inherit()) {
            return true; // the parent's events up to the fork come first
        }
        takeAbsences();
        callRate();
        if (trace.engine() == Engine.SPLICE) {
            modules.unrecorded().followTime(pid());
        }
        merge.emit(Math.min(Math.min(limit, ring.read()), openEpoch()), trace.intake());
        signalFreed();
        limit = written;
        if (trace.limit().isReached() || trace.failure() != null) {
            stop(SharedLayout.STOP_ACCESSES);
        }
        return busy || !merge.isEmpty();
    }

    /**
     * Names the functions to the target that are called too often, and asks again until it has
     * taken them all: a fault may have taken the place of the signal.
     */
    private void callRate() throws IOException {
        RateLimit rateLimit = trace.rateLimit();
        if (rateLimit == null) {
            return;
        }
        long now = System.nanoTime();
        boolean due = rateLimit.grows(now) || now - rateLimitedAgainAt > 0;
        if (due && control.bytes().getInt(SharedLayout.Control.RATE_LIMITED) != rateLimit.count()) {
            rateLimitedAgainAt = now + UNTIL_AGAIN / 2;
            try {
                name(rateLimit);
            } catch (SessionSpaceException e) {
                return; // then they go on for now
            }
        }
    }

    private void name(RateLimit rateLimit) throws IOException {
        int before = control.bytes().getInt(SharedLayout.Control.RATE_LIMIT);
        if ((before & ~SharedLayout.RATE_LIMIT_SECOND) == rateLimit.count()) {
            ask(SharedLayout.Control.RATE_LIMIT, before);
            return;
        }
        boolean second = before != 0 && (before & SharedLayout.RATE_LIMIT_SECOND) == 0;
        long half = second ? SharedLayout.RATE_LIMIT_BYTES / 2 : 0;
        ByteBuffer ranges = ByteBuffer.wrap(rateLimit.ranges());
        if (ranges.remaining() <= SharedLayout.RATE_LIMIT_BYTES / 2) {
            directory.put(serial, SharedLayout.RATE_LIMIT_AT + half, ranges);
            ask(
                    SharedLayout.Control.RATE_LIMIT,
                    rateLimit.count() | (second ? SharedLayout.RATE_LIMIT_SECOND : 0));
        }
    }

    /** Behind the scan of the chunks: so they stand in front of the calls that came behind them. */
    private void takeAbsences() {
        if (begun) {
            long next = merge.events().isEmpty() ? ring.read() : merge.events().epoch();
            trace.takeAbsences(pid, Math.max(0, next - 1));
        }
    }

    /** The address space goes in front of the first event. */
    private void begin() {
        if (!begun && !merge.isEmpty()) {
            begun = true;
            modules.noteStart(pid(), this::ownMappings);
            inheritFromBefore();
            trace.snapshot(modules.start(), parent);
            forgetParent();
        }
    }

    /** Takes the blocks that a process had which ran before, as madt-inject has seen them. */
    private void inheritFromBefore() {
        Path file = directory.path().resolve("blocks");
        if (serial != 0 || !Files.exists(file)) {
            return;
        }
        try {
            ByteBuffer blocks =
                    ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            BlockTracker before = new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING);
            while (blocks.remaining() >= 2 * Long.BYTES) {
                before.follow(new TraceEvent.Allocation(
                        RingEventType.MALLOC, pid, 0, blocks.getLong(), blocks.getLong(), 0, 0, 0));
            }
            trace.inherit(new ForkState.Left(before, List.of()));
        } catch (IOException e) {
            return; // then its blocks are the heap's
        }
    }

    /** Takes over what the parent had; false if its trace has not come to the fork yet. */
    private boolean inherit() {
        ForkState.Left left = parent.take(counter(SharedLayout.Control.FORK_TICKET));
        if (left == null) {
            return false;
        }
        trace.inherit(left);
        inherits = false;
        forgetParent();
        return true;
    }

    /**
     * Returns whether it needs the blocks of its parent, whose trace has not come to the fork yet.
     */
    boolean waitsForParent() {
        return inherits && !inherit();
    }

    /** The serial of the process that forked this one, if one did. */
    int parentSerial() {
        return control.bytes().getInt(SharedLayout.Control.PARENT_SERIAL);
    }

    /** Returns whether its events can be read. */
    boolean isSound() {
        return damage == null;
    }

    /** Once it has given all that it has. */
    private void forgetParent() {
        if (begun && !inherits) {
            parent = null;
        }
    }

    private boolean drainRing() throws MalformedBufferException {
        int drained = 0;
        int taken;
        do {
            taken = ring.take(merge.events());
            drained += taken;
        } while (drained < MOST_DRAINED && taken > 0);
        if (drained > 0) {
            signal(SharedLayout.Control.RING_SIGNAL, SharedLayout.Control.RING_WAITERS);
        }
        return drained > 0;
    }

    private void openBuffers() throws IOException {
        int made = Math.min(
                control.futex(SharedLayout.Control.BUFFERS).get(), SharedLayout.BUFFERS_MAX);
        while (buffers.size() < made) {
            buffers.add(BufferReader.open(
                    directory.buffer(serial, buffers.size()),
                    modules,
                    merge,
                    this::countFreed,
                    trace.engine(),
                    trace.rateLimit()));
        }
    }

    private boolean scan() {
        for (BufferReader buffer : buffers) {
            buffer.look();
        }
        boolean taken = false;
        for (BufferReader buffer : buffers) {
            taken |= buffer.scan(false);
        }
        return taken;
    }

    private long openEpoch() {
        long least = EventOrder.NEVER;
        for (BufferReader buffer : buffers) {
            least = Math.min(least, buffer.openEpoch());
        }
        return least;
    }

    private void countFreed() {
        freed++;
        if (freed >= WOKEN_FOR) {
            signalFreed();
        }
    }

    private void signalFreed() {
        if (freed > 0) {
            freed = 0;
            signal(SharedLayout.Control.CHUNK_SIGNAL, SharedLayout.Control.CHUNK_WAITERS);
        }
    }

    private void signal(int word, int waiters) {
        Futex futex = control.futex(word);
        futex.add();
        if (control.futex(waiters).get() != 0) {
            futex.wake();
        }
    }

    /**
     * The process has ended: {@link #drain} takes all that it left, and {@link #pass} nothing more.
     */
    void end() throws IOException {
        ended = true;
        trace.sink().hold();
        long now = TimeStamps.now().ticks();
        try {
            while (ring.takeDead(merge.events())) {
                continue;
            }
            openBuffers();
            for (BufferReader buffer : buffers) {
                buffer.look();
                buffer.scan(true);
                buffer.openCalls(now, openCalls);
                buffer.finish();
            }
        } catch (MalformedBufferException e) {
            damage = damage == null ? e : damage;
        }
        buffers.forEach(BufferReader::finish);
        begin();
        if (inherits) {
            inherit();
        }
        takeAbsences();
    }

    /** The system calls that its threads are in, as far as they are known, until now. */
    List<TraceEvent.SystemCall> callsNow() {
        List<TraceEvent.SystemCall> calls = new ArrayList<>();
        long now = TimeStamps.now().ticks();
        buffers.forEach(buffer -> buffer.openCalls(now, calls));
        return calls;
    }

    /**
     * The system calls that its threads are in, for a trace that ends here: what they did before
     * has been taken.
     */
    List<TraceEvent> openCalls() throws IOException {
        if (!isRecording() || trace.limit().isReached()) {
            return List.of();
        }
        List<TraceEvent.SystemCall> before = callsNow();
        pass();
        pass(); // takes what the other one has put in order
        long ticket = Math.max(0, ring.read() - 1);
        return callsNow().stream()
                .filter(call -> before.stream().anyMatch(other -> isSame(call, other)))
                .map(call -> call.at(ticket))
                .toList();
    }

    private static boolean isSame(TraceEvent.SystemCall call, TraceEvent.SystemCall other) {
        return call.thread() == other.thread() && call.begin() == other.begin();
    }

    /** Returns whether {@link #end} has been called. */
    boolean hasEnded() {
        return ended;
    }

    /**
     * Takes, in order, what an ended process left, as far as there is room.
     *
     * @return whether nothing is left
     */
    boolean drain() throws IOException {
        while (!merge.isEmpty() && !trace.intake().isFull()) {
            try {
                merge.emit(Long.MAX_VALUE, trace.intake());
            } catch (MalformedBufferException e) {
                damage = damage == null ? e : damage;
            }
        }
        if (merge.isEmpty()) {
            long ticket = Math.max(0, ring.read() - 1);
            openCalls.forEach(call -> trace.takeOpenCall(call.at(ticket)));
            openCalls.clear();
        }
        return merge.isEmpty();
    }

    @Override
    public void close() {
        buffers.forEach(BufferReader::close);
        control.close();
        merge.close();
    }
}
