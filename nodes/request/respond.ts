import { randomUUID } from "node:crypto";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { openCalls } from "../../state/calls.js";
import { leftOf, spentBy } from "../../state/ledger.js";
import { resultsInWords } from "../policy/callTexts.js";
import { amountText } from "../kit/promptTexts.js";
import { stage } from "../kit/stage.js";
import { readSettings } from "../../state/settings.js";
import type { GraphState, Status } from "../../state/state.js";

/**
 * Closes the conversation. Last stage of every graph. It decides whether a run that claims to be solved is, and
 * says what is not done. However the run ended, this leaves a valid history for the thread's next request: open
 * calls (mainly `stop`) are answered, and the answer is the agent's last message.
 */
export function respond() {
  return stage({}, async (state, config) => {
    const { outcomeOf } = await import("./outcome.js");
    const { status, notDone } = await outcomeOf(state, readSettings(config, state));
    // A run cut short still reports what its calls found, unless `summarize` has, and what it lacked.
    const isCut = !state.tree && WITH_RESULTS.includes(state.status);
    const found = isCut ? resultsInWords(state) : "";
    const lacked = state.status === "budget" ? lackedMoney(state) : "";
    const answer = [state.answer, found, lacked, notDone].filter(Boolean).join(" ");
    const { ledger, messages } = state;
    const last = messages.at(-1);
    const open = openCalls(state).calls;
    const said = AIMessage.isInstance(last) && open.length === 0 && last.text.trim() === answer;
    const closing = said ? [] : [new AIMessage({ id: randomUUID(), content: answer })];
    return {
      answer,
      ...(status === state.status ? {} : { status }),
      messages: [
        ...open.map(
          ({ id = "", name }) =>
            new ToolMessage({
              id: randomUUID(),
              tool_call_id: id,
              name,
              content: "The run has ended.",
            }),
        ),
        ...closing,
      ],
      // From here on the ledger alone says what the run spent.
      ...(ledger ? { ledger: { ...ledger, spent: spentBy(state) } } : {}),
    };
  });
}

const WITH_RESULTS: readonly Status[] = ["limit", "budget", "error"];

function lackedMoney(state: GraphState): string {
  const { ledger } = state;
  const last = ledger?.refused.at(-1);
  if (!ledger || !last) return "";
  const left = leftOf(state);
  const amount = (value: number) => amountText(value, ledger.unit);
  // Affordable, but not granted by the plan that divides the budget.
  if (ledger.quotas && last.price <= left)
    return `The plan for the budget granted no further call of ${last.what}; ${amount(left).replace(/ units?$/, "")} of ${amount(ledger.amount)} are left.`;
  return `The budget of ${amount(ledger.amount)} did not allow ${last.what}, which takes up to ${amount(last.price)}.`;
}
