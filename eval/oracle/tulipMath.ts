import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";
import type { Plan } from "../../plans/plan.js";
import { stepsForm } from "../benchmarks/writtenSteps.js";

/**
 * Plans for the 60 tasks of the mathematics set of Tulip Agent (arXiv:2407.21778). The origin names tools and
 * results, and no arguments: these plans were written for this project with the set's own tools. They keep
 * to the tools that the origin names as far as they do what is asked; for the sum of two squares, the tool of
 * that name does not (it adds the first n squares).
 */
const WRITTEN = readDataFile(
  new URL("tulipMath.json", import.meta.url),
  z.record(z.string(), stepsForm),
);

/** The gold plan of a task of that set; undefined for any other id. */
export function tulipMathPlan(id: string): Plan | undefined {
  const steps = Object.hasOwn(WRITTEN, id) ? WRITTEN[id] : undefined;
  return steps && { steps, answer: `$$PREV[${steps.length - 1}]`, lacking: [] };
}
