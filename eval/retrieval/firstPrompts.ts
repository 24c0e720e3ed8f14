import { END, START, StateGraph } from "@langchain/langgraph";
import { memberOf } from "../../common/codeNames.js";
import { search } from "../../nodes/finding/search.js";
import { programOffer } from "../../nodes/programs/programFunctions.js";
import { programQuestion, type WriteProgramInput } from "../../nodes/programs/programQuestion.js";
import { inputOf } from "../../nodes/programs/writeProgram.js";
import { promptOf } from "../../nodes/shared/question.js";
import { WORKSPACE_KEY, type Workspace } from "../../nodes/workspace/workspace.js";
import { readSettings, settingsForm, type SettingsInput } from "../../state/settings.js";
import { FRESH_RUN, State } from "../../state/state.js";
import { estimateTokens } from "../../tools/library/vectors/embedding.js";
import { mean } from "../statistics/descriptive.js";
import { type Question, servingTools } from "./questions.js";

/** What the first prompt of `tulip` tells of the tools that requests need. */
export interface PromptFigures {
  queries: number;
  /** Share of the requests whose tools are all named. */
  named: number;
  /** Share of those whose tools are all shown with their arguments. */
  signed: number;
  /** Mean tokens, estimated as a quarter of the characters. */
  tokens: number;
  /** Share of the tokens that all requests begin with, which a provider can cache. */
  stable: number;
}

/** What one prompt tells. */
interface Told {
  named: boolean;
  signed: boolean;
  tokens: number;
  stable: number;
}

/**
 * Writes the first prompt of `tulip` for each request, without asking a model.
 *
 * @param options.settings the library and its embedding model
 */
export async function firstPrompts(options: {
  questions: readonly Question[];
  workspace: Workspace;
  settings: SettingsInput;
}): Promise<PromptFigures> {
  const { questions, workspace, settings } = options;
  const told: Told[] = [];
  const questionOf = new Map(questions.map((question) => [question.id, question]));
  const graph = new StateGraph({ state: State, context: settingsForm })
    .addNode("search", search({ by: "planning" }))
    .addNode("prompt", async (state, config) => {
      const read = readSettings(config);
      const offer = await programOffer(state, read);
      const input = await inputOf(state, read, offer);
      const question = questionOf.get(state.run.id);
      const needed = (question ? servingTools(question) : []).map((serving) => {
        return [...offer.library.pick(serving).values()].map(offer.groups.functionName);
      });
      told.push(toldIn(input, needed));
      return {};
    })
    .addEdge(START, "search")
    .addEdge("search", "prompt")
    .addEdge("prompt", END)
    .compile();
  const configurable = { [WORKSPACE_KEY]: workspace };
  for (const { id, query } of questions) {
    const run = { id, request: query };
    const start = { ...FRESH_RUN, messages: [], request: "", run, earlierCalls: [] };
    await graph.invoke(start, { context: settings, configurable });
  }
  return {
    queries: told.length,
    named: mean(told.map(({ named }) => Number(named))),
    signed: mean(told.map(({ signed }) => Number(signed))),
    tokens: mean(told.map(({ tokens }) => tokens)),
    stable: mean(told.map(({ stable, tokens }) => stable / tokens)),
  };
}

function toldIn(input: WriteProgramInput, needed: readonly (readonly string[])[]): Told {
  const texts = promptOf(programQuestion, { input }).messages.map(({ text }) => text);
  const { contents, nearby = "" } = input;
  const members = new Set(nearby.match(/\w+/g));
  const isSigned = (name: string) =>
    contents?.tells === "signatures" || texts.some((text) => signatureIn(text, name));
  const isNamed = (name: string) =>
    contents?.tells === "names" || members.has(memberOf(name)) || isSigned(name);
  return {
    named: needed.every((names) => names.some(isNamed)),
    signed: needed.every((names) => names.some(isSigned)),
    tokens: estimateTokens(texts),
    stable: estimateTokens(texts.slice(0, 1)),
  };
}

/** Whether a text declares a function, or names its arguments in the line of its group. */
function signatureIn(text: string, name: string): boolean {
  const member = memberOf(name);
  const group = name.slice(0, -member.length - 1);
  return text
    .split("\n")
    .some(
      (line) =>
        line.startsWith(`${name}(`) ||
        (line.startsWith(group ? `- ${group}: ` : "- ") && line.includes(` ${member}(`)),
    );
}
