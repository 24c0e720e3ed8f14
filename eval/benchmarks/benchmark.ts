import type { PastCall } from "../../memory/experience.js";
import type { Plan } from "../../plans/plan.js";
import type { WorldDefinition } from "../../tools/runtime/worlds.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** A call that a right solution makes. */
export interface GoldCall {
  tool: string;
  args: Record<string, unknown>;
}

/** One task of a benchmark, in the one form that runs and scorers know. */
export interface Task {
  id: string;
  query: string;
  /** Ids of the tools that a right solution uses, as a multiset; empty where no tool fits. */
  tools: string[];
  /** Gold calls in their order; absent where the benchmark has none. */
  calls?: GoldCall[];
  /**
   * The gold calls as a plan that is made before anything is known, with references in place of earlier
   * results; absent where the benchmark has none.
   */
  plan?: Plan;
  /** A program in the language of plans that solves the task; absent where the benchmark has none. */
  program?: string;
  /** Any one of these is right; absent where the benchmark has no answers. */
  answers?: (number | string)[];
  /** Difficulty, else the part of the benchmark; "all" where it tells neither apart. */
  level: string;
  /** The part of the benchmark that the task belongs to. */
  split?: string;
  /** Ids of the tools that the origin offers for this task. */
  candidates?: string[];
  /** The start of the world that the task begins with, where the world has several. */
  start?: string;
  /** Settings of a run that belong to the task, such as a limit; they go before the experiment's. */
  settings?: Record<string, unknown>;
  /** What a right run changes in the world, in a form that is the world's own. */
  stateDiff?: Record<string, unknown>;
  /** Texts that a right answer holds, all of them; known to nobody before the right calls were made. */
  facts?: string[];
  /**
   * Parts of words by any of which an answer names what of the request no tool can do ("mail"); present where
   * the gold is only a part of what was asked for.
   */
  unmet?: string[];
}

/** How an argument of a run's call is compared with that of a gold call. */
export type ArgumentRule =
  /** Equal values; numbers and texts alike where they say the same. */
  | "equal"
  /** The gold value is a list of acceptable values; "" among them makes the argument optional (BFCL). */
  | "any-of";

/** A set of tasks and the tools that they are about. */
export interface Benchmark {
  name: string;
  /** Where it was read from, for people. */
  source: string;
  /** Hash of all that was read: two experiments with the same one had the same tasks and tools. */
  hash: string;
  /** Tools as the benchmark describes them, whether or not there are functions for them. */
  tools: ToolDefinition[];
  /** File that declares the tools, for a library of them; absent for a benchmark of a catalogue. */
  toolsFile?: string;
  tasks: Task[];
  /** How gold arguments are to be read. */
  argumentRule: ArgumentRule;
  /** Facts that hold for every task, such as the date, told to the model. */
  background?: string;
  /** The world whose change is compared, and the folder with its data where it has one. */
  world?: { name: string; folder?: string };
  /** The user's library whose tools are called for real; absent where tools are assembled for the runs. */
  library?: string;
  /** The catalogue that implements the tools, where the benchmark belongs to one. */
  catalogue?: string;
  /** How many other tools a task is offered beside its own where nobody says; absent for all. */
  others?: number;
  /** The world that its catalogue's tools act on, where the benchmark has starts of its own. */
  startsWorld?: WorldDefinition;
  /** The world that answers calls of declared tools. */
  answeringWorld?: WorldDefinition;
  /** Past calls of the tools, to be remembered for a library of them. */
  experience?: (library: string) => Iterable<PastCall>;
}
