import { makePlan } from "../budget/values.js";
import { PUBLISHED_TEMPERATURE, sharpened } from "../budget/evidence.js";
import { solveKnapsack } from "../budget/knapsack.js";
import type { Plan } from "../budget/plan.js";
import { replannedValues } from "../budget/replan.js";
import type { ToolMeasure } from "../memory/experience.js";
import { namedEmbeddings } from "../models/embeddings.js";
import type { Context } from "../state/context.js";
import { estimateTokens } from "../tools/library/embedding.js";
import type { ToolRecord } from "../tools/tool.js";
import { pricesOf } from "./prices.js";
import { runWorkspace } from "./workspace.js";

/** What is to be planned. */
export interface PlanRequest {
  context: Context;
  request: string;
  /** The candidates; ties between them go to the earlier one. */
  tools: readonly ToolRecord[];
  /** What may be spent on calls, in units. */
  amount: number;
  /** Calls that this run has made, where the plan is made again while it runs. */
  /** How little past requests count that are unlike this one; as published when absent. */
  temperature?: number;
  observed?: readonly { tool: string; helpful: boolean | null }[];
}

/** A plan, and what it rests on. */
export interface PlanMade {
  plan: Plan;
  /** Whether it rests on any past call; a plan that does not is a guess about tools that are all alike. */
  informed: boolean;
  measures: ToolMeasure[];
  embeddingTokens: number;
}

/** Plans which tools to call how often for a request, from what past calls of them were worth (BTP). */
export async function planFor(planRequest: PlanRequest): Promise<PlanMade> {
  const { context, request, tools, amount, observed } = planRequest;
  const temperature = context.evidenceTemperature ?? planRequest.temperature;
  const { library, embeddings, planRounding: rounding, valueThreshold: threshold } = context;
  const experience = runWorkspace().experience();
  const ids = tools.map(({ id }) => id);
  const found = await experience.evidence({
    library,
    query: request,
    tools: ids,
    embeddings: await namedEmbeddings(embeddings),
  });
  const evidence = sharpened(found, temperature ?? PUBLISHED_TEMPERATURE);
  const prices = pricesOf({ context, tools });
  const plan = observed
    ? solveKnapsack({
        budget: amount,
        candidates: replannedValues({ evidence, observed, rounding, threshold }).map((valued) => ({
          ...valued,
          price: prices[valued.tool] ?? Number.NaN,
        })),
      })
    : makePlan({ evidence, prices, budget: amount, rounding, threshold });
  return {
    plan,
    informed: evidence.some(({ rows }) => rows.length > 0),
    measures: experience.measures({ library, tools: ids }),
    embeddingTokens: estimateTokens([request]),
  };
}
