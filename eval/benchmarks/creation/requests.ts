import { z } from "zod";
import { readAsWritten } from "../../../common/dataFile.js";

const wanted = z.discriminatedUnion("kind", [
  /** A new tool, which calls these tools of the library. */
  z.strictObject({ kind: z.literal("create"), calls: z.array(z.string()).readonly().optional() }),
  /** A new version of this tool. */
  z.strictObject({ kind: z.literal("update"), tool: z.string() }),
  /** No new tool: this one does it already. */
  z.strictObject({ kind: z.literal("reuse"), tool: z.string() }),
  /** No tool, and a run that says so: the sandbox lacks what such a tool would need. */
  z.strictObject({ kind: z.literal("nothing") }),
]);

/** A call that the author of the tool does not see. */
const hiddenCheck = z.strictObject({
  /** In the order in which the request names the inputs; the model chooses their names. */
  args: z.array(z.unknown()).readonly(),
  expects: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("value"), value: z.unknown() }),
    z.strictObject({ kind: z.literal("throws") }),
  ]),
});
export type HiddenCheck = z.infer<typeof hiddenCheck>;

const creationRequest = z.strictObject({
  id: z.string(),
  theme: z.enum(["numbers", "texts", "dates", "lists", "records", "calls", "update", "no tool"]),
  query: z.string(),
  wanted,
  /** Names of the tools that the library starts with (startTools.txt). */
  start: z.array(z.string()).readonly(),
  /** Empty if no tool is the right outcome. */
  checks: z.array(hiddenCheck).readonly(),
  /** If no tool can serve it: words, one of which an honest answer contains. */
  unmet: z.array(z.string()).readonly().optional(),
});
export type CreationRequest = z.infer<typeof creationRequest>;

/** All requests for tools, in the order in which they are made. */
export const CREATION_REQUESTS = readAsWritten(
  new URL("./requests.json", import.meta.url),
  z.array(creationRequest).readonly(),
);
