import type { UpdateType } from "@langchain/langgraph/zod";
import { z } from "zod";
import { channels, conversation } from "./channels.js";
import { editRecordSchema, editSchema } from "./edits.js";
import { outlineSchema, planSchema } from "./plan.js";
import { programSchema } from "./program.js";
import { treeSchema } from "./searchTree.js";
import { taskTreeSchema } from "./tasks.js";

export type { Edit, EditRecord } from "./edits.js";
export type { Outline, PlanState } from "./plan.js";
export type { ApprovedWrite, ProgramState } from "./program.js";
export type { Tree, TreeNode } from "./searchTree.js";
export type { Task, TaskStep, TaskTree } from "./tasks.js";

/**
 * How a run ended, or `running` while it has not: `solved` the request is answered · `unsolved` it
 * is not, and the answer says why · `planned` a plan was asked for, which has passed its check and is the
 * answer; nothing was called · `limit` a limit of the run was met · `budget` its budget does not
 * allow what is left to do · `error` the model gave nothing that could be used.
 */
export const statusSchema = z.enum([
  "running",
  "solved",
  "planned",
  "unsolved",
  "limit",
  "budget",
  "error",
]);
export type Status = z.infer<typeof statusSchema>;

/**
 * A piece of the request. `open`: not searched for yet · `found`: the library has tools for it ·
 * `missed`: it has none · `split`: missed, and replaced by the subtasks that follow it ·
 * `unserved`: missed and given up, for `reason`.
 */
export const subtaskSchema = z.object({
  /** "2" for the second subtask of the request, "2.1" for the first part of that one. */
  id: z.string(),
  text: z.string(),
  /** 0 for a subtask of the request, n + 1 for a part of a subtask of depth n. */
  depth: z.number().int(),
  status: z.enum(["open", "found", "missed", "split", "unserved"]),
  /** Search phrases tried so far. */
  phrases: z.array(z.string()),
  reason: z.string().optional(),
});
export type Subtask = z.infer<typeof subtaskSchema>;

/** One question to the tool library, and what it found. Distances are squared L2 of unit vectors. */
export const searchSchema = z.object({
  phrase: z.string(),
  depth: z.number().int(),
  subtask: z.string().optional(),
  hits: z.array(z.object({ tool: z.string(), distance: z.number() })),
});
export type Search = z.infer<typeof searchSchema>;

/** One call of a tool and what came of it; `ms` is wall time, `cost` is in budget units. */
export const callSchema = z.object({
  id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  result: z.unknown().optional(),
  /** Where the journal has a result that is too long for the state. */
  resultRef: z.string().optional(),
  error: z.string().optional(),
  ms: z.number(),
  cost: z.number(),
  /** It was not executed: unknown, forbidden or rejected. It costs nothing and is never judged. */
  refused: z.boolean().optional(),
  /** Whether the call told something useful; null where nobody could tell, absent before `judge`. */
  helpful: z.boolean().nullable().optional(),
});
export type Call = z.infer<typeof callSchema>;

