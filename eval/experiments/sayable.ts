/**
 * Which gold solutions the language of plans can express: each is written as a program, read, checked against its
 * tools and run to its end, and its calls are compared with the gold ones.
 *
 *   npx tsx eval/experiments/sayable.ts --bench ../shared/bench [--sets a,b] [--limit N]
 *
 * Conversations count by turns. If the tools of a set have no functions, seeded values of their `returns` types replace
 * results. No language model is involved.
 */
import { sayAll, type Stage, type Verdict } from "../oracle/sayable.js";
import { goldSolutions } from "../oracle/goldSolutions.js";
import { openSubject } from "../oracle/subject.js";
import { BENCH, optionsOf, presentSets, write, writeRow } from "./scriptSupport.js";

const SETS = "work,workbench,nestful_v1,bfcl_multiturn";

/** Most reasons shown for each set, the most frequent first. */
const REASONS_SHOWN = 20;

async function main(): Promise<void> {
  const { bench, sets, limit } = optionsOf({ bench: BENCH, sets: SETS, limit: Infinity });
  const rows: (string | number)[][] = [];
  for (const set of presentSets({ bench, sets })) {
    const subject = await openSubject(set);
    const solutions = (await goldSolutions(subject)).slice(0, limit);
    const verdicts = await sayAll({ subject, solutions });
    rows.push(cellsOf(subject.benchmark.name, verdicts));
    writeReasons(subject.benchmark.name, verdicts);
  }
  write(HEADING);
  for (const row of rows) writeRow(row);
}

const HEADING = [
  "| set | solutions | said | refused by the reader | by the type check | other calls | without faults of the set | of these said |",
  "| --- | --: | --: | --: | --: | --: | --: | --: |",
].join("\n");

function cellsOf(set: string, verdicts: readonly Verdict[]): (string | number)[] {
  const sound = verdicts.filter(({ fault }) => fault === undefined);
  return [
    set,
    verdicts.length,
    share(verdicts),
    at("read", verdicts),
    at("types", verdicts),
    at("calls", verdicts),
    sound.length,
    share(sound),
  ];
}

function share(verdicts: readonly Verdict[]): string {
  const said = at("said", verdicts);
  return `${said} (${((100 * said) / verdicts.length).toFixed(1)} %)`;
}

function at(stage: Stage, verdicts: readonly Verdict[]): number {
  return verdicts.filter((one) => one.stage === stage).length;
}

/** Groups the failures by their reason without names, and shows faults of the gold data. */
function writeReasons(set: string, verdicts: readonly Verdict[]): void {
  const groups = new Map<string, Verdict[]>();
  for (const verdict of verdicts.filter(({ stage }) => stage !== "said")) {
    const { stage, reason = "", fault } = verdict;
    const key = `${fault === undefined ? "" : "fault of the set, "}${stage}: ${withoutNames(reason)}`;
    groups.set(key, [...(groups.get(key) ?? []), verdict]);
  }
  const sorted = [...groups].toSorted(([, one], [, other]) => other.length - one.length);
  for (const [key, alike] of sorted.slice(0, REASONS_SHOWN)) {
    const [first] = alike;
    write(`${set} · ${alike.length} × ${key}`);
    write(`    ${first?.id}: ${first?.reason}${first?.fault ? ` [${first.fault}]` : ""}`);
  }
}

function withoutNames(reason: string): string {
  const [first = ""] = reason.split("; ", 1);
  return first
    .replaceAll(/^line \d+: /g, "")
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|\w*_\w*|\d+/g, "…")
    .slice(0, 100);
}

await main();
