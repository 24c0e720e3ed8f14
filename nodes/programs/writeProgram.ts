import type { AIMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { beginning, LONGEST_PHRASE, MOST_LACKING } from "../../common/bounds.js";
import { expressionsIn } from "../../plans/program/expressionsIn.js";
import { phraseOf } from "../../plans/program/phraseOf.js";
import type { Program, ProgramCall } from "../../plans/program/program.js";
import { type ComposeInput, composePrompt } from "../planning/composePrompt.js";
import { planFormText } from "../planning/planForm.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { type Context, readContext } from "../../state/context.js";
import { freshProgram } from "../../state/program.js";
import { type GraphState, type StateUpdate, unservedTasks } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { askModel } from "../shared/askModel.js";
import { searchedFor, searchesFor } from "../planning/lackedTools.js";
import { functionOf, programFunctions } from "./programFunctions.js";
import { parametersOf } from "../../plans/program/parametersOf.js";
import { issueLine } from "../../plans/program/issueLine.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { shownDemonstrations, shownTool, toldBudget } from "../shared/shown.js";
import { situation } from "../shared/situation.js";
import { todayOf } from "../shared/todayOf.js";
import { type ToolsAtHand, toolsAtHand } from "../shared/toolsAtHand.js";

/** Problems that the model is told at once. */
const MOST_PROBLEMS = 5;

/** How often a model is asked for a program that can be read, until the run goes on without one. */
const MOST_ATTEMPTS = 2;

/**
 * Asks a model for a plan written as a program, or for the last one mended or completed. A function that is not
 * on offer is there where the library has it by that name; any other, and what the program says that it needs,
 * is queued to be searched for. A model whose replies are no program goes on without one.
 */
export async function writeProgram(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const context = readContext(config);
  const atHand = await toolsAtHand({ state, context });
  const { instructions } = context;
  const problem = problemAt(state, STAGE);
  const prompt = composePrompt(composeInput({ state, context, atHand }), { instructions, problem });
  const asked = await askModel(state, { prompt, context, config }, STAGE);
  if ("end" in asked) return asked.end;
  const { reply, usage } = asked;
  const read = await readReply({ reply, atHand });
  const today = state.program?.today ?? todayOf(context);
  if ("problem" in read) {
    const none = freshProgram({ code: "", repairs: [], today, left: NO_PROGRAM }, state.program);
    const attempts = state.repair?.stage === STAGE ? state.repair.attempts + 1 : 1;
    const hasSaidMuch = reply.text.trim() !== "" && attempts >= MOST_ATTEMPTS;
    if (hasSaidMuch) return { program: none, repair: null, usage };
    return repairOrEnd({ state, stage: STAGE, problem: read.problem, reply, usage });
  }
  const { program, repairs } = read;
  const wanted = await wantedTools({ program, state, atHand, context });
  const { lacking, needs, toolIds } = wanted;
  return {
    program: freshProgram(
      {
        code: program.code,
        repairs,
        today,
        lacking,
        needs: [...new Set([...(state.program?.needs ?? []), ...needs])],
      },
      state.program,
    ),
    toolIds: [...new Set([...state.toolIds, ...toolIds])],
    ...searchesFor({ state, context, lacking }),
    repair: null,
    usage,
  };
}

const STAGE = "writeProgram";

const NO_PROGRAM = "no program could be read";

function composeInput(options: {
  state: GraphState;
  context: Context;
  atHand: ToolsAtHand;
}): ComposeInput {
  const { state, context, atHand } = options;
  const { offered } = atHand;
  return {
    style: "program",
    ...situation({ state, context }),
    tools: [...offered].map(shownTool),
    demonstrations: shownDemonstrations(state, offered),
    missed: unservedTasks(state),
    searched: searchedFor(state),
    ...(state.ledger?.enforced ? { budget: toldBudget({ state, atHand }) } : {}),
    ...programBefore(state),
  };
}

/** The program that is to be mended, or completed by what came of the searches for what it lacks. */
function programBefore({ program }: GraphState): Pick<ComposeInput, "failed"> {
  if (!program || (program.issues.length === 0 && program.lacking.length === 0)) return {};
  const { code, issues, cues } = program;
  const cue = issues.length > 0 ? cues.at(-1) : undefined;
  return { failed: { plan: code, problems: issues.map(issueLine), cue: cue ?? "" } };
}

/** The program in a reply; otherwise what the model is to be told. */
async function readReply(options: {
  reply: Pick<AIMessage, "text">;
  atHand: ToolsAtHand;
}): Promise<{ program: Program; repairs: string[] } | { problem: string }> {
  const { reply, atHand } = options;
  const form = planFormText("program");
  if (!reply.text.trim()) return { problem: `Your last reply was empty. ${form}` };
  const { readProgram } = await import("../../plans/program/readProgram.js");
  const functions = parametersOf(programFunctions(atHand.offered));
  const read = readProgram(reply.text, { functions });
  if ("program" in read) return read;
  const problems = read.issues.slice(0, MOST_PROBLEMS).map(issueLine);
  return { problem: `Your last reply could not be used: ${problems.join("; ")}. ${form}` };
}

/** What a program wants beside the tools on offer: those of the library by their names, and searches for others. */
async function wantedTools(options: {
  program: Program;
  state: GraphState;
  atHand: ToolsAtHand;
  context: Context;
}): Promise<{ toolIds: string[]; lacking: string[]; needs: string[] }> {
  const { program, state, atHand, context } = options;
  const functions = programFunctions(new Map([...atHand.offered, ...atHand.forbidden]));
  const library = await runWorkspace().library(context);
  const unknown = program.calls.filter(({ name }) => !functionOf(name, functions));
  const toolNamed = unknown.length > 0 ? namesIn({ library, context }) : () => undefined;
  const named = unknown.map((call) => ({ call, id: toolNamed(call.name) }));
  const needs = expressionsIn(program).flatMap((part) =>
    part.kind === "need" && part.phrase.kind === "literal"
      ? [beginning(String(part.phrase.value), LONGEST_PHRASE)]
      : [],
  );
  // A function that was searched for and is called all the same is a fault, and for the check to tell.
  const searched = new Set(state.subtasks.map(({ text }) => text));
  const unnamed = named
    .flatMap(({ call, id }) => (id === undefined ? [phraseFor(call)] : []))
    .filter((phrase) => !searched.has(phrase));
  const phrases = [...new Set([...needs, ...unnamed])].slice(0, MOST_LACKING);
  return {
    toolIds: named.flatMap(({ id }) => id ?? []),
    lacking: phrases,
    needs,
  };
}

function phraseFor(call: ProgramCall): string {
  return beginning(phraseOf(call), LONGEST_PHRASE);
}

/** Finds the tool of the library that has a name, as code or as it is, and that the run may use. */
function namesIn({
  library,
  context,
}: {
  library: ToolLibrary;
  context: Context;
}): (name: string) => string | undefined {
  const functions = programFunctions(byName(library));
  return (name) => {
    const found = library.get(name) ?? functionOf(name, functions);
    return found && (context.toolIds?.includes(found.id) ?? true) ? found.id : undefined;
  };
}

function byName(library: ToolLibrary): Map<string, ToolRecord> {
  return new Map(library.list().map((tool) => [tool.name, tool]));
}
