import { randomUUID } from "node:crypto";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { openCalls } from "../../state/calls.js";
import { receiptText } from "../../state/deeds.js";
import { spentBy } from "../../state/ledger.js";
import { stage } from "../kit/stage.js";
import { type Settings, readSettings } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";

/**
 * Closes the conversation. Last stage of every graph. It decides whether a run that claims to be solved is, and
 * says what is not done. However the run ended, this leaves a valid history for the thread's next request: open
 * calls (mainly `stop`) are answered, and the answer is the agent's last message.
 */
export function respond() {
  return stage({}, async (state, config) => {
    const { outcomeOf, wholeAnswer } = await import("./outcome.js");
    const settings = readSettings(config, state);
    const end = await receiptAtEnd(state, settings);
    const { notDone, ...outcome } = await outcomeOf(state, settings, end);
    const whole = { status: outcome.status, answer: wholeAnswer(state, notDone) };
    const { toldAway } = await import("../policy/outOfReach.js");
    const { status, answer } = (await toldAway(state, settings, whole)) ?? whole;
    const { ledger, messages } = state;
    const last = messages.at(-1);
    const open = openCalls(state).calls;
    const said = AIMessage.isInstance(last) && open.length === 0 && last.text.trim() === answer;
    const receipt = end ? receiptText(end.deeds) : [];
    const closing =
      said && receipt.length === 0
        ? []
        : [closingMessage(answer, receipt, said ? last : undefined)];
    return {
      answer,
      deeds: end?.deeds ?? null,
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

/** The answer as the last message, with the receipt beside it for whoever shows it: models are not sent it again. */
function closingMessage(answer: string, receipt: readonly string[], last: AIMessage | undefined) {
  return new AIMessage({
    id: last?.id ?? randomUUID(),
    content: last?.content ?? answer,
    usage_metadata: last?.usage_metadata,
    response_metadata: last?.response_metadata,
    additional_kwargs: { ...last?.additional_kwargs, ...(receipt.length > 0 && { receipt }) },
  });
}

/** A graph without tools has nothing to say of deeds. */
async function receiptAtEnd(state: GraphState, settings: Settings) {
  const { calls, edits, toolIds } = state;
  if (calls.length + edits.length + toolIds.length + settings.defaultTools.length === 0)
    return null;
  const { deedsOf, toolsOfRun } = await import("../policy/deeds.js");
  const tools = await toolsOfRun(state, settings);
  return { deeds: await deedsOf(state, settings, tools), tools };
}
