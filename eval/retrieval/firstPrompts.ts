import { END, START, StateGraph } from "@langchain/langgraph";
import { memberOf } from "../../common/codeNames.js";
import { search } from "../../nodes/finding/search.js";
import { programOffer } from "../../nodes/programs/programFunctions.js";
import { programQuestion, type WriteProgramInput } from "../../nodes/programs/programQuestion.js";
import { inputOf } from "../../nodes/programs/writeProgram.js";
import { promptOf } from "../../nodes/kit/question.js";
import { WORKSPACE_KEY, type Workspace } from "../../home/workspace.js";
import { readSettings, settingsForm, type SettingsInput } from "../../state/settings.js";
import { FRESH_RUN, State } from "../../state/state.js";
import { mean } from "../statistics/descriptive.js";
import { type Question, servingTools } from "./questions.js";

/**
 * Writes the first prompt of `tulip` for each request, without asking a model.
 *
 * @param options.settings the library and its embedding model
 */
export async function firstPrompts(options: {
  questions: readonly Question[];
  workspace: Workspace;
  settings: SettingsInput;
}) {
  const { questions, workspace, settings } = options;
  const told: ReturnType<typeof toldIn>[] = [];
  const count = await tokenCounter();
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
      told.push(toldIn(input, needed, count));
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
    /** Share of the requests whose tools are all named. */
    named: mean(told.map(({ named }) => Number(named))),
    /** Share of those whose tools are all shown with their arguments. */
    signed: mean(told.map(({ signed }) => Number(signed))),
    /** Mean tokens of o200k, the encoding of OpenAI's models. */
    tokens: mean(told.map(({ tokens }) => tokens)),
    /** Share of the tokens that all requests begin with, which a provider can cache. */
    stable: mean(told.map(({ stable, tokens }) => stable / tokens)),
  };
}

/** Loads five megabytes, and counts what prompts begin with once. */
async function tokenCounter(): Promise<(text: string) => number> {
  const { getEncoding } = await import("js-tiktoken");
  const encoding = getEncoding("o200k_base");
  const counts = new Map<string, number>();
  return (text) => {
    const tokens = counts.get(text) ?? encoding.encode(text, [], []).length;
    counts.set(text, tokens);
    return tokens;
  };
}

function toldIn(
  input: WriteProgramInput,
  needed: readonly (readonly string[])[],
  count: (text: string) => number,
) {
  const texts = promptOf(programQuestion, { input }).messages.map(({ text }) => text);
  const tokens = texts.map(count);
  const lines = texts.flatMap((text) => text.split("\n"));
  const tells = input.contents?.tells;
  const isSigned = (name: string) => tells === "signatures" || toldOf(lines, name).signed;
  const isNamed = (name: string) =>
    tells === "names" || isSigned(name) || toldOf(lines, name).named;
  return {
    named: needed.every((names) => names.some(isNamed)),
    signed: needed.every((names) => names.some(isSigned)),
    tokens: tokens.reduce((sum, each) => sum + each, 0),
    stable: tokens[0] ?? 0,
  };
}

/** Whether the line of its group names a function, and whether this or a declaration tells its arguments. */
export function toldOf(
  lines: readonly string[],
  name: string,
): { named: boolean; signed: boolean } {
  const member = memberOf(name);
  const group = name.slice(0, -member.length - 1);
  const own = lines.filter((line) =>
    group
      ? line.startsWith(`- ${group}: `) || line.startsWith(`- ${group} (`)
      : line.startsWith("- ") && !isHead(line),
  );
  const opened = lines.indexOf(`declare namespace ${group} {`);
  const declared = opened === -1 ? [] : lines.slice(opened, lines.indexOf("}", opened));
  return {
    named: own.some((line) => line.split(" ").includes(member)),
    signed:
      declared.some((line) => line.startsWith(`function ${member}(`)) ||
      lines.some(
        (line) => line.startsWith(`declare function ${name}(`) || line.startsWith(`${name}(`),
      ) ||
      own.some((line) => line.includes(` ${member}(`)),
  };
}

/** Whether a line is that of a group. */
function isHead(line: string): boolean {
  return /^- \S+(?: \(.*?\))?: /.test(line);
}
