import { randomUUID } from "node:crypto";
import { AIMessage } from "@langchain/core/messages";
import { MOST_CALLS } from "../../common/bounds.js";
import { runWorkspace } from "../../home/workspace.js";
import { freshProgram, type ProgramUndo } from "../../state/program.js";
import { readSettings } from "../../state/settings.js";
import type { GraphState, StateUpdate } from "../../state/state.js";
import type { Look } from "../../tools/calls/journal/journal.js";
import type { LibraryView } from "../../tools/library/library.js";
import { callLines, makeCalls } from "../acting/execute.js";
import { threadOf, todayOf } from "../kit/runBasics.js";
import { knowingResults, type Line, stage, type StageChange, wholeResult } from "../kit/stage.js";
import { nameIn } from "../policy/modelView.js";
import { plannableTools } from "../policy/toolOffer.js";
import { programOffer } from "./programFunctions.js";
import { undoEnd } from "./undoAnswer.js";
import { inverseLines, keyOf, lookAgain, planInverses, type UndoPlan } from "./undoSteps.js";
import { undoTarget, type Write, writesOf } from "./undoTarget.js";

/**
 * Makes a program that takes back what an earlier run of the thread has changed, last change first: from the journal, and
 * from what is seen of the changed things now. No model has a part in it. It is checked, shown and followed like any
 * other.
 */
export function planUndo() {
  return stage({ ends: true, lines }, async (state, config): Promise<StateUpdate> => {
    const settings = readSettings(config, state);
    const { library: open, runtime } = runWorkspace();
    const library = await open(settings);
    const entries = await runtime.journal.calls(threadOf(state, config));
    const earlier = entries.filter(({ runId }) => runId !== state.run.id);
    const target = undoTarget(writesOf(earlier, library), state.run.undo ?? {});
    if ("problem" in target) {
      const answer = `Nothing was taken back: ${target.problem}. ${target.hint}.`;
      return { status: "unsolved", answer };
    }
    const { writes } = target;
    const looks = looksAt(writes, library, state.run.id);
    const toolIds = [...new Set([...state.toolIds, ...looks.map(({ look }) => look.tool)])];
    const looked = await makeLooks({ ...state, toolIds }, looks, config);
    const { calls = [] } = looked;
    const seen = await knowingResults({ calls }, () => seenIn(calls, looks));
    const plan = planInverses({ writes, library, seen });
    const offered = [...new Set([...toolIds, ...plan.inverses.map(({ tool }) => tool.id)])];
    const after = { ...state, ...looked, toolIds: offered } as GraphState;
    const { groups } = await programOffer(after, settings);
    const code = plan.inverses.map((each) => inverseLines(each, groups.functionName(each.tool)));
    const program = freshProgram(
      {
        code: `${code.join("")}return "Taken back.";`,
        repairs: [],
        today: todayOf(settings),
        undo: undoOf(plan),
      },
      null,
    );
    const update = { ...looked, toolIds: offered, program };
    return plan.inverses.length > 0 ? update : { ...update, ...undoEnd(after, program) };
  });
}

interface PlannedLook {
  id: string;
  look: Pick<Look, "tool" | "args">;
}

function looksAt(writes: readonly Write[], library: LibraryView, runId: string): PlannedLook[] {
  const looks = writes.flatMap((write) => lookAgain(write, library) ?? []);
  const known = looks.filter(({ tool }) => library.get(tool)?.effects === "read");
  const byKey = new Map(known.map((look) => [keyOf(look), look]));
  const prefix = `look_${runId.replaceAll("-", "").slice(0, 20)}_`;
  return [...byKey.values()]
    .slice(0, MOST_CALLS)
    .map((look, at) => ({ id: `${prefix}${at}`, look }));
}

async function makeLooks(
  state: GraphState,
  looks: readonly PlannedLook[],
  config: Parameters<typeof makeCalls>[0]["config"],
): Promise<StateUpdate> {
  if (looks.length === 0) return {};
  const { offer } = await programOffer(state, readSettings(config, state));
  const nameOf = nameIn(plannableTools(offer));
  const calls = looks.map(({ id, look }) => ({
    id,
    name: nameOf(look.tool),
    args: look.args,
    type: "tool_call" as const,
  }));
  const reply = new AIMessage({ id: randomUUID(), content: "", tool_calls: calls });
  const asked = { ...state, messages: [...state.messages, reply] };
  const made = (await makeCalls({ state: asked, config, reply, calls })) ?? {};
  const { messages = [] } = made;
  return { ...made, messages: [reply, ...(messages as AIMessage[])] };
}

function seenIn(
  calls: readonly GraphState["calls"][number][],
  looks: readonly PlannedLook[],
): Map<string, Look> {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return new Map(
    looks.flatMap(({ id, look }): [string, Look][] => {
      const call = byId.get(id);
      if (!call) return [];
      const seen = call.error === undefined ? { value: wholeResult(call) } : { error: call.error };
      return [[keyOf(look), { ...look, ...seen }]];
    }),
  );
}

/** Call sites are numbered as they stand in the code. */
function undoOf({ inverses, cannot, already }: UndoPlan): ProgramUndo {
  const steps = inverses.map(({ write: { ref }, says, doubt, expects }, at) => [
    String(at),
    { ref, says, ...(doubt && { doubt }), ...(expects && { expects }) },
  ]);
  return { steps: Object.fromEntries(steps) as ProgramUndo["steps"], cannot, already };
}

function lines(change: StageChange): Line[] {
  const { program } = change.change;
  const code = program?.code.trimEnd().split("\n") ?? [];
  return [
    ...callLines(change),
    ...(program?.undo?.cannot ?? []).map((each) => `cannot be undone: ${each}`),
    ...code,
  ];
}
