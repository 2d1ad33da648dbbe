package dev.madt.view;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.tracker.AddressRange;

/**
 * An instruction or a call, named once. Two places may have equal names: the same code after its
 * module came back.
 */
public final class Place extends Notes.Noted {
    /** Says what {@link #frame} says where it does not know. */
    public static final int NO_FRAME = AccessSite.NO_FRAME;

    private final int index;
    private final long address;
    private final int length;
    private final AccessKind kind;
    private final int size;
    private final CodeName code;
    private final PlaceSource source;
    /**
     * Holds what lies where this place accessed memory last, and where that begins; for which
     * range, and for how long, {@link #holds} says.
     */
    DataObject lastObject;

    long lastStart;
    /**
     * Holds what a {@link BlockTouch} said last of the block, if it is one of a site, and the
     * block's bytes.
     */
    long touchNote;

    long touchSize;
    private long rangeStart;
    private long rangeLength;
    private int cell;
    private int state = -1;
    /** The site, null for the place of a call, and the place that came behind this one last. */
    AccessSite site;

    /** Says whether it is one of several frames of a call. */
    boolean frame;

    /** The place of the call itself, in whose function that of this frame is inlined; else null. */
    Place around;

    /** The frames that a call's code is of; null as long as nobody has asked. */
    Place[] frames;

    Place follower;

    Place(
            int index,
            long address,
            int length,
            AccessKind kind,
            int size,
            CodeName code,
            PlaceSource source) {
        this.index = index;
        this.address = address;
        this.length = length;
        this.kind = kind;
        this.size = size;
        this.code = code;
        this.source = source;
    }

    /**
     * Returns whether at an address, as far as this place knows, lies what did when it looked last.
     */
    boolean holds(long at, AddressStates states) {
        return states.numbers[cell] == state
                && at - rangeStart + Long.MIN_VALUE < rangeLength + Long.MIN_VALUE;
    }

    /** The cell that this place has looked at, above the number that the cell had then. */
    long cell() {
        return (long) cell << Integer.SIZE | state & 0xffffffffL;
    }

    /** Keeps what lies in a range around an address, and where that begins. */
    void keep(
            DataObject object, long start, long address, AddressRange range, AddressStates states) {
        cell = states.cell(address, range);
        state = states.numbers[cell];
        rangeStart = range.start();
        rangeLength = range.end() - range.start();
        lastObject = object;
        lastStart = start;
    }

    /** Keeps what lies in a range of a stack, for as long as the same frames are open. */
    void keepInFrames(DataObject object, AddressRange range, AddressStates states) {
        cell = states.frames();
        state = states.numbers[cell];
        rangeStart = range.start();
        rangeLength = range.end() - range.start();
        lastObject = object;
        lastStart = object.start();
    }

    /** Keeps what lies in a range of a module's data, which no block changes. */
    void keepOfModule(DataObject object, AddressRange range, AddressStates states) {
        cell = AddressStates.MODULES;
        state = states.numbers[cell];
        rangeStart = range.start();
        rangeLength = range.end() - range.start();
        lastObject = object;
        lastStart = object.start();
    }

    /**
     * Writes where accesses around an address are to what this place holds and lie in one unit of
     * 2^bits bytes: the first address, and how many there are. If the access itself does not lie in
     * one unit, that is the address alone.
     */
    void window(long at, int bits, long[] to, int index) {
        long unit = at & -1L << bits;
        long end = unit + (1L << bits) - Math.max(1, size);
        if (bits == 0 || Long.compareUnsigned(at, end) > 0) {
            to[index] = at;
            to[index + 1] = 1;
            return;
        }
        long start = Long.compareUnsigned(unit, rangeStart) > 0 ? unit : rangeStart;
        long last = rangeStart + rangeLength - 1;
        last = Long.compareUnsigned(end, last) < 0 ? end : last;
        to[index] = start;
        to[index + 1] = last - start + 1;
    }

    /** Returns what lay where it accessed memory last. */
    public DataObject object() {
        return lastObject;
    }

    /**
     * Returns where that begins: of heap blocks that are not told from each other, the one at hand.
     */
    public long start() {
        return lastStart;
    }

    /** Keeps nothing. */
    void forget() {
        state = -1;
    }

    /** Counts places from 0; a place that is forgotten and comes back has another. */
    public int index() {
        return index;
    }

    /** Address of the instruction; after a tail call the return address. */
    public long address() {
        return address;
    }

