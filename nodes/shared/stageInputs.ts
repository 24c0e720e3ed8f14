import type { Prompt as ModelPrompt } from "../../models/prompt.js";
import type { JsonSchema } from "../../tools/tool.js";
import type { LookInput } from "./planInputs.js";

export type { LookInput } from "./planInputs.js";

/** How `decompose` asks for subtasks; one per published way (Tulip Agent). */
export type DecomposeStyle = "plain" | "informed" | "primed" | "oneShot" | "tree";

/** A turn of the conversation before the current request, as text. */
export interface EarlierTurn {
  role: "user" | "assistant";
  text: string;
}

/** What every stage knows. */
export interface Situation {
  /** The user's request, whole. */
  request: string;
  /** Facts about the situation, such as the date. */
  background?: string;
  earlierTurns: EarlierTurn[];
}

/** What `decompose` knows when it asks a model for subtasks. */
export interface DecomposeInput extends Situation {
  style: DecomposeStyle;
  /** What to split: the request itself, or a subtask for which no tool was found. */
  task: string;
  /** 0 for the request; n + 1 for a subtask that was missed at depth n. */
  depth: number;
  /** Style `informed`: what the tool library is about. */
  libraryDescription?: string;
  /** Styles `primed` and `tree`: names of tools that may help. */
  toolNames?: string[];
  /** Style `tree`: what the tasks before this one have given, oldest first. */
  earlierResults?: TaskResult[];
  /** Style `tree`: plans for this task that have failed, and why. */
  failedPlans?: { subtasks: string[]; reason: string }[];
}

/** A task of a tree that is done, and its result. */
export interface TaskResult {
  task: string;
  result: string;
}

/** What `phraseSearch` knows when it asks a model for search phrases. */
export interface PhraseSearchInput extends Situation {
  /** The subtasks to find tools for, numbered from 1 in this order. */
  subtasks: string[];
  /** Phrases that found nothing, where these subtasks were searched for before. */
  tried: string[];
}

/** A tool as it is shown to a model: `name` is the wire name. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  returns?: JsonSchema;
}

/** A call that was made in this run, and what came of it. Exactly one of `result` and `error` is set. */
export interface Observation {
  tool: string;
  args: Record<string, unknown>;
  result?: unknown;
  error?: string;
}

/** What a model is told of a budget. */
export interface ToldBudget {
  /** What is left, in units or dollars. */
  left: number;
  unit: "units" | "usd";
  /** Prices of a call of each tool on offer, by wire name, in the same unit. */
  prices: Record<string, number>;
}

/** Tools that are not on offer any more, by wire name. */
export interface WithheldTools {
  /** What is left of the budget does not pay a call of them. */
  forbidden: string[];
  /** The plan for the budget grants them no further call, whatever is left. */
  ungranted?: string[];
  /** They were called and never helped. */
  useless: string[];
}

/** An earlier try at the same point of a search over steps. */
export interface Attempt {
  calls: { name: string; args: Record<string, unknown>; observation: string }[];
  /** What was said beside the calls. */
  text: string;
}

/** A task that was done before, as it is shown to a model. */
export interface ShownDemonstration {
  task: string;
  /** `name` is the wire name of the tool. */
  calls: { name: string; args: Record<string, unknown>; result?: unknown }[];
  answer?: string;
}

/** What `act` knows when it asks a model for the next calls or the answer. */
export interface ActInput extends Situation {
  /** The subtasks to follow, in order; empty in graphs that do not decompose. */
  steps: string[];
  /** Subtasks, or in graphs that do not decompose search phrases, for which no tool was found. */
  missed: string[];
  /** Library tools on offer, without control tools; empty in `base`. */
  tools: OfferedTool[];
  /** Calls of this run so far, oldest first; in a search over steps, those of the branch at hand. */
  observations: Observation[];
  /** Where the model is told of prices and of what is left. */
  budget?: ToldBudget;
  withheld?: WithheldTools;
  /** Tools that are withheld by now, and whose calls are among the observations. */
  retired?: OfferedTool[];
  /**
   * In a search over steps, which is ended with `finish` instead of `stop`: earlier tries at this
   * point, to which the next one should be different.
   */
  search?: { attempts: Attempt[] };
  /** In a graph whose model keeps the library itself: it may search, decompose, create, update, delete. */
  keepsLibrary?: {
    /** Phrases that the library was searched for in this run, whatever they have found. */
    searched: string[];
    /** What this run has changed in the library; `tool` is the wire name, or empty. */
    edits: { kind: "create" | "update" | "delete"; tool: string; outcome: string }[];
  };
  /** How tasks that are alike were done, by wire names. */
  demonstrations?: ShownDemonstration[];
  /** In a task tree: the one task to solve, with one tool; `request` is the request as a whole. */
  task?: { text: string; earlierResults: TaskResult[] };
  /**
   * Where a plan was followed up to here: why no further, and its calls that were not made, one line each; of a
   * program its code.
   */
  plan?: { left: string; remaining: string[]; code?: string };
}

/** What `aggregate` knows when it asks a model for a task's result from those of its parts. */
export interface AggregateInput extends Situation {
  task: string;
  results: TaskResult[];
}

/** What `writeTool` knows when it asks a model to write or rewrite a tool. */
export interface WriteToolInput extends Situation {
  /** What the tool shall do, or how it shall be changed. */
  task: string;
  /** The tool to rewrite: its code, and example calls that it has to go on passing. */
  current?: { name: string; code: string; examples: string[] };
  /** Tools that already do something like it; to be used instead, where one does the task. */
  similar: OfferedTool[];
  /** Tools of the library that the new one may call. */
  callable: OfferedTool[];
  /** The draft before, and what is wrong with it. */
  failed?: { draft: string; problem: string };
}

/** What `judge` knows when it asks a model whether a call helped. */
export interface JudgeInput extends Situation {
  tool: Pick<OfferedTool, "name" | "description">;
  args: Record<string, unknown>;
  /** The result or the error, as the agent was told. */
  result: string;
}

/** What `vote` knows when it asks a model which of two continuations is better. */
export interface VoteInput extends Situation {
  /** The steps that both share. */
  history: Attempt[];
  /** The two continuations, in the order in which they are shown. */
  first: Attempt;
  second: Attempt;
}

/** What `summarize` knows when it asks a model for the answer from all that was found. */
export interface SummarizeInput extends Situation {
  /** Tools that were called, with all their calls in order. */
  findings: {
    tool: Pick<OfferedTool, "name" | "description">;
    calls: Omit<Observation, "tool">[];
  }[];
  /** What the search itself said when it ended without an answer. */
  draft: string;
}

/**
 * What is known at each stage that asks a model, by its name. A stage adds its own in its module
 * (`declare module`), for tests and stand-in models that tell stages apart.
 */
export interface StageInputs {
  decompose: DecomposeInput;
  phraseSearch: PhraseSearchInput;
  act: ActInput;
  judge: JudgeInput;
  vote: VoteInput;
  summarize: SummarizeInput;
  aggregate: AggregateInput;
  writeTool: WriteToolInput;
  look: LookInput;
}

export type Stage = keyof StageInputs;

/** One question to a model, of a stage. */
export type Prompt<S extends Stage = Stage> = ModelPrompt<S, StageInputs[S]>;
