import { resolve } from "node:path";
import { registerEmbeddingsProvider } from "../../models/providers.js";
import { type importTools, openNamed } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { PLANS_ORIGIN } from "../../tools/library/records/edits.js";
import { contractOf } from "../../tools/calls/engine/savedPlan.js";
import { type OriginReading, readOrigin, syncReading } from "../../tools/sources/origins.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { wordEmbeddings } from "./wordEmbeddings.js";

/** Settings of a run on the small library of tests/fixtures, with word counts as embeddings. */
export const TEST_LIBRARY = {
  library: "test",
  embeddings: "words:hashed",
  // Two texts that share half of their words are nearer than this.
  threshold: 1.3,
} as const;

registerEmbeddingsProvider("words", {
  makeEmbeddings: async () => wordEmbeddings({ dimensions: 1024 }),
});

/** By file. */
const readings = new Map<string, Promise<OriginReading>>();

/** Imports a file that no test changes. A process reads it once, for all homes. */
export async function importFixture(options: Parameters<typeof importTools>[0]): Promise<void> {
  const { store, settings, description } = options;
  const origin = resolve(options.file);
  const reading = readings.get(origin) ?? readOrigin(settings.library, origin);
  readings.set(origin, reading);
  const library = await openNamed({ store, settings, description, create: true });
  await syncReading({ store, library, origin, reading: await reading });
}

/** Makes the small library in this test file's home. */
export async function importTestLibrary(): Promise<void> {
  await importFixture({
    store: openWorkspace().store,
    settings: TEST_LIBRARY,
    file: resolve("tests/fixtures/library/tools.ts"),
    description: "Numbers and greetings",
  });
}

/** Saves `log_twice` in the small library: a plan that reads between its two writes. */
export async function saveLogPlan(): Promise<void> {
  const library = await openWorkspace().library(parseSettings(TEST_LIBRARY));
  const names = ["write_line", "double_number"];
  const calls = names.flatMap((name) => {
    const tool = library.get(name);
    return tool ? [{ name, tool: name, contract: contractOf(tool) }] : [];
  });
  const code = [
    'await write_line({ file, line: "first" });',
    "const doubled = await double_number({ value: 21 });",
    "await write_line({ file, line: `second ${doubled}` });",
    "return doubled;",
  ].join("\n");
  const properties = { file: { type: "string" } };
  const test = { args: {}, today: "2026-03-01", calls: [], result: null };
  const tool: ToolDefinition = {
    id: "log_twice",
    name: "log_twice",
    description: "Log two lines",
    parameters: { type: "object", properties, required: ["file"] },
    effects: "write",
    source: { kind: "program", file: PLANS_ORIGIN, code, calls, test },
  };
  await library.put({ tool, basedOn: null, note: { by: "person", why: "for tests" } });
}
