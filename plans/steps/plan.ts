import type { ToolDefinition } from "../../tools/tool.js";

/**
 * A solution planned completely before anything runs ("AI Agent 007"): steps in an executable order, each a
 * call whose arguments are known or come from earlier steps.
 */
export interface Plan {
  steps: PlanStep[];
  /** The answer, with references to outputs (`$$PREV[2].total`); empty if none was planned. */
  answer: string;
}

export interface PlanStep {
  tool: string;
  args: Record<string, PlanValue>;
}

/** An argument: JSON data, in which any value may be a reference. */
export type PlanValue =
  | string
  | number
  | boolean
  | null
  | PlanReference
  | PlanText
  | PlanValue[]
  | { [key: string]: PlanValue };

/** The output of a step or a part of it, written `$$PREV[0]`, `$$PREV[0].items[2].name`. */
export interface PlanReference {
  $prev: number;
  /** Keys and indexes, negative ones from the end; empty for the whole output. */
  path: (string | number)[];
}

/** A text with outputs in it, such as `Due on $$PREV[1].date`; always a text. */
export interface PlanText {
  $text: (string | PlanReference)[];
}

/** What checking a plan needs to know about a tool; a library record has it. */
export interface PlanTool extends Pick<
  ToolDefinition,
  "id" | "parameters" | "returns" | "effects"
> {
  /** What a model calls it, if not by its id. */
  name?: string;
}

export interface PlanIssue {
  /** Position of the step; absent if it concerns the whole, such as the answer. */
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
    /** The budget does not allow all its calls. */
    | "budget";
  /** One line, for the model that must fix it. */
  problem: string;
}

/** A checked plan: fixed as far as possible without a model, with the remaining issues. */
export interface CheckedPlan {
  plan: Plan;
  repairs: string[];
  issues: PlanIssue[];
}
