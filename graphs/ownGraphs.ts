import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { InvalidSetting, UnknownName, messageOf } from "../common/errors.js";
import { importUserFile } from "../tools/calls/workers/importUserFile.js";
import { sha256 } from "../tools/library/records/hash.js";
import { type Made } from "./about.js";
import { compileGraph } from "./compile.js";
import { GRAPH_IDS } from "./index.js";
import { projectGraph, projectGraphNames } from "./projects.js";
import type { Wiring } from "./wire.js";

/** Graphs of the user's own in this process: the file of each by its name. */
const files = new Map<string, string>();

/** `./mine.ts`, or `mine=./mine.ts` with a name. */
const FILE = /^(?:([\w-]+)=)?(.*\.[cm]?[jt]s)$/;

/** The names under which this process can run a graph. */
export function graphNames(): string[] {
  return [...new Set([...GRAPH_IDS, ...files.keys(), ...projectGraphNames()])];
}

/**
 * The name of a graph: an id, or that of a wiring of the user's own, which is named by its file and called like it.
 *
 * @param given `tulip`, `./mine.ts` or `mine=./other.ts`
 * @throws UnknownName, InvalidSetting for a file whose name another graph has
 * @example
 * findGraph("./graphs/citing.ts"); // "citing"
 */
export function findGraph(given: string): string {
  if (projectGraph(given) || graphNames().includes(given)) return given;
  const [, alias, path] = FILE.exec(given) ?? [];
  if (path === undefined)
    throw new UnknownName({ kind: "graph", wanted: given, available: graphNames() });
  const file = resolve(path);
  if (!existsSync(file)) throw unusable(given, "the file does not exist", "Check the path");
  const name = alias ?? basename(file).replace(/\.[^.]+$/, "");
  if (files.get(name) !== file && graphNames().includes(name))
    throw unusable(
      given,
      `the name ${name} belongs to another graph`,
      `Name it yourself: NAME=${path}`,
    );
  files.set(name, file);
  return name;
}

/** How another process finds the graph of that name: `findGraph` takes it. */
export function graphSource(name: string): string {
  const file = files.get(name);
  return file === undefined ? name : `${name}=${file}`;
}

/** SHA-256 of the files of those graphs that are the user's own, by name; undefined without any. */
export function ownGraphHashes(names: readonly string[]): Record<string, string> | undefined {
  const own = names.flatMap((name) => {
    const file = files.get(name);
    return file === undefined ? [] : [[name, sha256(readFileSync(file, "utf8"))] as const];
  });
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** Loads the graph of that name if it is the user's own: its file exports the wiring. @throws InvalidSetting */
export async function loadOwnGraph(name: string): Promise<Made | undefined> {
  const file = files.get(name);
  if (file === undefined) return undefined;
  const { wiring, about } = await exportsOf(file);
  if (typeof wiring?.compile !== "function" || typeof wiring.stages !== "object")
    throw unusable(
      file,
      "does not export a wiring",
      "Write: export const wiring = wire(…), see docs/wiring.md",
    );
  const summary = `The wiring of ${basename(file)}`;
  return {
    about: { summary, source: file, budget: "enforced", modelCalls: 1, ...about },
    wiring,
    graph: compileGraph(wiring, { name }),
  };
}

async function exportsOf(
  file: string,
): Promise<{ wiring?: Wiring; about?: Partial<Made["about"]> }> {
  try {
    return await importUserFile(file);
  } catch (error) {
    throw unusable(file, `cannot be loaded (${messageOf(error)})`);
  }
}

function unusable(graph: string, problem: string, hint?: string): InvalidSetting {
  return new InvalidSetting({ setting: `graph ${graph}`, problem, hint });
}
