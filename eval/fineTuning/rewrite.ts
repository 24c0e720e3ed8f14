import { z } from "zod";
import type {
  Demonstration,
  DemonstrationCall,
} from "../../memory/demonstrations/demonstrationStore.js";
import { ask } from "../../models/ask.js";
import { formQuestion, promptOf } from "../../nodes/shared/question.js";
import { replyForm } from "../../nodes/shared/replyForm.js";
import { backgroundOf } from "../../nodes/shared/runBasics.js";
import type { RunBasics } from "../../nodes/shared/stageInputs.js";
import type { Settings } from "../../state/settings.js";
import { NOTHING_USED, type Usage, addUsage } from "../../state/state.js";
import { evidenceOf, isDerivable } from "../scorers/planEvidence.js";

/** Other wordings of the demonstrations' tasks. */
export type Rewrites = ReadonlyMap<Demonstration, readonly string[]>;

/** The result of rewriting. */
export interface RewriteFigures {
  made: number;
  /** How many wordings were dropped, by reason. */
  dropped: {
    /** The same as another wording of any task, apart from case, white space and punctuation. */
    duplicate: number;
    /** A value of the calls is missing. */
    lostLiteral: number;
    /** The model refused, or its reply could not be read. */
    unusable: number;
    /** Never asked for: a limit of the run was met at this task. */
    limit: number;
  };
  usage: Usage;
}

/**
 * Has a model reword each task, as TPTU-v2 varies the instructions of a fine-tuning set (arXiv:2311.11315). Each
 * wording takes one model call; an unusable wording is dropped and counted, not asked for again. The same replies
 * give the same wordings.
 *
 * @param options.count wordings of each task
 * @param options.settings their limits apply to each task
 * @param options.onDone called after each task
 * @throws ModelFailed if the model cannot be asked
 */
export async function rewriteTasks(options: {
  demonstrations: readonly Demonstration[];
  count: number;
  settings: Settings;
  onDone?: (done: number) => void;
}): Promise<{ rewrites: Rewrites; figures: RewriteFigures }> {
  const { demonstrations, count, settings, onDone } = options;
  /** All wordings so far, in the form in which they are compared. */
  const wordings = new Set(demonstrations.map(({ task }) => comparable(task)));
  const rewrites = new Map<Demonstration, string[]>();
  const dropped = { duplicate: 0, lostLiteral: 0, unusable: 0, limit: 0 };
  let total = NOTHING_USED;
  for (const demonstration of demonstrations) {
    const taken: string[] = [];
    let usage = NOTHING_USED;
    for (let asked = 0; asked < count; asked += 1) {
      const answer = await askFor(demonstration, taken, settings, usage);
      if (!("reply" in answer)) {
        dropped.limit += count - asked;
        break;
      }
      usage = addUsage(usage, answer.used);
      const read = rewriteQuestion.form.read(answer.reply.text);
      const wording = "problem" in read ? undefined : read.value.request;
      if (wording === undefined) dropped.unusable += 1;
      else if (wordings.has(comparable(wording))) dropped.duplicate += 1;
      else if (lostLiterals(demonstration, wording).length > 0) dropped.lostLiteral += 1;
      else {
        taken.push(wording);
        wordings.add(comparable(wording));
      }
    }
    rewrites.set(demonstration, taken);
    total = addUsage(total, usage);
    onDone?.(rewrites.size);
  }
  const made = [...rewrites.values()].flat().length;
  return { rewrites, figures: { made, dropped, usage: total } };
}

async function askFor(
  { task }: Demonstration,
  taken: readonly string[],
  settings: Settings,
  usage: Usage,
) {
  const input: RewriteInput = {
    request: task,
    background: backgroundOf(settings),
    earlierTurns: [],
    taken: [task, ...taken],
  };
  return await ask({ prompt: promptOf(rewriteQuestion, { input }), settings, usage, config: {} });
}

/** Without case, white space and punctuation. */
function comparable(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join(" ");
}

/** What the question for another wording depends on. */
interface RewriteInput extends RunBasics {
  /** Existing wordings. */
  taken: string[];
}

declare module "../../nodes/shared/stageInputs.js" {
  interface StageInputs {
    rewrite: RewriteInput;
  }
}

/**
 * Asks for another wording of a request, for fine-tuning sets (TPTU-v2, arXiv:2311.11315: instructions are rewritten
 * so that a model learns the meaning and not the wording).
 */
export const rewriteQuestion = formQuestion({
  stage: "rewrite",
  form: replyForm(
    z.object({ request: z.string().trim().min(1).describe("The same request in other words") }),
  ),
  instructions: () => [
    "Reword a request to an assistant as another person would who wants exactly the same.",
    "Keep numbers, dates, units, names, ids, quoted text and days such as tomorrow as written. Add and omit nothing. Vary construction, order, tone and verbs: short or chatty, command or question, unlike the wordings that exist. Do not answer the request or mention tools.",
  ],
  task: ({ request, taken }: RewriteInput) => {
    const others = taken.filter((wording) => wording !== request);
    return [
      `Request: ${request}`,
      others.length > 0 && ["Wordings that exist:", ...others.map((one) => `- ${one}`)].join("\n"),
    ];
  },
  byRules: async () => ({
    text: "The offline planner cannot say a request in other words; use a language model with --model.",
    refusal: true,
  }),
});

/**
 * Values that calls take from a request, such as numbers, ids and names, and that another wording has lost: the calls
 * would be wrong for that wording. Small numbers may be written in words. A text that the request contains verbatim
 * must be verbatim in the wording; if the request contains only its words, the wording needs only those.
 */
export function lostLiterals(
  { task: request, calls }: { task: string; calls: readonly Pick<DemonstrationCall, "args">[] },
  wording: string,
): (string | number)[] {
  const before = evidenceOf([request]);
  const after = evidenceOf([wording]);
  const literals = new Set(calls.flatMap(({ args }) => literalsIn(args)));
  return [...literals].filter((literal) => {
    if (typeof literal === "number") {
      return before.numbers().includes(literal) && !after.numbers().includes(literal);
    }
    if (standsIn(literal, request)) return !standsIn(literal, wording);
    return isDerivable(literal, [before]) && !isDerivable(literal, [after]);
  });
}

function literalsIn(value: unknown): (string | number)[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(literalsIn);
}

/** Finds whole words. Capitals count in names and ids; a lower-case word may begin a sentence. */
function standsIn(literal: string, text: string): boolean {
  const around = (literal === literal.toLowerCase() ? text.toLowerCase() : text).split(literal);
  return around
    .slice(1)
    .some((after, at) => !/[\p{L}\p{N}]$/u.test(around[at] ?? "") && !/^[\p{L}\p{N}]/u.test(after));
}
