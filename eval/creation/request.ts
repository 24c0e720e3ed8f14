import type { ExampleCheck } from "../../tools/tool.js";
import type { StartToolName } from "./startTools.js";

/** What is the right end of a request. */
export type Wanted =
  /** A new tool that calls these tools of the library itself. */
  | { kind: "create"; calls?: readonly StartToolName[] }
  /** A new version of this tool. */
  | { kind: "update"; tool: StartToolName }
  /** No new tool: this one does it already. */
  | { kind: "reuse"; tool: StartToolName }
  /** No tool, and a run that says so: the sandbox has nothing that such a tool needs. */
  | { kind: "nothing" };

/** A call that nobody who writes the tool is shown. */
export interface HiddenCheck {
  /** In the order in which the request names the inputs: what they are called is up to the model. */
  args: readonly unknown[];
  expects: ExampleCheck["expects"];
}

/** A request for a tool, and what the tool has to do. */
export interface CreationRequest {
  id: string;
  /** What it is about, in a word. */
  theme: "numbers" | "texts" | "dates" | "lists" | "records" | "calls" | "update" | "no tool";
  /** As the agent is asked. */
  query: string;
  wanted: Wanted;
  /** Tools that the library begins with. */
  start: readonly StartToolName[];
  /** Empty where no tool is the right end. */
  checks: readonly HiddenCheck[];
}

/** A call with these inputs gives that value. */
export function gives(args: readonly unknown[], value: unknown): HiddenCheck {
  return { args, expects: { kind: "value", value } };
}

/** A call with these inputs ends with an error. */
export function fails(...args: readonly unknown[]): HiddenCheck {
  return { args, expects: { kind: "throws" } };
}
