import type { GoldCall, Task } from "../benchmark.js";
import type { RobotExpectation } from "./expectation.js";

/** A task as the files of this benchmark write it down. */
export interface RobotTask {
  id: string;
  query: string;
  /**
   * Calls of a right run that change or say something, in their order. They are not compared with those
   * of a run, since what is said has many right wordings.
   */
  gold: GoldCall[];
  expected: Omit<RobotExpectation, "mayChange"> & { mayChange?: string[] };
  /** Model calls that the run may make; absent for as many as the experiment allows. */
  maxModelCalls?: number;
}

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
