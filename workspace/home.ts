import { join, resolve } from "node:path";
import type { Workspace } from "./workspace.js";

// Apart from the resources themselves, so that who needs only this loads only this.

/** The resources that are open, by their home. */
export const openHomes = new Map<string, Workspace>();

let chosenHome: string | undefined;

/**
 * The folder with all data: the one that the program chose, else TULIPGRAPH_HOME, else `.tulipgraph`
 * where the program was started.
 */
export function defaultHome(): string {
  return resolve(
    chosenHome ?? (process.env["TULIPGRAPH_HOME"] || join(process.cwd(), ".tulipgraph")),
  );
}

/**
 * Makes a folder the home that the graphs of this process work in, as an evaluation does to keep its
 * runs apart; undefined goes back to the usual one.
 */
export function chooseHome(home: string | undefined): void {
  chosenHome = home;
}

/** Closes all that was opened. */
export async function closeWorkspaces(): Promise<void> {
  await Promise.all([...openHomes.values()].map(({ close }) => close()));
}
