import type {
  RemoteCall,
  RemoteCaller,
  RemoteResult,
  RemoteSettings,
} from "../../runtime/calls/remoteCalls.js";
import { orAborted } from "../../../common/orAborted.js";
import { openConnections } from "./connections.js";
import { type OpenCall, beginCall } from "./openCall.js";

/**
 * Calls the tools of MCP servers. A call whose server asks something stays open here while a person thinks about it,
 * and goes on when it is made again with the answer.
 *
 * @param settings.startMs time limit in milliseconds for a server's start
 * @param settings.idleMs milliseconds after which an unused connection is closed
 */
export function mcpCaller(
  settings: RemoteSettings & { startMs?: number; idleMs?: number },
): RemoteCaller {
  const connections = openConnections(settings);
  const waiting = new Map<string, OpenCall>();
  return {
    async call(request) {
      const { record, args, threadId, callId } = request;
      const key = JSON.stringify([threadId, callId, record.id, args]);
      const { home } = settings;
      const open = waiting.get(key) ?? (await beginCall({ request, connections, home }));
      waiting.delete(key);
      const result = await attend(open, request);
      if (result.input) waiting.set(key, open);
      return result;
    },
    async close() {
      for (const { questions } of waiting.values()) questions.giveUp("cancel");
      waiting.clear();
      await connections.close();
    },
  };
}

/** Waits for the end of a call, or for a question that only a person can answer. */
async function attend(open: OpenCall, request: RemoteCall): Promise<RemoteResult> {
  const { signal, answers, onStart } = request;
  const { questions } = open;
  const cancel = () => open.cancel(signal.reason);
  signal.addEventListener("abort", cancel);
  try {
    signal.throwIfAborted();
    while (true) {
      const ids = questions.open().map(({ request: { id } }) => id);
      if (answers?.some(({ id }) => ids.includes(id))) {
        // The server may take its time with an answer.
        await onStart();
        questions.answer(answers);
      }
      const asked = questions.open().map(({ request: each }) => each);
      if (asked.length > 0 && answers) return { input: asked, isOpen: open.isInFlight };
      questions.giveUp("decline");
      const result = await orAborted(
        signal,
        Promise.race([open.result, questions.untilOpen().then(() => undefined)]),
      );
      if (result) return result;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
