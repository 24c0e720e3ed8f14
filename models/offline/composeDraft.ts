import type { PlanStep } from "../../plans/plan.js";
import type { ComposeInput } from "../../nodes/planning/compose.js";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { countsThings } from "./amounts.js";
import type { Choice } from "./choose.js";
import { splitRequest } from "./clauses.js";
import { type FutureResult, futureResult, isFuture, isWholeNumber, planValue } from "./futures.js";
import { searchPhrases } from "./phrases.js";
import {
  type Decided,
  type Lack,
  type StepAtHand,
  choicesFor,
  decide,
  readStep,
  sentencesOf,
  waitsForOrder,
} from "./stepChoices.js";

/** A plan as far as it can be made before anything runs; steps of the request count from 0. */
export interface Draft {
  /** The request in steps. */
  steps: string[];
  /** Calls of the plan, with the names of tools as offered; each for one step of the request. */
  calls: { of: number; call: PlanStep }[];
  /** Steps without a call, and why. */
  failed: { of: number; reason: string }[];
  /** Search phrases for missing tools of any step, including those after the plan's last call. */
  lacking: string[];
  /** What follows the last call depends on results. */
  isOpen: boolean;
}

/** If no tool is nearer to a step than this, the library may have a better one. */
const CLEAR_MEANING = 0.75;

/**
 * Plans the steps of a request with values from the request and references to earlier results, up to the first step
 * that depends on what a result is.
 *
 * @param options.most most calls; what follows them is left open
 */
export async function draftPlan(options: {
  input: Pick<ComposeInput, "request" | "tools"> & { searched?: string[] };
  most: number;
}): Promise<Draft> {
  const { request, tools, searched } = options.input;
  // The tools of a first plan were found with the words of the request alone.
  const mayDoubt = searched?.length === 0;
  const steps = await splitRequest(request);
  const draft: Draft = { steps, calls: [], failed: [], lacking: [], isOpen: false };
  const results = new Map<number, FutureResult>();
  const sentences = sentencesOf(request);
  for (const [of, step] of steps.entries()) {
    const read = { ...readStep(step), sentences, results };
    const choices = await choicesFor({ ...read, tools });
    const decided = decide(choices);
    if (lacksTool(decided) || (mayDoubt && isInDoubt({ decided, choices }))) {
      draft.lacking.push(...searchPhrases(step).slice(-1));
    }
    if (!draft.isOpen) plan({ draft, of, read, decided, most: options.most });
    const tool = "sure" in decided ? decided.sure[0]?.tool : undefined;
    results.set(of + 1, resultOf({ draft, of, tool }));
  }
  return draft;
}

/** Whether a step may need another tool: it has none, or lacks a value for the nearest one. */
function lacksTool(decided: Decided): boolean {
  return "lack" in decided && decided.lack !== "certainty";
}

function isInDoubt({ decided, choices }: { decided: Decided; choices: Choice[] }): boolean {
  const best = "sure" in decided ? decided.sure.slice(0, 1) : choices;
  return Math.max(...best.map(({ meaning }) => meaning)) < CLEAR_MEANING;
}

/** Adds the call of a step to the plan; or notes that there is none, or that the plan ends here. */
function plan(options: {
  draft: Draft;
  of: number;
  read: StepAtHand;
  decided: Decided;
  most: number;
}): void {
  const { draft, of, read, decided, most } = options;
  const reason =
    missingResult(read, draft) ?? ("lack" in decided ? unsolvable(decided) : undefined);
  if (reason !== undefined) {
    draft.failed.push({ of, reason });
    return;
  }
  const best = "sure" in decided && !waitsForOrder(read) ? decided.sure[0] : undefined;
  if (!best || !isCertain(best.filling.args) || draft.calls.length === most) {
    draft.isOpen = true;
    return;
  }
  const { tool, filling } = best;
  const args = Object.entries(filling.args).map(
    ([name, value]) => [name, planValue(value)] as const,
  );
  draft.calls.push({ of, call: { tool: tool.name, args: Object.fromEntries(args) } });
  // Whether a count of things is whole depends on the result.
  draft.isOpen = countsThings(read.asked) && !isWholeNumber(resultOf({ draft, of, tool }));
}

/** The problem of a step that uses the result of a step without a call. */
function missingResult({ mentions }: StepAtHand, { calls }: Draft): string | undefined {
  const missing = mentions.find(
    ({ kind, value }) => kind === "reference" && !calls.some(({ of }) => of === Number(value) - 1),
  );
  return missing && `step ${missing.value} has no result`;
}

/** The reason, unless results may make clear which of several values is meant. */
function unsolvable({ lack, reason }: Lack): string | undefined {
  return lack === "certainty" ? undefined : reason;
}

/** Stands for the result of a step; for one that is not planned, to choose tools for later steps. */
function resultOf(options: { draft: Draft; of: number; tool?: OfferedTool }): FutureResult {
  const { draft, of, tool } = options;
  const at = draft.calls.findIndex((one) => one.of === of);
  const result = futureResult({ $prev: at, path: [] }, tool?.returns);
  // A step that points back ("send it") must not use a result that will not exist.
  return at < 0 ? { ...result, isCertain: false } : result;
}

function isCertain(value: unknown): boolean {
  if (isFuture(value)) return value.isCertain;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isCertain);
}
