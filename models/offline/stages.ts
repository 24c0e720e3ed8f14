import type {
  ActInput,
  DecomposeInput,
  PhraseSearchInput,
  Stage,
  StageInputs,
} from "../../prompts/stages.js";
import { SEARCH_TOOLS, STOP } from "../../tools/control.js";
import { SentenceEncoder } from "../encoder.js";
import { answerFrom } from "./answer.js";
import { splitRequest } from "./clauses.js";
import { type StepState, followSteps } from "./follow.js";
import type { PlannedCall, Reply } from "./message.js";
import { renumberSteps, splitSubtask } from "./numbering.js";
import { factualPhrase, untriedPhrase } from "./phrases.js";

const NO_TOOLS =
  "I cannot answer this: the offline planner computes nothing itself, and no tools were offered.";

/** What the planner replies at a stage. */
export function replyTo<S extends Stage>(stage: S, input: StageInputs[S]): Promise<Reply> {
  const decide: { [K in Stage]: (input: StageInputs[K]) => Promise<Reply> } = {
    decompose: replyToDecompose,
    phraseSearch: replyToPhraseSearch,
    act: replyToAct,
  };
  return decide[stage](input);
}

async function replyToDecompose({ task, depth }: DecomposeInput): Promise<Reply> {
  const parts = depth > 0 ? await splitSubtask(task) : await splitRequest(task);
  // A missed subtask that stays whole has no parts: saying it again would only miss again.
  const subtasks = depth > 0 && parts.length <= 1 ? [] : parts;
  return { text: JSON.stringify({ subtasks }) };
}

async function replyToPhraseSearch({ subtasks, tried }: PhraseSearchInput): Promise<Reply> {
  const searches = subtasks.flatMap((subtask, at) =>
    // What a step asks and the words of its facts: either may be what names the tool.
    [untriedPhrase(subtask, tried), factualPhrase(subtask)]
      .filter((phrase) => phrase !== undefined)
      .map((phrase) => ({ subtask: at + 1, phrase })),
  );
  return { calls: [{ name: SEARCH_TOOLS.name, args: { searches } }] };
}

const encoder = new SentenceEncoder();

async function replyToAct(input: ActInput): Promise<Reply> {
  if (input.tools.length === 0) return { text: NO_TOOLS, refusal: true };
  const steps =
    input.steps.length > 0
      ? await renumberSteps(input.request, input.steps)
      : await splitRequest(input.request);
  const states = await followSteps({ steps, input, encoder });
  const calls = nextCalls(states);
  if (calls.length > 0) return { calls };
  const answer = answerFrom({ steps, states, missed: input.missed });
  return { calls: [{ name: STOP.name, args: { ...answer } }] };
}

/**
 * The calls to make now. Pure computations go together; any other call goes alone and in order,
 * since it may change what a later one finds.
 */
function nextCalls(states: StepState[]): PlannedCall[] {
  const ready = states.flatMap((state) => (state.state === "ready" ? [state.call] : []));
  const [first, ...others] = ready.map(({ tool, args }) => ({ name: tool, args }));
  if (!first) return [];
  return isComputation(first) ? [first, ...others.filter(isComputation)] : [first];
}

function isComputation({ args }: PlannedCall): boolean {
  return Object.values(args)
    .flat()
    .every((value) => typeof value === "number");
}
