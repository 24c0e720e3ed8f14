import type { ExampleCheck, GeneratedTool } from "../../tool.js";
import type { CheckOutcome } from "../../calls/trials.js";

/** The parts of a tool that its example calls need. */
export interface NamedTool {
  name: string;
  source: { rest?: boolean };
}

/** An example call as code: `square_root(16)`. */
export function callOf({ name, source }: NamedTool, { args }: ExampleCheck): string {
  const values = Object.values(args);
  const last = values.at(-1);
  const spread = source.rest && Array.isArray(last) ? [...values.slice(0, -1), ...last] : values;
  return `${name}(${spread.map(valueText).join(", ")})`;
}

/** An example call with its expected outcome: `square_root(16) => 4`. */
export function checkText(tool: NamedTool, check: ExampleCheck): string {
  const { expects } = check;
  const expected = expects.kind === "value" ? valueText(expects.value) : expects.kind;
  return `${callOf(tool, check)} => ${expected}`;
}

/** One line per failed example, for models and people. */
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

/** The outcome of a call: its value, or the error it threw. */
export function gotText(got: CheckOutcome["got"]): string {
  return got.kind === "value" ? `it gives ${valueText(got.value)}` : `it throws ${got.error}`;
}

function valueText(value: unknown): string {
  return value === undefined ? "undefined" : JSON.stringify(value);
}
