import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { runWorkspace } from "../../../nodes/workspace/workspace.js";
import { type Settings, readSettings } from "../../../state/settings.js";
import { answerText, fillArguments } from "../../../plans/steps/fillArguments.js";
import type { Plan } from "../../../plans/steps/plan.js";
import { partsOf, referencesIn } from "../../../plans/steps/references.js";
import { writtenValue } from "../../../plans/steps/planText.js";
import type { GeneratedPair, GenerationState } from "../generationState.js";
import type { TrialRun } from "../../../tools/runtime/trials.js";
import type { ToolRecord } from "../../../tools/tool.js";

/** The tools for plans, and a way to try plans out. */
export interface GenerationTools {
  settings: Settings;
  /** Tools that can be tried out, or that nobody can run; plans never contain writes with lasting effects. */
  tools: ReadonlyMap<string, ToolRecord>;
  /** Opens a trial on fresh worlds. */
  openTrial: () => Promise<TrialRun>;
  /** Changes with the tools; facts found with the same revision are still valid. */
  revision: string;
}

/** Opens the tools of a run. */
export async function generationTools(
  state: GenerationState,
  config: LangGraphRunnableConfig,
): Promise<GenerationTools> {
  const settings = readSettings(config);
  const { runtime, library: openLibrary } = runWorkspace();
  const library = await openLibrary(settings);
  const openTrial = () =>
    runtime.openTrial({
      // No run has this name, so every world is new.
      threadId: `generation/${state.seed}/${state.draw}`,
      timeoutMs: settings.toolTimeoutMs,
      signal: config.signal,
      library,
    });
  const trial = await openTrial();
  const chosen = settings.toolIds && new Set(settings.toolIds);
  const tools = library
    .list()
    .filter((tool) => trial.canRun(tool) || isOnlyDeclared(tool))
    .filter(({ id }) => !chosen || chosen.has(id))
    .toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1));
  return {
    settings,
    tools: new Map(tools.map((tool) => [tool.id, tool])),
    openTrial,
    revision: JSON.stringify([library.name, library.revision, settings.toolIds]),
  };
}

function isOnlyDeclared({ source }: ToolRecord): boolean {
  return source.kind === "declared" && source.world === undefined;
}

/** The result of trying a plan, or in a few words why it is unusable. */
type Tried = Pick<GeneratedPair, "calls" | "answer"> | { reason: string };

/** The reason if a tool does not end in time; other values would take as long. */
export const TOO_SLOW = "with a call that takes too long";

/** In characters of JSON; longer results would make a demonstration for a model too long. */
const LONGEST_RESULT = 4000;

/**
 * Runs a plan in a trial of its own, which leaves nothing behind. A plan is usable if all calls succeed and everything
 * that it refers to exists and is not empty. A plan with a tool that nobody can run is not executed.
 */
export async function tryPlan(
  plan: Pick<Plan, "steps" | "answer">,
  { tools, openTrial }: Pick<GenerationTools, "tools" | "openTrial">,
): Promise<Tried> {
  const trial = await openTrial();
  const records = plan.steps.map(({ tool }) => tools.get(tool));
  if (records.some((record) => !record || !trial.canRun(record))) return { calls: unrun(plan) };
  const outputs: Record<number, unknown> = {};
  const calls: GeneratedPair["calls"] = [];
  for (const [step, { args: written }] of plan.steps.entries()) {
    const record = records[step];
    const args = fillArguments(step, written, outputs);
    if (!args || !record) return { reason: "with a reference to nothing" };
    const outcome = await trial.call({ id: `step ${step}`, tool: record, args });
    const { result } = outcome;
    if (outcome.status === "timeout") return { reason: TOO_SLOW };
    if (outcome.status !== "done") return { reason: "with a call that fails" };
    if (JSON.stringify(result ?? null).length > LONGEST_RESULT || outcome.resultRef !== undefined) {
      return { reason: "with a result that is too long" };
    }
    if (isUsed(plan, step) && isEmpty(result)) return { reason: "with an empty result" };
    outputs[step] = result;
    calls.push({ tool: record.id, args, ...(result === undefined ? {} : { result }) });
  }
  const answer = answerText(plan.answer, outputs);
  return answer === undefined ? { reason: "with a reference to nothing" } : { calls, answer };
}

/** Calls with references as texts, since there are no results to fill in. */
function unrun({ steps }: Pick<Plan, "steps">): GeneratedPair["calls"] {
  return steps.map(({ tool, args }) => ({
    tool,
    args: Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, writtenValue(value)]),
    ),
  }));
}

/** Whether a later step or the answer refers to the output of a step. */
function isUsed({ steps, answer }: Pick<Plan, "steps" | "answer">, step: number): boolean {
  const said = partsOf(answer).filter((part) => typeof part !== "string");
  const references = [...steps.flatMap(({ args }) => referencesIn(args)), ...said];
  return references.some(({ $prev }) => $prev === step);
}

function isEmpty(result: unknown): boolean {
  if (result === undefined || result === null || result === "") return true;
  return Array.isArray(result) && result.length === 0;
}
