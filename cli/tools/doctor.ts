import { tellingProgress } from "../../common/longWork.js";
import { InvalidSetting } from "../../common/errors.js";
import { estimateTokens } from "../../models/modelTokens.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import { type Examination, examineTools, type FindTools } from "../../tools/doctor/examine.js";
import { SEVERITIES, type Finding, type Severity, worstFirst } from "../../tools/doctor/finding.js";
import { embeddedTexts } from "../../tools/library/search/request.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
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
}

/** Tools that are searched for by their own words, without `--all`. */
const SAMPLE = 2000;

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

function contextOf(named: string | undefined, { library, embeddings }: DoctorOptions): Settings {
  if (named === undefined || library === undefined || named === library)
    return parseSettings({ library: named ?? library, embeddings });
  throw new InvalidSetting({
    setting: "library",
    problem: `"${named}" and "${library}" were both given`,
    hint: "Name one library",
  });
}

async function diagnose(context: Settings, options: DoctorOptions): Promise<Diagnosis> {
  const { level, all } = options;
  const { name, size } = await openLibrary(context);
  return await withCachedEmbeddings(context.embeddings, async ({ embeddings, name: model }) => {
    const { store } = openWorkspace();
    const library = await store.open({ name, embeddings, embeddingModel: model });
    const tools = library.list();
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
    const found = worstFirst(examined.findings);
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
    };
  });
}

function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** Phrases in one search, few enough for visible progress. */
const BATCH = 64;

/** A search that embeds all its phrases first; both steps report their progress. */
function batchedSearch(options: {
  library: ToolLibrary;
  embedMissing: (texts: readonly string[]) => Promise<number>;
}): FindTools {
  const { library, embedMissing } = options;
  return async ({ phrases, topK }) => {
    const texts = phrases.flatMap((phrase) => embeddedTexts(phrase));
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
