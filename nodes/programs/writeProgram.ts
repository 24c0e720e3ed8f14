import { beginning, LONGEST_PHRASE, MOST_LACKING } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { codeNames } from "../../plans/language/codeNames.js";
import { expressionsIn } from "../../plans/language/expressionsIn.js";
import { issueLine } from "../../plans/language/faultText.js";
import { phraseOf } from "../../plans/language/functions.js";
import type { Program } from "../../plans/language/program.js";
import { runWorkspace } from "../workspace/workspace.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { freshProgram } from "../../state/program.js";
import { type GraphState, unservedTasks } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { searchesFor } from "./lackedTools.js";
import { askFor } from "../shared/question.js";
import { demonstrationViews, toolView, budgetView } from "../shared/modelView.js";
import { runBasics, todayOf } from "../shared/runBasics.js";
import { type StageChange, askingStage } from "../shared/stage.js";
import { type ToolOffer, offeredTools, plannableTools } from "../shared/offeredTools.js";
import { functionOf, programFunctions } from "./programFunctions.js";
import { type WriteProgramInput, programQuestion } from "./programQuestion.js";

/** How often a model is asked for a readable program before the run goes on without one. */
const MOST_ATTEMPTS = 2;

/**
 * Asks a model for a program, or to fix or complete its last one. A function not on offer is added if the
 * library has it by that name; other unknown functions, and what the program says it needs, are queued for a
 * search. If the model writes no program, the run continues without one.
 */
export function writeProgram() {
  return askingStage({ lines }, async (state, config) => {
    const settings = readSettings(config);
    const offer = await offeredTools({ state, settings });
    const input = inputOf(state, settings, offer);
    const today = state.program?.today ?? todayOf(settings);
    const none = { code: "", repairs: [], today, left: "no program could be read" };
    const answer = await askFor(programQuestion, {
      state,
      settings,
      config,
      input,
      givesUp: ({ reply, attempts }) =>
        reply.text.trim() !== "" && attempts >= MOST_ATTEMPTS
          ? { program: freshProgram(none, state.program) }
          : undefined,
    });
    if ("end" in answer) return answer.end;
    const { program, repairs } = answer.value;
    const { lacking, needs, toolIds } = await wantedTools({ program, state, offer, settings });
    const known = state.program?.needs ?? [];
    return {
      program: freshProgram(
        { code: program.code, repairs, today, lacking, needs: unique([...known, ...needs]) },
        state.program,
      ),
      toolIds: unique([...state.toolIds, ...toolIds]),
      ...searchesFor({ state, settings, lacking }),
      ...answer.asked,
    };
  });
}

function inputOf(state: GraphState, settings: Settings, offer: ToolOffer): WriteProgramInput {
  const { instructions } = settings;
  const searched = searchedFor({ state, offer });
  const offered = shownTools(state, offer, searched);
  return {
    ...runBasics({ state, settings }),
    ...(instructions ? { instructions } : {}),
    tools: [...offered].map(toolView),
    demonstrations: demonstrationViews(state, offered),
    missed: unservedTasks(state),
    searched,
    ...(state.ledger?.enforced
      ? { budget: budgetView({ state, offer: { ...offer, offered } }) }
      : {}),
    ...programBefore(state),
  };
}

/** What earlier programs lacked, with what was found for it, suitable or not. */
function searchedFor(options: {
  state: Pick<GraphState, "subtasks" | "searches">;
  offer: ToolOffer;
}): WriteProgramInput["searched"] {
  const { subtasks, searches } = options.state;
  return subtasks
    .filter(({ status }) => status === "found")
    .map(({ id, text }) => {
      const hits = searches.filter(({ subtask }) => subtask === id).flatMap((one) => one.hits);
      const found = [...options.offer.offered].filter(([, tool]) =>
        hits.some((hit) => hit.tool === tool.id),
      );
      return { phrase: text, found: found.map(([name]) => name) };
    });
}

