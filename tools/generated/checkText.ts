import type { ExampleCheck } from "../tool.js";
import type { CheckOutcome, GeneratedTool } from "./draft.js";

/** What of a tool its example calls are written with. */
export interface NamedTool {
  name: string;
  source: { rest?: boolean };
}

/** An example call as it is written: `square_root(16)`. */
export function callOf({ name, source }: NamedTool, { args }: ExampleCheck): string {
  const values = Object.values(args);
  const last = values.at(-1);
  const spread = source.rest && Array.isArray(last) ? [...values.slice(0, -1), ...last] : values;
  return `${name}(${spread.map(valueText).join(", ")})`;
}

/** An example call with what has to come of it: `square_root(16) => 4`. */
export function checkText(tool: NamedTool, check: ExampleCheck): string {
  return `${callOf(tool, check)} => ${expectedText(check)}`;
}

/** One line for each example that did not come out as it has to, for the model and for a person. */
export function checkProblems(options: {
  tool: GeneratedTool;
  outcomes: readonly CheckOutcome[];
}): string[] {
  const { tool, outcomes } = options;
  return outcomes
    .filter(({ passed }) => !passed)
    .map(({ check, got }) => {
      return `the example ${checkText(tool, check)} fails: ${gotText(got)}`;
    });
}

/** What came of a call: its value, or the error that it threw. */
export function gotText(got: CheckOutcome["got"]): string {
  return got.kind === "value" ? `it gives ${valueText(got.value)}` : `it throws ${got.error}`;
}

function expectedText({ expects }: ExampleCheck): string {
  return expects.kind === "value" ? valueText(expects.value) : expects.kind;
}

function valueText(value: unknown): string {
  return value === undefined ? "undefined" : JSON.stringify(value);
}
