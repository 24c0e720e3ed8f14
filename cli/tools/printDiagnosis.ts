import { several } from "../../common/bounds.js";
import type { Check, Finding, Severity } from "../../tools/doctor/finding.js";
import { CHECKS, SEVERITIES } from "../../tools/doctor/finding.js";
import type { Diagnosis, RequestFigures } from "./doctor.js";
import { shareText } from "../printing/print.js";
import { bold, dim, printHanging } from "../printing/terminal.js";

/** Findings of a group that are printed; the rest are only counted. */
const SHOWN = 5;

const TITLES: Record<Check, string> = {
  hidden: "characters that nobody sees",
  orders: "texts that give the model orders",
  missed: "tools that requests miss",
  unfound: "tools that their own words do not find",
  twins: "tools that take each other's place",
  descriptions: "descriptions that are missing or say little",
  parameters: "parameters that nobody explains",
  givers: "ids that nobody gives",
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
  const { library, tools, searched, tokens, requests } = diagnosis;
  const sizes = tokens.most
    ? `: about ${tokens.total} tokens, ${tokens.median} at the median, ${tokens.most.tokens} at most (${tokens.most.tool})`
    : "";
  printHanging({ text: `library ${library}, ${several(tools, "tool")}${sizes}` });
  if (searched < tools) {
    const text = `searched by their own words: ${searched} of ${tools} tools, spread evenly (all: --all)`;
    printHanging({ text });
  }
  if (requests) printHanging({ text: requestsText(requests) });
  printHanging({ text: bold(countsText(diagnosis, SEVERITIES)) });
}

function requestsText({ count, recall5, recall10, comp10 }: RequestFigures): string {
  return `${count} requests: Recall@5 ${shareText(recall5)}, Recall@10 ${shareText(recall10)}, all tools among ten ${shareText(comp10)}`;
}

function countsText({ counts }: Diagnosis, severities: readonly Severity[]): string {
  return severities.map((each) => several(counts[each], each)).join(", ");
}

function printGroup(options: { severity: Severity; check: Check; group: Finding[] }): void {
  const { severity, check, group } = options;
  process.stdout.write("\n");
  printHanging({ text: bold(`${severity}: ${TITLES[check]} (${group.length})`) });
  const shown = group.slice(0, SHOWN);
  for (const [at, finding] of shown.entries()) {
    const { tools, problem, change } = finding;
    const text = `${bold(toolsText(check, tools))}  ${problem}${gainText(finding)}`;
    printHanging({ label: "  ", text });
    // Findings with the same remedy show it once, after the last of them.
    if (shown[at + 1]?.change !== change) printHanging({ label: "    → ", text: dim(change) });
  }
  const more = group.length - shown.length;
  if (more > 0) printHanging({ label: "  ", text: dim(`and ${more} more: --json`) });
}

function gainText({ check, requests }: Finding): string {
  if (!requests?.missed) return "";
  const { missed, needed, recall } = requests;
  const misses = check === "missed" ? "" : `${missed} of ${needed} requests miss it; `;
  return ` [${misses}mended, Recall@10 +${shareText(recall)}]`;
}

function toolsText(check: Check, tools: readonly string[]): string {
  if (check === "twins" && tools.length === 2) return tools.join(" and ");
  const [first = "", ...others] = tools;
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}
