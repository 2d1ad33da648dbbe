package dev.madt.view.report;

/** One block from its allocation on. */
final class BlockLife {
    final SiteTally site;
    final long birth;
    final long size;
    final TouchedBytes touched;

    /** @param birth number of the first access behind the allocation */
    BlockLife(SiteTally site, long birth, long size) {
        this.site = site;
        this.birth = birth;
        this.size = size;
        this.touched = new TouchedBytes(size);
    }
}