    /** Bytes of the instruction; 0 if unknown. */
    public int length() {
        return length;
    }

    /** The site that it is of; null for the place of a call that allocates, and the like. */
    public AccessSite site() {
        return site;
    }

    /** Returns what the instruction does to its operand; null for the place of a call. */
    public AccessKind kind() {
        return kind;
    }

    /**
     * Offset of what it accesses from the canonical frame address of its function;
     * {@link #NO_FRAME} if unknown.
     */
    public int frame() {
        return site == null ? NO_FRAME : site.frame();
    }

    /** Bytes accessed; 0 if unknown. */
    public int size() {
        return size;
    }

    /** Returns how many bytes in front of what it accesses its masked access begins. */
    public int inFront() {
        return site == null ? 0 : site.inFront();
    }

    /** The function; the module where no symbol is known. */
    public String function() {
        return code.function();
    }

    /** The linker's name of the function; the module where no symbol is known. */
    public String symbol() {
        return code.symbol();
    }

    /** The linker's name of the function that the instruction is of, which may be inlined. */
    public String innermostSymbol() {
        String inlined = source.innermost();
        return inlined.isEmpty() ? symbol() : inlined;
    }

    /** {@code function+offset} as lines print it. */
    public String name() {
        return code.name();
    }

    /**
     * Returns what a block that it allocated is named by: {@code function+offset} of a call, the
     * function alone where no more is known than that it was entered.
     */
    public String siteName() {
        return kind == AccessKind.ENTER ? function() : name();
    }

    /**
     * Returns what a frame of a chain of calls is called: as {@link #siteName}, of a function that
     * is inlined {@code parse (inlined in main+210)}.
     */
    public String frameName() {
        return isInlined() ? function() + " (inlined in " + name() + ")" : siteName();
    }

    /** Returns whether it is the frame of a function that is inlined. */
    public boolean isInlined() {
        return around != null;
    }

    /** Returns the place of whose function {@link #name} is: another one if this is inlined. */
    public Place named() {
        return isInlined() ? around : this;
    }

    /**
     * Returns a frame of a chain of calls, {@code main.c:12  use+103} or {@code main.c:12  read
     * (inlined in use+103)}, with where its own function makes the call; as much as is known.
     */
    public String framed() {
        String line = source.innermost(frame);
        String name = frame ? frameName() : ownName();
        return line.isEmpty() ? name : line + "  " + name;
    }

    /** Returns what lines print for the module: {@code [libc.so.6]}. */
    public String module() {
        return code.module();
    }

    /** Returns the module without the brackets of lines: {@code libc.so.6}. */
    public String moduleName() {
        String name = module();
        boolean bracketed = name.startsWith("[") && name.endsWith("]");
        return bracketed ? name.substring(1, name.length() - 1) : name;
    }

    /** Returns where the source has it. */
    public PlaceSource source() {
        return source;
    }

    /** Path of the source file as the compiler saw it; empty if unknown. */
    public String file() {
        return source.file();
    }

    /** Line in the source file, from 1; 0 if unknown. */
    public int line() {
        return source.line();
    }

    /**
     * The source line that its accesses are charged to, the file without its folders; {@code ?} if
     * unknown.
     */
    public String lineName() {
        return source.charged();
    }

    /** The function that {@link #lineName} is in: another one if that is a caller's. */
    public String lineFunction() {
        String caller = source.caller();
        return caller.isEmpty() ? function() : caller;
    }

    /**
     * Returns where the program's author finds this: file, without its folders, and line of the
     * innermost code that is the author's, else of the function itself; empty if unknown.
     */
    public String ownLine() {
        return source.own();
    }

    /**
     * The name with the inlined function that {@link #ownLine} is in, if it is in one: {@code parse
     * (inlined in main+210)}.
     */
    public String ownName() {
        String inlined = source.inlined();
        return inlined.isEmpty() ? name() : inlined + " (inlined in " + name() + ")";
    }

    /**
     * Returns a call with the line where the program's author finds it, as far as that is known:
     * {@code move+51 (bank.c:9)}, of a function that is inlined {@code move (bank.c:9)}.
     */
    public String siteOfAuthor() {
        String inlined = source.inlined();
        String name = inlined.isEmpty() ? siteName() : inlined;
        return ownLine().isEmpty() ? name : name + " (" + ownLine() + ")";
    }

    /**
     * Path of the file that the function is in, into which code of {@link #file} may be inlined;
     * empty if unknown.
     */
    public String functionFile() {
        return source.functionFile();
    }
}
