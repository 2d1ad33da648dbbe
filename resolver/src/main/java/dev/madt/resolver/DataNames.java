package dev.madt.resolver;

import dev.madt.tracker.Block;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.ForgedName;
import java.nio.charset.StandardCharsets;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Names of data addresses: of symbols in modules, of blocks elsewhere. Rendered names of blocks are kept, so that the
 * accesses to one block do not build its name again, and so that it stays the same when the module of the call is
 * unloaded: a block is named by what stood at the call when it was allocated.
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
    private static final int LIVES = Block.Life.values().length;

    private final AddressSpace space;
    private final FieldNames fields;
    private final BlockTracker blocks;
    private final LongObjectHashMap<byte[]> rendered = new LongObjectHashMap<>();
    private final LongObjectHashMap<String> calls = new LongObjectHashMap<>();
    private Block lastBlock;
    private byte[] lastName;

    /** @param fields null to print offsets */
    DataNames(AddressSpace space, BlockTracker blocks, FieldNames fields) {
        this.space = space;
        this.blocks = blocks;
        this.fields = fields;
    }

    /** Which of the names {@link #append} would give. */
    Share share(long address) {
        Block block = block(address);
        if (block != null) {
            return block.live() ? Share.LIVE_BLOCK : Share.DEAD_BLOCK;
        }
        return space.dataSymbol(address) != null ? Share.SYMBOL : Share.REGION;
    }

    /**
     * {@code symbol+offset}, {@code <block>+offset} or {@code [region]+offset}; members where they are asked for and known.
     *
     * @param size bytes of the access, 0 if it is not known
     */
    void append(LineBuffer line, long address, long size) {
        Block block = block(address);
        if (block != null) {
            if (fields == null || !fields.append(line, name(block), block, address, size)) {
                AddressSpace.appendOffset(line, name(block), address - block.address());
            }
            return;
        }
        AddressSpace.Symbol symbol = space.dataSymbol(address);
        if (symbol != null) {
            if (fields == null || !fields.append(line, symbol, address, size)) {
                AddressSpace.appendOffset(line, symbol.name(), address - symbol.address());
            }
        } else {
            space.appendInRegion(line, address);
        }
    }

    private Block block(long address) {
        AddressSpace.Region region = space.region(address);
        boolean module = region != null && region.kind() == AddressSpace.MODULE_DATA;
        return module ? null : blocks.find(address);
    }

    /** The forged name. */
    byte[] name(Block block) {
        if (block != lastBlock) {
            lastName = lookUp(block);
            lastBlock = block;
        }
        return lastName;
    }

    private byte[] lookUp(Block block) {
        long key = block.number() * LIVES + block.life().ordinal();
        byte[] name = rendered.get(key);
        if (name == null) {
            if (rendered.size() >= KEPT) {
                rendered.clear();
            }
            name = ForgedName.render(block, call(block)).getBytes(StandardCharsets.UTF_8);
            rendered.put(key, name);
        }
        return name;
    }

    private String call(Block block) {
        String call = calls.get(block.number());
        if (call == null) {
            if (calls.size() >= KEPT) {
                calls.clear();
            }
            call = space.code(block.code());
            calls.put(block.number(), call);
        }
        return call;
    }
}
