import { tellingProgress } from "../../common/longWork.js";
import { several } from "../../common/text.js";
import { estimateTokens } from "../../common/tokens.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import {
  type Drift,
  type Examination,
  examineTools,
  type FindTools,
} from "../../tools/library/checks/examine.js";
import {
  CHECKS,
  type Check,
  type Finding,
  SEVERITIES,
  type Severity,
  worstFirst,
} from "../../tools/library/checks/finding.js";
import { embeddedText } from "../../tools/library/search/request.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { ToolDefinition, ToolRecord } from "../../tools/tool.js";
import { openWorkspace } from "../../home/workspace.js";
import { EXIT } from "../exit.js";
import { printJson, bold, dim, printHanging, printLine } from "../printing/print.js";
import { openLibrary, cachedEmbeddings } from "./openLibrary.js";

export interface DoctorOptions {
  library?: string;
  /** The mildest findings that are shown and make the command fail. */
  level: Severity;
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
}

/** Tools that are searched for by their own words. */
const SAMPLE = 2000;

/**
 * `tools doctor`: examines a library and prints the findings.
 *
 * @returns the exit code: 1 for findings of the given level or worse
 */
export async function examineLibrary(options: DoctorOptions): Promise<number> {
  const settings = parseSettings({ library: options.library });
  const diagnosis = await diagnose(settings, options);
  if (options.json) printJson(diagnosis);
  else printDiagnosis(diagnosis);
  return diagnosis.findings.length > 0 ? EXIT.notSolved : EXIT.done;
}

/** What is examined besides, in a library or a part of it. */
export interface FurtherChecks {
  /** Only these tools are examined, beside the others of the library. */
  only: (tool: ToolDefinition) => boolean;
  findings: (tools: readonly ToolRecord[], find: FindTools) => Promise<Finding[]>;
}

/** Examines the tools of a library. */
export async function diagnose(
  settings: Settings,
  options: Pick<DoctorOptions, "level">,
  further?: FurtherChecks,
): Promise<Diagnosis> {
  const { level } = options;
  const { name } = await openLibrary(settings);
  const { embeddings, name: model } = await cachedEmbeddings(settings.embeddings);
  const { store } = openWorkspace();
  const library = await store.open({ name, embeddings, embeddingModel: model });
  const tools = further ? library.list().filter(further.only) : library.list();
  const find = batchedSearch(library, (texts) => embeddings.embedMissing(texts, "queries"));
  const examined = await examineTools({
    tools,
    find,
    countTokens: estimateTokens,
    most: SAMPLE,
    drifts: await driftsOf(tools),
  });
  const more = (await further?.findings(tools, find)) ?? [];
  const found = worstFirst([...examined.findings, ...more]);
  return {
    library: name,
    embeddings: model,
    tools: tools.length,
    counts: countsOf(found),
    level,
    ...examined,
    findings: found.filter(
      ({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(level),
    ),
  };
}

async function driftsOf(tools: readonly ToolRecord[]): Promise<Map<string, Drift>> {
  const { runtime } = openWorkspace();
  const seen = await runtime.journal.seenResults(tools.map(({ hash }) => hash));
  return new Map(
    tools.flatMap(({ id, hash }): [string, Drift][] => {
      const drift = seen.get(hash)?.drift;
      return drift ? [[id, drift]] : [];
    }),
  );
}

function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** Phrases in one search, few enough for visible progress. */
const BATCH = 64;

/** A search that embeds all its phrases first; both steps report their progress. */
function batchedSearch(
  library: LibraryView,
  embedMissing: (texts: readonly string[]) => Promise<number>,
): FindTools {
  return async ({ phrases, topK }) => {
    const texts = phrases.map(embeddedText);
    await embedMissing(texts.filter((text) => text.trim() !== ""));
    const work = { label: "searching", unit: "texts", total: phrases.length } as const;
    return await tellingProgress(work, async (tell) => {
      const ids: string[][] = [];
      for (let done = 0; done < phrases.length; done += BATCH) {
        const batch = phrases.slice(done, done + BATCH);
        const { results } = await library.search({ phrases: batch, topK });
        ids.push(...results.map(({ hits }) => hits.map(({ id }) => id)));
        tell({ done: ids.length });
      }
      return ids;
    });
  };
}

/** Findings of a group that are printed; the rest are only counted. */
const SHOWN = 5;

const TITLES: Record<Check, string> = {
  hidden: "characters that nobody sees",
  orders: "texts that give the model orders",
  effects: "tools that are said to read and speak of changes",
  unfound: "tools that their own words do not find",
  twins: "tools that are hard to tell apart",
  silent: "tools that do not say what they do to the world or return",
  refused: "definitions that clients refuse",
  descriptions: "descriptions that are missing or say little",
  parameters: "parameters that nobody explains",
  drift: "results that have changed",
  cost: "tools that cost many tokens",
  names: "names that providers do not take",
};

/** Prints the findings in groups, the worst first, each with what to change. */
export function printDiagnosis(diagnosis: Diagnosis, of: "library" | "server" = "library"): void {
  const { findings, level } = diagnosis;
  printHead(diagnosis, of);
  for (const severity of SEVERITIES) {
    for (const check of CHECKS) {
      const group = findings.filter((each) => each.severity === severity && each.check === check);
      if (group.length > 0) printGroup(severity, check, group);
    }
  }
  if (findings.length === 0) {
    printLine("");
    printHanging({ text: `nothing to mend at the level ${level}` });
  }
}

function printHead(diagnosis: Diagnosis, of: string): void {
  const { library, tools, searched, tokens, counts } = diagnosis;
  const sizes = tokens.most
    ? `: about ${tokens.total} tokens, ${tokens.median} at the median, ${tokens.most.tokens} at most (${tokens.most.tool})`
    : "";
  printHanging({ text: `${of} ${library}, ${several(tools, "tool")}${sizes}` });
  if (searched < tools) {
    const text = `searched by their own words: ${searched} of ${tools} tools, spread evenly`;
    printHanging({ text });
  }
  printHanging({ text: bold(SEVERITIES.map((each) => several(counts[each], each)).join(", ")) });
}

function printGroup(severity: Severity, check: Check, group: Finding[]): void {
  printLine("");
  printHanging({ text: bold(`${severity}: ${TITLES[check]} (${group.length})`) });
  const shown = group.slice(0, SHOWN);
  for (const [at, { tools, problem, change }] of shown.entries()) {
    const [first = "", ...others] = tools;
    const more = others.length === 1 ? others[0] : `${others.length} more`;
    const names = others.length > 0 ? `${first} and ${more}` : first;
    const text = `${bold(names)}  ${problem}`;
    printHanging({ label: "  ", text });
    // Findings with the same remedy show it once, after the last of them.
    if (shown[at + 1]?.change !== change) printHanging({ label: "    → ", text: dim(change) });
  }
  const more = group.length - shown.length;
  if (more > 0) printHanging({ label: "  ", text: dim(`and ${more} more: --json`) });
}
