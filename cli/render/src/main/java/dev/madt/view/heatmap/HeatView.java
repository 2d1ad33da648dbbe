package dev.madt.view.heatmap;

/**
 * Says how a heatmap is arranged.
 *
 * @param time whether time goes from left to right; else pages do
 * @param byAddress whether regions come in the order of their addresses; else the region with the
 *     hottest page comes first
 */
public record HeatView(boolean time, boolean byAddress) {}
