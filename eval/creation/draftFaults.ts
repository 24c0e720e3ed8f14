import type { GraphState } from "../../state/state.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import type { DraftProblem } from "../../tools/generated/draft.js";
import { checkedDraft } from "../../tools/compiler/index.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ExampleCheck } from "../../tools/tool.js";

/**
 * Why a draft did not become a tool: a check of its text (`DraftProblem.kind`) · `failed example`: one of its
 * examples gave another result · `limit`: it met a limit of the sandbox · `rejected` by a person · `not stored`:
 * the library refused it.
 */
export const DRAFT_FAULTS = [
  "no code",
  "rules",
  "syntax",
  "types",
  "docs",
  "name",
  "examples",
  "failed example",
  "limit",
  "rejected",
  "not stored",
] as const satisfies readonly (
  | DraftProblem["kind"]
  | "failed example"
  | "limit"
  | "rejected"
  | "not stored"
)[];
export type DraftFault = (typeof DRAFT_FAULTS)[number];

/** A draft; `fault` is null if it became a version of a tool. */
interface DraftRecord {
  fault: DraftFault | null;
  /** What is wrong, as the model was told; empty if nothing is. */
  problem: string;
}

/** A state of a run, from a checkpoint. */
export interface RunStep {
  values: GraphState;
  next: readonly string[];
}

/**
 * The drafts of a run, in order. Failed drafts are checked again to learn which check they failed: runs only
 * store what the model was told, in words.
 *
 * @param options.history all steps of the run, oldest first
 * @param options.start ids of the tools that the library started with
 */
export async function draftsOf(options: {
  history: readonly RunStep[];
  library: ToolLibrary;
  start: readonly string[];
}): Promise<DraftRecord[]> {
  const { history, library, start } = options;
  const drafts: DraftRecord[] = [];
  for (const [at, { values, next }] of history.entries()) {
    const after = history[at + 1]?.values;
    if (!next.includes("editLibrary") || values.edit?.kind === "delete" || !after) continue;
    drafts.push(...(await draftOf({ before: values, after, library, start })));
  }
  return drafts;
}

interface Step {
  /** `edit.draft` is the draft. */
  before: GraphState;
  /** The state after it was tried. */
  after: GraphState;
  library: ToolLibrary;
  start: readonly string[];
}

/** None if the model reused a tool. */
async function draftOf(step: Step): Promise<DraftRecord[]> {
  const { before, after } = step;
  const end = after.edit ? undefined : after.edits.at(-1);
  if (end?.outcome === "reused") return [];
  if (end?.outcome === "done") return [{ fault: null, problem: "" }];
  const problem = after.edit?.problem ?? end?.reason ?? "";
  if (end?.outcome === "rejected") return [{ fault: "rejected", problem }];
  if (end && end.failures === before.edit?.failures) return [{ fault: "not stored", problem }];
  return [{ fault: await faultOf(step, problem), problem: problem.replace(COUNTED, "") }];
}

/** The prefix of the problem after the last allowed draft. */
const COUNTED = /^\d+ drafts could not be used; the last one: /;

/** How errors begin that come from the limits of the sandbox, not from the tool (tools/runtime). */
const LIMIT =
  /: it throws (?:it (?:computed for|needed) more than|the program (?:was ended|cannot be run)|its promise never settles|its result has more than|timed out after)/;

async function faultOf({ before, library, start }: Step, problem: string): Promise<DraftFault> {
  const { edit, edits } = before;
  const done = edits.filter(({ outcome }) => outcome === "done").map(({ tool }) => tool);
  const there = new Set([...start, ...done]);
  const reading = await checkedDraft({
    reply: edit?.draft ?? "",
    tools: library.list().filter(({ id }) => there.has(id)),
    reserved: CONTROL_NAMES,
    ...(edit?.kind === "update"
      ? { name: edit.tool, earlier: checksOf(library, edit.tool, edit.basedOn) }
      : {}),
  });
  if (!reading.ok) return reading.problems[0]?.kind ?? "no code";
  return LIMIT.test(problem) ? "limit" : "failed example";
}

/** The checks of the version that an update was based on. */
function checksOf(library: ToolLibrary, id: string, version: number | null): ExampleCheck[] {
  const source = library.history(id).find((entry) => entry.version === version)?.record?.source;
  return source?.kind === "generated" ? source.checks : [];
}
