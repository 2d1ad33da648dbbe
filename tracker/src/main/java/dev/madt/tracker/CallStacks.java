package dev.madt.tracker;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import java.util.function.LongUnaryOperator;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says which functions are open in each thread, by what enters and leaves tell: their stack
 * pointers. An enter ends every frame at its stack pointer or below, since what lies there is gone:
 * the function was left by a longjmp or an exception, unseen. But one at its stack pointer that was
 * at work and may jump to what is entered has gone on there, by a tail call: it stays, as a frame
 * that has jumped, until that one is left. A leave ends the frames below its own likewise. A leave
 * without a frame belongs to a function that was entered unseen. Functions that were open when the
 * recording of a thread began are told, the outermost first: what is not among them is gone, and
 * what is known of them stays. While no window of the recording is open, nobody sees what a thread
 * does: what was open in it when the window closed has ended then, unless it is told to be open
 * still. Each stack has its own frames: threads may have several, of coroutines and of signal
 * handlers.
 *
 * <p>Constant time for a call, but for the frames that it ends; memory for the open frames.
 */
public final class CallStacks {
    /** So many functions at one stack pointer have jumped to each other, at most. */
    private static final int MOST_JUMPED = 8;

    /** Is told of every function that ends, in the order in which they do. */
    @FunctionalInterface
    public interface Ending {
        /**
         * A function is open no more.
         *
         * @param frame true to the end of the call
         * @param seen whether it was left by a return that was recorded
         */
        void ended(int thread, Frame frame, boolean seen);

        /** A function has gone on in another one by a jump, which is to be entered. */
        default void jumped(int thread, Frame frame) {}
    }

    /** Is told of the time that threads had no processor. */
    @FunctionalInterface
    public interface Absence {
        /**
         * A thread had no processor.
         *
         * @param innermost the function that it was in; null if none is known
         * @param length in the units of the recording, without what it waited for MadT
         * @param event what the trace says of it
         * @param call the system call that it had most of that time in; null if none is known
         */
        void offCpu(
                int thread,
                Frame innermost,
                long length,
                TraceEvent.OffCpu event,
                TraceEvent.SystemCall call);

        /**
         * A thread was in a system call for long.
         *
         * @param length as above
         * @param call what the trace says of it
         */
        default void called(int thread, Frame innermost, long length, TraceEvent.SystemCall call) {}
    }

    /**
     * A function that has been entered. The object is used again for another one when the function
     * has been left.
     */
    public static final class Frame {
        Frame caller;
        int depth;
        long entry;
        long stack;
        long entered;
        /** By the thread's own clock, as {@link #left}. */
        long begun;

        long left;
        long until;
        long inner;
        AccessSite site;
        boolean jumped;
        boolean before;
        boolean cut;
        /** Functions at its stack pointer jump in circles: only the last one of them is kept. */
        boolean circles;

        Object note;

        /**
         * The frame of the function that was entered last of those that are open below it on the
         * stack, or null.
         */
        public Frame caller() {
            return caller;
        }

        /** Returns how many frames are open on its stack, without itself. */
        public int depth() {
            return depth;
        }

        /** Address of the instruction at which it was entered. */
        public long entry() {
            return entry;
        }

        /** Returns whether it has gone on in another function by a jump. */
        public boolean jumped() {
            return jumped;
        }

        /**
         * Returns whether it was open when the recording of its thread began: its enter is not in
         * the trace, and it counts from there.
         */
        public boolean wasOpen() {
            return before;
        }

        /**
         * Returns whether a window of the recording closed while it was open, and nobody knows when
         * it was left: it counts until {@link #until}.
         */
        public boolean isCut() {
            return cut;
        }

        /** Returns when it was entered, in the units of the recording. */
        public long entered() {
            return entered;
        }

        /**
         * Between enter and leave, without what the thread waited for MadT; known when it has been
         * left.
         */
        public long elapsed() {
            return left - begun;
        }

        /** Of one that never ended, or was cut: the time until which it is counted. */
        public long until() {
            return until;
        }

        /** Of {@link #elapsed}, what was not spent in functions that it called. */
        public long self() {
            return left - begun - inner;
        }

        /** Returns what the user of the stacks keeps here; null at first. */
        public Object note() {
            return note;
        }

        public void note(Object kept) {
            note = kept;
        }
    }

