import {
  allowanceOf,
  PUBLISHED_TEMPERATURE,
  sharpened,
  revisedValues,
} from "../../state/budget/toolValues.js";
import { measuredPrices, pricesOf } from "../../state/budget/prices.js";
import { solveKnapsack } from "../../state/budget/knapsack.js";
import { namedEmbeddings } from "../../models/embeddings/embeddings.js";
import type { Settings } from "../../state/settings.js";
import { estimateTokens } from "../../common/tokens.js";
import type { ToolRecord } from "../../tools/tool.js";
import { runWorkspace } from "../../home/workspace.js";

interface AllowanceRequest {
  settings: Settings;
  request: string;
  /** The candidates; ties between them go to the earlier one. */
  tools: readonly ToolRecord[];
  amount: number;
  /** How little unlike past requests count; default: as published. */
  temperature?: number;
  /** Calls that this run has already made, if it divides the rest of its budget. */
  observed?: readonly { tool: string; helpful: boolean | null }[];
}

/** Grants each tool a number of calls for a request, according to the value of its past calls (BTP). */
export async function allowanceFor(question: AllowanceRequest) {
  const {
    settings,
    request,
    tools,
    amount,
    temperature = PUBLISHED_TEMPERATURE,
    observed,
  } = question;
  const { library, embeddings, planRounding: rounding, valueThreshold: threshold } = settings;
  const experience = await runWorkspace().experience();
  const ids = tools.map(({ id }) => id);
  const found = await experience.evidence({
    library,
    query: request,
    tools: ids,
    embeddings: await namedEmbeddings(embeddings),
  });
  const evidence = sharpened(found, temperature);
  const declared = pricesOf(tools);
  const prices =
    settings.prices === "measured"
      ? measuredPrices(declared, await experience.averages({ library, tools: ids }))
      : declared;
  const allowance = observed
    ? solveKnapsack({
        budget: amount,
        candidates: revisedValues({ evidence, observed, rounding, threshold }).map((valued) => ({
          ...valued,
          price: prices[valued.tool] ?? Number.NaN,
        })),
      })
    : allowanceOf({ evidence, prices, budget: amount, rounding, threshold });
  return {
    allowance,
    // Without any past call all tools look alike, and the allowance is a guess.
    informed: evidence.some(({ rows }) => rows.length > 0),
    embeddingTokens: estimateTokens(request),
  };
}
