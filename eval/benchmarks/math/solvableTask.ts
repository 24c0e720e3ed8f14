import type { Task } from "../benchmark.js";

/**
 * A task as its author writes it: level and tools follow from where it stands and what it calls.
 * Arguments that depend on earlier calls are the values that these give, not rounded; an answer is
 * what the last call gives, in words ("true", "false") where that is no number.
 */
export type SolvableTask = Pick<Task, "id" | "query"> & Required<Pick<Task, "calls" | "answers">>;
