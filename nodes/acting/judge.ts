import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import type { HelpfulnessJudge, PastCall } from "../../memory/experience.js";
import { ModelFailed } from "../../common/errors.js";
import { namedEmbeddings } from "../../models/embeddings/embeddings.js";
import { jsonObject } from "../../models/chat/reply.js";
import { cutObservation, observationLine } from "../../state/calls.js";
import { runWorkspace } from "../../home/workspace.js";
import { wholeResult, type Line, type StageChange, stage } from "../kit/stage.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { type Call, type GraphState, type StateUpdate, addUsage } from "../../state/state.js";
import { callParts } from "../policy/callTexts.js";
import { earlierTurnsText } from "../kit/promptTexts.js";
import { type Question, askFor } from "../kit/question.js";
import { replyForm } from "../kit/replyForm.js";
import { truth } from "../../common/schemas/truth.js";
import { runBasics, threadOf } from "../kit/runBasics.js";
import type { OfferedTool, RunBasics } from "../kit/stageInputs.js";

export interface JudgeInput extends RunBasics {
  tool: Pick<OfferedTool, "name" | "description">;
  args: Record<string, unknown>;
  /** The result or the error, as the agent was told. */
  result: string;
}

/** The reason comes first so that the verdict follows from it; a verdict without one still counts. */
const verdictForm = replyForm(
  z.object({
    reason: z.string().describe("One sentence on what the result is worth"),
    helpful: truth.describe("Whether the result tells something of value for the request"),
  }),
  { mended: (text) => ({ reason: "", ...jsonObject(text) }) },
);

/**
 * Asks whether the result of a call helps with the request (BTP: whether it contains valuable information beyond error
 * messages). The result is shown in one line and cut as published. The request is shown whole, where the published
 * judge sees its first line only. An unreadable reply is not a verdict and is not asked for again, as published.
 */
const judgeQuestion: Question<"judge", JudgeInput, boolean | null> = {
  stage: "judge",
  once: true,
  form: verdictForm,
  instructions: () => [
    "An agent fulfils a request with tools. Is the result of this call helpful?",
    "Yes if it holds anything of value for the request, even for a part; no if it is empty, irrelevant, or only an error, an excuse or a notice that access or data is missing. Judge neither its truth nor whether another tool would do better.",
  ],
  task: ({ request, earlierTurns, tool, args, result }) => [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    [
      `Tool: ${[tool.name, tool.description].filter(Boolean).join(": ")}`,
      `Arguments: ${JSON.stringify(args)}`,
      `Result: ${observationLine(result) || "(empty)"}`,
    ].join("\n"),
  ],
  read: ({ text }) => {
    const reading = verdictForm.read(text);
    return { value: "value" in reading ? reading.value.helpful : null };
  },
  // Whether a result was of use would take a language model.
  byRules: async ({ result }) => {
    const helpful = !/^\w*Error: /.test(result);
    const reason = helpful ? "The call gave a result." : "The call failed.";
    return { text: JSON.stringify({ reason, helpful }) };
  },
};

type Verdicts = ReadonlyMap<Call, boolean | null>;

interface Hearing {
  calls: readonly Call[];
  state: GraphState;
  settings: Settings;
  config: LangGraphRunnableConfig;
}

interface Judgement {
  verdicts: Verdicts;
  /** The judge could not be asked: its verdicts are none, and are not kept as experience. */
  isUnheard?: boolean;
  update?: StateUpdate;
}

const JUDGES: Record<Settings["judge"], (hearing: Hearing) => Promise<Judgement>> = {
  rule: async ({ calls }) => ({ verdicts: new Map(calls.map((call) => [call, true])) }),
  classifier: askClassifier,
  model: askAboutOldest,
  // The published ablation without a blacklist: not even an error withdraws a tool.
  none: async ({ calls }) => ({ verdicts: new Map(calls.map((call) => [call, null])) }),
};

/**
 * Judges whether executed calls helped (BTP). A failed call never did, unless nobody judges. With `judge: model` each visit asks
 * about one call, so the graph returns while there are {@link unjudgedCalls}. With `remember`, judged calls
 * become experience. A judge that cannot be reached costs the experience, not the answer.
 *
 * @throws InvalidSetting if the classifier should judge and there is none
 */
export function judge() {
  return stage({ ends: true, lines }, async (state, config) => {
    const settings = readSettings(config, state);
    const open = unjudgedCalls(state);
    const failed = settings.judge === "none" ? [] : open.filter(hasFailed);
    const calls = open.filter((call) => !failed.includes(call));
    const { verdicts, update, isUnheard }: Judgement =
      calls.length > 0
        ? await JUDGES[settings.judge]({ calls, state, settings, config })
        : { verdicts: new Map() };
    const all: Verdicts = new Map([...failed.map((call) => [call, false] as const), ...verdicts]);
    if (settings.remember && !isUnheard) await remember({ verdicts: all, state, settings, config });
    return { ...update, calls: state.calls.map((call) => withVerdict(call, all)) };
  });
}

