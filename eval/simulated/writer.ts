import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { InvalidSetting } from "../../common/errors.js";
import type { StageInputs } from "../../nodes/shared/stageInputs.js";
import { CREATE_TOOL, SEARCH_LIBRARY, STOP, UPDATE_TOOL } from "../../tools/control.js";
import { SIMULATED_WRITER } from "./policyParameters.js";
import {
  type PlannedCall,
  SimulatedModel,
  type SimulatedQuestion,
  type SimulatedReply,
} from "./simulatedModel.js";
import { WRITER_SCRIPTS, type WriterScript } from "./writerScripts.js";

type ActInput = StageInputs["act"];

/**
 * A script that stands in for a language model when tools are created (`eval creation`), so that the whole path can be
 * tested without one. It knows only the requests of that evaluation and replies with prepared drafts, most of them with
 * a fault at first and fixed when it is asked again. Its figures are not those of any model.
 */
export class SimulatedWriter extends SimulatedModel {
  readonly model = SIMULATED_WRITER;

  constructor() {
    super({});
  }

  override reply(question: SimulatedQuestion) {
    return replyOfWriter(question);
  }
}

/** @throws InvalidSetting at stages that `auto_tulip` does not need to create a tool */
function replyOfWriter({ stage, input, messages }: SimulatedQuestion): SimulatedReply {
  if (stage === "act") return { text: "", call: nextStep(input as ActInput, messages) };
  if (stage === "writeTool") return { text: draftFor(input as StageInputs["writeTool"]) };
  throw new InvalidSetting({
    setting: `model ${SIMULATED_WRITER}`,
    problem: `it only creates tools, and knows nothing of the stage ${stage}`,
    hint: "Use it with: tulipgraph eval creation --model simulated:writer --out DIR",
  });
}

/** A search if the script has one, then the request for the tool, then the end. */
function nextStep(input: ActInput, messages: readonly BaseMessage[]): PlannedCall {
  const script = scriptFor(input.request);
  if (!script || !input.keepsLibrary) return stop(UNKNOWN, false);
  const { edits } = input.keepsLibrary;
  const last = edits.at(-1);
  if (last) return endAfter(last);
  if (script.searches.length > 0 && input.searched?.length === 0) {
    return { name: SEARCH_LIBRARY.name, args: { action_descriptions: [...script.searches] } };
  }
  const wish = wishOf(script);
  return isAsked(wish, messages) ? stop("My wish for the tool was refused.", false) : wish;
}

const UNKNOWN =
  "I am a script that knows the requests of `eval creation` and nothing else; this is none of them.";

function scriptFor(request: string): WriterScript | undefined {
  return WRITER_SCRIPTS.find(({ about }) => request.includes(about));
}

type Edit = NonNullable<ActInput["keepsLibrary"]>["edits"][number];

function endAfter({ tool, outcome }: Edit): PlannedCall {
  if (outcome === "done") return stop(`${tool} is in the library now.`, true);
  if (outcome === "reused") return stop(`${tool} does this already.`, true);
  return stop("There is no such tool: none of my drafts could be used.", false);
}

function wishOf({ wish }: WriterScript): PlannedCall {
  if (wish.kind === "create") {
    return { name: CREATE_TOOL.name, args: { task_description: wish.task } };
  }
  const { tool: tool_name, instruction } = wish;
  return { name: UPDATE_TOOL.name, args: { tool_name, instruction } };
}

/** A refused request for a tool leaves no edit, but a message. */
function isAsked({ name }: PlannedCall, messages: readonly BaseMessage[]): boolean {
  return messages.some(
    (message) =>
      AIMessage.isInstance(message) && message.tool_calls?.some((call) => call.name === name),
  );
}

function stop(message: string, solved: boolean): PlannedCall {
  return { name: STOP.name, args: { message, solved } };
}

/** The draft after the one that failed. */
function draftFor({ request, failed }: StageInputs["writeTool"]): string {
  const replies = scriptFor(request)?.drafts.map(({ reply }) => reply) ?? [];
  const before = failed ? replies.indexOf(failed.draft) : -1;
  return replies[Math.min(before + 1, replies.length - 1)] ?? UNKNOWN;
}
