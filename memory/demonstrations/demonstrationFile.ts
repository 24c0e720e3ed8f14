import { z } from "zod";
import { type LineKind, lineArgs, lineName } from "../jsonLinesFile.js";
import type { Demonstration } from "./demonstrationStore.js";

const callSchema = z.object({ tool: lineName, args: lineArgs, result: z.unknown().optional() });

/** Unknown fields are dropped. */
const lineSchema = z.object({
  library: lineName.optional(),
  task: lineName,
  calls: z.array(callSchema).min(1, "is empty"),
  answer: z.string().optional(),
  level: z.enum(["subtask", "tool"]).default("subtask"),
  source: z.enum(["file", "generated", "run"]).default("file"),
  at: z.number().nonnegative().optional(),
});

export const DEMONSTRATION_LINES: LineKind<z.infer<typeof lineSchema>, Demonstration> = {
  name: "demonstration file",
  hint: "Name a file with one demonstration as JSON on each line, or a place where one can be written",
  schema: lineSchema,
  itemOf: (line, at) => {
    const { level, calls } = line;
    if (level === "tool" && calls.length > 1)
      return { problem: `"calls": the level "tool" takes one, but there are ${calls.length}` };
    return { at, ...line };
  },
  toolsOf: ({ calls }) => calls.map(({ tool }) => tool),
};
