import { z } from "zod";
import { UNDECLARED_COST } from "../state/budget/prices.js";
import { canonicalJson, sha256 } from "../tools/library/records/hash.js";
import type { PastCall } from "./experience.js";
import { type LineKind, lineArgs, lineName } from "./jsonLinesFile.js";

const amount = z.number().nonnegative();

/** Unknown fields are dropped. */
const lineSchema = z.object({
  id: lineName.optional(),
  library: lineName.optional(),
  query: lineName,
  tool: lineName,
  args: lineArgs,
  result: z.string(),
  failed: z.boolean().optional(),
  helpful: z.boolean().nullable(),
  judgedBy: z.enum(["rule", "model", "classifier", "given"]).optional(),
  cost: amount.optional(),
  ms: amount.optional(),
  at: amount.optional(),
});

/** Defaults for fields that a line leaves out. */
const ABSENT = { failed: false, judgedBy: "given", cost: UNDECLARED_COST, ms: 0 } as const;

export const PAST_CALL_LINES: LineKind<z.infer<typeof lineSchema>, PastCall> = {
  name: "experience file",
  hint: "Name a file with one call of a tool as JSON on each line, or a place where one can be written",
  schema: lineSchema,
  itemOf: (content, at) => {
    // Without the time of the import, so that importing a file again adds nothing.
    const id = content.id ?? sha256(canonicalJson(content));
    return { ...ABSENT, at, ...content, id };
  },
  toolsOf: ({ tool }) => [tool],
};
