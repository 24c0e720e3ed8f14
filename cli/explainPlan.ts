import { InvalidSetting } from "../common/errors.js";
import { search } from "../nodes/finding/search.js";
import { type PlanMade, planFor } from "../workspace/plans.js";
import { type Budget, readBudget } from "../state/budget.js";
import { type Context, parseContext } from "../state/context.js";
import { FRESH_RUN, type GraphState } from "../state/state.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { ToolRecord } from "../tools/tool.js";
import { amountText, callsText, numberText, shareText } from "../budget/amountText.js";
import { EXIT } from "./exit.js";
import { openLibrary } from "./openLibrary.js";
import { type PlanLine, planTable, planTotals } from "../budget/planTable.js";
import { printJson } from "./print.js";
import { type RunOptions, settingsOf } from "./runOptions.js";
import { printHanging } from "./terminal.js";

/** Options of `budget explain`. */
export type ExplainOptions = Omit<RunOptions, "model" | "maxCalls" | "stream">;

/** What is planned for where no budget is given: the published R (BTP, arXiv:2402.15960). */
export const USUAL_BUDGET: Budget = { amount: 20, unit: "units" };

/** A plan that was made to be shown; what the calls may cost is in units. */
interface Explained {
  request: string;
  library: string;
  budget: Budget & { inUnits: number };
  lines: PlanLine[];
  informed: boolean;
}

/**
 * Searches the library with a request and plans the calls, as the `_btp` graphs do, and prints the plan
 * with what it rests on.
 *
 * @returns the exit code: 1 when the plan has no call
 */
export async function explainPlan(request: string, options: ExplainOptions): Promise<number> {
  if (!request) {
    const hint = 'Say what is to be done, for example: tulipgraph budget explain "What is 6 * 7?"';
    throw new InvalidSetting({ setting: "request", problem: "is empty", hint });
  }
  const context = parseContext(await settingsOf(options));
  const budget = budgetOf(context);
  const library = await openLibrary(context);
  const tools = await candidates({ request, context, library });
  const made = await planFor({ context, request, tools, amount: budget.inUnits });
  const explained = {
    request,
    library: context.library,
    budget,
    lines: linesOf({ made, tools }),
    informed: made.informed,
  };
  const problem = whyNothing(explained, context);
  if (options.json) printJson(explanation(explained));
  else if (problem === undefined) printExplanation(explained);
  if (problem === undefined) return EXIT.done;
  process.stderr.write(`${problem}\n`);
  return EXIT.notSolved;
}

function budgetOf(context: Context): Explained["budget"] {
  const budget = readBudget(context) ?? USUAL_BUDGET;
  const inUnits = budget.unit === "usd" ? budget.amount / context.usdPerUnit : budget.amount;
  return { ...budget, inUnits };
}

/** The tools that a run would find, found by the stage that finds them there. */
async function candidates(options: {
  request: string;
  context: Context;
  library: ToolLibrary;
}): Promise<ToolRecord[]> {
  const { request, context, library } = options;
  const state: GraphState = {
    ...FRESH_RUN,
    messages: [],
    request: "",
    run: { id: "", request },
    earlierCalls: [],
  };
  const { toolIds = [] } = await search({ by: "request" })(state, { context });
  return toolIds.flatMap((id) => library.get(id) ?? []);
}

function linesOf(options: { made: PlanMade; tools: readonly ToolRecord[] }): PlanLine[] {
  const { made, tools } = options;
  const measures = new Map(made.measures.map((measure) => [measure.tool, measure]));
  const declared = new Set(tools.flatMap(({ id, cost }) => (cost === undefined ? [] : [id])));
  return made.plan.tools.map((planned) => {
    const { calls = 0, helpful = 0 } = measures.get(planned.tool) ?? {};
    return { ...planned, assumed: !declared.has(planned.tool), past: { calls, helpful } };
  });
}

/** Why a plan has no call at all, in one line; undefined where it has some. */
function whyNothing({ lines, library, budget }: Explained, context: Context): string | undefined {
  const [first] = lines;
  if (!first) return `nothing to plan: no tool of library ${library} was found for the request`;
  if (lines.some(({ quota }) => quota > 0)) return undefined;
  const cheapest = lines.reduce((least, line) => (line.price < least.price ? line : least), first);
  if (cheapest.price > budget.inUnits) {
    const price = amountText({ amount: cheapest.price, unit: "units" });
    return `a budget of ${budgetText(budget)} allows no call: the cheapest tool, ${cheapest.tool}, costs ${price}`;
  }
  const useful = lines.filter(({ bound }) => bound > 0);
  return useful.length === 0
    ? `nothing is planned: past calls of the ${lines.length} tools found make none of them worth a call (valueThreshold is ${context.valueThreshold})`
    : `nothing is planned: ${budgetText(budget)} do not pay for a tool that is worth a call (${useful.map(({ tool }) => tool).join(", ")})`;
}

function explanation({ request, library, budget, lines, informed }: Explained) {
  const planned = planTotals(lines);
  return {
    request,
    library,
    budget,
    tools: lines,
    informed,
    planned,
    left: budget.inUnits - planned.cost,
  };
}

function printExplanation({ budget, lines, informed }: Explained): void {
  for (const text of planTable(lines)) printHanging({ text });
  const { calls, cost, value } = planTotals(lines);
  const share = shareText({ part: cost, amount: budget.inUnits, unit: "units" });
  const left = amountText({ amount: budget.inUnits - cost, unit: "units" });
  const helpful = numberText(value, 1);
  printHanging({
    text: `\n${callsText(calls)} for ${share}; ${left} left. Expected to help: ${helpful} of them.`,
  });
  if (!informed) {
    printHanging({
      text: "None of these tools was called before, so that all look alike: a run would not be planned, and bounded by the amount alone. Record calls with --set remember=true, or import them: tulipgraph memory import FILE",
    });
  }
  if (budget.unit === "usd") {
    printHanging({
      text: `${amountText(budget)} would pay for ${amountText({ amount: budget.inUnits, unit: "units" })} of calls; a run pays for the tokens of its models from it, too.`,
    });
  }
}

function budgetText(budget: Explained["budget"]): string {
  const units = amountText({ amount: budget.inUnits, unit: "units" });
  return budget.unit === "usd" ? `${amountText(budget)} (${units})` : units;
}
