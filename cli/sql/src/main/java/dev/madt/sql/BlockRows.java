package dev.madt.sql;

import dev.madt.duckdb.TableSource;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a row of each block when it ends, and of those that live when the trace does. */
final class BlockRows implements Analysis {
    static final List<TableSource.Column> COLUMNS = EventTable.columns(
            "t trace",
            "i process",
            "l block,address,size",
            "t data,symbol,region,site,allocated_at,type",
            "i thread",
            "l born,ended",
            "t ended_by",
            "l loads,stores,bytes,transfers,first_access,last_access",
            "t function,module");

    private static final int COUNTS = 15;
    private static final int LAST_COUNT = 20;

    /** Holds what is known of a block that lives. */
    private static final class Life {
        private final DataObject object;
        private final Integer thread;
        private final long born;
        private long loads;
        private long stores;
        private long bytes;
        private long transfers;
        private long first = -1;
        private long last = -1;

        Life(DataObject object, Integer thread, long born) {
            this.object = object;
            this.thread = thread;
            this.born = born;
        }

        private void touch(long number) {
            first = first < 0 ? number : first;
            last = number;
        }
    }

    private final RowSink rows;
    private final boolean counts;
    private final Notes<Life> lives = new Notes<>();
    private final Map<Long, Life> living = new LinkedHashMap<>();

    BlockRows(RowSink rows) {
        this.rows = rows;
        this.counts = rows.asks(COUNTS, LAST_COUNT);
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.keeping(lives);
    }

    @Override
    public void meta(Map<String, String> values) {
        rows.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {
        for (int row = 0; counts && row < batch.count(); row++) {
            Life life = lives.of(batch.object(row));
            if (life != null) {
                life.touch(batch.first() + row);
                life.bytes += batch.size(row);
                if (batch.store(row)) {
                    life.stores++;
                } else {
                    life.loads++;
                }
            }
        }
    }

    @Override
    public void block(BlockAccess event) {
        transfer(lives.of(event.target()), event);
        transfer(event.source() == null ? null : lives.of(event.source()), event);
    }

    private static void transfer(Life life, BlockAccess event) {
        if (life != null) {
            life.touch(event.number());
            life.transfers++;
        }
    }

    @Override
    public void inherited(DataObject block, long size) {
        begin(new Life(block, null, 0));
    }

    @Override
    public void allocation(Allocation event) {
        if (event.ended() != null) {
            Life life = living.remove(event.ended().block().number());
            if (life != null) {
                give(life, event.next(), event.call().function());
            }
        }
        if (event.born() != null) {
            begin(new Life(event.born(), event.thread(), event.next()));
        }
    }

    private void begin(Life life) {
        lives.keep(life.object, life);
        living.put(life.object.block().number(), life);
    }

    @Override
    public void end(boolean complete) {
        living.values().forEach(life -> give(life, null, null));
    }

    private void give(Life life, Long ended, String by) {
        DataObject block = life.object;
        rows.add(column -> switch (column) {
            case 2 -> Names.block(block);
            case 3 -> block.start();
            case 4 -> block.block().size();
            case 5 -> block.commonName();
            case 6 -> block.rowName();
            case 7 -> block.region();
            case 8 -> Names.site(block);
            case 9 -> Names.known(block.shownCall().ownLine());
            case 10 -> block.type();
            case 11 -> life.thread;
            case 12 -> life.born;
            case 13 -> ended;
            case 14 -> by;
            case 15 -> life.loads;
            case 16 -> life.stores;
            case 17 -> life.bytes;
            case 18 -> life.transfers;
            case 19 -> life.first < 0 ? null : (Long) life.first;
            case 20 -> life.last < 0 ? null : (Long) life.last;
            case 21 -> block.shownCall().function();
            default -> block.shownCall().moduleName();
        });
    }
}
