import { InvalidSetting } from "../../common/errors.js";

/**
 * Units for a call of a tool that declares no cost. A budget of 20 then means 20 calls if nothing is declared;
 * 0 would let undeclared tools be called forever.
 */
export const UNDECLARED_COST = 1;

/** Tokens that cost one unit when prices are measured. */
const TOKENS_PER_UNIT = 1000;

/** Wall time that costs one unit when prices are measured. */
const MS_PER_UNIT = 1000;

/** What a price is made of. */
export interface TariffInput {
  tools: readonly {
    id: string;
    /** Units for a call, as declared. */
    cost?: number;
    /** Tokens that the tool's schema takes in a prompt. */
    schemaTokens: number;
  }[];
  /** Means over past calls; a tool without any is priced without results and time. */
  measures: readonly { tool: string; meanMs: number; meanResultTokens: number }[];
  /** `declared`: the cost alone; `measured`: plus one unit per 1000 tokens and per second. */
  pricing: "declared" | "measured";
}

/**
 * Price of one call of each tool in units, by id: its declared cost ({@link UNDECLARED_COST} if it declares none; 0 is
 * free), plus, when measured, (tokens of the schema + mean tokens of results) / {@link TOKENS_PER_UNIT} + mean time /
 * {@link MS_PER_UNIT}.
 *
 * @throws {@link InvalidSetting} for a cost or measure that is negative or not finite; names the tool
 */
export function tariff({ tools, measures, pricing }: TariffInput): Record<string, number> {
  const measured = new Map(measures.map((measure) => [measure.tool, measure]));
  return Object.fromEntries(
    tools.map(({ id, cost = UNDECLARED_COST, schemaTokens }) => {
      checkAmount(cost, `cost of tool "${id}"`);
      if (pricing === "declared") return [id, cost];
      const { meanResultTokens = 0, meanMs = 0 } = measured.get(id) ?? {};
      checkAmount(schemaTokens, `tokens of the schema of tool "${id}"`);
      checkAmount(meanResultTokens, `measured tokens of results of tool "${id}"`);
      checkAmount(meanMs, `measured milliseconds of tool "${id}"`);
      return [
        id,
        cost + (schemaTokens + meanResultTokens) / TOKENS_PER_UNIT + meanMs / MS_PER_UNIT,
      ];
    }),
  );
}

function checkAmount(amount: number, setting: string): void {
  if (amount >= 0 && Number.isFinite(amount)) return;
  throw new InvalidSetting({
    setting,
    problem: `${amount} is not an amount`,
    hint: "Give a finite number from 0, or leave a cost out to count each call as one unit",
  });
}
