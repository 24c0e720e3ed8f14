import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { InvalidSetting, oneLine } from "../../common/errors.js";
import { issueText } from "../../common/schemas/issueText.js";
import { readDeclarations } from "../../tools/sources/readDeclarations.js";
import { readJsonLines } from "../../tools/sources/jsonLines.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { hashedShare } from "../statistics/random.js";

const rowSchema = z.object({
  query: z.string().refine((value) => value.trim() !== "", "is empty"),
  tools: z.array(z.string()),
  template: z.string().nullish(),
});

/** A request and the ids of the tools that a right solution uses. */
export interface LabelledRequest {
  query: string;
  /** At least one, none twice. */
  tools: string[];
  /** What the request was made from; requests of one template stay on one side of a split. */
  template?: string;
}

/** Tools, and requests that should find them. */
export interface RequestSet {
  name: string;
  tools: readonly ToolDefinition[];
  requests: readonly LabelledRequest[];
}

/**
 * Reads a folder with `tools.jsonl` and `queries.jsonl`, the form of a benchmark.
 *
 * @throws InvalidSetting for a missing file, and for an unusable line, with its number
 */
export async function readRequestFolder(folder: string): Promise<RequestSet> {
  const toolsFile = join(folder, "tools.jsonl");
  requireFile("bench", toolsFile);
  const { tools, problems } = await readDeclarations({ file: toolsFile });
  const [first] = problems;
  if (first) throw unusable({ setting: "bench", ...first });
  const file = join(folder, "queries.jsonl");
  return await readRequests({ setting: "bench", name: basename(resolve(folder)), file, tools });
}

/**
 * Reads requests with the ids of their tools from a JSONL file: `{ "query": "…", "tools": ["id"] }`, with a
 * `template` if many requests were made from one.
 *
 * @param options.setting the option that named the file, for errors
 * @param options.tools the known tools
 * @throws InvalidSetting for a missing file, and for an unusable line, with its number
 */
export async function readRequests(options: {
  setting: string;
  name: string;
  file: string;
  tools: readonly ToolDefinition[];
}): Promise<RequestSet> {
  const { setting, name, file, tools } = options;
  requireFile(setting, file);
  const known = new Set(tools.map(({ id }) => id));
  const requests: LabelledRequest[] = [];
  for await (const read of readJsonLines(file)) {
    const request = "problem" in read ? read : requestOf(read.row, known);
    const place = { setting, file, line: read.line };
    if ("problem" in request) throw unusable({ ...place, problem: request.problem });
    // A request without tools has nothing to find.
    if (request.tools.length > 0) requests.push(request);
  }
  return { name, tools, requests };
}

function requestOf(
  row: Record<string, unknown>,
  known: ReadonlySet<string>,
): LabelledRequest | { problem: string } {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: `"${issue?.path.join(".")}": ${oneLine(issueText(parsed.error, row))}` };
  }
  const { query, tools, template } = parsed.data;
  const unknown = tools.find((id) => !known.has(id));
  if (unknown !== undefined) return { problem: `there is no tool "${oneLine(unknown)}"` };
  return { query, tools: [...new Set(tools)], ...(template ? { template } : {}) };
}

function requireFile(setting: string, file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  throw new InvalidSetting({ setting, problem: `there is no file ${file}` });
}

function unusable(place: { setting: string; file: string; line: number; problem: string }) {
  const { setting, file, line, problem } = place;
  return new InvalidSetting({
    setting,
    problem: `${file}:${line}: ${problem}`,
    hint: 'A line is one request with the ids of its tools: { "query": "…", "tools": ["id"] }',
  });
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
