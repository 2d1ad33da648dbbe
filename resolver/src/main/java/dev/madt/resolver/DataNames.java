package dev.madt.resolver;

import dev.madt.tracker.Block;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.ForgedName;
import java.nio.charset.StandardCharsets;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Names of data addresses: of symbols in modules, of blocks elsewhere. Rendered names of blocks are kept, so that the accesses to
 * one block do not build its name again.
 */
final class DataNames {
    /** How an address was named. */
    enum Share {
        SYMBOL,
        LIVE_BLOCK,
        DEAD_BLOCK,
        REGION
    }

    private static final int KEPT = 1 << 16;

    private final AddressSpace space;
    private final BlockTracker blocks;
    private final LongObjectHashMap<byte[]> rendered = new LongObjectHashMap<>();

    DataNames(AddressSpace space, BlockTracker blocks) {
        this.space = space;
        this.blocks = blocks;
    }

    /** Forgets what is kept: symbols or regions have changed. */
    void clear() {
        rendered.clear();
    }

    /** Which of the names {@link #append} would give. */
    Share share(long address) {
        AddressSpace.Region region = space.region(address);
        boolean module = region != null && region.kind() == AddressSpace.MODULE_DATA;
        Block block = module ? null : blocks.find(address);
        if (block != null) {
            return block.live() ? Share.LIVE_BLOCK : Share.DEAD_BLOCK;
        }
        return space.dataSymbol(address) != null ? Share.SYMBOL : Share.REGION;
    }

    void append(LineBuffer line, long address) {
        AddressSpace.Region region = space.region(address);
        boolean module = region != null && region.kind() == AddressSpace.MODULE_DATA;
        Block block = module ? null : blocks.find(address);
        if (block != null) {
            line.text(name(block));
            line.character('+');
            line.decimal(address - block.address());
            return;
        }
        String symbol = space.dataSymbol(address);
        line.text(bytes(symbol != null ? symbol : space.inRegion(address)));
    }

    /** The forged name. */
    byte[] name(Block block) {
        long key = block.number() * Block.Life.values().length + block.life().ordinal();
        byte[] name = rendered.get(key);
        if (name == null) {
            if (rendered.size() >= KEPT) {
                rendered.clear();
            }
            name = bytes(ForgedName.render(block, space.code(block.code())));
            rendered.put(key, name);
        }
        return name;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