    /** The stacks of one thread; the last one is at hand. */
    private static final class Stacks {
        private final int thread;
        private long time;
        private final LongObjectHashMap<FrameStack> byMemory = new LongObjectHashMap<>();
        private FrameStack last;
        private long memory;
        /** It is told which functions are open. */
        private boolean telling;

        private final ThreadAbsences absences = new ThreadAbsences();
        /** Says when the last absence ended. */
        private long wasOffCpu;
        /** The system call that lasts; null if none is known. */
        private TraceEvent.SystemCall inCall;

        private final OwnTime own = new OwnTime();
        /** Says when the window closed behind which nothing of it is known; 0: none did. */
        private long untoldSince;
        /** Holds the same while it is told what is still open. */
        private long cutAt;

        private long ownCut;

        private Stacks(int thread) {
            this.thread = thread;
        }

        private void pause(long begin, long length) {
            own.pause(begin, length);
            absences.pause(begin, begin + length);
        }

        private Frame innermost() {
            return last == null ? null : last.top();
        }

        /** Until when it is known that the thread was there. */
        private long last() {
            long last = Math.max(time, wasOffCpu);
            boolean lasts = inCall != null && inCall.begin() >= wasOffCpu;
            return lasts ? Math.max(last, inCall.begin() + inCall.length()) : last;
        }

        private long own() {
            return own.at(time);
        }

        /** The same for what is not told to be open: since the window closed, if one did. */
        private long ownEnd() {
            return cutAt == 0 ? own() : ownCut;
        }
    }

    private final LongUnaryOperator memory;
    private final Ending ending;
    private final Absence absence;
    private final IntObjectHashMap<Stacks> threads = new IntObjectHashMap<>();
    private Stacks recent;
    private long unseen;
    private long jumps;
    private long before;
    private long never;
    /** Says when the last window closed; 0: none has, or another one has opened. */
    private long closed;

    /**
     * @param memory which piece of memory an address is in, by a number that stays while the piece
     *     grows downwards; 0: unknown
     */
    public CallStacks(LongUnaryOperator memory) {
        this(memory, (thread, frame, seen) -> {});
    }

    /** As above, and tells of each function that ends. */
    public CallStacks(LongUnaryOperator memory, Ending ending) {
        this(memory, ending, (thread, innermost, length, event, call) -> {});
    }

    /** As above, and tells of absences, in the order of the calls. */
    public CallStacks(LongUnaryOperator memory, Ending ending, Absence absence) {
        this.memory = memory;
        this.ending = ending;
        this.absence = absence;
    }

    /** A function is entered, of which it is not known where it may jump. */
    public Frame enter(int thread, long entry, long stackPointer, long time) {
        return enter(thread, entry, null, stackPointer, time);
    }

    /** A function is entered. */
    public Frame enter(int thread, AccessSite site, long stackPointer, long time) {
        return enter(thread, site.address(), site, stackPointer, time);
    }

    private Frame enter(int thread, long entry, AccessSite site, long stackPointer, long time) {
        FrameStack stack = stack(thread, stackPointer, time);
        long own = recent.own();
        settle(recent);
        Frame top = stack.top();
        boolean jumps = top != null
                && top.stack == stackPointer
                && top.site != null
                && top.site.mayJumpTo(entry);
        boolean circles = jumps && jump(stack, entry, stackPointer, own);
        while (!jumps
                && stack.open > 0
                && Long.compareUnsigned(stack.top().stack, stackPointer) <= 0) {
            endUnseen(stack, own);
        }
        Frame frame = push(stack, entry, stackPointer, time);
        frame.site = site;
        frame.circles = circles;
        return frame;
    }

    private Frame push(FrameStack stack, long entry, long stackPointer, long time) {
        Frame caller = stack.top();
        Frame frame = stack.push();
        frame.caller = caller;
        frame.depth = stack.open - 1;
        frame.entry = entry;
        frame.site = null;
        frame.jumped = false;
        frame.before = false;
        frame.cut = false;
        frame.circles = false;
        frame.stack = stackPointer;
        frame.entered = time;
        frame.begun = recent.own();
        frame.inner = 0;
        frame.note = null;
        return frame;
    }

    private void endUnseen(FrameStack stack, long own) {
        Frame frame = stack.pop(own);
        frame.cut = recent.cutAt != 0;
        frame.until = recent.cutAt;
        unseen += frame.jumped ? 0 : 1;
        ending.ended(recent.thread, frame, false);
    }

