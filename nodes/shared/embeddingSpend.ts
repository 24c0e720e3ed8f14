import { LONGEST_SEARCHED, beginning } from "../../common/bounds.js";
import { embeddingPrice, unknownPrice } from "../../models/prices.js";
import type { Settings } from "../../state/settings.js";
import { leftOf } from "../../state/ledger.js";
import type { GraphState, StateUpdate, Usage } from "../../state/state.js";
import { outOfMoney } from "./askModel.js";

const MILLION = 1_000_000;

/**
 * The end of a run whose dollar budget does not cover embedding these texts, else undefined. The price is an
 * upper bound: no tokenizer makes more tokens than a text has bytes.
 */
export function embeddingRefusal(options: {
  state: GraphState;
  settings: Settings;
  texts: readonly string[];
}): StateUpdate | undefined {
  const { state, settings, texts } = options;
  if (!countsDollars(state)) return undefined;
  const read = texts.map((text) => beginning(text, LONGEST_SEARCHED));
  const bytes = read.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const price = (bytes * priceOf(settings)) / MILLION;
  return price > leftOf(state) ? outOfMoney(state, { what: "a search", price }) : undefined;
}

/** What embedding used, with its cost if the budget is in dollars. */
export function embeddingUsage(options: {
  state: GraphState;
  settings: Settings;
  embeddingTokens: number;
}): Partial<Usage> {
  const { state, settings, embeddingTokens } = options;
  if (!countsDollars(state)) return { embeddingTokens };
  return { embeddingTokens, usd: (embeddingTokens * priceOf(settings)) / MILLION };
}

function countsDollars({ ledger }: GraphState): boolean {
  return ledger !== null && ledger.unit === "usd";
}

/** @throws InvalidSetting if the price is unknown, since no budget could be kept */
function priceOf({ embeddings }: Settings): number {
  const price = embeddingPrice(embeddings);
  if (price !== undefined) return price;
  throw unknownPrice(embeddings);
}
