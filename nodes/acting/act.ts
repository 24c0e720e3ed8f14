import { AIMessage, type BaseMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { LARGEST_PICTURE, MOST_PICTURES } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { visibleCalls } from "../../state/calls.js";
import type { GraphState } from "../../state/state.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { splitConversation } from "../../state/history.js";
import {
  type ControlTool,
  FINISH,
  LIBRARY_CONTROLS,
  SEARCH_LIBRARY,
  STOP,
  STOP_TASK,
} from "../../tools/control.js";
import { runWorkspace } from "../../home/workspace.js";
import { withShortResults } from "../programs/programCalls.js";
import { askModel, problemAt, repairOrEnd } from "../kit/askModel.js";
import type { NamedTools } from "../policy/modelView.js";
import { threadOf } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import { NO_TOOLS, boundTools, writesIn } from "../policy/toolOffer.js";
import { type ActOptions, actInput } from "./actInput.js";
import { actPrompt } from "./actPrompt.js";
import { ANSWER_STAGE, readReply } from "./readReply.js";

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
    // Loaded after the first reply.
    const repeats = since.length > 0 ? await import("./goesInCircles.js") : undefined;
    const circles = repeats?.goesInCircles(state, offer);
    if (repeats && circles === "ends") {
      const reply = repeats.closingReply(calls, ending);
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
        (circles === "answers" ? repeats?.ANSWER_NOW : undefined),
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
  const { request } = state.run;
  const away = await awayText(opened.library, { ...settings, request, isCounted: false });
  return { ...opened, away };
}

/** The last pictures among results. */
async function picturesIn(messages: readonly BaseMessage[], threadId: string) {
  const texts = messages.flatMap((each) => (ToolMessage.isInstance(each) ? [each.text] : []));
  if (texts.length === 0) return [];
  const { fileNames, pictureType } = await import("../../common/fileNames.js");
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
