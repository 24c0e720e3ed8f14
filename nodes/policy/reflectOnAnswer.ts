import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { oneLine } from "../../common/errors.js";
import { clipped } from "../../common/text.js";
import { jsonObject } from "../../models/chat/reply.js";
import { knownIn, wordsOf } from "../../plans/grounding/sources.js";
import { answerValues } from "../../plans/grounding/writtenValues.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { asksForChange } from "../../plans/grounding/words.js";
import { type Deeds, receiptText } from "../../state/deeds.js";
import { readSettings } from "../../state/settings.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import { isMostlyIn } from "./unmade.js";
import { askingStage, type Line, type StageChange } from "../kit/stage.js";
import type { RunBasics } from "../kit/stageInputs.js";
import { outcomeOf } from "../request/outcome.js";
import { askFor, formQuestion } from "../kit/question.js";
import { replyForm } from "../kit/replyForm.js";

/** What a second look sees: nothing but this. Each is cut, so that the question stays below 600 tokens. */
export interface ReflectOnAnswerInput extends RunBasics {
  request: string;
  receipt: string;
  answer: string;
}

const MOST = { request: 400, receipt: 700, answer: 700 };

const verdict = z.object({
  wrong: z
    .array(
      z.object({
        says: z.string().describe("The sentence of the answer, word for word"),
        instead: z.string().describe("The sentence in its place; empty to drop it"),
      }),
    )
    .describe("Sentences that the receipt contradicts; none if it contradicts none"),
  open: z
    .array(z.string().trim())
    .describe(
      "Parts of the request, word for word, that were not done, and that the answer passes over; or none",
    ),
});

const question = formQuestion({
  stage: "reflectOnAnswer",
  form: replyForm(verdict, {
    // Some models write a text in place of a list.
    mended: (text) => {
      const { wrong = [], open = [] } = jsonObject(text) ?? {};
      return { wrong, open: [open].flat() };
    },
  }),
  instructions: () => [
    "Check an answer against the receipt of what was really done and found. The receipt is complete for changes; of what was read it shows a part.",
    "In `wrong`, quote each sentence that the receipt contradicts, or that speaks of a change that the receipt does not have, with the sentence that takes its place. The value of another field is wrong, too. Right counts, sums, units and other wording are fine, and so is what may rest on a part that is not shown.",
    "In `open`, quote the parts of the request that were not done and that the answer passes over.",
  ],
  task: ({ request, receipt, answer }: ReflectOnAnswerInput) => [
    `Request: ${request}`,
    `Receipt:\n${receipt}`,
    `Answer: ${answer}`,
  ],
  byRules: async () => ({ text: JSON.stringify({ wrong: [], open: [] }) }),
});

/**
 * Asks a model once whether an answer follows from the receipt of its run. It sees the request, the receipt and the
 * answer alone. A statement that does not follow is replaced by what the receipt supports, or removed; if that leaves
 * nothing, or something was not done, the run is unsolved, and the answer says why.
 */
export function reflectOnAnswer() {
  return askingStage({ lines, guards: isDoubted }, async (state, config) => {
    const settings = readSettings(config, state);
    const { deedsOf, toolsOfRun } = await import("./deeds.js");
    const tools = await toolsOfRun(state, settings);
    const deeds = await deedsOf(state, settings, tools);
    if (settings.reflect === "writes" && !isAboutWrites(state, deeds)) return {};
    // What rules find wrong, they say more exactly, and without a call.
    const { notDone } = await outcomeOf(state, settings, { deeds, tools });
    if (notDone) return {};
    const { request } = state.run;
    const input = {
      earlierTurns: [],
      request: clipped(request, MOST.request),
      receipt: clipped(receiptText(deeds).join("\n") || "Nothing was called.", MOST.receipt),
      answer: clipped(state.answer, MOST.answer),
    };
    const model = settings.reflectModel ?? settings.model;
    // An unusable reply says nothing against the answer.
    const asked = await askFor(question, {
      state,
      settings: { ...settings, model },
      config,
      input,
      at: "reflect",
      instead: { repair: null },
    });
    if ("end" in asked) return asked.end;
    return { ...mended(state, deeds, asked.value), ...asked.asked };
  });
}

/** Whether a run that has an answer asks for a second look at it. */
function isDoubted(state: GraphState, config: LangGraphRunnableConfig): boolean {
  const isClaim = state.status === "solved" || state.status === "answered";
  return isClaim && state.answer !== "" && readSettings(config).reflect !== "never";
}

function isAboutWrites({ run }: GraphState, deeds: Deeds): boolean {
  const { made, failed, refused, notMade, unknown, couldWrite } = deeds;
  const count = made.length + failed.length + refused.length + notMade.length + unknown.length;
  return count > 0 || (couldWrite && asksForChange(run.request));
}

/**
 * The answer without what does not follow. Only values of the request or the receipt are taken over in its place. What is no
 * part of the answer or the request says nothing about it, because small models fill the form with words; nor does what is open,
 * and the answer speaks of it: "Not deleted: b.txt".
 */
function mended(
  { answer, run }: GraphState,
  deeds: Deeds,
  look: z.infer<typeof verdict>,
): StateUpdate {
  const [said, asked] = [answer, run.request].map(wordsOf) as [string, string];
  const wrong = look.wrong.filter(({ says }) => isMostlyIn(said, says));
  const open = look.open.filter((part) => isMostlyIn(asked, part) && !isMostlyIn(said, part));
  const known = knownIn({ texts: [run.request, ...receiptText(deeds)], values: [] });
  const text = wrong
    .reduce((whole, { says, instead }) => {
      const isKnown = ungroundedValues(instead, known).length === 0;
      const isSaid = answerValues(instead).length > 0 && !/\breceipt\b/i.test(instead);
      return whole.replaceAll(says, isKnown && isSaid ? instead : "");
    }, answer)
    .replaceAll(/[ \t]{2,}/g, " ")
    .trim();
  const isFound = wrong.every(({ says }) => answer.includes(says));
  const hasWords = /[\p{L}\p{N}]/u.test(text);
  if (isFound && hasWords && open.length === 0) return text === answer ? {} : { answer: text };
  const doubts = wrong.map(({ says }) => `“${oneLine(says)}”`).join(", ");
  const why = [
    ...(doubts ? [`Not supported by what was done: ${doubts}.`] : []),
    ...(open.length > 0
      ? [`Not done: ${open.map((part) => `“${oneLine(part)}”`).join(", ")}.`]
      : []),
  ];
  const kept = isFound && hasWords ? [text] : [];
  return { answer: [...kept, ...why].join(" "), status: "unsolved" };
}

function lines({ change: { answer, status }, before }: StageChange): Line[] {
  if (status === "unsolved") return [];
  return [
    answer === undefined || answer === before.answer ? "the answer follows" : "mends the answer",
  ];
}