    /**
     * A function is open as the recording of its thread begins, or begins again.
     *
     * @return its frame; if it was not known to be open, that is new, and has no note
     */
    public Frame open(TraceEvent.OpenFunction event) {
        Stacks known = threads.get(event.thread());
        if (known != null && known.untoldSince != 0) {
            goesOn(known, event.time());
        }
        FrameStack stack = stack(event.thread(), event.stack(), event.time());
        if (event.depth() == 0 && recent.cutAt == 0) {
            settle(recent);
            recent.telling = true;
        }
        stack.told = Math.max(stack.told, 0);
        int at = stack.find(event.function(), event.stack());
        if (at >= 0) {
            stack.told = at + 1;
            return stack.frames[at];
        }
        while (stack.open > stack.told) {
            endUnseen(stack, recent.ownEnd());
        }
        Frame frame = push(stack, event.function(), event.stack(), event.time());
        frame.before = true;
        stack.told = stack.open;
        return frame;
    }

    /** Tells what is open in a thread that nobody has seen since a window closed. */
    private void goesOn(Stacks stacks, long time) {
        recent = stacks;
        settle(stacks);
        stacks.pause(stacks.untoldSince, Math.max(0, time - stacks.untoldSince));
        stacks.cutAt = stacks.untoldSince;
        stacks.ownCut = stacks.own.at(stacks.cutAt);
        stacks.untoldSince = 0;
        stacks.telling = true;
        stacks.byMemory.forEach(stack -> stack.told = 0);
    }

    /**
     * A window of the recording opens or closes. What was open in a thread when the last one closed
     * has ended then; in the thread that opens this one, unless it is told next to be open still.
     */
    public void window(TraceEvent.Recording event) {
        if (event.type() == RingEventType.RECORD_STOP) {
            closed = event.time();
        } else if (closed != 0) {
            opened(event.thread());
        }
    }

    private void opened(int opener) {
        for (Stacks stacks : threads) {
            stacks.untoldSince = stacks.untoldSince == 0 ? closed : stacks.untoldSince;
            if (stacks.thread != opener) {
                cut(stacks);
            }
        }
        closed = 0;
    }

    /** Ends what was open in a thread when a window closed. */
    private void cut(Stacks stacks) {
        recent = stacks;
        settle(stacks);
        tellAbsences(stacks, stacks.untoldSince);
        stacks.time = Math.max(stacks.time, stacks.untoldSince);
        stacks.untoldSince = 0;
        never += endAll(stacks, true);
    }

    /** All that is open has been told: what is not among it is open no more. */
    private void settle(Stacks stacks) {
        if (!stacks.telling) {
            return;
        }
        stacks.telling = false;
        for (FrameStack stack : stacks.byMemory) {
            while (stack.told != FrameStack.UNTOLD && stack.open > stack.told) {
                endUnseen(stack, stacks.ownEnd());
            }
            stack.told = FrameStack.UNTOLD;
        }
        stacks.cutAt = 0;
    }

    /**
     * The top function goes on in another one. Where it has been in that one before at the same
     * stack pointer, or in many, functions jump in circles, for ever perhaps: then all end but the
     * first one, which was called.
     *
     * @return whether what is entered takes the place of the first one, and there were circles
     */
    private boolean jump(FrameStack stack, long entry, long stackPointer, long own) {
        jumps++;
        stack.top().jumped = true;
        int bottom = stack.bottom(stackPointer);
        Frame first = stack.frames[bottom];
        boolean again = first.circles || stack.open - bottom >= MOST_JUMPED;
        for (int i = bottom; i < stack.open && !again; i++) {
            again = stack.frames[i].entry == entry;
        }
        if (again) {
            boolean whole = first.entry == entry;
            while (stack.open > bottom + (whole ? 0 : 1)) {
                endUnseen(stack, own);
            }
            first.circles = true;
            if (whole) {
                return true;
            }
        }
        ending.jumped(recent.thread, stack.top());
        return false;
    }

    /**
     * A function is left: its frame, which is valid until the next call; null if its enter is not
     * known.
     */
    public Frame leave(int thread, long stackPointer, long time) {
        FrameStack stack = stack(thread, stackPointer, time);
        long own = recent.own();
        settle(recent);
        while (stack.open > 0 && Long.compareUnsigned(stack.top().stack, stackPointer) < 0) {
            endUnseen(stack, own);
        }
        if (stack.open == 0 || stack.top().stack != stackPointer) {
            before++;
            return null;
        }
        Frame frame = stack.pop(own);
        before += frame.before ? 1 : 0;
        ending.ended(thread, frame, true);
        while (stack.isJumped(stack.open - 1, stackPointer)) {
            endUnseen(stack, own);
        }
        return frame;
    }

