import { type UpdateType, registry, withLangGraph } from "@langchain/langgraph/zod";
import { z } from "zod";
import { omit, object } from "zod/mini";
import { deedsSchema } from "./deeds.js";
import { editRecordSchema, editSchema } from "./edits.js";
import { outlineSchema, planSchema } from "./plan.js";
import { programSchema } from "./program.js";
import { treeSchema } from "./searchTree.js";
import { taskTreeSchema } from "./taskTree.js";
import type { BaseMessage } from "@langchain/core/messages";
import { type Messages, messagesStateReducer } from "@langchain/langgraph";

export type { Deed, Deeds } from "./deeds.js";
export type { Edit, EditRecord } from "./edits.js";
export type { Outline, PlanState } from "./plan.js";
export type { ApprovedWrite, ProgramState } from "./program.js";
export type { Tree, TreeNode } from "./searchTree.js";
export type { Task, TaskStep, TaskTree } from "./taskTree.js";

/**
 * How a run ended, or `running` until then: `solved` the request is answered from results of calls, and what the answer
 * says was done was done by them · `answered` it took no tool, so nothing was done · `unsolved` it is not answered, and
 * the answer says why · `planned` a plan was asked for; it passed its check and is the answer · `limit` the run hit a
 * limit · `budget` the budget does not cover what is left to do · `error` the model returned nothing usable.
 */
const statusSchema = z.enum([
  "running",
  "solved",
  "answered",
  "planned",
  "unsolved",
  "limit",
  "budget",
  "error",
]);
export type Status = z.infer<typeof statusSchema>;

/**
 * A piece of the request. `open`: not searched for yet · `found`: the library has tools for it · `missed`: it has none
 * · `split`: missed, and replaced by the subtasks that follow it · `unserved`: missed and given up, for `reason`.
 */
export const subtaskSchema = z.object({
  /** "2" for the second subtask of the request, "2.1" for the first part of that one. */
  id: z.string(),
  text: z.string(),
  /** 0 for a subtask of the request, n + 1 for a part of a subtask at depth n. */
  depth: z.number().int(),
  status: z.enum(["open", "found", "missed", "split", "unserved"]),
  /** Search phrases tried so far. */
  phrases: z.array(z.string()),
  reason: z.string().optional(),
});
export type Subtask = z.infer<typeof subtaskSchema>;

/** One query to the tool library and its hits. Distances are squared L2 of unit vectors. */
export const searchSchema = z.object({
  phrase: z.string(),
  depth: z.number().int(),
  subtask: z.string().optional(),
  /** Id of the model's own call of `search_tools` that asked for it, in the middle of the run. */
  call: z.string().optional(),
  /** The difference of two scores says how much likelier one is wanted; absent where tools are ranked by distance alone. */
  hits: z.array(z.object({ tool: z.string(), distance: z.number(), score: z.number().optional() })),
  /** Where as few hits as needed were wanted: the tools that are next likely. */
  others: z.array(z.string()).optional(),
  /** Where nothing was near enough: what was nearest, and how near it would have had to be. */
  nearest: z.object({ tool: z.string(), distance: z.number(), needed: z.number() }).optional(),
});
export type Search = z.infer<typeof searchSchema>;

/** A tool call and its outcome; `ms` is wall time, `cost` is in budget units. */
export const callSchema = z.object({
  id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  result: z.unknown().optional(),
  /** Where the journal keeps a result too long for the state. */
  resultRef: z.string().optional(),
  error: z.string().optional(),
  ms: z.number(),
  cost: z.number(),
  /** Not executed because unknown, forbidden or rejected. It costs nothing and is never judged. */
  refused: z.boolean().optional(),
  /** Whether the call was useful; null if undecided, absent before `judge`. */
  helpful: z.boolean().nullable().optional(),
});
export type Call = z.infer<typeof callSchema>;

