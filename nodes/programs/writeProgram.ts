import { LONGEST_PHRASE, MOST_LACKING } from "../../common/bounds.js";
import { memberOf } from "../../common/codeNames.js";
import { oneLine } from "../../common/errors.js";
import { beginning } from "../../common/text.js";
import { runWorkspace } from "../../home/workspace.js";
import { isLocalModel } from "../../models/prices.js";
import { expressionsIn } from "../../plans/language/expressionsIn.js";
import { phraseOf, type Program } from "../../plans/language/program.js";
import { issueLine } from "../../plans/language/progress.js";
import { PROMPT, splitConversation, toldOf, withKept } from "../../state/history.js";
import { freshProgram } from "../../state/program.js";
import { readSettings, type Settings } from "../../state/settings.js";
import { type GraphState, unservedTasks } from "../../state/state.js";
import type { LibraryView } from "../../tools/library/library.js";
import { askFor } from "../kit/question.js";
import { runBasics, todayOf } from "../kit/runBasics.js";
import { askingStage, type StageChange } from "../kit/stage.js";
import {
  budgetView,
  demonstrationViews,
  type NamedTools,
  viewsWithSeen,
} from "../policy/modelView.js";
import { awayText } from "../policy/outOfReach.js";
import { unlikelyIn } from "../policy/searchFor.js";
import { loadReader } from "../../tools/calls/compiler/programs.js";
import { type Contents, contentsOf, wholeLibrary } from "./contents.js";
import {
  functionOf,
  programFunctions,
  type ProgramOffer,
  programOffer,
  searchesFor,
} from "./programFunctions.js";
import { programQuestion, requestText, UNDO, type WriteProgramInput } from "./programQuestion.js";
import { likelyText } from "./toldFunctions.js";

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
    const offer = await programOffer(state, settings);
    const input = await inputOf(state, settings, offer);
    const today = state.program?.today ?? todayOf(settings);
    const none = { code: "", repairs: [], today, left: "no program could be read" };
    loadReader();
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
    if (input.mayUndo && program.calls.length === 1 && program.calls[0]?.name === UNDO)
      return { run: { ...state.run, undo: {} }, program: null, ...answer.asked };
    const { lacking, needs, toolIds } = wantedTools({ program, state, offer, settings });
    const known = state.program?.needs ?? [];
    // Where a provider caches what prompts begin with, the next ones repeat this one.
    const isKept = !input.told && !isLocalModel(settings.model);
    const request = isKept ? withKept(state, PROMPT, requestText(input)) : undefined;
    return {
      ...(request && { messages: [request] }),
      program: freshProgram(
        { code: program.code, repairs, today, lacking, needs: [...new Set([...known, ...needs])] },
        state.program,
      ),
      toolIds: [...new Set([...state.toolIds, ...toolIds])],
      ...searchesFor(state, settings, lacking),
      ...answer.asked,
    };
  });
}

export async function inputOf(
  state: GraphState,
  settings: Settings,
  offered: ProgramOffer,
): Promise<WriteProgramInput> {
  const { offer, library, groups } = offered;
  const { instructions } = settings;
  const functions = programFunctions(offer.offered.values(), groups);
  const searched = searchedFor(state, functions);
  const whole = await wholeLibrary(library, settings);
  const request = splitConversation(state).earlier.at(-1);
  const told = request && toldOf(request);
  const isTold = told !== undefined;
  const shown = whole ? functions : shownTools(state, functions, { searched, isTold });
  const tools = await viewsWithSeen(shown);
  const contents = whole ? undefined : await contentsByUse(library, settings);
  const before = programBefore(state);
  return {
    ...runBasics(state, settings),
    ...(told && { told }),
    ...(instructions ? { instructions } : {}),
    ...([...library.pick(state.earlierCalls).values()].some(({ effects }) => effects === "write")
      ? { mayUndo: true }
      : {}),
    outOfReach: await awayText(library, {
      ...settings,
      request: state.run.request,
      isCounted: false,
    }),
    tools,
    groups: groups.list.map(({ name }) => name),
    ...(contents && {
      contents,
      likely: likelyText(tools, contents, {
        unlikely: unlikelyAmong(shown, state),
        // A later prompt of the thread comes after one that told them.
        others: told ? new Map() : othersOf(state, offered),
        isAgain: before.failed !== undefined,
        before: told ?? "",
      }),
    }),
    demonstrations: demonstrationViews(state, shown),
    missed: unservedTasks(state),
    searched,
    ...(state.ledger?.enforced
      ? { budget: budgetView(state, { offered: shown, prices: offer.prices }) }
      : {}),
    ...before,
  };
}

/** The contents of a library, with what is called most first where they cannot tell all. */
async function contentsByUse(library: LibraryView, settings: Settings): Promise<Contents> {
  const contents = contentsOf(library, settings);
  if (contents.tells === "signatures") return contents;
  const uses = await runWorkspace().runtime.journal.toolUses();
  return contentsOf(library, { ...settings, uses });
}

