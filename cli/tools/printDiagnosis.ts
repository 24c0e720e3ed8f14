import { several } from "../../common/bounds.js";
import type { Check, Finding, Severity } from "../../tools/doctor/finding.js";
import { CHECKS, SEVERITIES } from "../../tools/doctor/finding.js";
import type { Diagnosis } from "./doctor.js";
import { bold, dim, printHanging } from "../printing/terminal.js";

/** Findings of a group that are printed; the rest are only counted. */
const SHOWN = 5;

const TITLES: Record<Check, string> = {
  hidden: "characters that nobody sees",
  orders: "texts that give the model orders",
  unfound: "tools that their own words do not find",
  descriptions: "descriptions that are missing or say little",
  parameters: "parameters that nobody explains",
  cost: "tools that cost many tokens",
  names: "names that providers do not take",
};

/** Prints the findings in groups, the worst first, each with what to change. */
export function printDiagnosis(diagnosis: Diagnosis): void {
  const { findings, level } = diagnosis;
  printHead(diagnosis);
  for (const severity of SEVERITIES) {
    for (const check of CHECKS) {
      const group = findings.filter((each) => each.severity === severity && each.check === check);
      if (group.length > 0) printGroup({ severity, check, group });
    }
  }
  const below = SEVERITIES.slice(SEVERITIES.indexOf(level) + 1).filter(
    (severity) => diagnosis.counts[severity] > 0,
  );
  const [first] = below;
  const end = [
    findings.length === 0 ? `nothing to mend at the level ${level}` : "",
    first ? `${countsText(diagnosis, below)} not shown: --level ${below.at(-1) ?? first}` : "",
  ];
  const text = end.filter(Boolean).join("; ");
  if (text) process.stdout.write("\n");
  if (text) printHanging({ text });
}

function printHead(diagnosis: Diagnosis): void {
  const { library, tools, searched, tokens } = diagnosis;
  const sizes = tokens.most
    ? `: about ${tokens.total} tokens, ${tokens.median} at the median, ${tokens.most.tokens} at most (${tokens.most.tool})`
    : "";
  printHanging({ text: `library ${library}, ${several(tools, "tool")}${sizes}` });
  if (searched < tools) {
    const text = `searched by their own words: ${searched} of ${tools} tools, spread evenly (all: --all)`;
    printHanging({ text });
  }
  printHanging({ text: bold(countsText(diagnosis, SEVERITIES)) });
}

function countsText({ counts }: Diagnosis, severities: readonly Severity[]): string {
  return severities.map((each) => several(counts[each], each)).join(", ");
}

function printGroup(options: { severity: Severity; check: Check; group: Finding[] }): void {
  const { severity, check, group } = options;
  process.stdout.write("\n");
  printHanging({ text: bold(`${severity}: ${TITLES[check]} (${group.length})`) });
  const shown = group.slice(0, SHOWN);
  for (const [at, { tools, problem, change }] of shown.entries()) {
    const [first = "", ...others] = tools;
    const names = others.length > 0 ? `${first} and ${others.length} more` : first;
    const text = `${bold(names)}  ${problem}`;
    printHanging({ label: "  ", text });
    // Findings with the same remedy show it once, after the last of them.
    if (shown[at + 1]?.change !== change) printHanging({ label: "    → ", text: dim(change) });
  }
  const more = group.length - shown.length;
  if (more > 0) printHanging({ label: "  ", text: dim(`and ${more} more: --json`) });
}
