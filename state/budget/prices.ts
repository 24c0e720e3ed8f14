import { InvalidSetting } from "../../common/errors.js";

/**
 * Units for a call of a tool that declares no cost. A budget of 20 then means 20 calls if nothing is declared;
 * 0 would let undeclared tools be called forever.
 */
export const UNDECLARED_COST = 1;

/**
 * Price of one call of each tool in units, by id: its declared cost ({@link UNDECLARED_COST} if it declares none; 0 is
 * free).
 *
 * @throws {@link InvalidSetting} for a cost that is negative or not finite; names the tool
 */
export function pricesOf(tools: readonly { id: string; cost?: number }[]): Record<string, number> {
  return Object.fromEntries(
    tools.map(({ id, cost = UNDECLARED_COST }) => {
      if (cost >= 0 && Number.isFinite(cost)) return [id, cost];
      throw new InvalidSetting({
        setting: `cost of tool "${id}"`,
        problem: `${cost} is not an amount`,
        hint: "Give a finite number from 0, or leave a cost out to count each call as one unit",
      });
    }),
  );
}

export interface CallAverages {
  ms: number;
  resultTokens: number;
}

const MS_OF_UNIT = 1000;
const TOKENS_OF_UNIT = 1000;

/**
 * Prices with what a call takes besides: c = declared cost + tokens that a model reads of the result + time (BTP, eq. 1).
 * The paper does not say how they are added; here a second and 1,000 tokens are a unit each. Tools that were never called
 * keep their declared price.
 */
export function measuredPrices(
  declared: Readonly<Record<string, number>>,
  averages: ReadonlyMap<string, CallAverages>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(declared).map(([tool, price]) => {
      const { ms, resultTokens } = averages.get(tool) ?? { ms: 0, resultTokens: 0 };
      return [tool, price + resultTokens / TOKENS_OF_UNIT + ms / MS_OF_UNIT];
    }),
  );
}
