package dev.madt.view;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.FrameName;
import dev.madt.trace.event.Block;
import dev.madt.tracker.ForgedName;

/**
 * Something in memory that has a name: a variable, a block in one state of its life, or the rest of
 * a region. It covers the addresses {@code start()} to {@code end()}.
 */
public final class DataObject extends Notes.Noted {
    /** Kinds of data. */
    public enum Kind {
        VARIABLE,
        BLOCK,
        REGION,
        /** A variable, or what calls leave, in the frame of a function. */
        LOCAL
    }

    private final Kind kind;
    private final long start;
    private final String name;
    private final String region;
    private final Block block;
    private final Place call;
    private final Place endCall;
    private final DataObject former;

    /** Holds what it has become where its first part ended, or as a realloc that failed began. */
    private DataObject ended;

    private final boolean dead;
    private final boolean site;
    private String type;
    /** Of a block: the code word of the call that knows the type. */
    private long typeCode;

    private long end;
    /** The calls that led to a block's allocation; null: unknown. */
    private CallChain chain;

    /** The call that tables name a block by; null: that which allocated it. */
    private Place shownCall;
    /** Holds what the linker calls a variable, or the function that it is in. */
    private String symbol;
    /** Null if it is in no frame. */
    private FrameName local;

    private DataObject(
            Kind kind,
            long start,
            long end,
            String name,
            String region,
            Block block,
            Place call,
            Place endCall,
            DataObject former,
            String type) {
        this.kind = kind;
        this.start = start;
        this.end = end;
        this.name = name;
        this.region = region;
        this.block = block;
        this.call = call;
        this.endCall = endCall;
        this.former = former;
        this.type = type;
        this.typeCode = block == null ? 0 : block.code();
        this.dead = block != null && !block.live();
        this.site = block != null && block.number() == 0;
    }

    static DataObject variable(long end, AddressSpace.Symbol symbol, String region, String type) {
        DataObject made = new DataObject(
                Kind.VARIABLE,
                symbol.address(),
                end,
                symbol.text(),
                region,
                null,
                null,
                null,
                null,
                type);
        made.symbol = symbol.linkerName();
        return made;
    }

    static DataObject rest(long start, long end, String region) {
        return new DataObject(
                Kind.REGION, start, end, region, region, null, null, null, null, null);
    }

    static DataObject local(FrameName local, long start, String region, String type) {
        DataObject made = new DataObject(
                Kind.LOCAL,
                start,
                start + local.size(),
                local.text(),
                region,
                null,
                null,
                null,
                null,
                type);
        made.local = local;
        made.symbol = local.frame();
        return made;
    }

    /** All live blocks of one call. */
    static DataObject site(
            Block.Kind blockKind, long code, Place call, String region, String type) {
        return new DataObject(
                Kind.BLOCK,
                0,
                0,
                null,
                region,
                new Block(blockKind, 0, code, 0, 0, Block.Life.LIVE, 0, -1),
                call,
                null,
                null,
                type);
    }

    static DataObject live(Block block, Place call, String region, String type) {
        long end = block.address() + Math.max(1, block.size());
        return new DataObject(
                Kind.BLOCK, block.address(), end, null, region, block, call, null, null, type);
    }

    /** A block after its end; {@code former} is what it was while it lived. */
    static DataObject dead(Block block, DataObject former, Place endCall) {
        DataObject known = former.ended;
        boolean parts = endCall == null || block.kind().mapping();
        if (parts && known != null && known.block.life() == block.life()) {
            return known;
        }
        former.ended = new DataObject(
                        Kind.BLOCK,
                        former.start,
                        former.end,
                        null,
                        former.region,
                        block,
                        former.call,
                        endCall,
                        former,
                        former.type)
                .typed(former.typeCode, former.type)
                .by(former.chain, former.shownCall);
        return former.ended;
    }

    /**
     * Says what a block holds.
     *
     * @param code word of the call that knows it
     */
    DataObject typed(long code, String name) {
        typeCode = code;
        type = name;
        return this;
    }

    /**
     * Says how a block came to be.
     *
     * @param calls that led to its allocation; null: unknown
     * @param shown that of them which tables name the block by; null: that which allocated it
     */
    DataObject by(CallChain calls, Place shown) {
        chain = calls;
        shownCall = shown;
        return this;
    }

    public Kind kind() {
        return kind;
    }

    /** First byte, from which offsets count. */
    public long start() {
        return start;
    }

    /**
     * One past the last byte; of a variable without a size, past the last one that was accessed.
     */
    public long end() {
        return end;
    }

    void reach(long address) {
        end = Math.max(end, address + 1);
    }

