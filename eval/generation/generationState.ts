import type { UpdateType } from "@langchain/langgraph/zod";
import { z } from "zod";
import type { PlanValue } from "../../plans/plan.js";
import { channels } from "../../state/channels.js";
import { NOTHING_USED, State, statusSchema, usageSchema } from "../../state/state.js";

const values = z.record(z.string(), z.unknown() as z.ZodType<PlanValue, PlanValue>);

/** A request with the plan that solves it, which was checked and, where its tools can run, run. */
const pairSchema = z.object({
  request: z.string(),
  /** Steps with references to each other, and the answer with references to outputs. */
  plan: z.object({
    steps: z.array(z.object({ tool: z.string(), args: values })),
    answer: z.string(),
  }),
  /** The calls of the plan in their order, as they were made; without results where no tool can run. */
  calls: z.array(
    z.object({
      tool: z.string(),
      args: z.record(z.string(), z.unknown()),
      result: z.unknown().optional(),
    }),
  ),
  /** The answer with results in it; absent where the plan was not run. */
  answer: z.string().optional(),
  /** What plans have in common that differ in values only. */
  shape: z.string(),
});
export type GeneratedPair = z.infer<typeof pairSchema>;

const seed = z.number().int().default(1).describe("Decides what is drawn");
const draw = z.number().int().min(0).default(0).describe("Number of the first draw of the run");

/** What there is already, to be unlike. */
const taken = z
  .object({
    shapes: z.array(z.string()).default([]),
    requests: z.array(z.string()).default([]),
  })
  .default({ shapes: [], requests: [] })
  .describe("Shapes of plans and requests that there are already");

/** Draws that have led to no pair, counted by the reason. */
const dropped = z.record(z.string(), z.number().int()).default({});

/**
 * The channels of graphs that write one request with its plan in a run: those of all graphs, whose stages
 * they share, and what is drawn.
 */
export const GenerationState = channels({
  ...State.shape,
  seed,
  /** Number of the draw under way; a draw is decided by the seed and its number alone. */
  draw,
  taken,
  dropped,
  /** The tools of the plan in their order, with what they take of each other and what is to be chosen. */
  flow: z
    .array(z.object({ tool: z.string(), references: values, literals: z.array(z.string()) }))
    .default([]),
  /** Who asks, and what for. */
  persona: z.string().default(""),
  /** What there is in the world that the request may name. */
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

/** The channels of a draw before its first stage. */
export const FRESH_DRAW = {
  run: { id: "", request: "" },
  flow: [],
  persona: "",
  facts: [],
  toolIds: [],
  plan: null,
  repair: null,
} satisfies GenerationUpdate;

/** Draws of one run that may lead to nothing: what is left to be drawn is then too little to go on. */
const MOST_DROPPED = 60;

/** The update after a draw that leads to no pair: the next one begins, or the run ends. */
export function dropDraw(state: GenerationState, reason: string): GenerationUpdate {
  const dropped = { ...state.dropped, [reason]: (state.dropped[reason] ?? 0) + 1 };
  const next = { ...FRESH_DRAW, draw: state.draw + 1, dropped };
  const count = Object.values(dropped).reduce((sum, each) => sum + each, 0);
  if (count < MOST_DROPPED) return next;
  const answer = `None of ${count} draws has led to another pair: ${droppedText(dropped)}.`;
  return { ...next, status: "unsolved", answer };
}

/** Counts of draws by reason in words; empty for none. */
export function droppedText(dropped: Readonly<Record<string, number>>): string {
  return Object.entries(dropped)
    .toSorted(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ");
}
