import type { ActInput } from "../../../nodes/acting/actInput.js";
import type { EarlierTurn, Observation } from "../../../nodes/shared/stageInputs.js";
import { callsOf } from "./callsOf.js";
import { type TestTool, shown } from "./libraries.js";

/** What the planner did with a request while maintaining the library itself. */
export interface Kept {
  /** Names of all calls in order, including control tools. */
  calls: string[];
  /** Phrases of the searches. */
  searched: string[];
  observations: Observation[];
  edits: NonNullable<ActInput["keepsLibrary"]>["edits"];
  message: string;
  solved: boolean;
}

/** More acts than any request of the tests may take. */
const MOST_ACTS = 12;

/** Follows a request as AutoTulip does: tools are offered once a search has found them. */
export async function keep(options: {
  request: string;
  /** Tools by the phrases that find them. */
  finds: Record<string, TestTool>;
  atHand?: TestTool[];
  earlierTurns?: EarlierTurn[];
  /** The outcome of a deletion. */
  outcome?: "done" | "rejected" | "failed";
}): Promise<Kept> {
  const { request, finds, earlierTurns = [], outcome = "done" } = options;
  const kept: Kept = {
    calls: [],
    searched: [],
    observations: [],
    edits: [],
    message: "",
    solved: false,
  };
  let tools = [...(options.atHand ?? [])];
  for (let act = 1; act <= MOST_ACTS; act += 1) {
    const input: ActInput = {
      request,
      steps: [],
      missed: kept.searched.filter((phrase) => !finds[phrase]),
      tools: tools.map(shown),
      observations: [...kept.observations],
      earlierTurns,
      searched: [...kept.searched],
      keepsLibrary: { edits: [...kept.edits] },
    };
    const calls = await callsOf(input);
    for (const { name, args } of calls) {
      kept.calls.push(name);
      if (name === "stop") {
        return { ...kept, message: String(args["message"]), solved: args["solved"] === true };
      }
      if (name === "search_tools") {
        const phrases = args["action_descriptions"] as string[];
        kept.searched.push(...phrases);
        const found = phrases.flatMap((phrase) => finds[phrase] ?? []);
        tools = [...new Set([...tools, ...found])];
      } else if (name === "delete_tool") {
        const tool = String(args["tool_name"]);
        kept.edits.push({ kind: "delete", tool, outcome });
        if (outcome === "done") tools = tools.filter((one) => one.name !== tool);
      } else {
        const tool = tools.find((one) => one.name === name);
        kept.observations.push({ tool: name, args, result: tool?.run(args) });
      }
    }
  }
  throw new Error(`the planner did not end within ${MOST_ACTS} acts: ${request}`);
}
