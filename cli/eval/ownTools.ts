import { listed, several } from "../../common/text.js";
import { InvalidSetting } from "../../common/errors.js";
import type { PreparedExperiment } from "../../eval/runs/prepare.js";
import { isDeclared } from "../../tools/sources/origins.js";
import { needsConsent } from "../tools/callTool.js";

/** What to evaluate: a benchmark, or your own library with tasks. */
interface Subject {
  benchmark?: string;
  library?: string;
  tasks?: string;
  replay?: boolean;
  live?: "reads";
}

/** @throws InvalidSetting unless exactly one of the two is given, and whole */
export function subjectOf(subject: Subject) {
  const { benchmark, library, tasks, replay, live } = subject;
  if (replay || live) return replayedOf(subject);
  if (benchmark !== undefined && library === undefined && tasks === undefined) return benchmark;
  if (benchmark === undefined && library !== undefined && tasks !== undefined)
    return { library, tasks };
  const problems: [boolean, string][] = [
    [benchmark !== undefined, "--benchmark does not go with --library and --tasks"],
    [library !== undefined, "--library needs --tasks"],
    [tasks !== undefined, "--tasks needs the --library that has its tools"],
  ];
  const problem = problems.find(([applies]) => applies)?.[1] ?? "nothing to evaluate is named";
  throw new InvalidSetting({
    setting: "eval run",
    problem,
    hint: "Name a benchmark: --benchmark math, or your own tools: --library NAME --tasks FILE",
  });
}

/** @throws InvalidSetting for options that do not go with a replay */
function replayedOf({ benchmark, library, tasks, replay, live }: Subject) {
  const problems: [boolean, string][] = [
    [!replay, "--live is for a --replay"],
    [benchmark !== undefined, "--benchmark has no recorded runs"],
    [live !== undefined && library === undefined, "--live needs the tools of a --library"],
  ];
  const problem = problems.find(([applies]) => applies)?.[1];
  if (tasks !== undefined && problem === undefined)
    return { recordings: tasks, library, live: live !== undefined };
  throw new InvalidSetting({
    setting: "eval run --replay",
    problem: problem ?? "no recorded runs are named",
    hint: "Write: tulipgraph eval run --replay --tasks FILE [--library NAME [--live reads]] --out DIR",
  });
}

/**
 * Announces that the user's own tools will really be called, and requires consent to what they may change.
 *
 * @throws InvalidSetting if a tool may change something and nobody has consented
 */
export function agreeToCalls(prepared: PreparedExperiment, yes = false): void {
  const { benchmark, definition, tasks: chosen } = prepared;
  const { library, tools, replay } = benchmark;
  if (library === undefined || replay) return;
  const { tasks, graphs, variants, runs } = definition;
  const count = tasks.length * graphs.length * variants.length * runs;
  const real = tools.filter((tool) => !isDeclared(tool));
  const mayWrite = chosen.some(({ mustNot }) => !mustNot?.includes("write"));
  const writing = mayWrite ? real.filter(needsConsent) : [];
  const are = real.length === 1 ? "is" : "are";
  const many = `${several(real.length, "tool")} of library ${library} ${are} called for real`;
  const lacking = tools.length - real.length;
  const unreal = lacking > 0 ? `; ${lacking} more are only described and give no results` : "";
  if (writing.length > 0 && !yes) {
    throw new InvalidSetting({
      setting: `--library ${library}`,
      problem: `${many}, and ${writing.length} may change something (${listed(writing.map(({ id }) => id))})`,
      hint: "Add --yes if that is meant; a function that only reads says so with @effects read",
    });
  }
  const agreed = writing.length > 0 ? `, ${writing.length} may change something` : "";
  process.stderr.write(`${many} in ${several(count, "run")}${agreed}${unreal}\n`);
}
