import { firstProcess } from "../processes.js";
import type { TakenRun } from "./queueRows.js";

/** The places of a process for runs that it works on. */
export interface Places {
  /** How many are free; none once the process closes. */
  free: number;
  /** Whether runs may be waiting in the queue for a place: the last look at it found as many as there were places. */
  areWanted: boolean;
  /** Whether other processes serve the same port: the idle ones are to get runs, whoever has the caller's connection. */
  areShared: boolean;
  /**
   * Works on a run in a place that was taken for it.
   *
   * @param since when it was asked for, by this process's own clock: its lease began later
   */
  begin: (run: TakenRun, since: number) => void;
}

export function makePlaces(free: number): Places {
  const areShared = firstProcess() !== undefined;
  return { free, areWanted: false, areShared, begin: () => undefined };
}

/** Takes a place for a run that could begin at once. @returns false if there is none, or others wait for it */
export function takePlace(places: Places): boolean {
  if (places.free <= 0 || places.areWanted || places.areShared) return false;
  places.free -= 1;
  return true;
}
