import { cutObservation } from "../../state/calls.js";
import type { ToldBudget, WithheldTools } from "./stageInputs.js";
import type { Attempt } from "../../state/searchTree.js";
import type { TaskResult } from "../../state/taskTree.js";
import type { EarlierTurn } from "../../state/history.js";

/** The conversation before the current request, for a prompt without the messages. */
export function earlierTurnsText(turns: readonly EarlierTurn[]): string {
  if (turns.length === 0) return "";
  const lines = turns.map(({ role, text }) => `${role === "user" ? "User" : "Agent"}: ${text}`);
  return ["The conversation so far:", ...lines].join("\n");
}

/** The background facts, for the end of a system prompt; empty if there are none. */
export function backgroundText(background: string | undefined): string {
  return background ? `What you know about the situation: ${background}` : "";
}

export function listed(head: string, items: readonly string[]): string {
  return [head, ...items.map((item) => `- ${item}`)].join("\n");
}

/** Results of tasks, numbered in order. */
export function numberedResults(results: readonly TaskResult[]): string[] {
  return results.map(({ task, result }, at) => `${at + 1}. ${task}: ${result.trim() || "(empty)"}`);
}

/** The results of the tasks before the current one; empty if there are none. */
export function earlierResultsText(results: readonly TaskResult[] | undefined): string {
  if (!results?.length) return "";
  return ["Results of earlier tasks:", ...numberedResults(results)].join("\n");
}

/** A step as text: what was said, and each call with its result. */
export function attemptText({ text, calls }: Attempt): string {
  const said = text.trim();
  return [
    ...(said ? [`Thought: ${said}`] : []),
    ...calls.map(({ name, args, observation }) =>
      [
        `Call: ${name}(${JSON.stringify(args)})`,
        ...(observation ? [`Result: ${cutObservation(observation)}`] : []),
      ].join("\n"),
    ),
  ].join("\n");
}

/** The remaining budget and the cost of calls (BTP, "+Prompt"); empty if the model is told nothing. */
export function budgetText(budget: ToldBudget | undefined): string {
  if (!budget) return "";
  const { left, unit, prices } = budget;
  const lines = Object.entries(prices).map(
    ([name, price], at) => `${at + 1}. ${name}: ${amountText(price, unit)}`,
  );
  return [
    `Every call costs, even if it fails, unless it is refused. Remaining budget: ${amountText(left, unit)}. Do not call a tool that costs more.`,
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
      `Do not call these, whose granted calls are used up: ${ungranted.join(", ")}.`,
    useless.length > 0 &&
      `Do not call these, which gave errors or nothing useful: ${useless.join(", ")}.`,
  ]
    .filter(Boolean)
    .join("\n");
}

export function anyWithheld(withheld: WithheldTools | undefined): boolean {
  const { forbidden = [], ungranted = [], useless = [] } = withheld ?? {};
  return forbidden.length + ungranted.length + useless.length > 0;
}

/** Digits beyond these are rounding noise from sums such as 0.1 + 0.2. */
const DIGITS = 6;

/** An amount in its unit: "12.5 units", "$0.002". */
export function amountText(amount: number, unit: ToldBudget["unit"]): string {
  const digits = amount.toLocaleString("en-GB", {
    maximumSignificantDigits: DIGITS,
    useGrouping: false,
  });
  if (unit === "usd") return `$${digits}`;
  return `${digits} ${amount === 1 ? "unit" : "units"}`;
}
