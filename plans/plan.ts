import type { ToolDefinition } from "../tools/tool.js";

/**
 * A solution that is planned whole, before anything runs ("AI Agent 007"): steps in an order in which
 * they can run, each a call whose arguments are known or come from steps before it.
 */
export interface Plan {
  steps: PlanStep[];
  /** The answer, with references to outputs in it (`$$PREV[2].total`); empty where none was planned. */
  answer: string;
  /** In words, what no tool that was shown can do. */
  lacking: string[];
}

/** One call of a plan. */
export interface PlanStep {
  /** Id of the tool. */
  tool: string;
  args: Record<string, PlanValue>;
  /** The steps after it depend on what its result says, and are to be looked at again then. */
  lookAtResult?: boolean;
}

/** An argument: JSON data, in which a reference may stand for any value. */
export type PlanValue =
  | string
  | number
  | boolean
  | null
  | PlanReference
  | PlanText
  | PlanValue[]
  | { [key: string]: PlanValue };

/** The output of a step, or a part of it; written `$$PREV[0]`, `$$PREV[0].items[2].name`. */
export interface PlanReference {
  $prev: number;
  /** Keys and list positions, negative ones from the end; empty for the whole output. */
  path: (string | number)[];
}

/** A text with outputs in it, such as `Due on $$PREV[1].date`; always a text, whatever the outputs are. */
export interface PlanText {
  $text: (string | PlanReference)[];
}

/** What has to be known of a tool to check a plan with it; a record of the library is one. */
export interface PlanTool extends Pick<
  ToolDefinition,
  "id" | "parameters" | "returns" | "effects"
> {
  /** What a model calls it where that is not its id. */
  name?: string;
}

/** Something in a plan that is not as it has to be. */
export interface PlanIssue {
  /** Position of the step; absent for what concerns the whole, such as the answer. */
  step?: number;
  argument?: string;
  kind:
    | "unreadable"
    | "unknown tool"
    | "unknown argument"
    | "missing argument"
    | "type"
    | "forward reference"
    | "missing field"
    | "missing step"
    | "answer"
    /** The budget of the run does not allow all of its calls. */
    | "budget"
    /** A person does not want it so. */
    | "rejected";
  /** One line, for the model that is to mend it. */
  problem: string;
}

/** A plan that was checked: mended where that needed no model, and what is left to be mended. */
export interface CheckedPlan {
  plan: Plan;
  /** What was changed, one line each. */
  repairs: string[];
  issues: PlanIssue[];
}
