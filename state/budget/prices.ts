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
