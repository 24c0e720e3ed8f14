import type { Plan, PlanStep, PlanValue } from "../../plans/plan.js";
import { readText } from "../../plans/references.js";
import { readJson } from "../files.js";

/** Arguments as they are written: texts may refer to earlier steps (`$$PREV[0]`). */
type WrittenArguments = Record<string, number | string | (number | string)[]>;

/** Steps of plans by the ids of their tasks. */
type WrittenPlans = Record<string, readonly (readonly [tool: string, args: WrittenArguments])[]>;

/**
 * Plans for the 60 tasks of the mathematics set of Tulip Agent (arXiv:2407.21778). The origin names tools and
 * results, and no arguments: these plans were written for this project with the set's own tools. They keep
 * to the tools that the origin names as far as they do what is asked; for the sum of two squares, the tool of
 * that name does not (it adds the first n squares).
 */
const WRITTEN = readJson(new URL("./tulipMath.json", import.meta.url)) as WrittenPlans;

/** The gold plan of a task of that set; undefined for any other id. */
export function tulipMathPlan(id: string): Plan | undefined {
  const written = Object.hasOwn(WRITTEN, id) ? WRITTEN[id] : undefined;
  if (!written) return undefined;
  const steps = written.map(([tool, args]) => ({ tool, args: argsOf(args) }));
  return { steps, answer: `$$PREV[${steps.length - 1}]`, lacking: [] };
}

function argsOf(written: WrittenArguments): PlanStep["args"] {
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(read) : read(value),
    ]),
  );
}

function read(value: number | string): PlanValue {
  return typeof value === "string" ? readText(value) : value;
}
