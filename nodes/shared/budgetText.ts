import type { ToldBudget, WithheldTools } from "./stageInputs.js";

/** The remaining budget and the cost of calls (BTP, "+Prompt"); empty if the model is told nothing. */
export function budgetText(budget: ToldBudget | undefined): string {
  if (!budget) return "";
  const { left, unit, prices } = budget;
  const lines = Object.entries(prices).map(
    ([name, price], at) => `${at + 1}. ${name}: ${amountText(price, unit)}`,
  );
  return [
    `Each call costs, even one that fails, but not one that is refused. Left of the budget: ${amountText(left, unit)}. Do not call a tool that costs more.`,
    ...(lines.length > 0 ? ["Cost of one call:", ...lines] : []),
  ].join("\n");
}

/** Names the tools no longer on offer, and why (BTP); empty if there are none. */
export function withheldText(withheld: WithheldTools | undefined): string {
  if (!withheld) return "";
  const { forbidden, ungranted = [], useless } = withheld;
  return [
    forbidden.length > 0 &&
      `Do not call these tools, which the budget does not allow: ${forbidden.join(", ")}.`,
    ungranted.length > 0 &&
      `Do not call these, of which the budget grants no more: ${ungranted.join(", ")}.`,
    useless.length > 0 &&
      `Do not call these, which gave errors or nothing of use: ${useless.join(", ")}.`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Whether any tool is withheld. */
export function anyWithheld(withheld: WithheldTools | undefined): boolean {
  const { forbidden = [], ungranted = [], useless = [] } = withheld ?? {};
  return forbidden.length + ungranted.length + useless.length > 0;
}

/** Digits beyond these are rounding noise from sums such as 0.1 + 0.2. */
const DIGITS = 6;

function amountText(amount: number, unit: ToldBudget["unit"]): string {
  const digits = amount.toLocaleString("en-GB", {
    maximumSignificantDigits: DIGITS,
    useGrouping: false,
  });
  if (unit === "usd") return `$${digits}`;
  return `${digits} ${amount === 1 ? "unit" : "units"}`;
}