/**
 * Completing a program takes only the functions that it calls and those found for what it lacks: the model has seen
 * the others and did without them. A program that calls nothing yet may still need any of them.
 */
function shownTools(
  state: GraphState,
  offer: ToolOffer,
  searched: WriteProgramInput["searched"],
): ToolOffer["offered"] {
  const { offered } = offer;
  const { program } = state;
  const found = new Set(searched.flatMap((search) => search.found));
  const isWhole = !program || program.lacking.length === 0 || program.issues.length > 0;
  if (isWhole || found.size === 0 || unservedTasks(state).length > 0) return offered;
  const names = codeNames([...offered.keys()]);
  const isCalled = (name: string) => program.code.includes(`${names.get(name) ?? name}(`);
  const called = [...offered.keys()].filter(isCalled);
  if (called.length === 0) return offered;
  const shown = new Map([...offered].filter(([name]) => found.has(name) || called.includes(name)));
  // Names in code must mean the same as when all tools are shown.
  const isSame = [...codeNames([...shown.keys()])].every(
    ([name, code]) => names.get(name) === code,
  );
  return isSame ? shown : offered;
}

/** The program to fix, or to complete after the searches. */
function programBefore({ program }: GraphState): Pick<WriteProgramInput, "failed"> {
  if (!program || (program.issues.length === 0 && program.lacking.length === 0)) return {};
  const { code, issues, cues } = program;
  const cue = issues.length > 0 ? cues.at(-1) : undefined;
  return { failed: { plan: code, problems: issues.map(issueLine), cue: cue ?? "" } };
}

/** What a program wants besides the offered tools: library tools by name, and searches for others. */
async function wantedTools(options: {
  program: Program;
  state: GraphState;
  offer: ToolOffer;
  settings: Settings;
}): Promise<{ toolIds: string[]; lacking: string[]; needs: string[] }> {
  const { program, state, offer, settings } = options;
  const functions = programFunctions(plannableTools(offer));
  const library = await runWorkspace().library(settings);
  const unknown = program.calls.filter(({ name }) => !functionOf(name, functions));
  const toolNamed = unknown.length > 0 ? namesIn(library, settings) : () => undefined;
  const named = unknown.map((call) => ({ call, id: toolNamed(call.name) }));
  const needs = expressionsIn(program).flatMap((part) =>
    part.kind === "need" && part.phrase.kind === "literal"
      ? [beginning(String(part.phrase.value), LONGEST_PHRASE)]
      : [],
  );
  // Calling a function that was searched for in vain is a fault, which the check reports.
  const searched = new Set(state.subtasks.map(({ text }) => text));
  const unnamed = named
    .flatMap(({ call, id }) =>
      id === undefined ? [beginning(phraseOf(call), LONGEST_PHRASE)] : [],
    )
    .filter((phrase) => !searched.has(phrase));
  const lacking = unique([...needs, ...unnamed]).slice(0, MOST_LACKING);
  return { toolIds: named.flatMap(({ id }) => id ?? []), lacking, needs };
}

/** Finds a library tool by its name, plain or as code, if the run may use it. */
function namesIn(library: ToolLibrary, settings: Settings): (name: string) => string | undefined {
  const functions = programFunctions(new Map(library.list().map((tool) => [tool.name, tool])));
  return (name) => {
    const found = library.get(name) ?? functionOf(name, functions);
    return found && (settings.toolIds?.includes(found.id) ?? true) ? found.id : undefined;
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** The program, line by line, and what it lacks tools for. */
function lines({ change: { program } }: StageChange): string[] {
  if (!program) return [];
  if (program.left) return [`goes on without a program: ${oneLine(program.left)}`];
  const lacking = program.lacking.map((phrase) => `lacks a tool for: ${oneLine(phrase)}`);
  const repairs = program.repairs.map((repair) => `mended: ${oneLine(repair)}`);
  return [...program.code.trimEnd().split("\n"), ...lacking, ...repairs];
}
