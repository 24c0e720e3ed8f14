import type { Hit } from "../vectors/nearest.js";

/** A tool that is not a hit because it is too far away. */
export interface Miss {
  id: string;
  distance: number;
  /** The distance below which it would have been a hit. */
  needed: number;
}

/** Divides the tools found for a request into hits and those that are too far away, each in the given order. */
export type Sieve = <Tool extends Pick<Hit, "id" | "distance">>(
  tools: readonly Tool[],
) => { near: Tool[]; misses: Miss[] };

/** Each tool has to be nearer than a fixed distance; 0 for no limit. */
export function thresholdSieve(threshold: number): Sieve {
  const needed = threshold || Number.POSITIVE_INFINITY;
  return (tools) => {
    const missed = tools.filter(({ distance }) => distance >= needed);
    return {
      near: tools.filter(({ distance }) => distance < needed),
      misses: missed.map(({ id, distance }) => ({ id, distance, needed })),
    };
  };
}

/**
 * One tool that is near enough shows that the request fits this library, and keeps all tools: if each were judged by
 * itself, a quarter of the right tools would be lost in some sets.
 */
export function fittingSieve(needed: number): Sieve {
  return (tools) =>
    tools.some(({ distance }) => distance < needed)
      ? { near: [...tools], misses: [] }
      : { near: [], misses: tools.map(({ id, distance }) => ({ id, distance, needed })) };
}

/** Keeps all tools where none is near enough. */
export function keepingUnsure(sieve: Sieve): Sieve {
  return (tools) => {
    const sieved = sieve(tools);
    return sieved.near.length > 0 ? sieved : { near: [...tools], misses: sieved.misses };
  };
}
