import type { AIMessage } from "@langchain/core/messages";
import { isSchema } from "../../common/schemas/referredSchema.js";
import { programText } from "../../plans/steps/references.js";
import { issueLine } from "../../plans/language/progress.js";
import { parametersOf, type Program } from "../../plans/language/program.js";
import { programRead } from "../../tools/calls/compiler/programs.js";
import { demonstratedPlan } from "../planning/demonstratedPlan.js";
import { inBrief } from "../../common/errors.js";
import { estimateTokens } from "../../common/tokens.js";
import { LEAST_CACHED } from "../../models/prices.js";
import { isSmallTalk } from "../../plans/grounding/smallTalk.js";
import { budgetText, listed } from "../kit/promptTexts.js";
import type { EarlierTurn } from "../../state/history.js";
import type { Paragraphs, Question } from "../kit/question.js";
import type { Reading } from "../kit/replyForm.js";
import type { OfferedTool, ShownDemonstration, RunBasics, ToldBudget } from "../kit/stageInputs.js";
import type { Contents } from "./contents.js";
import { declarationLines } from "./functionDeclarations.js";

export interface WriteProgramInput extends RunBasics {
  /** The user's own instructions for the agent. */
  instructions?: string;
  /** What exists, and cannot be reached; empty if there is nothing. */
  outOfReach?: string;
  /** Earlier requests of the conversation may have changed something. */
  mayUndo?: boolean;
  /** What the program may call, by the names of functions. */
  tools: OfferedTool[];
  /** The groups of the library's functions. */
  groups: string[];
  /** What the library contains; absent if all its functions are declared. */
  contents?: Contents;
  /** What the first prompt of the run said after the thread's earlier ones: what is said now comes after it. */
  told?: string;
  /** What a search found for the request, besides what the contents tell. */
  likely?: string;
  demonstrations: ShownDemonstration[];
  /** What was searched for but no library tool does. */
  missed: string[];
  /** What earlier programs lacked, with the functions found for it. */
  searched: { phrase: string; found: string[] }[];
  budget?: ToldBudget;
  /** The previous program, what is wrong with it, and what was advised. */
  failed?: { plan: string; problems: string[]; cue: string };
}

interface WrittenProgram {
  program: Program;
  /** What was read as meant rather than as written, one line each. */
  repairs: string[];
}

/** Asks for a whole program. Weak models copy example values, so the example has none a request could want. */
export const programQuestion: Question<"writeProgram", WriteProgramInput, WrittenProgram> = {
  stage: "writeProgram",
  // The same for all requests of a library, so that providers can cache it.
  instructions: ({ instructions, contents, tools, groups }) => {
    const listed = contents
      ? contentsText(contents, groups)
      : `Functions:\n${declarationLines(tools)}`;
    const own = instructions && `Follow these instructions, too: ${instructions}`;
    const told = [INTRODUCTION, EXAMPLE, RULES, own, listed];
    return isNearlyCached(told) ? [INTRODUCTION, EXAMPLE, `${RULES}\n${MORE}`, own, listed] : told;
  },
  task: (input) => {
    const { earlierTurns, told, searched, missed, budget, failed } = input;
    return [
      // What all prompts of a thread begin with: nothing of it is said in other words later.
      ...earlierTurns.map(turnText),
      told ?? requestText(input),
      told && input.likely,
      searched.length > 0 && searchedText(searched),
      missed.length > 0 &&
        listed(
          "No function was found for these. Write the rest, without need(…) for them; the user is told what stays undone:",
          missed,
        ),
      budgetText(budget),
      failed && failedText(failed),
    ];
  },
  closing:
    "Reply with one ts block that makes all the calls and returns the answer. What was said of the form or language of answers holds for what it returns.",
  read: readReply,
  byRules: async (input) =>
    (await import("../../models/offline/plans.js")).replyToWriteProgram(input),
};

