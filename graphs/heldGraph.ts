import { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledStateGraph } from "@langchain/langgraph";
import { RUN_KEY, type Workspace, workspaceIn } from "../workspace/workspace.js";
import { HOLD_KEY, ThreadHeld, type ThreadHold } from "../tools/runtime/threadHolds.js";

/**
 * How long a run waits for its thread's previous run, in milliseconds: a cancelled run still tidies up after
 * its server counts it as ended.
 */
const PATIENCE_MS = 10_000;

/** How often it checks meanwhile, in milliseconds. */
const POLL_MS = 50;

type Graph = CompiledStateGraph<unknown, unknown>;
type Input = Parameters<Graph["_streamIterator"]>[0];
type Options = Parameters<Graph["_streamIterator"]>[1];

/**
 * A compiled graph whose runs hold their thread from first step to last, however they end and whoever starts
 * them: the command line, a server or a program. A run waiting for a person counts as ended.
 *
 * Every way to run a graph goes through `_streamIterator`. A run inside another graph's run is part of it.
 */
export class HeldGraph extends CompiledStateGraph<unknown, unknown> {
  override async *_streamIterator(input: Input, options?: Options) {
    const given = { ...this.config?.configurable, ...options?.configurable };
    const { thread_id: threadId, checkpoint_ns: outer, [HOLD_KEY]: held } = given;
    const configurable = { [RUN_KEY]: {}, ...given };
    if (typeof threadId !== "string" || outer || held) {
      yield* super._streamIterator(input, { ...options, configurable });
      return;
    }
    const hold = await holdSoon(threadId, workspaceIn(given));
    const own = { ...configurable, [HOLD_KEY]: hold.token };
    const steps = super._streamIterator(input, { ...options, configurable: own });
    yield* readAhead(steps, () => hold.release());
  }
}

/**
 * Reads a run's stream to its end even if its reader has left: LangGraph continues such a run, but nothing
 * would read the stream to its end.
 */
async function* readAhead<Chunk>(steps: AsyncIterable<Chunk>, onEnd: () => Promise<void>) {
  let failure: { error: unknown } | undefined;
  let isLeft = false;
  const chunks = new ReadableStream<Chunk>({
    async start(controller) {
      try {
        for await (const chunk of steps) controller.enqueue(chunk);
      } catch (error) {
        // Throw only after earlier chunks: the stream would drop those not yet read.
        failure = { error };
      } finally {
        await onEnd();
        if (!isLeft) controller.close();
      }
    },
    cancel() {
      isLeft = true;
    },
  });
  for await (const chunk of chunks) yield chunk;
  if (failure) throw failure.error;
}

/** @throws ThreadHeld */
async function holdSoon(threadId: string, { runtime }: Workspace): Promise<ThreadHold> {
  const { journal } = runtime;
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (true) {
    try {
      return await journal.hold(threadId);
    } catch (error) {
      if (!mayEndSoon(error) || Date.now() > giveUpAt) throw error;
    }
    await sleep(POLL_MS);
  }
}

/** Nothing here could have cancelled another process's run. */
function mayEndSoon(error: unknown): boolean {
  return error instanceof ThreadHeld && error.details.owner.isThisProcess;
}
