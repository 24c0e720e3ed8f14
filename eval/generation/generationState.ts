import type { UpdateType } from "@langchain/langgraph/zod";
import { z } from "zod";
import type { PlanValue } from "../../plans/steps/plan.js";
import { channels } from "../../state/channels.js";
import { NOTHING_USED, State, statusSchema, usageSchema } from "../../state/state.js";

const values = z.record(z.string(), z.unknown() as z.ZodType<PlanValue, PlanValue>);

/** A request with the plan that solves it. The plan was checked and, if its tools can run, executed. */
const pairSchema = z.object({
  request: z.string(),
  /** Steps with references to each other, and the answer with references to outputs. */
  plan: z.object({
    steps: z.array(z.object({ tool: z.string(), args: values })),
    answer: z.string(),
  }),
  /** The calls of the plan, in order; without results if the tools cannot run. */
  calls: z.array(
    z.object({
      tool: z.string(),
      args: z.record(z.string(), z.unknown()),
      result: z.unknown().optional(),
    }),
  ),
  /** The answer with results filled in; absent if the plan was not run. */
  answer: z.string().optional(),
  /** The same for plans that differ only in values. */
  shape: z.string(),
});
export type GeneratedPair = z.infer<typeof pairSchema>;

const seed = z.number().int().default(1).describe("Decides what is drawn");
const draw = z.number().int().min(0).default(0).describe("Number of the first draw of the run");

/** Existing pairs, which new ones must not resemble. */
const taken = z
  .object({
    shapes: z.array(z.string()).default([]),
    requests: z.array(z.string()).default([]),
  })
  .default({ shapes: [], requests: [] })
  .describe("Shapes of plans and requests that there are already");

/** Draws that led to no pair, counted by reason. */
const dropped = z.record(z.string(), z.number().int()).default({});

/** The channels of graphs that write one request with its plan: those of all graphs, and what is drawn. */
export const GenerationState = channels({
  ...State.shape,
  seed,
  /** Number of the current draw, which depends only on the seed and this number. */
  draw,
  taken,
  dropped,
  /** The tools of the plan in order, with references to earlier steps and arguments to be chosen. */
  flow: z
    .array(z.object({ tool: z.string(), references: values, literals: z.array(z.string()) }))
    .default([]),
  /** The person who asks. */
  persona: z.string().default(""),
  /** Things in the world that the request may name. */
  facts: z.array(z.string()).default([]),
  pair: pairSchema.nullable().default(null),
});
export type GenerationState = z.infer<typeof GenerationState>;
export type GenerationUpdate = UpdateType<typeof GenerationState>;

export const GenerationInput = channels({ seed, draw, taken });

export const GenerationOutput = channels({
  pair: pairSchema.nullable().default(null),
  draw,
  dropped,
  status: statusSchema.default("running"),
  answer: z.string().default(""),
  usage: usageSchema.default(NOTHING_USED),
});

/** The channels at the start of a draw. */
export const FRESH_DRAW = {
  run: { id: "", request: "" },
  flow: [],
  persona: "",
  facts: [],
  toolIds: [],
  plan: null,
  repair: null,
} satisfies GenerationUpdate;

/** Failed draws after which a run gives up: too little is left to draw. */
const MOST_DROPPED = 60;

/** The update after a failed draw: starts the next one, or ends the run. */
export function dropDraw(state: GenerationState, reason: string): GenerationUpdate {
  const dropped = { ...state.dropped, [reason]: (state.dropped[reason] ?? 0) + 1 };
  const next = { ...FRESH_DRAW, draw: state.draw + 1, dropped };
  const count = Object.values(dropped).reduce((sum, each) => sum + each, 0);
  if (count < MOST_DROPPED) return next;
  const answer = `None of ${count} draws has led to another pair: ${droppedText(dropped)}.`;
  return { ...next, status: "unsolved", answer };
}

/** Counts of failed draws by reason, in words. */
export function droppedText(dropped: Readonly<Record<string, number>>): string {
  return Object.entries(dropped)
    .toSorted(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ");
}
