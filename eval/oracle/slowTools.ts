import { setTimeout as pause } from "node:timers/promises";
import type { CallsToRun, ToolRuntime } from "../../tools/runtime/runtime.js";

/**
 * A runtime in which every tool call takes longer, like one over a network. Calls of one message wait
 * concurrently, except for those that act on a world, which run one after another.
 *
 * @param options.ms milliseconds that are added to each call
 */
export function slowRuntime(options: { runtime: ToolRuntime; ms: number }): ToolRuntime {
  const { runtime, ms } = options;
  const runOne = async (request: CallsToRun, call: CallsToRun["calls"][number]) => {
    await pause(ms, undefined, { signal: request.signal });
    return runtime.runCalls({ ...request, calls: [call] });
  };
  return {
    ...runtime,
    async runCalls(request) {
      let before: Promise<unknown> = Promise.resolve();
      const ended = await Promise.all(
        request.calls.map((call) => {
          if (!actsOnWorld(call.tool)) return runOne(request, call);
          const inTurn = before.then(() => runOne(request, call));
          before = inTurn;
          return inTurn;
        }),
      );
      return ended.flat();
    },
  };
}

/** Declared tools that a world answers need not wait for each other. */
function actsOnWorld({ source }: CallsToRun["calls"][number]["tool"]): boolean {
  return source.kind === "function" && source.takesContext;
}
