import { several } from "../../common/bounds.js";
import { type Finding, listed } from "../../tools/doctor/finding.js";
import type { ConnectedImport } from "../../nodes/workspace/connectedSources.js";
import { changes } from "../tools/changeTools.js";
import { printHanging } from "../printing/terminal.js";

/** Findings that are shown after an import; the rest are only counted. */
const FINDINGS_SHOWN = 10;

/** Prints the result of an import from a connected source, and on stderr what a person should check. */
export function printConnected(
  done: ConnectedImport & { source: string; library: string; notes?: readonly string[] },
): void {
  const { source, library, withheld, findings, notes = [] } = done;
  const what = [changes(done), withheld.length > 0 ? `${withheld.length} withheld` : ""];
  const text = what.filter(Boolean).join(", ") || "no tools";
  process.stdout.write(`library ${library}: ${text} from ${source}\n`);
  for (const note of notes) printHanging({ label: "  ", text: note });
  for (const line of findingLines(findings)) process.stderr.write(`${line}\n`);
  if (withheld.length === 0) return;
  process.stderr.write(
    `${several(withheld.length, "tool")} withheld, new or changed since accepted. See them with: tulipgraph tools review ${source}; or import again with --yes\n`,
  );
}

/** One line per warning or error; tools with the same finding share a line. */
export function findingLines(findings: readonly Finding[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { severity, tools, problem } of findings) {
    if (severity === "note") continue;
    const key = `${severity}: * ${problem}`;
    groups.set(key, [...(groups.get(key) ?? []), ...tools]);
  }
  const lines = [...groups].map(([key, tools]) => key.replace("*", () => `${listed(tools, 1)}:`));
  const more = lines.length - FINDINGS_SHOWN;
  return [
    ...lines.slice(0, FINDINGS_SHOWN),
    ...(more > 0 ? [`and ${more} more findings: --json shows them`] : []),
  ];
}
