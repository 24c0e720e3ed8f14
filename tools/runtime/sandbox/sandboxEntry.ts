import { parentPort } from "node:worker_threads";
import { type Execution, startExecution } from "./execution.js";
import type { HostMessage, ThreadMessage, ToolAnswer } from "./sandboxMessages.js";
import { releaseEngine } from "./preparedEngine.js";

// Entry of a sandbox thread: runs programs, one call at a time.

if (parentPort === null) throw new Error("thread.ts is the entry of a worker thread");
const host = parentPort;

let execution: Promise<Execution> | undefined;

host.on("message", (message: HostMessage) => {
  if (message.type === "call") execution = start(message);
  else void goOn(message);
});

async function start({ call }: HostMessage & { type: "call" }): Promise<Execution> {
  const tell = (said: ThreadMessage) => {
    if (said.type === "done" || said.type === "failed") releaseEngine(call.limits);
    send(said);
  };
  try {
    return await startExecution({ call, send: tell });
  } catch (error) {
    tell({ type: "failed", kind: "engine", text: String(error) });
    return { answer: () => undefined };
  }
}

async function goOn(answer: ToolAnswer): Promise<void> {
  (await execution)?.answer(answer);
}

function send(message: ThreadMessage): void {
  host.postMessage(message, []);
}
