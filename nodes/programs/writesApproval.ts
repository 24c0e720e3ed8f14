import { type Decision, askDecisions, codeIn } from "../shared/askDecisions.js";

/** What a person decides about a program's writes: the program itself, or each of them. */
export type WritesDecision =
  | { type: "reject"; message?: string }
  | { type: "program"; code: string }
  | { type: "writes"; each: Decision[] };

/** What a person is shown when a program has read all it needs and is about to write. */
export interface ShownWrites {
  /** The writing calls as they will be made, with their values, in order. */
  writes: {
    tool: string;
    args: Record<string, unknown>;
    /** What ids among the arguments stand for, by id, if a result says so. */
    names: Record<string, string>;
    /** Why a flow rule requires asking; absent if none does. */
    reason?: string;
    /** JSON Schema of the arguments, for whoever edits them. */
    schema?: object;
  }[];
  details: {
    /** The code. */
    program: string;
    /** The program's calls, or their bounds, and their cost. */
    bill: string;
    /** Whether these are all. If not, further writes are asked about when they are known. */
    complete: boolean;
  };
}

/** The action that replaces the program. */
const PROGRAM = "program";

/**
 * Asks a person about a program's writes: pauses the run and returns the decision once it is resumed
 * (`askDecisions`), with one decision for each write, or with an edit of the action `program` whose argument `code`
 * is another program. If all writes are rejected, the program itself is, for all the reasons given.
 */
export function askWritesApproval(
  { writes, details }: ShownWrites,
  problem: string,
): WritesDecision {
  const decided = askDecisions({
    kind: "writes",
    actions: writes.map(({ tool, args, names, reason, schema }) => ({
      name: tool,
      args,
      description: [
        ...Object.entries(names).map(([id, name]) => `${id} is “${name}”`),
        ...(reason ? [reason] : []),
      ].join(" · "),
      allowed: ["approve", "edit", "reject"],
      argsSchema: schema,
    })),
    details,
    problem,
    whole: PROGRAM,
  });
  const [first] = decided;
  if (first?.type === "edit" && first.name === PROGRAM)
    return { type: "program", code: codeIn(first.args) };
  const rejections = decided.filter((one) => one.type === "reject");
  if (rejections.length < decided.length) return { type: "writes", each: decided };
  const message = [...new Set(rejections.flatMap(({ message }) => message || []))].join("; ");
  return { type: "reject", ...(message && { message }) };
}
