package dev.madt.resolver.line;

/**
 * A place in a variable, or in something else that lies in a frame.
 *
 * @param offset bytes from its beginning
 */
public record FramePlace(FrameName name, long offset) {}
