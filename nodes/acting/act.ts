import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { BoundTool } from "../../models/ask.js";
import { writtenValue } from "../../plans/solutionText.js";
import { actPrompt } from "./actPrompt.js";
import type { ActInput, Observation } from "../shared/stageInputs.js";
import { type Context, readContext } from "../../state/context.js";
import { splitConversation } from "../../state/conversation.js";
import {
  type GraphState,
  type PlanState,
  type ProgramState,
  type StateUpdate,
  unservedTasks,
  leafSubtasks,
} from "../../state/state.js";
import { taskAtHand } from "../../state/taskTree.js";
import { earlierAttempts } from "../../state/tree.js";
import {
  type ControlTool,
  FINISH,
  LIBRARY_CONTROLS,
  STOP,
  STOP_TASK,
} from "../../tools/control.js";
import { askModel } from "../shared/askModel.js";
import { callsAtHand } from "./callsAtHand.js";
import { closingReply, goesInCircles } from "./circles.js";
import { ANSWER_STAGE, groundReply } from "./groundReply.js";
import { nameIn } from "../planning/planTools.js";
import { withShortResults } from "../planning/plannedResults.js";
import { readReply } from "./readReply.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import {
  type NamedTools,
  shownDemonstrations,
  shownTool,
  toldBudget,
  withheldTools,
} from "../shared/shown.js";
import { situation } from "../shared/situation.js";
import { type ToolsAtHand, toolsAtHand, writesIn } from "../shared/toolsAtHand.js";

/** What the model may call, how it ends the work, and what it is told of a budget. */
export interface ActOptions {
  /** `none`: the model answers by itself (BaseAgent). */
  tools: "none" | "found";
  /** `finish` in a search over steps, where the answer ends a branch and `agenda` the run. */
  ending?: "stop" | "finish";
  /** Whether prices and what is left of the budget are told ("+Prompt" of BTP). */
  prices?: boolean;
  /** The model may search, decompose, create, update and delete tools itself (AutoTulip). */
  keepsLibrary?: boolean;
  /**
   * `task`: the innermost task of the tree is to be solved, and `stop` ends that task and not the run
   * (DfsTulip); `taskAgenda` reads what it says.
   */
  scope?: "run" | "task";
}

/**
 * Asks a model for the next calls or the answer, with the tools found bound. The answer comes
 * through `stop`, or as plain text, and ends the run without a further call (in the reference, one
 * more reply was asked for and thrown away).
 */
export function act(options: ActOptions) {
  const { tools, ending = "stop", keepsLibrary = false, scope = "run" } = options;
  return async function act(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const context = readContext(config, state);
    const atHand = tools === "none" ? NO_TOOLS : await toolsAtHand({ state, context });
    const calls = callsAtHand(state);
    const isWrite = writesIn(atHand);
    const reading = { state, bound: tools !== "none", ending, scope, atHand };
    if (goesInCircles(state, isWrite)) {
      const reply = closingReply({ state, calls, ending });
      return { ...readReply({ reply, ...reading })?.update, repair: null };
    }
    const { earlier, since } = splitConversation(state);
    const input = actInput({ state, context, atHand, options });
    const prompt = actPrompt(input, {
      instructions: context.instructions,
      earlier: withShortResults(earlier),
      since: withShortResults(since),
      problem: problemAt(state, "act") ?? problemAt(state, ANSWER_STAGE),
    });
    const end = ENDINGS[scope === "task" ? "task" : ending];
    const controls = keepsLibrary ? [end, ...LIBRARY_CONTROLS] : [end];
    const bound = tools === "none" ? {} : binding({ offered: atHand.offered, controls });
    const asked = await askModel(state, { prompt, context, config, ...bound });
    if ("end" in asked) return asked.end;
    const { reply, usage } = asked;
    const read = readReply({ reply, ...reading });
    if (!read) {
      const problem = `Your last reply was empty. Call a tool, or call ${end.name} with the final answer.`;
      return repairOrEnd({ state, stage: "act", problem, usage });
    }
    if (tools === "none") return { ...read.update, repair: null, usage };
    const mayCall = keepsLibrary || atHand.offered.size > 0;
    const around = { state, context, ending, scope, calls, mayCall, endName: end.name, isWrite };
    const outcome = groundReply(read, around);
    if ("update" in outcome) return { ...outcome.update, repair: null, usage };
    return repairOrEnd({ state, stage: ANSWER_STAGE, problem: outcome.problem, reply, usage });
  };
}

