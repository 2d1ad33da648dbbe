package dev.madt.tracker;

import dev.madt.trace.event.Block;
import java.util.Arrays;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * Holds what blocks have in common that were allocated by one call: the call's code word, how, and
 * a tag of whoever keeps the blocks. Each such site has a number, from 0 on, so that a block need
 * not say all that. Sites are never forgotten. Not for use by several threads.
 */
public final class BlockSites {
    private static final int KIND_BITS = 3;
    private static final Block.Kind[] KINDS = Block.Kind.values();

    /** By kind and tag, in the order in which they came: the sites of each code word. */
    private LongIntHashMap[] numbers = new LongIntHashMap[1 << KIND_BITS];

    private long[] codes = new long[16];
    private int[] kindsAndTags = new int[16];
    private int used;
    private long lastCode;
    private int lastKindAndTag = -1;
    private int last;

    /** Number of the site, new if there was none. */
    int of(long code, Block.Kind kind, int tag) {
        int kindAndTag = tag << KIND_BITS | kind.ordinal();
        if (code != lastCode || kindAndTag != lastKindAndTag) {
            last = find(code, kindAndTag);
            lastCode = code;
            lastKindAndTag = kindAndTag;
        }
        return last;
    }

    private int find(long code, int kindAndTag) {
        if (kindAndTag >= numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(kindAndTag + 1, 2 * numbers.length));
        }
        if (numbers[kindAndTag] == null) {
            numbers[kindAndTag] = new LongIntHashMap();
        }
        int site = numbers[kindAndTag].getIfAbsent(code, -1);
        if (site < 0) {
            site = used++;
            if (used > codes.length) {
                codes = Arrays.copyOf(codes, 2 * codes.length);
                kindsAndTags = Arrays.copyOf(kindsAndTags, codes.length);
            }
            codes[site] = code;
            kindsAndTags[site] = kindAndTag;
            numbers[kindAndTag].put(code, site);
        }
        return site;
    }

    /** Code word of the call of a site. */
    public long code(int site) {
        return codes[site];
    }

    /** Returns how blocks of a site came to be. */
    public Block.Kind kind(int site) {
        return KINDS[kindsAndTags[site] & (1 << KIND_BITS) - 1];
    }

    /** The tag that the tracker had when the site came up. */
    public int tag(int site) {
        return kindsAndTags[site] >>> KIND_BITS;
    }

    /** Returns how many there are. */
    public int count() {
        return used;
    }
}
