import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import type { Task } from "../benchmark.js";
import { callsForm } from "../writtenSteps.js";
import { writtenExpectation } from "./expectation.js";

/** A task as the file of this benchmark writes it down. */
const robotTask = z.strictObject({
  id: z.string(),
  query: z.string(),
  /**
   * Calls of a right run that change or say something, in their order. They are not compared with those
   * of a run, since what is said has many right wordings.
   */
  gold: callsForm,
  expected: writtenExpectation,
  /** Model calls that the run may make; absent for as many as the experiment allows. */
  maxModelCalls: z.number().optional(),
});
export type RobotTask = z.output<typeof robotTask>;

const tasks = z.array(robotTask);

const levels = z.strictObject({
  /**
   * The published sequence of six situations at one table (Tulip Agent, Ocker et al. 2024,
   * arXiv:2407.21778), with words and places of our own. Each begins with what the ones before it leave
   * when they go right, so that a mistake costs one situation and not all that follow.
   */
  scenario: tasks,
  /**
   * Tasks in which each step is known only after the one before: what stands in the way is named one thing
   * at a time, and what stands behind that shows only when it is gone. However many calls a model makes at
   * once, more replies are needed than it has, unless it guesses; a tool that repeats looking and moving
   * needs one call.
   */
  "closed loop": tasks,
  /**
   * Tasks of many steps, or with values that have to be computed. One call at a time, they do not fit into
   * the model calls of a run; a model that foresees all steps can make the calls of one task at once, and
   * then needs no tool of its own.
   */
  "many steps": tasks,
});

/** The tasks by their levels. */
export const ROBOT_TASKS = readDataFile(new URL("tasks.json", import.meta.url), levels);

/** A task in the form that runs and scorers know. */
export function taskOf(level: string, task: RobotTask): Task {
  const { id, query, gold, expected, maxModelCalls } = task;
  return {
    id,
    query,
    level,
    tools: gold.map(({ tool }) => tool),
    start: expected.start,
    stateDiff: expected,
    ...(maxModelCalls === undefined ? {} : { settings: { maxModelCalls } }),
  };
}
