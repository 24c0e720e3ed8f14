import { Command } from "commander";
import { UnknownName } from "../../common/errors.js";
import { parseSettings } from "../../state/settings.js";
import { isSavedPlan } from "../../tools/runtime/calls/savedPlan.js";
import { planProblem } from "../../memory/savedPlans.js";
import { EXIT, type Exit } from "../exit.js";
import { collected, examples } from "../options.js";
import { printJson, printTable } from "../printing/print.js";
import { type PlanOptions, savePlan } from "../runs/planSaving.js";
import { openLibrary } from "../tools/openLibrary.js";

/** `tulipgraph plans save | check` */
export function plansCommand(exit: Exit): Command {
  const command = new Command("plans")
    .description("Save the plans of runs as tools, and check saved ones")
    .addHelpText(
      "after",
      examples([
        "tulipgraph plans save chores --as close_stale_issues --parameter days=30",
        "tulipgraph plans check close_stale_issues",
      ]),
    );
  addSave(command);
  command
    .command("check")
    .description("Replay the runs behind saved plans with the tools as they are now")
    .argument("[names...]", "names of saved plans; by default all in the library")
    .addHelpText("after", examples(["tulipgraph plans check close_stale_issues"]))
    .action(async (names: string[], options) => exit(await checkPlans(names, options)));
  return command;
}

function addSave(command: Command): void {
  command
    .command("save")
    .description(
      "Save the program of a thread's last run as a tool; the run must have solved its request",
    )
    .argument("<thread>", "the thread's id")
    .requiredOption("--as <name>", "the tool's name")
    .option(
      "--parameter <name=value>",
      "make a value that stands in the program a parameter; may be repeated",
      collected,
    )
    .option("--description <text>", "what the tool does, by which it is found")
    .option("--replace", "make it the next version of the saved plan of that name")
    .addHelpText(
      "after",
      examples([
        "tulipgraph plans save chores --as close_stale_issues --parameter days=30",
        'tulipgraph plans save chores --as close_issues_of --parameter "owner=Freya Lund" --description "Close all issues of a person"',
      ]),
    )
    .action(savePlan);
}

/**
 * `plans check [NAMES]`
 *
 * @returns the exit code: 1 if a plan does not pass
 */
async function checkPlans(names: readonly string[], options: PlanOptions): Promise<number> {
  const { library: name, json } = options;
  const library = await openLibrary(parseSettings({ library: name }));
  const plans = library.list().filter(isSavedPlan);
  const available = plans.map(({ id }) => id);
  const unknown = names.find((id) => !available.includes(id));
  if (unknown !== undefined) {
    const kind = `saved plan in library ${library.name}`;
    throw new UnknownName({ kind, wanted: unknown, available });
  }
  const wanted = names.length > 0 ? plans.filter(({ id }) => names.includes(id)) : plans;
  const checks: { plan: string; problem: string | undefined }[] = [];
  for (const plan of wanted) {
    const problem = await planProblem(plan, (id) => library.get(id));
    checks.push({ plan: plan.id, problem });
  }
  if (json) printJson(checks.map(({ plan, problem }) => ({ plan, passed: !problem, problem })));
  else printTable({ rows: checks.map(({ plan, problem }) => [plan, problem ?? "passed"]) });
  if (checks.length === 0 && !json)
    process.stderr.write(`library ${library.name} has no saved plans\n`);
  return checks.some(({ problem }) => problem) ? EXIT.notSolved : EXIT.done;
}