/** The control tool that ends the work, by what it ends. */
const ENDINGS = { stop: STOP, finish: FINISH, task: STOP_TASK };

const NO_TOOLS: ToolsAtHand = {
  offered: new Map(),
  forbidden: new Map(),
  useless: new Map(),
  prices: {},
};

function actInput(options: {
  state: GraphState;
  context: Context;
  atHand: ToolsAtHand;
  options: ActOptions;
}): ActInput {
  const { state, context, atHand } = options;
  const { ending, prices, keepsLibrary, scope } = options.options;
  const { offered, forbidden, useless } = atHand;
  const withheld = new Map([...forbidden, ...useless]);
  const known = new Map([...offered, ...withheld]);
  const calls = callsAtHand(state);
  // What a plan lacked tools for is no list of steps either.
  const leaves = state.plan || state.program ? [] : leafSubtasks(state.subtasks);
  // A graph that does not decompose has the request as its only subtask: that is no list of steps.
  const decomposed = leaves.some(({ text }) => text !== state.run.request);
  return {
    ...situation({ state, context }),
    steps: decomposed ? leaves.map(({ text }) => text) : [],
    missed: missedBy(state, decomposed),
    tools: [...offered].map(shownTool),
    observations: calls.map((call) => observation(call, known)),
    ...(prices && state.ledger ? { budget: toldBudget({ state, atHand }) } : {}),
    ...(withheld.size > 0
      ? {
          withheld: withheldTools({ state, atHand }),
          retired: [...withheld].filter(([, { id }]) => isAmong(calls, id)).map(shownTool),
        }
      : {}),
    ...(ending === "finish" ? { search: { attempts: earlierAttempts(state.tree) } } : {}),
    ...(keepsLibrary ? { keepsLibrary: librarySoFar(state) } : {}),
    ...(state.demonstrations.length > 0
      ? { demonstrations: shownDemonstrations(state, known) }
      : {}),
    ...(scope === "task" ? { task: taskAtHand(state) } : {}),
    ...(state.plan?.steps.length ? { plan: planSoFar(state.plan, offered) } : {}),
    ...(state.program?.code ? { plan: programSoFar(state.program) } : {}),
  };
}

/** What no tool was found for; of a plan, what it still lacked when all searches were made. */
function missedBy(state: GraphState, decomposed: boolean): string[] {
  if (state.plan) return state.plan.lacking;
  if (state.program) return unservedTasks(state);
  return decomposed ? unservedTasks(state) : fruitlessPhrases(state);
}

/** Why the plan is not followed any further, and its steps that were not called. */
function planSoFar(
  { steps, callIds, left }: PlanState,
  offered: NamedTools,
): NonNullable<ActInput["plan"]> {
  const nameOf = nameIn(offered);
  const remaining = [...steps.entries()].filter(([at]) => !callIds[at]);
  return {
    left,
    remaining: remaining.map(
      ([at, { tool, args }]) =>
        `step ${at}: ${nameOf(tool)}(${JSON.stringify(writtenValue(args))})`,
    ),
  };
}

/** What this run has looked for in the library, and changed in it. */
function librarySoFar({ searches, edits }: GraphState): ActInput["keepsLibrary"] {
  return {
    searched: searches.map(({ phrase }) => phrase),
    edits: edits.map(({ kind, tool, outcome }) => ({ kind, tool, outcome })),
  };
}

function programSoFar({ code, left }: ProgramState): NonNullable<ActInput["plan"]> {
  return { left, remaining: [], code };
}

function isAmong(calls: GraphState["calls"], id: string): boolean {
  return calls.some(({ tool }) => tool === id);
}

/** Phrases of the last round of searches that found nothing. */
function fruitlessPhrases({ searches }: GraphState): string[] {
  const last = Math.max(...searches.map(({ depth }) => depth));
  return searches
    .filter(({ hits, depth }) => hits.length === 0 && depth === last)
    .map(({ phrase }) => phrase);
}

function observation(call: GraphState["calls"][number], known: NamedTools): Observation {
  const { tool, args, result, error } = call;
  const wireName = [...known].find(([, { id }]) => id === tool)?.[0] ?? tool;
  return { tool: wireName, args, ...(error === undefined ? { result } : { error }) };
}

function binding(options: { offered: NamedTools; controls: readonly ControlTool[] }): {
  tools: BoundTool[];
  toolChoice: string;
} {
  const { offered, controls } = options;
  const tools = [...offered].map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters,
  }));
  return { tools: [...tools, ...controls], toolChoice: "any" };
}
