import { join, resolve } from "node:path";
import type { Resources } from "./resources.js";

// Apart from the resources themselves, so that who needs only this loads only this.

/** The resources that are open, by their home. */
export const openHomes = new Map<string, Resources>();

/** The folder with all data: TULIPGRAPH_HOME, else `.tulipgraph` where the program was started. */
export function defaultHome(): string {
  return resolve(process.env["TULIPGRAPH_HOME"] || join(process.cwd(), ".tulipgraph"));
}

/** Closes all that was opened. */
export async function closeResources(): Promise<void> {
  await Promise.all([...openHomes.values()].map(({ close }) => close()));
}