/** Executed calls not judged yet, oldest first. */
export function unjudgedCalls({ calls }: Pick<GraphState, "calls">): Call[] {
  return calls.filter(({ helpful, refused }) => helpful === undefined && !refused);
}

function hasFailed({ error }: Call): boolean {
  return error !== undefined;
}

/** A refused call offers nothing to judge and says nothing about its tool. */
function withVerdict(call: Call, verdicts: Verdicts): Call {
  const helpful = call.refused ? null : verdicts.get(call);
  return helpful === undefined ? call : { ...call, helpful };
}

async function askClassifier({ calls, state, settings }: Hearing): Promise<Judgement> {
  const { classifyCalls, openClassifier } = await import("../../memory/classifier.js");
  const started = performance.now();
  const { home } = runWorkspace();
  const name = settings.embeddings;
  const { verdicts, embeddingTokens } = await classifyCalls({
    classifier: openClassifier({ home, embeddings: name }),
    calls: calls.map((call) => whatHappened(call, state)),
    embeddings: await namedEmbeddings(name),
  });
  const used = { embeddingTokens, ms: performance.now() - started };
  return {
    verdicts: new Map(calls.map((call, index) => [call, verdicts[index]?.helpful ?? null])),
    update: { usage: addUsage(state.usage, used) },
  };
}

async function askAboutOldest({ calls, state, settings, config }: Hearing): Promise<Judgement> {
  const [call] = calls;
  if (!call) return { verdicts: new Map() };
  const input = await judgeInput(call, state, settings);
  const answer = await heard(askFor(judgeQuestion, { state, settings, config, input }));
  if (!answer) return { verdicts: new Map(calls.map((one) => [one, null])), isUnheard: true };
  if (!("end" in answer))
    return { verdicts: new Map([[call, answer.value]]), update: { usage: answer.asked.usage } };
  // A provider that will not judge one result leaves the call without a verdict; the run goes on.
  const { status, usage } = answer.end;
  return status === "unsolved"
    ? { verdicts: new Map([[call, null]]), update: { usage } }
    : { verdicts: new Map(), update: answer.end };
}

/** The judge's reply; undefined if the judge fails. */
async function heard<Reply>(asked: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ModelFailed) return undefined;
    throw error;
  }
}

async function judgeInput(call: Call, state: GraphState, settings: Settings): Promise<JudgeInput> {
  const library = await runWorkspace().library(settings);
  // A tool that was removed meanwhile is still known by its id.
  const { name, description } = library.get(call.tool) ?? { name: call.tool, description: "" };
  return {
    ...runBasics(state, settings),
    tool: { name, description },
    args: call.args,
    result: whatHappened(call, state).result,
  };
}

/** Ids are made of thread and call, so a repeated visit adds nothing twice. */
async function remember(options: Omit<Hearing, "calls"> & { verdicts: Verdicts }): Promise<void> {
  const { verdicts, state, settings, config } = options;
  const judged = state.calls.filter((call) => verdicts.has(call));
  if (judged.length === 0) return;
  const thread = threadOf(state, config);
  const { judge } = settings;
  const judgedBy = (call: Call): HelpfulnessJudge =>
    hasFailed(call) || judge === "none" ? "rule" : judge;
  const experience = await runWorkspace().experience();
  await experience.add(
    judged.map((call) => ({
      ...whatHappened(call, state),
      id: `${thread}/${call.id}`,
      library: settings.library,
      helpful: verdicts.get(call) ?? null,
      judgedBy: judgedBy(call),
      cost: call.cost,
      ms: call.ms,
      at: Date.now(),
    })),
  );
}

function whatHappened(
  call: Call,
  { run }: GraphState,
): Pick<PastCall, "query" | "tool" | "args" | "result" | "failed"> {
  const { tool, args } = call;
  const result = cutObservation(resultText(call));
  return { query: run.request, tool, args, result, failed: hasFailed(call) };
}

/** The result, as is if text, else as JSON; empty if the tool returned nothing. */
function resultText(call: Call): string {
  if (call.error !== undefined) return call.error;
  const value = wholeResult(call);
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function lines({ change, before }: StageChange): Line[] {
  return (change.calls ?? []).flatMap((call, index) => {
    const known = before.calls?.[index]?.helpful === false;
    return call.helpful === false && call.error === undefined && !known
      ? [[...callParts(call), " did not help"]]
      : [];
  });
}
