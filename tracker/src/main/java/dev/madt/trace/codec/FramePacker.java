package dev.madt.trace.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;

/**
 * Holds what packing a frame needs: zstd's tables and room for a frame. A thread that writes the
 * traces of many processes has one for all of them, since it takes more than a megabyte and time to
 * make.
 */
public final class FramePacker {
    private static final ThreadLocal<FramePacker> OWN = ThreadLocal.withInitial(FramePacker::new);

    private static final int MOST_PIECES = 16;

    private final ZstdCompressCtx zstd = new ZstdCompressCtx();
    private byte[] packed = new byte[1 << 16];
    private int level = Integer.MIN_VALUE;

    private FramePacker() {}

    /** The one of this thread. */
    public static FramePacker own() {
        return OWN.get();
    }

    /** An array for {@code head} bytes and whatever so many bytes are packed into, in pieces. */
    public byte[] room(int head, int raw) {
        int most = head + (int) Zstd.compressBound(raw) + MOST_PIECES * (int) Zstd.compressBound(0);
        if (packed.length < most) {
            packed = new byte[most + most / 2];
        }
        return packed;
    }

    /** The array as it is. */
    public byte[] packed() {
        return packed;
    }

    /**
     * Packs bytes into the array, behind its head, each piece by itself: what is alike in one
     * differs from the others.
     *
     * @param ends of the pieces, the last one at {@code raw}; as bytes behind {@code from}
     * @return how many bytes they are then
     */
    public int pack(int wantedLevel, byte[] bytes, int from, int[] ends, int head) {
        if (level != wantedLevel) {
            level = wantedLevel;
            zstd.setLevel(level);
        }
        int begin = 0;
        int at = head;
        for (int end : ends) {
            if (end > begin) {
                at += zstd.compressByteArray(
                        packed, at, packed.length - at, bytes, from + begin, end - begin);
                begin = end;
            }
        }
        return at - head;
    }
}
