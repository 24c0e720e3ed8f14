import type { UpdateType } from "@langchain/langgraph/zod";
import { z } from "zod";
import { channels, conversation } from "./channels.js";

/**
 * How a run ended, or `running` while it has not: `solved` the request is answered · `unsolved` it
 * is not, and the answer says why · `limit` a limit of the run was met · `budget` its budget does not
 * allow what is left to do · `error` the model gave nothing that could be used.
 */
export const statusSchema = z.enum(["running", "solved", "unsolved", "limit", "budget", "error"]);
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

/** A step of a search tree: a reply of the model and what came of its calls. */
const treeNodeSchema = z.object({
  /** 0 is the root, which has no reply. */
  id: z.number().int(),
  parent: z.number().int().nullable(),
  /** Thought, action and its input count one each, as published (DFSDT). */
  depth: z.number().int(),
  text: z.string(),
  calls: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
      /** What the model was told; empty for the call that ends a branch. */
      observation: z.string(),
      failed: z.boolean(),
    }),
  ),
  /** How the branch ends here: with an answer, or with a wish to try another one. */
  end: z.enum(["answer", "gaveUp"]).optional(),
  /** The answer, or the reason to give up. */
  said: z.string().optional(),
  /** Points of the vote among siblings. */
  points: z.number().optional(),
});
export type TreeNode = z.infer<typeof treeNodeSchema>;

/** A search over steps, held as an explicit agenda: the innermost frame is the last. */
export const treeSchema = z.object({
  nodes: z.array(treeNodeSchema),
  agenda: z.array(
    z.object({
      node: z.number().int(),
      /** Children in the order in which they are to be followed. */
      children: z.array(z.number().int()),
      /** How many of them were followed. */
      followed: z.number().int(),
    }),
  ),
  /** The node at which the model is asked next. */
  cursor: z.number().int(),
  /** Model calls of the search so far: steps and votes. */
  queries: z.number().int(),
  /** Two siblings to be compared next, in the order in which they are shown; null for none. */
  ballot: z.tuple([z.number().int(), z.number().int()]).nullable(),
  /** No tool is left to be called: the model is asked for the end, once. */
  closing: z.boolean(),
  /** Verdicts of the vote that is under way. */
  votes: z.array(
    z.object({
      first: z.number().int(),
      second: z.number().int(),
      /** Null where the reply named neither. */
      winner: z.number().int().nullable(),
    }),
  ),
});
export type Tree = z.infer<typeof treeSchema>;

/** A wish to change the tool library, on its way from the wish to the change. */
const editSchema = z.object({
  kind: z.enum(["create", "update", "delete"]),
  /** The call that asked for it, to be answered; empty where the graph itself wants the tool. */
  callId: z.string(),
  /** What the tool shall do, or how it shall be changed. */
  task: z.string(),
  /** Id of the tool to change; empty for a new one. */
  tool: z.string(),
  /** Its version when the change was wished for; null for a new tool. */
  basedOn: z.number().int().nullable(),
  /** Ids of tools that already do something like it. */
  similar: z.array(z.string()),
  /** Drafts that could not be used. */
  failures: z.number().int(),
  /** The reply with the last draft; empty before the first. */
  draft: z.string(),
  /** What is wrong with the last draft, one line for each problem, with its place. */
  problem: z.string(),
});
export type Edit = z.infer<typeof editSchema>;

/** A change of the tool library that has come to its end. */
const editRecordSchema = z.object({
  kind: z.enum(["create", "update", "delete"]),
  /** Id of the tool; empty where none came to be. */
  tool: z.string(),
  /** `reused`: the model found that a tool of the library does it already. */
  outcome: z.enum(["done", "reused", "failed", "rejected"]),
  /** The new version, of a tool that was created or updated. */
  version: z.number().int().optional(),
  task: z.string(),
  /** Drafts that could not be used before. */
  failures: z.number().int(),
  /** Why there was no change, or what the change breaks. */
  reason: z.string().optional(),
});
export type EditRecord = z.infer<typeof editRecordSchema>;

/** A node of a task tree (Tulip Agent: DfsTulip). */
const taskSchema = z.object({
  /** "1" for the request, "1.2" for the second task of its first plan, "1.2'" … in a later one. */
  id: z.string(),
  text: z.string(),
  parent: z.string().nullable(),
  /** 0 for the request. */
  level: z.number().int(),
  /** Ids of the tasks of each plan that was made for it, in their order; the last one is followed. */
  plans: z.array(z.array(z.string())),
  /** Earlier wordings. */
  wordings: z.array(z.string()),
  /** Names of tools near it, whatever their distance. */
  hints: z.array(z.string()),
  /** Ids of tools that are near enough to solve it. */
  tools: z.array(z.string()),
  /** Id of the tool that was made for it; empty for none. */
  created: z.string(),
  /** Ids of the calls that were made for it. */
  calls: z.array(z.string()),
  status: z.enum(["open", "done", "failed", "skipped"]),
  /** The result, or why there is none. */
  result: z.string(),
});
export type Task = z.infer<typeof taskSchema>;

/** What is to be done next with the task at hand; `done` when the whole tree is. */
const taskStepSchema = z.enum([
  "search",
  "decompose",
  "replan",
  "solve",
  "paraphrase",
  "create",
  "aggregate",
  "done",
]);
export type TaskStep = z.infer<typeof taskStepSchema>;

/** A task tree that is worked through depth first, by an explicit agenda. */
export const taskTreeSchema = z.object({
  tasks: z.array(taskSchema),
  /** Ids of the tasks that are under way, the innermost last. */
  agenda: z.array(z.string()),
  /** What the innermost task needs next. */
  step: taskStepSchema,
});
export type TaskTree = z.infer<typeof taskTreeSchema>;

/** The run that is under way on a thread; a thread has one run for each of its requests. */
const runSchema = z.object({ id: z.string(), request: z.string() });

/** A reply of the model that could not be used, to be told to it when it is asked again. */
const repairSchema = z.object({
  stage: z.string(),
  problem: z.string(),
  attempts: z.number().int(),
});

/**
 * The channels of every graph. Each node is the only writer while it runs, so that plain
 * replacement is enough; `messages` alone is merged. `intake` resets all but `messages`.
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
  /** Names of tools that priming found. */
  hints: z.array(z.string()).default([]),
  /** Ids of the tools that `act` offers to the model, in the order in which they were found. */
  toolIds: z.array(z.string()).default([]),
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
  repair: repairSchema.nullable().default(null),
  usage: usageSchema.default(NOTHING_USED),
});

export type GraphState = z.infer<typeof State>;
export type StateUpdate = UpdateType<typeof State>;

/** The channels of a run before its first stage; those that the run's request decides are left out. */
export const FRESH_RUN = {
  status: "running",
  answer: "",
  subtasks: [],
  focus: "",
  queue: [],
  searches: [],
  hints: [],
  toolIds: [],
  calls: [],
  ledger: null,
  tree: null,
  edit: null,
  edits: [],
  taskTree: null,
  repair: null,
  usage: NOTHING_USED,
} satisfies StateUpdate;

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
  ledger: ledgerSchema.nullable().default(null),
  usage: usageSchema.default(NOTHING_USED),
  messages: conversation,
});

/** The subtasks to follow: those that were not replaced by parts of themselves. */
export function leafSubtasks(subtasks: readonly Subtask[]): Subtask[] {
  return subtasks.filter((subtask) => subtask.status !== "split");
}

/** A subtask that has not been searched for. */
export function openSubtask(options: Pick<Subtask, "id" | "text" | "depth">): Subtask {
  return { ...options, status: "open", phrases: [] };
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
