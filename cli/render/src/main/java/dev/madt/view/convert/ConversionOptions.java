package dev.madt.view.convert;

import dev.madt.view.cache.CacheHierarchy;

/**
 * Says what a conversion was asked to do.
 *
 * @param instructions whether instruction lines are written (lackey, dinero)
 * @param modifies whether a modify is one line (lackey): not where its load or its store alone is
 *     selected
 * @param expandBlocks whether bulk transfers become accesses of 8 bytes (lackey, dinero,
 *     cachegrind)
 * @param byData whether the object of a cost is what was accessed (callgrind)
 * @param caches the caches to simulate (cachegrind)
 */
public record ConversionOptions(
        boolean instructions,
        boolean modifies,
        boolean expandBlocks,
        boolean byData,
        CacheHierarchy caches) {}
