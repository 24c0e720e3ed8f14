import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { isSaid, literalsOf } from "../requestCheck.js";
import { stepLines } from "../stepLines.js";
import { jsonObject } from "../../../models/reply.js";
import { writeQueryPrompt } from "./writeQueryPrompt.js";
import { type GenerationState, type GenerationUpdate, dropDraw } from "../state.js";
import type { Usage } from "../../../state/state.js";
import { askModel } from "../../../nodes/shared/askModel.js";
import { backgroundOf } from "../../../nodes/shared/background.js";
import { type GenerationTools, generationTools } from "./generationTools.js";
import { problemAt } from "../../../nodes/shared/repair.js";
import { shownTool } from "../../../nodes/shared/shown.js";

const queryReply = z.object({ request: z.string().trim().min(1) });

const UNUSABLE =
  'Your last reply was no JSON object with the key "request" and the request as text. Reply with that alone.';

/** Requests that are shown, to be unlike: the last ones, since a model repeats itself within a few. */
const TAKEN_SHOWN = 10;

/**
 * Asks a model for the request of a person: one that asks for the steps of the plan where there is one, with
 * all of its values in it, else one that the person might have for the tools that were drawn. A reply that
 * cannot be used is asked for once more.
 */
export async function writeQuery(
  state: GenerationState,
  config: LangGraphRunnableConfig,
): Promise<GenerationUpdate> {
  const opened = await generationTools(state, config);
  const { context } = opened;
  const prompt = writeQueryPrompt(
    { ...queryInput(state, opened), background: backgroundOf(context) },
    problemAt(state, "writeQuery"),
  );
  const asked = await askModel(state, { prompt, context, config });
  if ("end" in asked) return asked.end;
  const { usage, reply } = asked;
  const { data } = queryReply.safeParse(jsonObject(reply.text));
  const problem = data ? lackingValues({ request: data.request, state, opened }) : UNUSABLE;
  if (data && problem === "") {
    return { run: { ...state.run, request: data.request }, repair: null, usage };
  }
  return askAgainOrDrop({ state, problem, usage });
}

function queryInput(state: GenerationState, { tools }: GenerationTools) {
  const steps = state.plan?.steps ?? [];
  const wanted = steps.length > 0 ? steps.map(({ tool }) => tool) : state.toolIds;
  return {
    request: "",
    earlierTurns: [],
    persona: state.persona,
    steps: stepLines({ steps, tools }),
    tools: wanted.flatMap((id) => {
      const tool = tools.get(id);
      return tool ? [shownTool([id, tool])] : [];
    }),
    facts: state.facts,
    taken: state.taken.requests.slice(-TAKEN_SHOWN),
  };
}

/** What the request does not say of the plan's values, for the model; empty for nothing. */
function lackingValues(options: {
  request: string;
  state: GenerationState;
  opened: GenerationTools;
}): string {
  const { request, state, opened } = options;
  const steps = state.plan?.steps ?? [];
  const lacking = literalsOf({ steps, tools: opened.tools })
    .filter((literal) => !isSaid(literal, request))
    .map(({ value }) => JSON.stringify(value));
  if (lacking.length === 0) return "";
  return `Your last request cannot be carried out, since it does not say: ${lacking.join(", ")}. Write it anew, with each of these values as it stands here.`;
}

function askAgainOrDrop(options: {
  state: GenerationState;
  problem: string;
  usage: Usage;
}): GenerationUpdate {
  const { state, problem, usage } = options;
  const wasAskedAgain = state.repair?.stage === "writeQuery";
  if (wasAskedAgain) return { ...dropDraw(state, "whose request lacks values"), usage };
  return { repair: { stage: "writeQuery", problem, attempts: 1 }, usage };
}