    public boolean contains(long address) {
        return Long.compareUnsigned(address - start, end - start) < 0;
    }

    /**
     * Returns whether this stands for all live blocks of one call: it has no addresses of its own,
     * and no number.
     */
    public boolean isSite() {
        return site;
    }

    /** Returns what lines print in front of the offset. */
    public String name() {
        if (site) {
            return commonName();
        }
        return block == null ? name : ForgedName.render(block, call.name());
    }

    /** Returns the name of a variable, or of one in a frame, as it is shown. */
    public String shown(Demangler names) {
        return local == null
                ? names.demangle(symbol, region)
                : local.text(
                        names.demangle(local.frame(), local.module()),
                        names.demangle(local.inlined()),
                        "");
    }

    /**
     * Returns what the linker calls a variable, or the function whose frame a variable is in; null
     * if it is none.
     */
    public String symbol() {
        return symbol;
    }

    /**
     * Returns what tables call it: as {@link #name}, with the name of the function that allocated
     * and by the call that people mean.
     */
    public String shownName() {
        return site
                ? commonName()
                : block == null ? name : ForgedName.shown(block, shownCall().siteName());
    }

    /** Returns {@link #name} by the call that people mean: for lines that are no paper's. */
    public String rowName() {
        return site
                ? commonName()
                : block == null ? name : ForgedName.render(block, shownCall().siteName());
    }

    /**
     * A name that all blocks of one call share: {@code <malloc@call>}; otherwise as {@link #name}.
     */
    public String commonName() {
        return block == null
                ? name
                : ForgedName.common(block.kind(), shownCall().siteName());
    }

    /** The common name of a block by the call that allocated it, as lines have that. */
    String innerName() {
        return ForgedName.common(block.kind(), call.name());
    }

    /** Returns what is known of it as a part of a function's frame; null if it is none. */
    public FrameName local() {
        return local;
    }

    /** Returns a name of this with the path of a member: {@code sad.k[3] (in main)}. */
    public String member(String ofThis, String path) {
        return local == null ? ofThis + path : local.text(path);
    }

    /** Returns what lines print for the region. */
    public String region() {
        return region;
    }

    /** Returns the code word of the call that knows what a block holds. */
    public long typeCode() {
        return typeCode;
    }

    /** Returns whether this is a block of Go's, which has told its type, but no members. */
    public boolean isOfGo() {
        return block != null && block.kind() == Block.Kind.GO;
    }

    /** Returns whether the type is a guess, and was not told by the allocator. */
    public boolean guessed() {
        return type != null && block != null && !isOfGo();
    }

    /** The name of the type; of a block a guess of what it holds; null if unknown. */
    public String type() {
        return type;
    }

    /**
     * The block, as it was when this data object began, of a site one without a number; null if it
     * is none.
     */
    public Block block() {
        return block;
    }

    /** The call that allocated the block, or null. */
    public Place call() {
        return call;
    }

    /**
     * The call by which tables name the block: that which people mean, for instance the one of a
     * wrapper of the allocator; null of no block.
     */
    public Place shownCall() {
        return shownCall == null ? call : shownCall;
    }

    /** The calls that led to the allocation, that which allocated innermost; null: unknown. */
    public CallChain chain() {
        return chain;
    }

    /**
     * The functions that led to {@link #shownCall}, the innermost first, with arrows between them;
     * null if there are none, or they are not known.
     */
    public String callers() {
        CallChain each = chain;
        while (shownCall != null
                && each != null
                && each.outer() != null
                && each.call() != shownCall) {
            each = each.outer();
        }
        if (each == null || each.outer() == null) {
            return null;
        }
        StringBuilder callers = new StringBuilder();
        CallChain end = each.withoutStart();
        for (each = each == end ? end : each.outer(); each != end; each = each.outer()) {
            callers.append(callers.isEmpty() ? "" : " ← ").append(each.call().function());
        }
        callers.append(callers.isEmpty() || !end.isCut() ? "" : " ← …");
        return callers.isEmpty() ? null : callers.toString();
    }

    /**
     * Returns whether this is the other one, too: a variable or region stays the same when what is
     * known of others changes, which makes new objects of all.
     */
    public boolean isStill(DataObject other) {
        return this == other
                || kind() == other.kind()
                        && (kind() == Kind.VARIABLE || kind() == Kind.REGION)
                        && start() == other.start()
                        && name().equals(other.name());
    }

    /** The call that ended the block; null if unknown or none did. */
    public Place endCall() {
        return endCall;
    }

    /** The live block that this dead one was, or null. */
    public DataObject former() {
        return former;
    }

    /** Returns whether this is a block after its end. */
    public boolean dead() {
        return dead;
    }
}
