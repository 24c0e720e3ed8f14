import { grouped } from "../../common/grouped.js";
import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync, readFileSync } from "node:fs";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { InvalidSetting, oneLine, TulipgraphError } from "../../common/errors.js";
import { jsonOrNothing } from "../../common/jsonInText.js";
import { withoutSecretsIn } from "../../common/secrets.js";
import { clipped } from "../../common/text.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type { ModelRequest } from "../prompt.js";

/** A reply that was not recorded, so that a replay cannot go on. */
export class ReplyNotRecorded extends TulipgraphError {
  readonly code = "REPLY_NOT_RECORDED";

  constructor(readonly details: { file: string; stage: string; request: string; change: string }) {
    const { file, stage, request, change } = details;
    super(
      `${file} has no reply at ${stage} of “${clipped(oneLine(request), MOST_LETTERS)}”: ${change}. If that is meant, record again with --record ${file}`,
    );
  }
}

const MOST_LETTERS = 120;

/** Answers questions to models in place of them, or beside them. */
export interface ReplyKeeper {
  /** No model is asked, so none needs to be there. */
  isReplay: boolean;
  reply: (question: ModelRequest, ask: () => Promise<AIMessage>) => Promise<AIMessage>;
}

/** What answers the questions to models of the work that runs in it. */
export const replyKeepers = new AsyncLocalStorage<ReplyKeeper | undefined>();

interface KeptReply {
  hash: string;
  stage: string;
  shown: Shown;
  reply: Pick<AIMessage, "content" | "tool_calls" | "usage_metadata"> & { refusal?: string };
}

/** Asks models, and appends each question with its reply to a file. */
export function recordingReplies(file: string): ReplyKeeper {
  // Refused now, not after the first reply.
  appendFileSync(file, "");
  return {
    isReplay: false,
    reply: async (question, ask) => {
      const reply = await ask();
      const { content, tool_calls, usage_metadata } = reply;
      const refusal = reply.additional_kwargs["refusal"] as string | undefined;
      const shown = shownIn(question);
      const kept: KeptReply = {
        hash: hashOf(shown),
        stage: question.prompt.stage,
        shown,
        reply: { content, tool_calls, usage_metadata, ...(refusal ? { refusal } : {}) },
      };
      appendFileSync(file, `${JSON.stringify(withoutSecretsIn(kept))}\n`);
      return reply;
    },
  };
}

/**
 * Answers questions from a file. Of several replies to the same question, each is given once, in order, and then the last.
 *
 * @throws ReplyNotRecorded for a question that the file does not have; it says what has changed
 */
export function replayedReplies(file: string): ReplyKeeper {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const kept = lines.map((line, index) => {
    const one = Object(jsonOrNothing(line)) as KeptReply;
    if (typeof one.hash === "string") return one;
    const problem = `line ${index + 1} is not a kept reply`;
    throw new InvalidSetting({
      setting: file,
      problem,
      hint: "Make such a file with --record FILE",
    });
  });
  const byHash = grouped(kept, ({ hash }) => hash);
  return {
    isReplay: true,
    reply: async (question) => {
      const shown = shownIn(question);
      const hash = hashOf(shown);
      const replies = byHash.get(hash);
      const [next] = replies ?? [];
      if (!replies || !next) throw notRecorded({ file, kept, question, shown });
      if (replies.length > 1) replies.shift();
      const { content, tool_calls, usage_metadata, refusal } = next.reply;
      return new AIMessage({
        content: content as string,
        tool_calls,
        usage_metadata,
        additional_kwargs: refusal ? { refusal } : {},
      });
    },
  };
}

/** What a model sees of a question: its lines, one message after the other, and what it may call or has to fill in. */
interface Shown {
  model: string;
  lines: string[];
  offered: string;
}

function shownIn({ prompt, settings, tools = [], toolChoice }: ModelRequest): Shown {
  const ids = new Map<string, number>();
  // Ids are made anew in every run.
  const numbered = (id = "") => ids.get(id) ?? ids.set(id, ids.size).size - 1;
  return {
    model: settings.model,
    lines: prompt.messages.flatMap((message) => linesOf(message, numbered)),
    offered: canonicalJson({ tools, toolChoice, schema: prompt.schema }),
  };
}

function linesOf(message: BaseMessage, numbered: (id?: string) => number): string[] {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const answered = ToolMessage.isInstance(message) ? ` ${numbered(message.tool_call_id)}` : "";
  return [
    `${message.type}${answered}:`,
    ...message.text.split("\n"),
    ...calls.map(({ id, name, args }) => `call ${numbered(id)}: ${name}(${canonicalJson(args)})`),
  ];
}

function hashOf(shown: Shown): string {
  return sha256(canonicalJson(withoutSecretsIn(shown)));
}

/** The most similar question of the stage tells what has changed. */
function notRecorded(options: {
  file: string;
  kept: readonly KeptReply[];
  question: ModelRequest;
  shown: Shown;
}): ReplyNotRecorded {
  const { file, kept, question, shown } = options;
  const { stage, input } = question.prompt;
  const { request = "" } = input as { request?: string };
  const alike = (one: KeptReply) =>
    one.shown.lines.filter((line) => shown.lines.includes(line)).length;
  const [nearest] = kept
    .filter((one) => one.stage === stage)
    .toSorted((one, other) => alike(other) - alike(one));
  return new ReplyNotRecorded({ file, stage, request, change: changeFrom(nearest?.shown, shown) });
}

function changeFrom(before: Shown | undefined, now: Shown): string {
  if (!before) return "nothing was asked at this stage then";
  if (before.model !== now.model) return `the model was ${before.model} and is ${now.model}`;
  const at = now.lines.findIndex((line, index) => line !== before.lines[index]);
  const [was, is] = [before.lines[at], now.lines[at]].map((line) =>
    clipped(line ?? "", MOST_LETTERS),
  );
  if (at >= 0) return `line ${at + 1} of its prompt was “${was}” and is “${is}”`;
  if (before.lines.length > now.lines.length) return "its prompt was longer";
  return "its tools or the form of the reply have changed";
}
