import { Command } from "commander";
import { compileGraph } from "../../graphs/agentGraph.js";
import { graphs } from "../../graphs/index.js";
import { openResources } from "../../resources/resources.js";
import type { GraphState } from "../../state/state.js";
import { findGraph } from "../findGraph.js";
import { printJson, printTable } from "../print.js";
import { findThread } from "./resume.js";

/** `tulipgraph threads list | show THREAD` */
export function threadsCommand(): Command {
  const command = new Command("threads").description("Conversations and what became of them");
  command
    .command("list", { isDefault: true })
    .description("List the threads, newest first")
    .option("--json", "print one JSON array")
    .action(({ json }: { json?: boolean }) => listThreads(json));
  command
    .command("show")
    .description("Show the conversation of a thread")
    .argument("<thread>", "the thread's id")
    .option("--json", "print one JSON object")
    .action((id: string, { json }: { json?: boolean }) => showThread(id, json));
  return command;
}

function listThreads(json?: boolean): void {
  const threads = openResources().checkpoints().threads.list();
  if (json) return printJson(threads);
  printTable(
    threads.map(({ id, graph, status, updatedAt, request }) => [
      id,
      updatedAt.slice(0, 19),
      graph,
      status,
      request,
    ]),
  );
}

async function showThread(id: string, json?: boolean): Promise<void> {
  const thread = findThread(id);
  const graph = findGraph(thread.graph);
  const checkpointer = openResources().checkpoints().saver;
  const compiled = compileGraph(graphs[graph].builder, { name: graph, checkpointer });
  const snapshot = await compiled.getState({ configurable: { thread_id: id } });
  const { messages = [], status, calls } = snapshot.values as Partial<GraphState>;
  const conversation = messages.map((message) => ({
    role: message.type,
    text: message.text,
    ...("tool_calls" in message ? { calls: message.tool_calls } : {}),
  }));
  if (json)
    return printJson({ ...thread, status, calls, messages: conversation, next: snapshot.next });
  printTable(
    conversation.map(({ role, text, calls: made }) => [
      role,
      [text, ...callTexts(made)].filter(Boolean).join(" "),
    ]),
  );
}

function callTexts(calls: unknown): string[] {
  if (!Array.isArray(calls)) return [];
  return (calls as { name: string; args: unknown }[]).map(
    ({ name, args }) => `${name}(${JSON.stringify(args)})`,
  );
}
