import { z } from "zod";

/** What `find_tools` takes, wherever it is offered. */
export const findArguments = z.object({
  queries: z
    .array(z.string().trim().min(1))
    .min(1)
    .describe("What is to be done, an action in a few words each: “send an e-mail”"),
  limit: z.number().int().min(1).max(50).optional().describe("Most tools for each query"),
});

/** What `call_tool` takes, wherever it is offered. */
export const callArguments = z.object({
  tool: z.string().min(1).describe("As find_tools has named it"),
  arguments: z.record(z.string(), z.unknown()).default({}).describe("As its parameters say"),
});

export const FIND_TOOLS = "find_tools";
export const CALL_TOOL = "call_tool";
