import { AsyncLocalStorage } from "node:async_hooks";
import { join, resolve } from "node:path";
import type { Workspace } from "./workspace.js";

// Apart from the workspaces themselves, so that who needs only this loads only this.

/** The workspaces that are open, by their home. */
export const openHomes = new Map<string, Workspace>();

const homeOfWork = new AsyncLocalStorage<string>();

/**
 * The folder with all data: the home of the work under way, else TULIPGRAPH_HOME, else `.tulipgraph` in the folder
 * where the program was started.
 */
export function defaultHome(): string {
  return resolve(
    homeOfWork.getStore() ?? (process.env["TULIPGRAPH_HOME"] || join(process.cwd(), ".tulipgraph")),
  );
}

/**
 * Does work whose home is a folder of its own, as an evaluation does to keep its runs apart. Other work of the
 * process keeps its own home.
 */
export function inHome<Result>(home: string, work: () => Promise<Result>): Promise<Result> {
  return homeOfWork.run(home, work);
}

/** Closes all that was opened. */
export async function closeWorkspaces(): Promise<void> {
  await Promise.all([...openHomes.values()].map(({ close }) => close()));
}
