import type { PastCall } from "../../memory/experience.js";
import type { Plan } from "../../plans/steps/plan.js";
import type { WorldDefinition } from "../../tools/calls/worlds/worlds.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Recording, RenamedParameters } from "../replay/recording.js";

/** A call that a right solution makes. */
export interface GoldCall {
  tool: string;
  args: Record<string, unknown>;
}

/** One task of a benchmark, in the form that runs and scorers use. */
export interface Task {
  id: string;
  query: string;
  /** Ids of the tools that a right solution uses, as a multiset; empty if no tool fits. */
  tools: string[];
  /** The task says neither tools nor calls: which are needed is unknown. */
  callsUnsaid?: true;
  /** For each tool that is needed, all that serve; absent if only the tool itself does. */
  toolGroups?: string[][];
  calls?: GoldCall[];
  /** The gold calls as a plan, with references in place of earlier results. */
  plan?: Plan;
  program?: string;
  /** Any one of these is right. */
  answers?: (number | string)[];
  /** Difficulty, else the part of the benchmark; "all" if it distinguishes neither. */
  level: string;
  /** The part of the benchmark that the task belongs to. */
  split?: string;
  /** Ids of the tools that the origin offers for this task. */
  candidates?: string[];
  /** Settings that belong to the task, such as a limit; they override the experiment's. */
  settings?: Record<string, unknown>;
  /** What a right run changes in the world, in the world's own form. */
  stateDiff?: Record<string, unknown>;
  /** A run without a call leaves the world as it should be. */
  rightWithoutCalls?: true;
  /** Texts that a right answer must all contain; nobody can know them before making the right calls. */
  facts?: string[];
  /**
   * Present if no tool can do a part of the request: words or parts of words (such as "mail"), one of which an honest
   * answer contains.
   */
  unmet?: string[];
  /** The run that the task is, if it is to be made again as it was. */
  recording?: Recording;
  /** What a run must not do; absent from benchmarks whose tasks do not say. */
  mustNot?: ("solve" | "write")[];
}

/** How arguments of calls are compared with gold arguments. */
export type ArgumentRule =
  /** Equal values; a number may be written as a text. */
  | "equal"
  /** The gold value is a list of acceptable values; "" among them makes the argument optional (BFCL). */
  | "any-of";

/** Tasks and their tools. */
export interface Benchmark {
  name: string;
  /** Where it was read from, for people. */
  source: string;
  /** Experiments with the same hash had the same tasks and tools. */
  hash: string;
  /** Tools as the benchmark describes them, with or without functions. */
  tools: ToolDefinition[];
  /** File that declares the tools, for a library of them; absent for a benchmark of a catalog. */
  toolsFile?: string;
  tasks: Task[];
  argumentRule: ArgumentRule;
  /** Facts for the model that hold for every task, such as the date. */
  background?: string;
  /** The world whose change is compared. */
  world?: { name: string };
  /** The user's own library, whose tools really run; absent if a library is made for the runs. */
  library?: string;
  /** The catalog that implements the tools, if any. */
  catalog?: string;
  /** Default number of other tools on offer beside a task's own; absent for all. */
  others?: number;
  /** Worlds of its own, which answer calls of declared tools. */
  ownWorlds?: WorldDefinition[];
  /** Past calls of the tools, to be stored for a library. */
  experience?: (library: string) => Iterable<PastCall>;
  /** Present if calls are answered from the recordings of the tasks: no tool is called but, if `live`, those that read. */
  replay?: {
    live: boolean;
    renamed: RenamedParameters;
    about: string;
  };
}