/** The names of functions that searches found without holding them likely, unless the last program calls them. */
function unlikelyAmong(
  functions: NamedTools,
  { searches, program }: GraphState,
): ReadonlySet<string> {
  const ids = unlikelyIn(searches);
  const others = [...functions].filter(
    ([name, { id }]) => ids.has(id) && !program?.code.includes(`${name}(`),
  );
  return new Set(others.map(([name]) => name));
}

/** The functions that the search for the request holds next likely. */
function othersOf({ searches }: GraphState, { library, groups }: ProgramOffer): NamedTools {
  return programFunctions(library.pick(searches[0]?.others ?? []).values(), groups);
}

/** What earlier programs lacked, with what was found for it, suitable or not. */
function searchedFor(
  { subtasks, searches }: Pick<GraphState, "subtasks" | "searches">,
  functions: NamedTools,
): WriteProgramInput["searched"] {
  return subtasks
    .filter(({ status }) => status === "found")
    .map(({ id, text }) => {
      const hits = searches.filter(({ subtask }) => subtask === id).flatMap((one) => one.hits);
      const found = [...functions].filter(([, tool]) => hits.some((hit) => hit.tool === tool.id));
      return { phrase: text, found: found.map(([name]) => name) };
    });
}

/**
 * Mending or completing a program takes only the functions that it calls and those found for what it lacks: the model
 * has seen the others and did without them. A program that calls nothing yet may still need any of them, unless the prompt
 * begins with one that told them.
 */
function shownTools(
  { program }: Pick<GraphState, "program">,
  functions: NamedTools,
  { searched, isTold }: { searched: WriteProgramInput["searched"]; isTold: boolean },
): NamedTools {
  if (!program || (program.issues.length === 0 && program.lacking.length === 0)) return functions;
  const found = new Set(searched.flatMap((search) => search.found));
  // A function may have been called by the name of another group.
  const called = [...functions].filter(([name]) => program.code.includes(`${memberOf(name)}(`));
  if (called.length === 0 && !(isTold && found.size > 0)) return functions;
  return new Map([...called, ...[...functions].filter(([name]) => found.has(name))]);
}

/** The program to fix, or to complete after the searches. */
function programBefore({ program }: GraphState): Pick<WriteProgramInput, "failed"> {
  if (!program || (program.issues.length === 0 && program.lacking.length === 0)) return {};
  const { code, issues, cues } = program;
  const cue = issues.length > 0 ? cues.at(-1) : undefined;
  return { failed: { plan: code, problems: issues.map(issueLine), cue: cue ?? "" } };
}

/** What a program wants besides the offered tools: library tools by name, and searches for others. */
function wantedTools(options: {
  program: Program;
  state: GraphState;
  offer: ProgramOffer;
  settings: Settings;
}): { toolIds: string[]; lacking: string[]; needs: string[] } {
  const { program, state, offer, settings } = options;
  const { functions, groups } = offer;
  const unknown = program.calls.filter(({ name }) => !functionOf(name, functions, groups));
  const idOf = (name: string) => toolNamed(name, offer.library, settings) ?? [];
  const named = unknown.map((call) => {
    const ids = [idOf(call.name)].flat();
    // Which of the same name is meant, the model is asked at once.
    return { call, ids: ids.length > 0 ? ids : groups.namesakes(call.name).flatMap(idOf) };
  });
  const needs = expressionsIn(program).flatMap((part) =>
    part.kind === "need" && part.phrase.kind === "literal"
      ? [beginning(String(part.phrase.value), LONGEST_PHRASE)]
      : [],
  );
  // Calling a function that was searched for in vain is a fault, which the check reports.
  const searched = new Set(state.subtasks.map(({ text }) => text));
  const unnamed = named
    .flatMap(({ call, ids }) =>
      ids.length === 0 ? [beginning(phraseOf(call), LONGEST_PHRASE)] : [],
    )
    .filter((phrase) => !searched.has(phrase));
  const lacking = [...new Set([...needs, ...unnamed])].slice(0, MOST_LACKING);
  return { toolIds: named.flatMap(({ ids }) => ids), lacking, needs };
}

/** Finds a library tool by its name or its function's, if the run may use it. */
function toolNamed(name: string, library: LibraryView, settings: Settings): string | undefined {
  const id = library.groups().toolNamed(name) ?? library.get(name)?.id;
  return id !== undefined && (settings.toolIds?.includes(id) ?? true) ? id : undefined;
}

function lines({ change: { program } }: StageChange): string[] {
  if (!program) return [];
  if (program.left) return [`goes on without a program: ${oneLine(program.left)}`];
  const lacking = program.lacking.map((phrase) => `no tool found for: ${oneLine(phrase)}`);
  const repairs = program.repairs.map((repair) => `mended: ${oneLine(repair)}`);
  return [...program.code.trimEnd().split("\n"), ...lacking, ...repairs];
}
