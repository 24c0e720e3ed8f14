import { Command, MemorySaver } from "@langchain/langgraph";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";

const graphs = await allGraphs();

/** A reply that is a program. */
export function program(...lines: string[]): Reply {
  return { text: ["```ts", ...lines, "```"].join("\n") };
}

/** A run of `tulip`, or of another graph, that can pause, and be gone on with. */
export function programRun(options: {
  script: Reply[] | ((question: Question, at: number) => Reply);
  request: string;
  settings: Record<string, unknown>;
  graph?: GraphId;
}) {
  const { script, request, settings, graph: name = "tulip" } = options;
  const model = scriptedModel(script);
  const { wiring } = graphs[name];
  const graph = compileGraph(wiring, { name, checkpointer: new MemorySaver() });
  const config = {
    configurable: { thread_id: crypto.randomUUID() },
    context: { ...settings, model: model.spec },
  };
  let breaking = new AbortController();
  const invoke = async (input: Parameters<typeof graph.invoke>[0]) => {
    breaking = new AbortController();
    const { signal } = breaking;
    const state = (await graph.invoke(input, { ...config, signal })) as GraphState;
    const { tasks } = await graph.getState(config);
    const [waiting] = tasks.flatMap(({ interrupts }) =>
      interrupts.map(({ value }): unknown => value),
    );
    return { state, waiting };
  };
  return {
    model,
    threadId: config.configurable.thread_id,
    start: () => invoke({ request }),
    /** Another request on the same thread. */
    next: (text: string) => invoke({ request: text }),
    /** Takes back what a run of the thread has changed. */
    undo: (undo: NonNullable<GraphState["undo"]> = {}) => invoke({ undo }),
    goOn: () => invoke(null),
    /** Breaks off what is running. */
    breakOff: () => breaking.abort(),
    /** Somebody changes the state by hand, as if it were the program's author. */
    edit: async (change: (state: GraphState) => Partial<GraphState>) => {
      const { values } = await graph.getState(config);
      await graph.updateState(config, change(values as GraphState), "writeProgram");
    },
    decide: (...decisions: object[]) => invoke(new Command({ resume: { decisions } })),
    /** One decision on everything that waits. */
    decideAll: async (decision: object) => {
      const { tasks } = await graph.getState(config);
      const [asked] = tasks.flatMap(({ interrupts }) => interrupts);
      const { actionRequests } = Object(asked?.value) as ReviewRequest;
      return invoke(new Command({ resume: { decisions: actionRequests.map(() => decision) } }));
    },
  };
}

/** At which stages the model was asked. */
export function stagesOf({ questions }: { questions: Question[] }): string[] {
  return questions.map(({ stage }) => stage);
}