    /** A thread has waited for MadT: that is none of its functions' time. */
    public void pause(int thread, long begin, long length) {
        threads.getIfAbsentPut(thread, () -> new Stacks(thread)).pause(begin, length);
    }

    /** A thread had no processor: an OFF_CPU event of the trace. */
    public void offCpu(TraceEvent.OffCpu event) {
        Stacks stacks = stacks(event);
        stacks.absences.offCpu(event);
        stacks.wasOffCpu = event.begin() + event.length();
    }

    /** A thread was in a system call for long: a SYSTEM_CALL event of the trace. */
    public void called(TraceEvent.SystemCall event) {
        Stacks stacks = stacks(event);
        stacks.absences.called(event);
        stacks.inCall = SystemCallEvent.isOpen(event) ? event : null;
    }

    private Stacks stacks(TraceEvent event) {
        return threads.getIfAbsentPut(event.thread(), () -> new Stacks(event.thread()));
    }

    private void tellAbsences(Stacks stacks, long until) {
        stacks.absences.tell(stacks.thread, stacks.innermost(), until, absence);
    }

    /**
     * The function that is open innermost on the stack on which a thread entered or left one last;
     * null if there is none.
     */
    public Frame innermost(int thread) {
        Stacks stacks = recent != null && recent.thread == thread ? recent : threads.get(thread);
        if (stacks != null && stacks.untoldSince != 0) {
            cut(stacks);
        } else if (stacks != null && stacks.telling) {
            recent = stacks;
            settle(stacks);
        }
        return stacks == null ? null : stacks.innermost();
    }

    /**
     * A thread begins or ends: what was open in one of this number is open no more, since the last
     * event of the thread. Returns how many frames that were.
     */
    public int forget(int thread) {
        Stacks stacks = threads.remove(thread);
        recent = null;
        return stacks == null ? 0 : end(stacks);
    }

    /**
     * The trace is at its end: what is open ends with the last event of its thread, which may be an
     * absence or a system call.
     */
    public void end() {
        for (Stacks stacks : threads) {
            end(stacks);
        }
        threads.clear();
        recent = null;
    }

    private int end(Stacks stacks) {
        if (stacks.untoldSince != 0) {
            cut(stacks);
        }
        tellAbsences(stacks, Long.MAX_VALUE);
        stacks.time = stacks.last();
        int count = endAll(stacks, false);
        never += count;
        return count;
    }

    private int endAll(Stacks stacks, boolean cut) {
        int count = 0;
        for (FrameStack stack : stacks.byMemory) {
            while (stack.open > 0) {
                Frame frame = stack.pop(stacks.own());
                count += frame.jumped ? 0 : 1;
                frame.until = stacks.time;
                frame.cut = cut;
                ending.ended(stacks.thread, frame, false);
            }
        }
        return count;
    }

    /** Jumps by which functions went on in others. */
    public long jumps() {
        return jumps;
    }

    /** Functions that were left unseen, as was found out so far. */
    public long unseen() {
        return unseen;
    }

    /** Leaves of functions whose enters are not known. */
    public long before() {
        return before;
    }

    /** Functions that were open when their thread or the trace ended. */
    public long never() {
        return never;
    }

    /** Functions that are open now, in all threads, without those that have jumped. */
    public long open() {
        return threads.sumOfLong(stacks -> stacks.byMemory.sumOfInt(CallStacks::open));
    }

    private static int open(FrameStack stack) {
        int open = 0;
        for (int i = 0; i < stack.open; i++) {
            open += stack.frames[i].jumped ? 0 : 1;
        }
        return open;
    }

    private FrameStack stack(int thread, long stackPointer, long time) {
        Stacks stacks = recent;
        if (stacks == null || stacks.thread != thread) {
            stacks = threads.getIfAbsentPut(thread, () -> new Stacks(thread));
            recent = stacks;
        }
        if (stacks.untoldSince != 0) {
            cut(stacks);
        }
        stacks.time = time;
        if (stacks.absences.areAny()) {
            tellAbsences(stacks, time);
        }
        long piece = memory.applyAsLong(stackPointer);
        if (stacks.last == null || piece != stacks.memory && piece != 0) {
            stacks.memory = piece;
            stacks.last = stacks.byMemory.getIfAbsentPut(piece, FrameStack::new);
        }
        return stacks.last;
    }
}