/** What a prompt says of a request, to its end. */
export function requestText(input: WriteProgramInput): string {
  const { request, earlierTurns, tools, demonstrations, mayUndo, outOfReach } = input;
  return [
    input.likely,
    tools.some(({ parameters: { properties } }) => isSchema(properties) && "limit" in properties) &&
      "Set any `limit` high: it cuts lists off.",
    demonstrationsText(demonstrations),
    outOfReach &&
      `${outOfReach} Never say that there is no such function; say why it is out of reach.`,
    mayUndo && UNDO_RULE,
    `${requestHead(earlierTurns.length)}: ${request}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function turnText({ role, text, told }: EarlierTurn, at: number): string {
  return told ?? (role === "user" ? `${requestHead(at)}: ${text}` : `Your answer: ${text}`);
}

function requestHead(turnsBefore: number): string {
  return turnsBefore > 0 ? "Next request" : "Request";
}

/** What a program calls, and nothing else, to take back what an earlier request has changed. */
export const UNDO = "undo";

const UNDO_RULE = `If the user takes back what an earlier request has changed, the whole program is: ${UNDO}({});`;
const INTRODUCTION =
  'Solve the request with a short TypeScript program that calls the functions below. They exist already: call them with await, never write one yourself. Reply with one ts block. For "Repaint the old buoys of row Q7":';

const EXAMPLE = [
  "```ts",
  'const buoys = await list_buoys({ row: "Q7" });',
  "const old = buoys.filter((buoy) => daysBetween(buoy.painted, today) > 90);",
  "for (const buoy of old) {",
  "  await repaint_buoy({ id: buoy.id });",
  "}",
  "return `Repainted ${old.length} buoys.`;",
  "```",
].join("\n");

/** What the example calls. Small models repeat an example whose request is much shorter than theirs. */
const CALLED_IN_EXAMPLE: ReadonlySet<string> = new Set(["list_buoys", "repaint_buoy"]);

const RULES = [
  "- Take values from the request or results: look up or compute what is missing. Omit optional arguments you do not need.",
  "- If one call takes a whole list, do not loop.",
  '- `await look(data, "question")` has you read data, such as a result of no declared type, and gives your answer, a string.',
  "- Also available: `today` (YYYY-MM-DD), addDays(date, days), daysBetween(from, to), sum(list), unique(list), groupBy(list, (item) => key): { key, items }[]. No classes, `this`, generators or imports.",
  '- Return a template string that answers the whole request, with names, not ids. If there is no function for it or a part of it, or only the user knows what is missing, call `stop("…")`: it ends the program, and the user reads it.',
].join("\n");

/** Useful, but only worth its tokens where they make a beginning long enough to be cached. */
const MORE = [
  "- Give a result another name than its function has, such as `total`.",
  '- In lists of arguments, "?" is one to leave out if not needed, "[]" a list. Lists start with item 0.',
].join("\n");

/** Whether a beginning is just too short to be cached. */
function isNearlyCached(told: Paragraphs): boolean {
  const tokens = estimateTokens(told.filter(Boolean).join("\n\n"));
  return tokens < LEAST_CACHED + MARGIN && tokens + estimateTokens(MORE) >= LEAST_CACHED + MARGIN;
}

/** Tokens are only estimated. */
const MARGIN = 4;

/** What to reply with, for a model whose reply was not a program. */
const FORM =
  "Reply with one ts block alone: a program that calls the functions and returns the answer.";

/** How similar requests were solved ("AI Agent 007" retrieves examples, TPTU-v2 demonstrations). */
function demonstrationsText(demonstrations: readonly ShownDemonstration[]): string {
  if (demonstrations.length === 0) return "";
  return [
    "Programs for earlier requests. Take no values from them.",
    ...demonstrations.map(
      (demonstration, at) =>
        `Example ${at + 1}: ${demonstration.task}\n${programText(demonstratedPlan(demonstration))}`,
    ),
  ].join("\n\n");
}

/** The groups may be none. Where all functions are listed, nothing is left to search for. */
function contentsText({ text, tells }: Contents, groups: readonly string[]): string {
  const call = `Call one as await ${groups.length > 0 ? "group.name" : "name"}({ … }) with arguments by name`;
  const unsaid = tells === "signatures" ? "some optional arguments" : "the arguments of many";
  if (tells !== "groups")
    return `All functions, without ${unsaid}. ${call}, declared below or not; wrong arguments are shown to you before anything runs:\n${text}`;
  return [
    'There are more functions than those below: if none of these does what you need, write `need("send an e-mail");`. The library is searched, then you complete the program.',
    text && `Groups, with their numbers of functions. ${call}:\n${text}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Most characters of what was searched for. */
const PHRASE_TOLD = 80;

function searchedText(searched: WriteProgramInput["searched"]): string {
  // The last program says it in full.
  const lines = searched.map(({ phrase, found }) =>
    [inBrief(phrase, PHRASE_TOLD), found.join(", ")].filter(Boolean).join(": "),
  );
  return [
    listed("The library was searched for what you needed. It found:", lines),
    "If none of them fits, do the rest and end with stop(…).",
  ].join("\n");
}

function failedText({ plan, problems, cue }: NonNullable<WriteProgramInput["failed"]>): string {
  return [
    `Your last program:\n${plan}`,
    problems.length > 0 && listed("What is wrong with it:", problems),
    cue && `What to change: ${cue}`,
    problems.length > 0
      ? "Correct it: reply with a whole program without this fault."
      : "Reply with the whole program, completed.",
  ]
    .filter(Boolean)
    .join("\n");
}

const MOST_PROBLEMS = 5;

const COPIED =
  "Your last reply repeats the example. Write the program for the request that follows the list of functions, and call functions of that list.";

async function readReply(
  { text }: Pick<AIMessage, "text">,
  { tools, groups, request }: Pick<WriteProgramInput, "tools" | "groups" | "request">,
): Promise<Reading<WrittenProgram>> {
  if (!text.trim()) return { problem: `Your last reply was empty. ${FORM}` };
  const functions = new Map(tools.map((tool) => [tool.name, tool]));
  const read = await programRead(text, { functions: parametersOf(functions), groups });
  if ("program" in read) {
    const copied = read.program.calls.filter(({ name }) => CALLED_IN_EXAMPLE.has(name));
    return copied.some(({ name }) => !functions.has(name)) ? { problem: COPIED } : { value: read };
  }
  const inWords = isSmallTalk(request) && !text.includes("```") ? await greeting(text) : undefined;
  if (inWords) return { value: inWords };
  const problems = read.issues.slice(0, MOST_PROBLEMS).map(issueLine);
  return { problem: `Your last reply could not be used: ${problems.join("; ")}. ${FORM}` };
}

/** The program that says these words: a greeting is answered without a function. */
async function greeting(text: string): Promise<WrittenProgram | undefined> {
  const read = await programRead(`return noFunctionNeeded(${JSON.stringify(text.trim())});`, {});
  return "program" in read ? read : undefined;
}
