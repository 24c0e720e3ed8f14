import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";
import { UnknownName } from "../../common/errors.js";
import type { ExampleCheck } from "../../tools/tool.js";
import { START_TOOLS, type StartToolName } from "./startTools.js";

const startTool = z.enum(Object.keys(START_TOOLS) as StartToolName[]);

/** What is the right end of a request. */
const wanted = z.discriminatedUnion("kind", [
  /** A new tool that calls these tools of the library itself. */
  z.strictObject({ kind: z.literal("create"), calls: z.array(startTool).readonly().optional() }),
  /** A new version of this tool. */
  z.strictObject({ kind: z.literal("update"), tool: startTool }),
  /** No new tool: this one does it already. */
  z.strictObject({ kind: z.literal("reuse"), tool: startTool }),
  /** No tool, and a run that says so: the sandbox has nothing that such a tool needs. */
  z.strictObject({ kind: z.literal("nothing") }),
]);
export type Wanted = z.output<typeof wanted>;

/** A call that nobody who writes the tool is shown. */
export interface HiddenCheck {
  /** In the order in which the request names the inputs: what they are called is up to the model. */
  args: readonly unknown[];
  expects: ExampleCheck["expects"];
}

const args = z.array(z.json());

const hiddenCheck = z.union([
  z
    .strictObject({ args, value: z.json() })
    .transform(({ args, value }): HiddenCheck => ({ args, expects: { kind: "value", value } })),
  z
    .strictObject({ args, throws: z.literal(true) })
    .transform(({ args }): HiddenCheck => ({ args, expects: { kind: "throws" } })),
]);

/** A request for a tool, and what the tool has to do. */
const creationRequest = z.strictObject({
  id: z.string(),
  /** What it is about, in a word. */
  theme: z.enum(["numbers", "texts", "dates", "lists", "records", "calls", "update", "no tool"]),
  /** As the agent is asked. */
  query: z.string(),
  wanted,
  /** Tools that the library begins with. */
  start: z.array(startTool),
  /** Empty where no tool is the right end. */
  checks: z.array(hiddenCheck),
});
export type CreationRequest = z.output<typeof creationRequest>;

/** All requests for tools, in the order in which they are made. */
export const CREATION_REQUESTS: readonly CreationRequest[] = readDataFile(
  new URL("requests.json", import.meta.url),
  z.array(creationRequest),
);

/**
 * The requests with these ids, in their usual order; all of them where no ids are given.
 *
 * @throws UnknownName for an id that no request has
 */
export function chooseRequests(ids?: readonly string[]): CreationRequest[] {
  const available = CREATION_REQUESTS.map(({ id }) => id);
  for (const wanted of ids ?? []) {
    if (!available.includes(wanted)) {
      throw new UnknownName({ kind: "request", wanted, available });
    }
  }
  return CREATION_REQUESTS.filter(({ id }) => ids?.includes(id) ?? true);
}