/** What a run has used so far: tokens as the provider reports them, `ms` of working time. */
export const usageSchema = z.object({
  modelCalls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  embeddingTokens: z.number().int(),
  /** Those of the input tokens that the provider has read from its cache; absent if none. */
  cachedTokens: z.number().int().optional(),
  /** They are estimated, because the endpoint does not tell them. */
  cacheEstimated: z.boolean().optional(),
  /** Cost of the tokens; only for a run with a budget in dollars. */
  usd: z.number().optional(),
  /** Some token counts are estimates because the model reports none. */
  estimated: z.boolean().optional(),
  /** Most messages of the conversation that a prompt left out or cut to fit into the model's window. */
  shortened: z.number().int().optional(),
  ms: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

export const NOTHING_USED: Usage = {
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  embeddingTokens: 0,
  ms: 0,
};

/** A task solved before, with its calls by tool id (TPTU-v2). */
const demonstrationSchema = z.object({
  task: z.string(),
  calls: z.array(
    z.object({
      tool: z.string(),
      args: z.record(z.string(), z.unknown()),
      result: z.unknown().optional(),
    }),
  ),
  answer: z.string().optional(),
});

/** What a tool was granted: `ToolAllowance` of `state/budget/knapsack.ts`. */
const toolAllowanceSchema = z.object({
  tool: z.string(),
  value: z.number(),
  bound: z.number(),
  price: z.number(),
  quota: z.number().int(),
});

/**
 * What a run may spend and has spent, in `unit`: units count tool calls only, dollars count tokens too.
 * Backtracking never refunds anything.
 */
export const ledgerSchema = z.object({
  unit: z.enum(["units", "usd"]),
  amount: z.number(),
  spent: z.number(),
  /** Whether calls beyond the budget are refused; otherwise the model is at most told. */
  enforced: z.boolean(),
  /** The latest allowance; empty if only the amount limits calls. */
  plan: z.array(toolAllowanceSchema),
  /** Calls left for each tool; null if no calls were granted by tool. */
  quotas: z.record(z.string(), z.number().int()).nullable(),
  /** Calls and cost of the first allowance, to compare with actual use. */
  planned: z.object({ calls: z.number(), cost: z.number() }).nullable(),
  /** What was refused because of the budget, with its price in `unit`. */
  refused: z.array(z.object({ what: z.string(), price: z.number() })),
});
export type Ledger = z.infer<typeof ledgerSchema>;

/** What is to be taken back: a run by its id, or a write by its number; by default, the last run that changed something. */
const wantedUndoSchema = z.strictObject({
  run: z.string().optional(),
  step: z.number().int().positive().optional(),
});

/** The current run of a thread; each request is one run. */
const runSchema = z.object({
  id: z.string(),
  request: z.string(),
  /** What it began with, in full; absent on threads of older versions. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** What it is to take back, if it was asked for that. */
  undo: wantedUndoSchema.optional(),
  /** How often the model was told that its answer contradicts its calls; absent for never. */
  contradicted: z.number().int().optional(),
});

/** An unusable model reply, quoted when the model is asked again. */
const repairSchema = z.object({
  stage: z.string(),
  problem: z.string(),
  attempts: z.number().int(),
  /** The reply itself, cut to a limit; absent if it was empty. */
  reply: z.string().optional(),
});

/**
 * The conversation of a thread; writes are merged by message id. Takes messages in any form LangChain
 * understands, since Studio and other clients send plain objects.
 */
export const conversation = withLangGraph(
  messageList() as z.ZodType<BaseMessage[], BaseMessage[]>,
  {
    reducer: { fn: messagesStateReducer, schema: messageList() as z.ZodType<Messages, Messages> },
    jsonSchemaExtra: { langgraph_type: "messages" },
  },
);

/** LangGraph reads and checks messages itself; a custom type would have no JSON Schema. */
function messageList(): unknown {
  return z.unknown().default([]).describe("The conversation; its last user message is the request");
}

/**
 * Channels that each write replaces and that start with their schema's defaults. They form a Zod object, not a
 * `StateSchema`, because LangGraph's server shows no settings form for graphs that use one.
 */
export function channels<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  // LangGraph makes a partial schema for each update of a stage, which `z.object` compiles for its one use.
  const schema = object(shape);
  for (const channel of Object.values(shape)) {
    // LangGraph reads a schema's default only if the schema has an entry.
    if (!registry.has(channel)) registry.add(channel, {});
  }
  return schema;
}

/**
 * The channels of every graph. Only one node writes at a time, so plain replacement suffices; only `messages`
 * is merged. `intake` resets all but {@link LASTING}.
 */
export const State = channels({
  /** The conversation: requests, calls, observations and answers. Always a valid history. */
  messages: conversation,
  /** The incoming request; empty once `intake` has taken it. */
  request: z.string().default(""),
  /** What the request is to take back; null once `intake` has taken it. */
  undo: wantedUndoSchema.nullable().default(null),
  run: runSchema.default({ id: "", request: "" }),
  status: statusSchema.default("running"),
  answer: z.string().default(""),
  subtasks: z.array(subtaskSchema).default([]),
  /** Id of the missed subtask being split further; empty otherwise. */
  focus: z.string().default(""),
  /** Phrases to search for next, each with its subtask. */
  queue: z.array(z.object({ phrase: z.string(), subtask: z.string() })).default([]),
  searches: z.array(searchSchema).default([]),
  /** How similar tasks were solved, to show the model. */
  demonstrations: z.array(demonstrationSchema).default([]),
  /** Names of tools that priming found. */
  hints: z.array(z.string()).default([]),
  /** Ids of the tools `act` offers the model, in the order they were found. */
  toolIds: z.array(z.string()).default([]),
  /** Ids of the tools the thread's last run called, since a follow-up may be about them. */
  earlierTools: z.array(z.string()).default([]),
  /** All tools that earlier runs of the thread called, since a model may have read their results. */
  earlierCalls: z.array(z.string()).default([]),
  calls: z.array(callSchema).default([]),
  /** Null if the run has no budget. */
  ledger: ledgerSchema.nullable().default(null),
  /** Null in graphs without a step search, and before it begins. */
  tree: treeSchema.nullable().default(null),
  /** The change to the tool library in progress; null for none. */
  edit: editSchema.nullable().default(null),
  /** Finished changes to the tool library that this run requested. */
  edits: z.array(editRecordSchema).default([]),
  /** Null in graphs without a task tree. */
  taskTree: taskTreeSchema.nullable().default(null),
  /** Null in graphs that do not plan whole solutions, and before there is a plan. */
  plan: planSchema.nullable().default(null),
  /** The tasks a plan's calls are written for; empty in graphs that write the plan in one go. */
  outline: outlineSchema.default([]),
  /** Null in graphs that write no programs, and before there is one. */
  program: programSchema.nullable().default(null),
  repair: repairSchema.nullable().default(null),
  /** What the run did, from its journal; null until it ends. */
  deeds: deedsSchema.nullable().default(null),
  usage: usageSchema.default(NOTHING_USED),
});

export type GraphState = z.infer<typeof State>;
export type StateUpdate = UpdateType<typeof State>;

/** Channels that outlast a request or that the request sets; all others are reset. */
const LASTING = {
  messages: true,
  earlierCalls: true,
  request: true,
  undo: true,
  run: true,
} as const;

const RunState = omit(State, LASTING);

/**
 * Each channel's value before the first stage. New channels are included automatically; one without a default
 * does not compile.
 */
export const FRESH_RUN = RunState.parse({} satisfies z.input<typeof RunState>);

/** What a user gives: a request, or a conversation whose last human message is the request. */
export const Input = channels({
  messages: conversation,
  request: z.string().default("").describe("What the agent should do, in plain words"),
  undo: wantedUndoSchema
    .nullable()
    .default(null)
    .describe("Take back what an earlier run of the thread has changed, in the graph tulip"),
});

/** What a run returns. */
export const Output = channels({
  answer: z.string().default(""),
  status: statusSchema.default("running"),
  calls: z.array(callSchema).default([]),
  deeds: deedsSchema.nullable().default(null),
  plan: planSchema.nullable().default(null),
  program: programSchema.nullable().default(null),
  ledger: ledgerSchema.nullable().default(null),
  usage: usageSchema.default(NOTHING_USED),
  messages: conversation,
});

/** The subtasks to follow: those not replaced by their parts. */
export function leafSubtasks(subtasks: readonly Subtask[]): Subtask[] {
  return subtasks.filter((subtask) => subtask.status !== "split");
}

/** What was missed and given up. */
export function unservedTasks({ subtasks }: Pick<GraphState, "subtasks">): string[] {
  return subtasks.filter(({ status }) => status === "unserved").map(({ text }) => text);
}

export function openSubtask(options: Pick<Subtask, "id" | "text" | "depth">): Subtask {
  return { ...options, status: "open", phrases: [] };
}

/** Whether the library was searched for it, whatever the search found. */
export function wasSearched({ phrases }: Pick<Subtask, "phrases">): boolean {
  return phrases.length > 0;
}

export function changeSubtask(
  subtasks: readonly Subtask[],
  id: string,
  change: Partial<Subtask>,
): Subtask[] {
  return subtasks.map((subtask) => (subtask.id === id ? { ...subtask, ...change } : subtask));
}

export function addUsage(usage: Usage, more: Partial<Usage>): Usage {
  return {
    modelCalls: usage.modelCalls + (more.modelCalls ?? 0),
    inputTokens: usage.inputTokens + (more.inputTokens ?? 0),
    outputTokens: usage.outputTokens + (more.outputTokens ?? 0),
    embeddingTokens: usage.embeddingTokens + (more.embeddingTokens ?? 0),
    ms: usage.ms + (more.ms ?? 0),
    ...(usage.usd === undefined && more.usd === undefined
      ? {}
      : { usd: (usage.usd ?? 0) + (more.usd ?? 0) }),
    ...(usage.cachedTokens || more.cachedTokens
      ? { cachedTokens: (usage.cachedTokens ?? 0) + (more.cachedTokens ?? 0) }
      : {}),
    ...(usage.cacheEstimated || more.cacheEstimated ? { cacheEstimated: true } : {}),
    ...(usage.estimated || more.estimated ? { estimated: true } : {}),
    ...(usage.shortened || more.shortened
      ? { shortened: Math.max(usage.shortened ?? 0, more.shortened ?? 0) }
      : {}),
  };
}
