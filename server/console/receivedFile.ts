import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { HttpProblem } from "../problem.js";
import type { ShownCall } from "./watchedRun.js";

/** The largest file that is given to the page (bytes). */
const LARGEST = 10_000_000;

/** What a browser may show; all else is only saved. */
const PICTURES = ["png", "jpeg", "gif", "webp"];

/**
 * A picture or a file that a tool's server has sent, as a `data:` address.
 *
 * @param options.calls those of the run that is looked at: only files that their results name can be had
 * @throws HttpProblem 404 for another file, one that is gone, or one that is too large
 */
export async function receivedFile(options: {
  home: string;
  name: string;
  calls: readonly ShownCall[];
}): Promise<{ url: string }> {
  const { home, name, calls } = options;
  const [, ending] = /^[\w-]+\.([\w-]+)$/.exec(name) ?? [];
  const file = join(home, "received", name);
  const results = JSON.stringify(calls.map(({ result }) => result));
  const isNamed = ending !== undefined && results.includes(JSON.stringify(file));
  const size = isNamed ? await stat(file).then(sizeOf, () => Infinity) : Infinity;
  if (ending === undefined || size > LARGEST)
    throw new HttpProblem({ status: 404, problem: `there is no file "${name}" to show here` });
  const type = PICTURES.includes(ending) ? `image/${ending}` : "application/octet-stream";
  return { url: `data:${type};base64,${await readFile(file, "base64")}` };
}

function sizeOf({ size }: { size: number }): number {
  return size;
}
