import type { Edit } from "../../state/state.js";
import { type Decision, askDecisions, codeIn } from "../shared/askDecisions.js";

/** What a person decides about a change to the library. */
export type EditDecision = Exclude<Decision, { type: "edit" }> | { type: "edit"; code: string };

/** A pending change of the library, as a person sees it. */
interface ShownEdit {
  change: Edit["kind"];
  /** Name of the tool. */
  tool: string;
  /** What was requested, in words. */
  task: string;
  /** The new code; empty for a deletion. */
  code: string;
  details: {
    /** The code that it replaces; empty for a new tool. */
    before: string;
    /** Its example calls, in words, with their outcomes. */
    tests: string[];
    /** What the change deliberately breaks of the previous version. */
    breaks: string[];
  };
}

const CHANGE_SCHEMA = {
  type: "object",
  properties: { tool: { type: "string" }, code: { type: "string" } },
  required: ["code"],
};

/** Asks a person about a change to the library: pauses the run and returns the decision once it is resumed. */
export function askEditApproval(shown: ShownEdit, problem = ""): EditDecision {
  const { change, tool, task, code, details } = shown;
  const isDeletion = change === "delete";
  const [decision = { type: "reject" }] = askDecisions({
    kind: "edit",
    actions: [
      {
        name: `${change}_tool`,
        args: isDeletion ? { tool } : { tool, code },
        description: task,
        allowed: isDeletion ? ["approve", "reject"] : ["approve", "edit", "reject"],
        argsSchema: CHANGE_SCHEMA,
      },
    ],
    details,
    problem,
  });
  if (decision.type !== "edit") return decision;
  return { type: "edit", code: codeIn(decision.args) };
}
