import { oneLine } from "../common/errors.js";
import { issueLine } from "../plans/program/issueLine.js";
import type { StageChange } from "./searchLines.js";
import { dim, shorten } from "./terminal.js";

/** Most characters of an answer of the model's that are shown while a run goes on. */
const LONGEST = 200;

/** The program that a model has written, line by line, and what it lacks tools for. */
export function programLines({ change }: StageChange): string[] {
  const { program } = change;
  if (!program) return [];
  if (program.left) return [`goes on without a program: ${oneLine(program.left)}`];
  const lacking = program.lacking.map((phrase) => `lacks a tool for: ${oneLine(phrase)}`);
  const repairs = program.repairs.map((repair) => `mended: ${oneLine(repair)}`);
  return [...program.code.trimEnd().split("\n"), ...lacking, ...repairs];
}

/** What keeps a program from being followed. */
export function programCheckLines({ change: { program } }: StageChange): string[] {
  const issues = (program?.issues ?? []).map(
    (issue) => `to be mended: ${oneLine(issueLine(issue))}`,
  );
  return program?.left ? [...issues, `leaves the program: ${oneLine(program.left)}`] : issues;
}

/** How a program ends; its calls are told when they are made. */
export function programRunLines(stage: StageChange): string[] {
  const { change, before } = stage;
  if (change.answer) return ["answers"];
  const { program } = change;
  if (program?.left && !before.program?.left)
    return [`leaves the program: ${oneLine(program.left)}`];
  return [];
}

/** What the model has said of a value. */
export function lookLines({ change: { program }, before }: StageChange): string[] {
  const known = before.program?.looks ?? {};
  return Object.entries(program?.looks ?? {})
    .filter(([place]) => !Object.hasOwn(known, place))
    .map(([, said]) => `says: ${shorten({ text: oneLine(said), width: LONGEST })}`);
}

/** What a person has decided about the writes of a program. */
export function writesApprovalLines({ change: { program }, before }: StageChange): string[] {
  if (!program) return [];
  if (program.issues.length > 0) return [`rejected: ${oneLine(program.cues.at(-1) ?? "")}`];
  if (program.code !== before.program?.code)
    return ["another program:", ...program.code.trimEnd().split("\n").map(dim)];
  const skipped = program.skipped.length - (before.program?.skipped.length ?? 0);
  return [skipped > 0 ? `approved without ${skipped} of them` : "approved"];
}
