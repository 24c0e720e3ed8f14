import { tellingProgress } from "../../common/longWork.js";
import { InvalidSetting } from "../../common/errors.js";
import { readRequests } from "../../eval/retrieval/labelledRequests.js";
import { compAtK, recallAtK } from "../../eval/scorers/retrieval.js";
import { mean } from "../../eval/statistics/descriptive.js";
import { estimateTokens } from "../../models/modelTokens.js";
import { type Context, parseContext } from "../../state/context.js";
import { type Examination, examineTools, type FindTools } from "../../tools/doctor/examine.js";
import { SEVERITIES, type Finding, type Severity, worstFirst } from "../../tools/doctor/finding.js";
import { type SearchedRequest, withRequests } from "../../tools/doctor/requests.js";
import { embeddedTexts } from "../../tools/library/request.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openWorkspace } from "../../workspace/workspace.js";
import { EXIT } from "../exit.js";
import { withCachedEmbeddings } from "../learning/requestSets.js";
import { printDiagnosis } from "./printDiagnosis.js";
import { openLibrary } from "./openLibrary.js";
import { printJson } from "../printing/print.js";

/** Options of `tools doctor`. */
export interface DoctorOptions {
  library?: string;
  embeddings?: string;
  /** The mildest findings that are shown and make the command fail. */
  level: Severity;
  /** JSONL file of requests with the tools that they need. */
  queries?: string;
  /** Searches for every tool of a large library by its own words, not only for a sample. */
  all?: boolean;
  json?: boolean;
}

/** The diagnosis of a library, as `--json` prints it. */
export interface Diagnosis extends Examination {
  library: string;
  embeddings: string;
  tools: number;
  /** Of all findings, including those below the level. */
  counts: Record<Severity, number>;
  level: Severity;
  /** How well searches for the given requests find their tools. */
  requests?: RequestFigures;
}

/** Shares over all requests. */
export interface RequestFigures {
  file: string;
  count: number;
  recall5: number;
  recall10: number;
  comp10: number;
}

/** Tools that are searched for by their own words, without `--all`. */
const SAMPLE = 2000;

/** Ranks that the figures of requests need. */
const REQUEST_DEPTH = 10;

/**
 * `tools doctor`: examines a library and prints the findings.
 *
 * @param named the library as an argument, the same as `--library`
 * @returns the exit code: 1 for findings of the given level or worse
 */
export async function examineLibrary(
  named: string | undefined,
  options: DoctorOptions,
): Promise<number> {
  const context = contextOf(named, options);
  const diagnosis = await diagnose(context, options);
  if (options.json) printJson(diagnosis);
  else printDiagnosis(diagnosis);
  return diagnosis.findings.length > 0 ? EXIT.notSolved : EXIT.done;
}

function contextOf(named: string | undefined, { library, embeddings }: DoctorOptions): Context {
  if (named === undefined || library === undefined || named === library)
    return parseContext({ library: named ?? library, embeddings });
  throw new InvalidSetting({
    setting: "library",
    problem: `"${named}" and "${library}" were both given`,
    hint: "Name one library",
  });
}

async function diagnose(context: Context, options: DoctorOptions): Promise<Diagnosis> {
  const { level, all, queries } = options;
  const { name, size } = await openLibrary(context);
  return await withCachedEmbeddings(context.embeddings, async ({ embeddings, name: model }) => {
    const { store } = openWorkspace();
    const library = await store.open({ name, embeddings, embeddingModel: model });
    const tools = library.list();
    const requests = queries === undefined ? undefined : await read({ queries, name, library });
    const find = batchedSearch({
      library,
      embedMissing: (texts) => embeddings.embedMissing(texts, "queries"),
    });
    const examined = await examineTools({
      tools,
      find,
      countTokens: estimateTokens,
      most: all ? tools.length : SAMPLE,
    });
    const searched = requests && (await searchRequests({ requests, find }));
    const found = worstFirst(
      searched
        ? withRequests({ tools, findings: examined.findings, requests: searched })
        : examined.findings,
    );
    return {
      library: name,
      embeddings: model,
      tools: size,
      counts: countsOf(found),
      level,
      ...examined,
      findings: found.filter(
        ({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(level),
      ),
      ...(searched && queries !== undefined ? { requests: figuresOf(queries, searched) } : {}),
    };
  });
}

function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

type Requests = readonly { query: string; tools: string[] }[];

async function read(options: {
  queries: string;
  name: string;
  library: ToolLibrary;
}): Promise<Requests> {
  const { queries: file, name, library } = options;
  const { requests } = await readRequests({
    setting: "queries",
    name,
    file,
    tools: library.list(),
  });
  if (requests.length > 0) return requests;
  throw new InvalidSetting({
    setting: "queries",
    problem: `${file} has no request with a tool`,
    hint: 'A line is one request with the ids of its tools: { "query": "…", "tools": ["id"] }',
  });
}

async function searchRequests(options: {
  requests: Requests;
  find: FindTools;
}): Promise<SearchedRequest[]> {
  const { requests, find } = options;
  const phrases = requests.map(({ query }) => query);
  const results = await find({ phrases, topK: REQUEST_DEPTH, ranking: "both" });
  return requests.map(({ query, tools }, at) => ({
    query,
    tools,
    found: (results[at] ?? []).map(({ id }) => id),
  }));
}

function figuresOf(file: string, requests: readonly SearchedRequest[]): RequestFigures {
  const over = (score: typeof recallAtK, k: number) =>
    mean(requests.map(({ tools: relevant, found: ranked }) => score({ ranked, relevant, k })));
  return {
    file,
    count: requests.length,
    recall5: over(recallAtK, 5),
    recall10: over(recallAtK, 10),
    comp10: over(compAtK, 10),
  };
}

/** Phrases in one search, few enough for visible progress. */
const BATCH = 64;

/** A search that embeds all its phrases first; both steps report their progress. */
function batchedSearch(options: {
  library: ToolLibrary;
  embedMissing: (texts: readonly string[]) => Promise<number>;
}): FindTools {
  const { library, embedMissing } = options;
  return async ({ phrases, topK, ranking }) => {
    const texts = phrases.flatMap((phrase) => embeddedTexts(phrase, ranking));
    await embedMissing(texts.filter((text) => text.trim() !== ""));
    const work = { label: "searching", unit: "texts", total: phrases.length } as const;
    return await tellingProgress(work, async (tell) => {
      const hits = [];
      for (let done = 0; done < phrases.length; done += BATCH) {
        const batch = phrases.slice(done, done + BATCH);
        const { results } = await library.search({ phrases: batch, topK, ranking });
        hits.push(...results.map((result) => result.hits));
        tell({ done: hits.length });
      }
      return hits;
    });
  };
}
