import { Command } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { search } from "../../nodes/finding/search.js";
import { allowanceFor } from "../../nodes/shared/allowances.js";
import {
  type Budget,
  amountText,
  callsText,
  numberText,
  readBudget,
  shareText,
} from "../../state/budgetSetting.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import { FRESH_RUN, type GraphState } from "../../state/state.js";
import { USD_PER_UNIT } from "../../state/ledger.js";
import {
  type AllowanceLine,
  allowanceTable,
  allowanceTotals,
} from "../../state/budget/allowanceTable.js";
import { EXIT, type Exit } from "../exit.js";
import {
  type RunOptions,
  addBudget,
  addSettings,
  examples,
  settingsHelp,
  settingsOf,
} from "../options.js";
import { printJson } from "../printing/print.js";
import { printHanging } from "../printing/terminal.js";
import { openLibrary } from "../tools/openLibrary.js";

/** `tulipgraph budget "REQUEST"` */
export function budgetCommand(exit: Exit): Command {
  const command = new Command("budget")
    .description(
      `Show the calls that the _btp graphs would grant for a request, without running anything; the default budget is ${USUAL_BUDGET.amount} ${USUAL_BUDGET.unit}`,
    )
    .argument("<request...>", "what to do, in plain words");
  return addSettings(addBudget(command))
    .addHelpText(
      "after",
      () =>
        settingsHelp() +
        examples([
          'tulipgraph budget "How does 31 degrees feel?" --library ./examples/temperatures.ts',
          "tulipgraph budget \"…\" --budget '$0.05' --set pricing=measured --json",
        ]),
    )
    .action(async (words: string[], options: RunOptions) => {
      exit(await explainBudget(words.join(" ").trim(), options));
    });
}

/** The default budget: the published R (BTP, arXiv:2402.15960). */
const USUAL_BUDGET: Budget = { amount: 20, unit: "units" };

/** The allowance, as `--json` prints it. */
interface Explained {
  request: string;
  library: string;
  /** Calls are priced in units, so the amount is given in units too. */
  budget: Budget & { inUnits: number };
  tools: AllowanceLine[];
  informed: boolean;
  planned: ReturnType<typeof allowanceTotals>;
  left: number;
}

/**
 * Searches the library with a request, divides the budget as the `_btp` graphs do, and prints how many calls each
 * tool gets and why.
 *
 * @returns the exit code: 1 when no call is granted
 */
async function explainBudget(request: string, options: RunOptions): Promise<number> {
  if (!request) {
    const hint = 'Say what is to be done, for example: tulipgraph budget "What is 6 * 7?"';
    throw new InvalidSetting({ setting: "request", problem: "is empty", hint });
  }
  const settings = parseSettings(await settingsOf(options));
  const explained = await explain(request, settings);
  const problem = whyNothing(explained, settings);
  if (options.json) printJson(explained);
  else if (problem === undefined) printExplanation(explained);
  if (problem === undefined) return EXIT.done;
  process.stderr.write(`${problem}\n`);
  return EXIT.notSolved;
}

async function explain(request: string, settings: Settings): Promise<Explained> {
  const given = readBudget(settings) ?? USUAL_BUDGET;
  const inUnits = given.unit === "usd" ? given.amount / USD_PER_UNIT : given.amount;
  const library = await openLibrary(settings);
  // The tools that a run would find, found by the same stage.
  const run = { id: "", request };
  const state: GraphState = { ...FRESH_RUN, messages: [], request: "", run, earlierCalls: [] };
  const { toolIds = [] } = await search({ by: "request" })(state, { context: settings });
  const found = toolIds.flatMap((id) => library.get(id) ?? []);
  const made = await allowanceFor({ settings, request, tools: found, amount: inUnits });
  const measures = new Map(made.measures.map((measure) => [measure.tool, measure]));
  const tools = made.allowance.tools.map((granted) => {
    const { calls = 0, helpful = 0 } = measures.get(granted.tool) ?? {};
    const assumed = found.find(({ id }) => id === granted.tool)?.cost === undefined;
    return { ...granted, assumed, past: { calls, helpful } };
  });
  const planned = allowanceTotals(tools);
  return {
    request,
    library: settings.library,
    budget: { ...given, inUnits },
    tools,
    informed: made.informed,
    planned,
    left: inUnits - planned.cost,
  };
}

/** Why no call is granted, in one line; undefined if some are. */
function whyNothing(
  { tools: lines, library, budget }: Explained,
  settings: Settings,
): string | undefined {
  const [first] = lines;
  if (!first) return `nothing to grant: no tool of library ${library} was found for the request`;
  if (lines.some(({ quota }) => quota > 0)) return undefined;
  const cheapest = lines.reduce((least, line) => (line.price < least.price ? line : least), first);
  if (cheapest.price > budget.inUnits) {
    const price = amountText({ amount: cheapest.price, unit: "units" });
    return `a budget of ${budgetText(budget)} allows no call: the cheapest tool, ${cheapest.tool}, costs ${price}`;
  }
  const useful = lines.filter(({ bound }) => bound > 0);
  return useful.length === 0
    ? `no call is granted: past calls of the ${lines.length} tools found make none of them worth a call (valueThreshold is ${settings.valueThreshold})`
    : `no call is granted: ${budgetText(budget)} do not pay for a tool that is worth a call (${useful.map(({ tool }) => tool).join(", ")})`;
}

function printExplanation({ budget, tools, informed, planned, left }: Explained): void {
  for (const text of allowanceTable(tools)) printHanging({ text });
  const share = shareText({ part: planned.cost, amount: budget.inUnits, unit: "units" });
  const rest = amountText({ amount: left, unit: "units" });
  printHanging({
    text: `\n${callsText(planned.calls)} for ${share}; ${rest} left. Expected to help: ${numberText(planned.value, 1)} of them.`,
  });
  if (!informed) {
    printHanging({
      text: "None of these tools was called before, so all look alike: a run would grant no quotas, and only the amount would limit it. Record calls with --set remember=true, or import them: tulipgraph memory import FILE",
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
