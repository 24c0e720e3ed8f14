import { randomUUID } from "node:crypto";
import { AIMessage, type BaseMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { LARGEST_PICTURE, MOST_PICTURES } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { fileNames, pictureType } from "../../common/fileNames.js";
import { runWorkspace } from "../../home/workspace.js";
import { visibleCalls } from "../../state/calls.js";
import { splitConversation } from "../../state/history.js";
import { readSettings, type Settings } from "../../state/settings.js";
import type { Call, GraphState } from "../../state/state.js";
import {
  type ControlTool,
  FINISH,
  LIBRARY_CONTROLS,
  SEARCH_LIBRARY,
  STOP,
  STOP_TASK,
} from "../../tools/control.js";
import { askModel, problemAt, repairOrEnd } from "../kit/askModel.js";
import { threadOf } from "../kit/runBasics.js";
import { askingStage, type Line, type StageChange } from "../kit/stage.js";
import { resultsInWords } from "../policy/callTexts.js";
import type { NamedTools } from "../policy/modelView.js";
import { boundTools, NO_TOOLS, writesIn } from "../policy/toolOffer.js";
import { withShortResults } from "../programs/programCalls.js";
import { actInput, type ActOptions } from "./actInput.js";
import { actPrompt } from "./actPrompt.js";
import { ANSWER_STAGE, readReply } from "./readReply.js";

/** This many consecutive replies that only repeat earlier calls and get the same results end the work. */
const MOST_REPEATS = 3;

/** Nobody asks for the same change with the same result more often. Tools whose effects are unknown count as changes. */
const MOST_SAME_CHANGES = 10;

/** What a model is told that has one reply left before its work is ended. */
const ANSWER_NOW =
  "You have made these calls before, with the same results. Answer now, from the results above.";

const IN_CIRCLES = "The same calls were made again and again without an answer.";

/**
 * Asks a model for the next calls or the answer, with the tools found, and `search_tools` if there are others (setting
 * `searchWhileActing`). What is found stands in messages, or is bound (setting `offer`). The answer comes through `stop` or as plain text and ends the run without
 * another model call (the reference asked for one more reply and discarded it). A model that repeats its calls
 * may only answer in the next reply.
 */
export function act(options: ActOptions) {
  const { tools, ending = "stop", keepsLibrary = false, scope = "run" } = options;
  return askingStage({ lines }, async (state, config) => {
    const settings = readSettings(config, state);
    const isFixed = ending !== "stop" || scope !== "run" || keepsLibrary;
    const opened = tools === "none" ? undefined : await offeredIn(state, settings, isFixed);
    const { offer = NO_TOOLS, found, away = "", begun } = opened ?? {};
    const { request, ...others } = begun ?? {};
    const calls = visibleCalls(state);
    const isWrite = writesIn(offer);
    const reading = { state, bound: tools !== "none", ending, scope, offer };
    const { earlier, since } = splitConversation(state);
    const circles = goesInCircles(state, isWrite);
    if (circles === "ends") {
      const reply = closingReply(calls, ending);
      return { ...readReply({ reply, ...reading })?.update, repair: null };
    }
    const maySearch = keepsLibrary || found !== undefined || (opened?.mayFind ?? false);
    const input = actInput({ state, settings, offer, maySearch, away, options });
    const prompt = actPrompt(input, {
      instructions: settings.instructions,
      encoded: found?.messages,
      // The background tells of system messages, which some providers take at the start only.
      earlier: withShortResults(earlier)
        .map((each) => (request && each.id === request.id ? request : each))
        .filter((each) => !SystemMessage.isInstance(each)),
      since: withShortResults(since),
      problem:
        problemAt(state, "act") ??
        problemAt(state, ANSWER_STAGE) ??
        (circles === "answers" ? ANSWER_NOW : undefined),
    });
    const pictures = () => picturesIn(since, threadOf(state, config));
    const end = ENDINGS[scope === "task" ? "task" : ending];
    const searching = maySearch ? [SEARCH_LIBRARY] : [];
    const controls = [end, ...(keepsLibrary ? LIBRARY_CONTROLS : searching)];
    const bound =
      tools === "none"
        ? {}
        : circles === "answers" && !found
          ? binding(new Map(), [end])
          : binding(found ? new Map() : offer.offered, controls);
    const shown = { ...prompt, pictures };
    const isForced = found && circles === "answers";
    const asked = await askModel(state, {
      prompt: shown,
      settings,
      config,
      ...bound,
      // No provider documents that its own search goes with a forced call.
      ...(found?.settings && { toolChoice: undefined }),
      ...(isForced && { toolChoice: end.name }),
      ...(found && { found }),
    });
    if ("end" in asked) return asked.end;
    const { reply, usage } = asked;
    const read = readReply({ reply, ...reading });
    if (!read) {
      const problem = `Your last reply was empty. Call a tool, or call ${end.name} with the final answer.`;
      return repairOrEnd({ state, stage: "act", problem, usage });
    }
    if (tools === "none") return { ...read.update, repair: null, usage };
    const mayCall = keepsLibrary || offer.offered.size > 0;
    const around = { state, settings, ending, scope, calls, mayCall, endName: end.name, isWrite };
    const { groundReply } = await import("./groundReply.js");
    const outcome = await groundReply(read, around);
    if ("update" in outcome) {
      const messages = request && { messages: [request, read.message] };
      return { ...others, ...outcome.update, ...messages, repair: null, usage };
    }
    return repairOrEnd({ state, stage: ANSWER_STAGE, problem: outcome.problem, reply, usage });
  });
}

/** The tools on offer, and what is out of reach. Loaded by graphs that have tools. */
async function offeredIn(state: GraphState, settings: Settings, isFixed: boolean) {
  const { actOffer } = await import("./foundOffer.js");
  const { awayText } = await import("../policy/outOfReach.js");
  const opened = await actOffer(state, settings, { isFixed });
  const away = await awayText(opened.library, { ...settings, request: state.run.request });
  return { ...opened, away };
}

/** The last pictures among results. */
async function picturesIn(messages: readonly BaseMessage[], threadId: string) {
  const texts = messages.flatMap((each) => (ToolMessage.isInstance(each) ? [each.text] : []));
  const names = fileNames(texts.toReversed().join("\n")).filter(pictureType);
  const { journal } = runWorkspace().runtime;
  const files = await journal.files(threadId, names.slice(0, MOST_PICTURES));
  return files.filter(({ data }) => data.length <= LARGEST_PICTURE);
}

const ENDINGS = { stop: STOP, finish: FINISH, task: STOP_TASK };

function binding(offered: NamedTools, controls: readonly ControlTool[]) {
  return { tools: [...boundTools(offered), ...controls], toolChoice: "any" };
}

function lines({ change: { messages, status } }: StageChange): Line[] {
  if (status === "solved" || status === "answered") return ["answers"];
  const replies = Array.isArray(messages) ? messages : [messages];
  const calls = replies.flatMap((reply) =>
    AIMessage.isInstance(reply) ? (reply.tool_calls ?? []) : [],
  );
  const [only, ...others] = calls;
  // In a search over steps, words alone are the answer, and the agenda says what they mean.
  if (!only || (others.length === 0 && only.name === STOP.name)) return ["answers"];
  if (others.length > 0 || only.name !== FINISH.name)
    return [`calls ${calls.map(({ name }) => name).join(", ")}`];
  const { return_type: type, final_answer: said } = only.args;
  if (type === "give_answer") return ["answers"];
  const why = typeof said === "string" && said ? `: ${oneLine(said)}` : "";
  return [`gives up this way${why}`];
}

/**
 * Whether the model is going in circles: its last replies contain only calls it made before, with the same
 * answers. A repeated change does not count, since something happened, until it has been made many times.
 *
 * @param isWrite whether a tool changes something, by its id
 * @returns `ends` if the work has to be ended, `answers` if only the answer may follow
 */
function goesInCircles(
  state: GraphState,
  isWrite: (tool: string) => boolean,
): "ends" | "answers" | undefined {
  const changes = state.calls.filter(
    ({ tool, error, refused }) => error === undefined && !refused && isWrite(tool),
  );
  const { since } = splitConversation(state);
  const answers = new Map(
    since.flatMap((message) =>
      ToolMessage.isInstance(message) ? [[message.tool_call_id, message.text] as const] : [],
    ),
  );
  const seen = new Map<string, number>();
  let repeats = 0;
  for (const message of since) {
    if (!AIMessage.isInstance(message) || !message.tool_calls?.length) continue;
    const made = message.tool_calls.map(({ id = "", name, args }) => ({
      text: JSON.stringify([name, args, answers.get(id)]),
      isChange: changes.some((call) => call.id === id),
    }));
    const isFruitless = made.every(
      ({ text, isChange }) => (seen.get(text) ?? 0) >= (isChange ? MOST_SAME_CHANGES : 1),
    );
    repeats = isFruitless ? repeats + 1 : 0;
    for (const { text } of made) seen.set(text, (seen.get(text) ?? 0) + 1);
  }
  if (repeats >= MOST_REPEATS) return "ends";
  return repeats === MOST_REPEATS - 1 ? "answers" : undefined;
}

/** The reply that ends the work of a model going in circles: unsolved, or with another try if the search has one. */
function closingReply(calls: readonly Call[], ending: "stop" | "finish"): AIMessage {
  const message = [IN_CIRCLES, resultsInWords({ calls: [...calls] })].filter(Boolean).join(" ");
  const end =
    ending === "stop"
      ? { name: STOP.name, args: { message, solved: false } }
      : {
          name: FINISH.name,
          args: { return_type: "give_up_and_restart", final_answer: IN_CIRCLES },
        };
  return new AIMessage({
    content: "",
    tool_calls: [{ id: `call_${randomUUID()}`, type: "tool_call", ...end }],
  });
}
