import { basename, join, resolve } from "node:path";
import { InvalidSetting } from "../../common/errors.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { readDeclarations } from "../../tools/sources/functions/readDeclarations.js";
import { readRows, requireNone, type TaskRow, unknownTools } from "../benchmarks/taskRows.js";
import { hashedShare } from "../statistics/random.js";
import { requireFile } from "../../tools/sources/file.js";

/** A request and the ids of the tools that a right solution uses: at least one. */
export type LabelledRequest = Pick<TaskRow, "query" | "tools" | "template">;

/** Tools, and requests that should find them. */
export interface RequestSet {
  name: string;
  tools: readonly ToolDefinition[];
  requests: readonly LabelledRequest[];
}

/**
 * Reads a folder with `tools.jsonl` and `queries.jsonl`, the form of a benchmark.
 *
 * @throws InvalidSetting for a missing file
 * @throws BenchmarkFailed for an unusable line, with its number
 */
export async function readRequestFolder(folder: string): Promise<RequestSet> {
  const [name, file] = [basename(resolve(folder)), join(folder, "tools.jsonl")];
  requireFile(file, "bench");
  const { tools, problems } = await readDeclarations({ file });
  requireNone(name, problems);
  return await readRequests({ setting: "bench", name, file: join(folder, "queries.jsonl"), tools });
}

/**
 * Reads requests with the ids of their tools from a JSONL file: `{ "query": "…", "tools": ["id"] }`, with a
 * `template` if many requests were made from one.
 *
 * @param options.tools the known tools
 * @throws InvalidSetting for a missing file
 * @throws BenchmarkFailed for an unusable line, with its number
 */
export async function readRequests(options: {
  setting: string;
  name: string;
  file: string;
  tools: readonly ToolDefinition[];
}): Promise<RequestSet> {
  const { setting, name, file, tools } = options;
  requireFile(file, setting);
  const { rows, problems } = await readRows(file, (row, line) => ({ ...row, id: `line ${line}` }));
  const known = new Set(tools.map(({ id }) => id));
  requireNone(file, [...problems, ...unknownTools({ file, rows, known, place: name })]);
  const requests = rows.map(({ row }) => {
    const { query, template } = row;
    return { query, tools: [...new Set(row.tools)], template };
  });
  // A request without tools has nothing to find.
  return { name, tools, requests: requests.filter((request) => request.tools.length > 0) };
}

/** Default seed of the split and the order of training. */
export const USUAL_SEED = 1;

/** What a request is used for: learning, deciding when to stop, or measuring. */
export type Part = "train" | "validation" | "test";

/** Shares of the tool sets; the rest is for measuring. */
const SHARES = { train: 0.6, validation: 0.1 };

/**
 * Splits requests 70 to 30, and the 70 again, by a hash of the template of each request or else of the set of
 * tools that it needs, so that near-identical requests stay on one side.
 */
export function partOf(request: LabelledRequest, seed: number): Part {
  const { template, tools } = request;
  const group = template ?? JSON.stringify(tools.toSorted());
  const share = hashedShare(`${seed} ${group}`);
  if (share < SHARES.train) return "train";
  return share < SHARES.train + SHARES.validation ? "validation" : "test";
}

/**
 * @param options.setting the option that named the requests, for the error
 * @throws InvalidSetting if a part is empty
 */
export function requireParts(setting: string, sets: readonly RequestSet[], seed: number): void {
  const requests = sets.flatMap((set) => set.requests);
  const parts = new Set(requests.map((request) => partOf(request, seed)));
  if (parts.size === 3) return;
  throw new InvalidSetting({
    setting,
    problem: `${requests.length} requests, divided by the tools that they need, leave no request to learn from, to stop by or to measure on`,
    hint: "Give more requests, for more different tools, or another --seed",
  });
}