/** What a run has used so far; tokens as the provider reports them, `ms` is time at work. */
export const usageSchema = z.object({
  modelCalls: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  embeddingTokens: z.number().int(),
  /** What the tokens have cost; only where the run has a budget in dollars. */
  usd: z.number().optional(),
  /** Some of the token counts are estimates, because the model reports none. */
  estimated: z.boolean().optional(),
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

/** A task that was done before, with its calls by tool id (TPTU-v2). */
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

/** A line of the plan: as `PlannedTool`, prices and amounts in units of the budget. */
const plannedToolSchema = z.object({
  tool: z.string(),
  value: z.number(),
  bound: z.number(),
  price: z.number(),
  quota: z.number().int(),
});

/**
 * What a run may spend and has spent, in `unit`: units count calls of tools, dollars also tokens.
 * Nothing here is ever taken back when a search backtracks.
 */
export const ledgerSchema = z.object({
  unit: z.enum(["units", "usd"]),
  amount: z.number(),
  spent: z.number(),
  /** Whether calls that it does not allow are refused; otherwise the model is told, at most. */
  enforced: z.boolean(),
  /** The plan as it was last made; empty where calls are bounded by the amount alone. */
  plan: z.array(plannedToolSchema),
  /** Calls that are left of each planned tool; null where nothing was planned. */
  quotas: z.record(z.string(), z.number().int()).nullable(),
  /** The first plan's calls and cost, to be compared with what was used. */
  planned: z.object({ calls: z.number(), cost: z.number() }).nullable(),
  /** What was refused because of the budget, with its price in `unit`. */
  refused: z.array(z.object({ what: z.string(), price: z.number() })),
});
export type Ledger = z.infer<typeof ledgerSchema>;

/** The run that is under way on a thread; a thread has one run for each of its requests. */
const runSchema = z.object({ id: z.string(), request: z.string() });

/** A reply of the model that could not be used, to be told to it when it is asked again. */
const repairSchema = z.object({
  stage: z.string(),
  problem: z.string(),
  attempts: z.number().int(),
  /** The reply itself, cut to a bound; absent where there was nothing in it. */
  reply: z.string().optional(),
});

/**
 * The channels of every graph. Each node is the only writer while it runs, so that plain
 * replacement is enough; `messages` alone is merged. `intake` resets them, but for {@link LASTING}.
 */
export const State = channels({
  /** The conversation: requests, calls, observations and answers. Always a valid history. */
  messages: conversation,
  /** The request as it came in; empty once `intake` has taken it. */
  request: z.string().default(""),
  run: runSchema.default({ id: "", request: "" }),
  status: statusSchema.default("running"),
  answer: z.string().default(""),
  subtasks: z.array(subtaskSchema).default([]),
  /** The id of the missed subtask that is being taken one level down; empty otherwise. */
  focus: z.string().default(""),
  /** Phrases to search for next, with the subtask that each is for. */
  queue: z.array(z.object({ phrase: z.string(), subtask: z.string() })).default([]),
  searches: z.array(searchSchema).default([]),
  /** How tasks that are alike were done, to be shown to the model. */
  demonstrations: z.array(demonstrationSchema).default([]),
  /** Names of tools that priming found. */
  hints: z.array(z.string()).default([]),
  /** Ids of the tools that `act` offers to the model, in the order in which they were found. */
  toolIds: z.array(z.string()).default([]),
  /** Ids of the tools that the last run on the thread has called: a follow-up may be about them. */
  earlierTools: z.array(z.string()).default([]),
  /** All tools that earlier runs of the thread have called: a model may have read what they have given. */
  earlierCalls: z.array(z.string()).default([]),
  calls: z.array(callSchema).default([]),
  /** Null where the run has no budget. */
  ledger: ledgerSchema.nullable().default(null),
  /** Null in graphs that do not search over steps, and before such a search begins. */
  tree: treeSchema.nullable().default(null),
  /** The change of the tool library that is under way; null for none. */
  edit: editSchema.nullable().default(null),
  /** Changes of the tool library that this run has wanted, as they ended. */
  edits: z.array(editRecordSchema).default([]),
  /** Null in graphs that do not work through a tree of tasks. */
  taskTree: taskTreeSchema.nullable().default(null),
  /** Null in graphs that do not plan whole solutions, and before there is one. */
  plan: planSchema.nullable().default(null),
  /** The tasks that the calls of a plan are written for; empty in graphs that write it at once. */
  outline: outlineSchema.default([]),
  /** Null in graphs that do not write programs, and before there is one. */
  program: programSchema.nullable().default(null),
  repair: repairSchema.nullable().default(null),
  usage: usageSchema.default(NOTHING_USED),
});

export type GraphState = z.infer<typeof State>;
export type StateUpdate = UpdateType<typeof State>;

/** Channels that outlast a request, or that the request itself decides; every other one is reset for it. */
const LASTING = { messages: true, earlierCalls: true, request: true, run: true } as const;

const RunState = State.omit(LASTING);

/** Each channel of a run as it is before the first stage. A new channel is among them by itself; one without a default does not compile. */
export const FRESH_RUN = RunState.parse({} satisfies z.input<typeof RunState>);

/** What a user gives: a request, or a conversation whose last human message is the request. */
export const Input = channels({
  messages: conversation,
  request: z.string().default("").describe("What the agent shall do, in plain words"),
});

/** What a run returns. */
export const Output = channels({
  answer: z.string().default(""),
  status: statusSchema.default("running"),
  calls: z.array(callSchema).default([]),
  plan: planSchema.nullable().default(null),
  program: programSchema.nullable().default(null),
  ledger: ledgerSchema.nullable().default(null),
  usage: usageSchema.default(NOTHING_USED),
  messages: conversation,
});

/** The subtasks to follow: those that were not replaced by parts of themselves. */
export function leafSubtasks(subtasks: readonly Subtask[]): Subtask[] {
  return subtasks.filter((subtask) => subtask.status !== "split");
}

/** What was missed and given up. */
export function unservedTasks({ subtasks }: Pick<GraphState, "subtasks">): string[] {
  return subtasks.filter(({ status }) => status === "unserved").map(({ text }) => text);
}

/** A subtask that has not been searched for. */
export function openSubtask(options: Pick<Subtask, "id" | "text" | "depth">): Subtask {
  return { ...options, status: "open", phrases: [] };
}

/** Whether the library was searched for it, whatever was found. */
export function wasSearched({ phrases }: Pick<Subtask, "phrases">): boolean {
  return phrases.length > 0;
}

/** The subtask of that id with its changes, and all others as they are. */
export function changeSubtask(
  subtasks: readonly Subtask[],
  id: string,
  change: Partial<Subtask>,
): Subtask[] {
  return subtasks.map((subtask) => (subtask.id === id ? { ...subtask, ...change } : subtask));
}

/** Adds what was used to what had been used. */
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
    ...(usage.estimated || more.estimated ? { estimated: true } : {}),
  };
}
