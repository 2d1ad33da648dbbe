package dev.madt.resolver.line;

import dev.madt.trace.event.Block;
import dev.madt.tracker.ForgedName;
import java.nio.charset.StandardCharsets;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Names of data addresses: of symbols in modules, of blocks elsewhere; each is built once for as
 * long as it holds. The call of a block is kept, so that its name stays the same when the module of
 * the call is unloaded: a block is named by what stood at the call when it was allocated.
 */
final class DataNames {
    /** Says how an address was named. */
    enum Share {
        SYMBOL,
        LIVE_BLOCK,
        DEAD_BLOCK,
        LOCAL,
        REGION
    }

    private static final int KEPT = 1 << 16;

    private final AddressSpace space;
    private final FieldNames fields;
    private final DataIndex index;
    private final boolean noted;
    private final LongObjectHashMap<String> calls = new LongObjectHashMap<>();

    /** @param fields null to print offsets */
    DataNames(AddressSpace space, DataIndex index, FieldNames fields) {
        this(space, index, fields, true);
    }

    private DataNames(AddressSpace space, DataIndex index, FieldNames fields, boolean noted) {
        this.space = space;
        this.index = index;
        this.fields = fields;
        this.noted = noted;
    }

    /** Of an index whose ranges have notes of somebody else: a name is built each time. */
    static DataNames unnoted(AddressSpace space, DataIndex index) {
        return new DataNames(space, index, null, false);
    }

    /** Returns which of the names {@link #append} would give. */
    Share share(long address) {
        NamedRange named = index.at(address);
        if (named.block() != null) {
            return named.block().live() ? Share.LIVE_BLOCK : Share.DEAD_BLOCK;
        }
        return named.symbol() != null ? Share.SYMBOL : Share.REGION;
    }

    /**
     * As {@link #append(LineBuffer, NamedRange, DataName, long, long)}, wherever the address lies.
     */
    void append(LineBuffer line, long address, long size) {
        NamedRange named = index.at(address);
        append(line, named, of(named), address, size);
    }

    /**
     * {@code symbol+offset}, {@code <block>+offset} or {@code [region]+offset}; members where they
     * are asked for and known.
     *
     * @param size bytes of the access, 0 if it is not known
     */
    void append(LineBuffer line, NamedRange named, DataName name, long address, long size) {
        if (fields == null || !member(line, named, name, address, size)) {
            name.append(line, address);
        }
    }

    private boolean member(
            LineBuffer line, NamedRange named, DataName name, long address, long size) {
        if (named.block() != null) {
            return fields.append(line, name.name(), named.block(), address, size);
        }
        return named.symbol() != null && fields.append(line, named.symbol(), address, size);
    }

    /** The name of a range's addresses. */
    DataName of(NamedRange named) {
        if (!noted) {
            return render(named);
        }
        DataName name = (DataName) named.note();
        if (name == null) {
            name = render(named);
            named.note(name);
        }
        return name;
    }

    private DataName render(NamedRange named) {
        AddressSpace.Region region = named.region();
        String label = region == null ? null : region.label();
        if (named.block() != null) {
            return new DataName(name(named.block()), named.block().address(), label);
        }
        if (named.symbol() != null) {
            return new DataName(named.symbol().name(), named.symbol().address(), label);
        }
        return region == null
                ? new DataName(null, 0, null)
                : new DataName(region.text(), region.origin(), label);
    }

    /** The forged name. */
    byte[] name(Block block) {
        return ForgedName.render(block, call(block)).getBytes(StandardCharsets.UTF_8);
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
