import { AsyncLocalStorage } from "node:async_hooks";
import { join, resolve } from "node:path";
import { InvalidSetting } from "../common/errors.js";

// Separate from the workspaces, so that code needing only this loads only this.

/** What is open of each home, by its place. */
export const openHomes = new Map<string, { close: () => Promise<void> }>();

const homeOfWork = new AsyncLocalStorage<string>();

/**
 * The folder with all data: the home set by `inHome`, else TULIPGRAPH_HOME, else `.tulipgraph` in the current
 * folder at the start.
 */
export function defaultHome(): string {
  return resolve(
    homeOfWork.getStore() ?? (process.env["TULIPGRAPH_HOME"] || join(process.cwd(), ".tulipgraph")),
  );
}

/**
 * The Postgres database with the data of the default home (TULIPGRAPH_DATABASE_URL); undefined if they are in SQLite
 * files, as always inside `inHome`.
 *
 * @throws InvalidSetting for the address of another kind of database
 */
export function defaultDatabase(): string | undefined {
  if (homeOfWork.getStore() !== undefined) return undefined;
  const setting = "TULIPGRAPH_DATABASE_URL";
  const url = process.env[setting];
  if (!url) return undefined;
  const { protocol, host, pathname } = URL.canParse(url) ? new URL(url) : {};
  if (protocol === "postgres:" || protocol === "postgresql:") return url;
  const came = protocol === undefined ? "it" : `${protocol}//${host}${pathname}`;
  throw new InvalidSetting({
    setting,
    problem: `${came} is not the address of a Postgres database`,
    hint: "Give one such as postgres://host:5432/database; user and password may come from PGUSER and PGPASSWORD",
  });
}

/**
 * Does work with its own home, as evaluations do to separate their runs. Other work in the process is not affected.
 */
export function inHome<Result>(home: string, work: () => Promise<Result>): Promise<Result> {
  return homeOfWork.run(home, work);
}

/**
 * Ends all running calls and closes all open workspaces, so that the process can exit. Using a workspace afterwards
 * opens it again.
 *
 * @example
 * const { answer } = await graphs.tulip.graph.invoke({ request });
 * await closeWorkspaces();
 */
export async function closeWorkspaces(): Promise<void> {
  await Promise.all([...openHomes.values()].map(({ close }) => close()));
}
