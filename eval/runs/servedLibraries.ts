import { listed, several } from "../../common/text.js";
import { UnknownName } from "../../common/errors.js";
import type { Choices, ShownTool } from "../../server/page/routes/libraryRoutes.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { type GraphServer, ServerFailed } from "./graphServer.js";

/** What a server says of itself: its version, and what holds there if nothing is chosen. */
export interface ServerFacts {
  version: string;
  usual: Pick<Choices["usual"], "model" | "embeddings">;
}

/** Asks a server what it is. @throws UnknownName for a graph that it does not serve; ServerFailed */
export async function askFacts(
  { ask }: GraphServer,
  graphs: readonly string[],
  signal: AbortSignal,
): Promise<ServerFacts> {
  const { version } = (await ask(({ read }) => read("/info"), { signal })) as ServerFacts;
  const choices = (await ask(({ read }) => read("/console/choices"), { signal })) as Choices;
  const available = choices.graphs.map(({ id }) => id);
  const unknown = graphs.find((graph) => !available.includes(graph));
  if (unknown !== undefined) throw new UnknownName({ kind: "graph", wanted: unknown, available });
  const { model, embeddings } = choices.usual;
  return { version, usual: { model, embeddings } };
}

const PAGE = 200;

/**
 * The ids of a library on a server, which must have the tools of the benchmark: what is measured is what is deployed there.
 *
 * @throws ServerFailed if it lacks some, or has others than a library of the user's here
 */
export async function servedToolIds(options: {
  server: GraphServer;
  library: string;
  benchmark: Benchmark;
  signal: AbortSignal;
}): Promise<string[]> {
  const { server, library, benchmark, signal } = options;
  const hashes = new Map<string, string>();
  for (let offset = 0; hashes.size === offset; offset += PAGE) {
    const query = new URLSearchParams({ library, limit: `${PAGE}`, offset: `${offset}` });
    const page = await server.ask(({ read }) => read(`/console/tools?${query}`), { signal });
    for (const { id, hash } of page as ShownTool[]) hashes.set(id, hash);
  }
  const lacking = benchmark.tools.filter(({ id }) => !hashes.has(id));
  const changed = benchmark.tools.filter(
    (tool) => "hash" in tool && hashes.has(tool.id) && hashes.get(tool.id) !== tool.hash,
  );
  const place = `library ${library} on the server`;
  if (lacking.length > 0) {
    const hint = `Add them there: tulipgraph tools import FILE --library ${library}`;
    const problem = `lacks ${named(lacking)} of the benchmark`;
    throw new ServerFailed({ server: place, problem, hint });
  }
  if (changed.length > 0) {
    const hint = "Use the server's home or database (TULIPGRAPH_HOME, TULIPGRAPH_DATABASE_URL)";
    throw new ServerFailed({ server: place, problem: `differs here in ${named(changed)}`, hint });
  }
  return [...hashes.keys()];
}

function named(tools: readonly { id: string }[]): string {
  return `${several(tools.length, "tool")} (${listed(tools.map(({ id }) => id))})`;
}
