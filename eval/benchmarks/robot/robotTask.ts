import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import type { Task } from "../benchmark.js";
import { callsForm } from "../shipped.js";
import { writtenExpectation } from "./judgeRobot.js";

/** A task in the data file. */
const robotTask = z.strictObject({
  id: z.string(),
  query: z.string(),
  /**
   * Calls of a right run that change or say something, in order. They are not compared with those of a run, because
   * there are many right wordings.
   */
  gold: callsForm,
  expected: writtenExpectation,
  /** Most model calls of the run; absent to use the limit of the experiment. */
  maxModelCalls: z.number().optional(),
});
export type RobotTask = z.output<typeof robotTask>;

const tasks = z.array(robotTask);

const levels = z.strictObject({
  /**
   * The published sequence of six situations at one table (Tulip Agent, Ocker et al. 2024, arXiv:2407.21778), with our
   * own words and places. Each starts as if the previous ones had gone right, so that a mistake costs only one
   * situation.
   */
  scenario: tasks,
  /**
   * Tasks in which each step is known only after the previous one: obstacles are named one at a time, and what is
   * behind them appears only when they are gone. However many calls a model makes at once, it needs more replies than
   * it has, unless it guesses; a tool that repeats looking and moving needs one call.
   */
  "closed loop": tasks,
  /**
   * Tasks of many steps, or with values that have to be computed. One call at a time takes more model calls than a run
   * has; a model that foresees all steps can make the calls of one task at once, and then needs no new tool.
   */
  "many steps": tasks,
});

/** The tasks by level. */
export const ROBOT_TASKS = readDataFile(new URL("tasks.json", import.meta.url), levels);

/** A task in the form that runs and scorers use. */
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
