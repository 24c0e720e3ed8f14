import { AIMessage } from "@langchain/core/messages";
import { resolve } from "node:path";
import { offlinePlanner } from "../../../models/offline/planner.js";
import type { RuleQuestion } from "../../../models/chat/ruleModel.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import type { Stage, StageInputs } from "../../../nodes/kit/stageInputs.js";
import { importTools } from "../../../home/libraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import { LOCAL_EMBEDDINGS } from "../../../state/settings.js";
import type { Call } from "../../../state/state.js";

/** A question to a model: a stage, its input, and the stage's own rules for the reply. */
export interface Asked {
  stage: Stage;
  input: StageInputs[Stage];
  byRules?: RuleQuestion["byRules"];
}

/** A request with the replies of a model that solves it, and how to judge runs. */
export interface Scenario {
  request: string;
  /** Settings of the run besides the model. */
  settings: { library: string; defaultTools?: string[] };
  prepare: () => Promise<void>;
  honest: (asked: Asked) => Promise<AIMessage>;
  /** Whether an answer says what the tools found. */
  isRight: (answer: string) => boolean;
  /** Number of writes that the request does not ask for, or that were repeated. */
  wrongWrites: (calls: readonly Call[]) => number;
}

const TICKETS = { library: "tickets", embeddings: LOCAL_EMBEDDINGS };

/** The tickets to be closed. */
const MEANT = ["TCK-41", "TCK-57"];

const planner = offlinePlanner();

/** A calculation answered by the offline planner, and a write for each of two results, by a script. */
export const SCENARIOS: Record<string, Scenario> = {
  sum: {
    request: "What is 45342 * 23487 + 32478?",
    // The search should not matter here.
    settings: { library: "math", defaultTools: ["multiply", "add"] },
    prepare: async () => {},
    honest: async (asked) => planner.invoke([], { ...asked }),
    isRight: (answer) => answer.replaceAll(/[\s,']/g, "").includes("1064980032"),
    wrongWrites: () => 0,
  },
  tickets: {
    request: "Close the open tickets of Ada and say which.",
    settings: { library: TICKETS.library },
    prepare: async () => {
      await importTools({
        store: openWorkspace().store,
        settings: TICKETS,
        file: resolve(import.meta.dirname, "tickets.ts"),
        description: "Tickets of the help desk",
      });
    },
    honest: async (asked) => replyOnTickets(asked),
    isRight: (answer) => MEANT.every((id) => answer.includes(id)),
    wrongWrites,
  },
};

const PLAN = {
  thought: "List the tickets, then close both.",
  steps: [
    { tool: "list_tickets", args: { ownedBy: "Ada" } },
    { tool: "close_ticket", args: { ticket: "TCK-41" } },
    { tool: "close_ticket", args: { ticket: "TCK-57" } },
  ],
  answer: "$$PREV[1] and $$PREV[2].",
  lacking: [],
};

function replyOnTickets({ stage, input }: Asked): AIMessage {
  if (stage === "act") return nextCalls(input as ActInput);
  const structured: Partial<Record<Stage, unknown>> = {
    decompose: { subtasks: ["List the open tickets of Ada", "Close each ticket"] },
    compose: PLAN,
    reflect: { accepted: false, cue: "Write it as asked." },
    summarize: { answer: "TCK-41 and TCK-57 are closed.", complete: true },
  };
  if (stage === "phraseSearch") {
    const searches = [
      { subtask: 1, phrase: "list open tickets" },
      { subtask: 2, phrase: "close a ticket" },
    ];
    return calling([{ name: "search_tools", args: { searches } }]);
  }
  return new AIMessage(JSON.stringify(structured[stage] ?? {}));
}

function nextCalls({ observations, search }: ActInput): AIMessage {
  const done = new Set(
    observations
      .filter(({ tool, error }) => tool === "close_ticket" && error === undefined)
      .map(({ args }) => String(args["ticket"])),
  );
  if (done.size >= 2) return ending("TCK-41 and TCK-57 are closed.", search !== undefined);
  const isListed = observations.some(
    ({ tool, error }) => tool === "list_tickets" && error === undefined,
  );
  if (!isListed) return calling([{ name: "list_tickets", args: { ownedBy: "Ada" } }]);
  const open = MEANT.filter((id) => !done.has(id));
  return calling(open.map((ticket) => ({ name: "close_ticket", args: { ticket } })));
}

function ending(message: string, inSearch: boolean): AIMessage {
  const finish = {
    name: "finish",
    args: { return_type: "give_answer", final_answer: message },
  };
  return calling([inSearch ? finish : { name: "stop", args: { message, solved: true } }]);
}

function calling(calls: { name: string; args: Record<string, unknown> }[]): AIMessage {
  return new AIMessage({ content: "", tool_calls: calls });
}

function wrongWrites(calls: readonly Call[]): number {
  const closed = calls
    .filter(({ tool, error, refused }) => /close/i.test(tool) && !error && !refused)
    .map(({ args }) => String(args["ticket"]));
  const isFirst = (id: string, at: number) => closed.indexOf(id) === at;
  return closed.filter((id, at) => !MEANT.includes(id) || !isFirst(id, at)).length;
}
