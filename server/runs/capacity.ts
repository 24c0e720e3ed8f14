import { firstProcess } from "../processes.js";
import type { TakenRun } from "./queueRows.js";

/** Runs that a process takes at once, so that others get some; it may have so many more than the idlest of its port. */
export const MOST_TAKEN = 4;

/** The places of a process for runs that it works on. */
export type Places = ReturnType<typeof makePlaces>;

export function makePlaces(most: number) {
  // Not without end once it closes: nobody could be told that.
  const own = (): number => Math.min(most - places.free, Number.MAX_SAFE_INTEGER);
  const places = {
    /** How many are free; none once the process closes. */
    free: most,
    /** Whether runs may be waiting in the queue for a place: the last look at it found as many as there were places. */
    areWanted: false,
    /**
     * Whether this process is to work on a run itself that a caller gives it. An idler process of the port is to get it
     * otherwise, because callers' connections need not be spread evenly.
     */
    haveRoom: (): boolean => places.free > 0 && own() - fewest() < MOST_TAKEN,
    /**
     * Works on a run in a place that was taken for it.
     *
     * @param since when it was asked for, by this process's own clock: its lease began later
     */
    begin: (_run: TakenRun, _since: number): void => undefined,
  };
  const fewest = firstProcess()?.compareRuns(own) ?? own;
  return places;
}

/** Takes a place for a run that could begin at once. @returns false if there is none, or others wait for it */
export function takePlace(places: Places): boolean {
  if (places.areWanted || !places.haveRoom()) return false;
  places.free -= 1;
  return true;
}
