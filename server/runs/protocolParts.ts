import type { AgentGraph } from "../../graphs/compile.js";

type GraphInput = Parameters<AgentGraph["stream"]>[0];
type GraphOptions = NonNullable<Parameters<AgentGraph["stream"]>[1]>;

/** What the names of the protocol's events begin with in the table of events. */
export const PROTOCOL = "protocol/";

/** The name under which a run asks for a person's input. */
export const ASKED = `${PROTOCOL}input.requested`;

/** An event of LangGraph's streaming protocol, less what its reader adds. */
export interface ProtocolParams {
  namespace: string[];
  timestamp: number;
  node?: string;
  data: unknown;
}

/** What LangGraph itself streams in its protocol. */
interface GraphEvent {
  method: string;
  params: ProtocolParams;
}

/** Runs a graph and yields the events of LangGraph's streaming protocol, version 2, which `threads.stream()` of its SDK reads. */
export async function* protocolParts(run: {
  graph: AgentGraph;
  graphId: string;
  input: GraphInput;
  options: GraphOptions;
}): AsyncGenerator<{ event: string; data: ProtocolParams }> {
  const { graph, graphId, input, options } = run;
  const asked = new Set<string>();
  const started = { event: "running", graph_name: graphId };
  yield part("lifecycle", { namespace: [], timestamp: Date.now(), data: started });
  const events = (await graph.streamEvents(input, {
    ...options,
    version: "v3",
  } as never)) as unknown as AsyncIterable<GraphEvent>;
  for await (const { method, params } of events) {
    // The beginning and the end of the run itself are told by whoever knows its row.
    if (method === "lifecycle" && params.namespace.length === 0) continue;
    for (const data of questionsIn(method, params.data)) {
      if (asked.has(data.interrupt_id)) continue;
      asked.add(data.interrupt_id);
      yield part("input.requested", { ...params, data });
    }
    const shown = shownPart(method, params);
    if (shown) yield shown;
  }
}

function part(method: string, params: ProtocolParams) {
  return { event: `${PROTOCOL}${method}`, data: params };
}

const INTERRUPTS = "__interrupt__";

/** What a state, or an update in the place of a node's, asks a person: `payload` in JavaScript's SDK, `value` in python's. */
function questionsIn(method: string, data: unknown) {
  const { node, values, [INTERRUPTS]: inState } = Object(data) as Record<string, unknown>;
  const found =
    method === "values" ? inState : method === "updates" && node === INTERRUPTS && values;
  const interrupts = Array.isArray(found) ? found : [Object(found)[INTERRUPTS] ?? []].flat();
  return interrupts.flatMap((each) => {
    const { id, value } = Object(each) as { id?: unknown; value?: unknown };
    return typeof id === "string" ? [{ interrupt_id: id, payload: value, value }] : [];
  });
}

function shownPart(method: string, params: ProtocolParams) {
  const { data } = params;
  if (method === "values") {
    const { [INTERRUPTS]: _asked, ...values } = Object(data) as Record<string, unknown>;
    return Object.keys(values).length > 0 ? part(method, { ...params, data: values }) : undefined;
  }
  if (method === "updates") {
    const { node, values } = Object(data) as { node?: string; values: unknown };
    return node === INTERRUPTS ? undefined : part(method, { ...params, node, data: values });
  }
  // Channels of a graph's own.
  if (method.startsWith("custom:"))
    return part("custom", {
      ...params,
      data: { name: method.slice("custom:".length), payload: data },
    });
  return part(method, params);
}
