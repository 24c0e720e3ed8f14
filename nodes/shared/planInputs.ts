import type { OfferedTool, ShownDemonstration, Situation, ToldBudget } from "./stageInputs.js";

/**
 * How `compose` asks for a plan: `typed` with an answer and what is lacking, to be followed; the others as "AI Agent 007" has them: a list of calls after reasoning by
 * states and actions, code, or a list of calls in an enforced form.
 */
export type ComposeStyle = "typed" | "stateAction" | "code" | "enforced";

/** What `compose` knows when it asks a model for a whole plan. */
export interface ComposeInput extends Situation {
  style: ComposeStyle;
  /** Tools that the plan may use. */
  tools: OfferedTool[];
  demonstrations: ShownDemonstration[];
  /** What the library was searched for and has no tool for. */
  missed: string[];
  /** What earlier plans lacked, and other tools were found for; absent where plans lead to no search. */
  searched?: string[];
  /** Where the run has a budget: what is left, and prices. */
  budget?: ToldBudget;
  /** The plan before this one, as text, with what is wrong with it and what was advised. */
  failed?: { plan: string; problems: string[]; cue: string };
}

/** What `outline` knows when it asks a model for the tasks of a plan, each with its tool. */
export interface OutlineInput extends Situation {
  tools: OfferedTool[];
  demonstrations: ShownDemonstration[];
}

/** What `composeSteps` knows when it asks a model for the calls of all tasks of an outline. */
export interface ComposeStepsInput extends Situation {
  /** The tasks in their order; tools by wire name. */
  tasks: { thought: string; tool: string; task: string }[];
  /** The tools of the tasks, and no others. */
  tools: OfferedTool[];
}

/** What `reflect` knows when it asks a model for a verdict on a plan, and what to do otherwise. */
export interface ReflectInput extends Situation {
  tools: OfferedTool[];
  /** The plan as text. */
  plan: string;
  /** What a check has found wrong with it. */
  problems: string[];
}
