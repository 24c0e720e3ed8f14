import type { ToldBudget, WithheldTools } from "./stageInputs.js";

/** What is left of a budget and what calls cost (BTP, "+Prompt"); empty where nothing is to be told. */
export function budgetText(budget: ToldBudget | undefined): string {
  if (!budget) return "";
  const { left, unit, prices } = budget;
  const lines = Object.entries(prices).map(
    ([name, price], at) => `${at + 1}. ${name}: ${amountText(price, unit)}`,
  );
  return [
    `Every call of a tool that is made is paid for, even where it fails; one that is refused is not. What is left of the budget: ${amountText(left, unit)}. Do not call a tool that costs more than what is left.`,
    ...(lines.length > 0 ? ["What one call costs:", ...lines] : []),
  ].join("\n");
}

/** Names the tools that are not on offer any more, and why (BTP); empty where there are none. */
export function withheldText(withheld: WithheldTools | undefined): string {
  if (!withheld) return "";
  const { forbidden, ungranted = [], useless } = withheld;
  return [
    forbidden.length > 0 &&
      `The budget does not allow these tools; do not call them: ${forbidden.join(", ")}.`,
    ungranted.length > 0 &&
      `The plan for the budget grants no further call of these tools; do not call them: ${ungranted.join(", ")}.`,
    useless.length > 0 &&
      `These tools were called and gave errors or nothing of use; do not call them: ${useless.join(", ")}.`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Whether any tool is withheld. */
export function anyWithheld(withheld: WithheldTools | undefined): boolean {
  const { forbidden = [], ungranted = [], useless = [] } = withheld ?? {};
  return forbidden.length + ungranted.length + useless.length > 0;
}

/** More digits than this are noise of sums such as 0.1 + 0.2. */
const DIGITS = 6;

function amountText(amount: number, unit: ToldBudget["unit"]): string {
  const digits = amount.toLocaleString("en-GB", {
    maximumSignificantDigits: DIGITS,
    useGrouping: false,
  });
  if (unit === "usd") return `$${digits}`;
  return `${digits} ${amount === 1 ? "unit" : "units"}`;
}
