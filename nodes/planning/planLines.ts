import { clipped } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { isReference, readText } from "../../plans/steps/references.js";
import { writtenValue } from "../../plans/steps/planText.js";
import type { PlanState } from "../../state/state.js";
import type { Line, LinePart } from "../shared/stage.js";

/** Most characters of a step's arguments shown during a run. */
const LONGEST = 200;

/** A planned call, with bare references and quoted texts. */
export function plannedCall(
  { tool, args }: { tool: string; args: object },
  { longest = Infinity }: { longest?: number } = {},
): LinePart[] {
  const given = Object.entries(args).map(([name, value]) => `${name}=${writtenText(value)}`);
  return [{ strong: tool }, `(${clipped(given.join(", "), longest)})`];
}

/** JSON, except for references, which would look like strings. */
function writtenText(value: unknown): string {
  if (typeof value === "string" && isReference(readText(value))) return value;
  if (Array.isArray(value)) return `[${value.map(writtenText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${writtenText(inner)}`,
  );
  return `{${fields.join(",")}}`;
}

/** The steps of a plan, a line each. */
export function planLines({ steps }: Pick<PlanState, "steps">): Line[] {
  if (steps.length === 0) return ["plans no call"];
  return steps.map(({ tool, args }, at) => [
    `${at}. `,
    ...plannedCall({ tool, args: Object(writtenValue(args)) }, { longest: LONGEST }),
  ]);
}

/** What was changed in a plan without the model. */
export function repairLines(repairs: readonly string[]): Line[] {
  return repairs.map((repair) => `mended: ${oneLine(repair)}`);
}
