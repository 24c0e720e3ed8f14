import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Serialized } from "@langchain/core/load/serializable";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import { isGraphBubbleUp } from "@langchain/langgraph";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { TulipgraphError } from "../../common/errors.js";
import { parseModelSpec } from "../../models/providers.js";
import { MODEL_KEY } from "../../models/ask.js";
import type { ToolOutcome } from "../../nodes/acting/followCalls.js";
import type { RunEvent } from "./runEvents.js";

/** The run that is traced. */
export interface TracedRun {
  graph: string;
  threadId: string;
  runId?: string;
  /** W3C's header of whoever asked for the run: its trace is continued. */
  traceparent?: string;
}

interface Open {
  span: Span;
  started: number;
  /** What `RunEvent` says of it: the name of a stage or model. */
  stage?: string;
  model?: string;
}

/**
 * Follows one run by LangChain's callbacks and makes spans of it by OpenTelemetry's conventions for generative AI:
 * the run (`invoke_agent`), its stages, and in these the questions to models (`chat`) and calls of tools
 * (`execute_tool`). Prompts, replies, arguments and results are left out unless
 * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`.
 *
 * @example
 * const run = new RunTrace({ run: { graph: "tulip", threadId }, tracer: trace.getTracer("mine") });
 * try {
 *   await graph.invoke(input, { callbacks: [run] });
 *   run.end({ status: "success" });
 * } catch (error) {
 *   run.end({ status: "error", error });
 *   throw error;
 * }
 */
export class RunTrace extends BaseCallbackHandler {
  readonly name = "tulipgraph_trace";
  readonly #tracer: Tracer;
  readonly #tell: (event: RunEvent) => void;
  readonly #run: Span;
  /** Spans that are open, by the id of LangChain's run. */
  readonly #open = new Map<string, Open>();
  /** In which span the children of a run of LangChain's stand, by its id. */
  readonly #around = new Map<string, Span>();
  readonly #showsContent =
    process.env["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"]?.toLowerCase() === "true";

  constructor(options: { run: TracedRun; tracer: Tracer; tell?: (event: RunEvent) => void }) {
    // Callbacks that LangChain puts off come in whatever order, and after the run.
    super({ _awaitHandler: true });
    const { run, tracer, tell = () => undefined } = options;
    this.#tracer = tracer;
    this.#tell = tell;
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "tulipgraph",
      "gen_ai.agent.name": run.graph,
      "gen_ai.conversation.id": run.threadId,
      ...(run.runId && { "tulipgraph.run.id": run.runId }),
    };
    const name = `invoke_agent ${run.graph}`;
    const parent = remoteContext(run.traceparent);
    this.#run = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, parent);
  }

  /** Closes the run's span. */
  end({ status, error }: { status: string; error?: unknown }): void {
    for (const { span } of this.#open.values()) span.end();
    this.#run.setAttribute("tulipgraph.run.status", status);
    if (error !== undefined || status === "error" || status === "timeout") {
      fail(this.#run, error === undefined ? status : errorType(error));
    }
    this.#run.end();
  }

  override handleChainStart(
    _chain: Serialized,
    _inputs: unknown,
    runId: string,
    // LangChain's types name the fourth and the eighth the other way round than they come.
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    runName?: string,
  ): void {
    const around = this.#spanAround(parentRunId);
    const stage = stageOf({ tags, metadata, runName });
    if (stage === undefined) {
      this.#around.set(runId, around);
      return;
    }
    const attributes = { "tulipgraph.stage": stage };
    const options = { name: `stage ${stage}`, kind: SpanKind.INTERNAL, attributes };
    this.#start({ runId, around, ...options }).stage = stage;
  }

  override handleChainEnd(_outputs: unknown, runId: string): void {
    this.#endStage(runId);
  }

  override handleChainError(error: unknown, runId: string): void {
    const open = this.#open.get(runId);
    // A stage that waits for a person has not failed.
    if (open && isGraphBubbleUp(error)) open.span.setAttribute("tulipgraph.stage.waits", true);
    else if (open) fail(open.span, errorType(error));
    this.#endStage(runId);
  }

  override handleChatModelStart(
    _model: Serialized,
    [messages = []]: BaseMessage[][],
    runId: string,
    parentRunId?: string,
    _extra?: Record<string, unknown>,
    _tags?: string[],
    metadata: Record<string, unknown> = {},
  ): void {
    const { [MODEL_KEY]: ours, ls_model_name: theirs = "unknown" } = metadata as Names;
    const model = ours ?? theirs;
    const { provider, name } = partsOf(model);
    const attributes: Attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": name,
      ...numbers({
        "gen_ai.request.temperature": metadata["ls_temperature"],
        "gen_ai.request.max_tokens": metadata["ls_max_tokens"],
      }),
      ...(this.#showsContent && { "gen_ai.input.messages": messagesText(messages) }),
    };
    const options = { name: `chat ${name}`, kind: SpanKind.CLIENT, attributes };
    this.#start({ runId, around: this.#spanAround(parentRunId), ...options }).model = model;
  }

  override handleLLMEnd({ generations }: LLMResult, runId: string): void {
    const first = generations[0]?.[0];
    const message = first && "message" in first ? (first.message as AIMessage) : undefined;
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } =
      message?.usage_metadata ?? {};
    const { finish_reason, model_name, id } = message?.response_metadata ?? {};
    this.#close(runId, ({ span, model = "unknown", started }) => {
      if (message?.usage_metadata) {
        span.setAttribute("gen_ai.usage.input_tokens", inputTokens);
        span.setAttribute("gen_ai.usage.output_tokens", outputTokens);
      }
      if (typeof finish_reason === "string")
        span.setAttribute("gen_ai.response.finish_reasons", [finish_reason]);
      if (typeof model_name === "string") span.setAttribute("gen_ai.response.model", model_name);
      if (typeof id === "string") span.setAttribute("gen_ai.response.id", id);
      if (this.#showsContent && message)
        span.setAttribute("gen_ai.output.messages", messagesText([message]));
      const tokens = { inputTokens, outputTokens };
      this.#tell({ kind: "model", model, failed: false, seconds: since(started), ...tokens });
    });
  }

  override handleLLMError(error: unknown, runId: string): void {
    this.#close(runId, ({ span, model = "unknown", started }) => {
      fail(span, errorType(error));
      const tokens = { inputTokens: 0, outputTokens: 0 };
      this.#tell({ kind: "model", model, failed: true, seconds: since(started), ...tokens });
    });
  }

  override handleToolStart(
    _tool: Serialized,
    input: string,
    runId: string,
    parentRunId?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    runName = "unknown",
    toolCallId?: string,
  ): void {
    const attributes: Attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": runName,
      "gen_ai.tool.type": "function",
      ...(toolCallId && { "gen_ai.tool.call.id": toolCallId }),
      ...(this.#showsContent && { "gen_ai.tool.call.arguments": input }),
    };
    const options = { name: `execute_tool ${runName}`, kind: SpanKind.INTERNAL, attributes };
    this.#start({ runId, around: this.#spanAround(parentRunId), ...options });
  }

  override handleToolEnd(output: { content?: unknown; artifact?: ToolOutcome }, runId: string) {
    const { status = "done", replayed = false } = output?.artifact ?? {};
    if (this.#showsContent)
      this.#open.get(runId)?.span.setAttribute("gen_ai.tool.call.result", String(output?.content));
    this.#endTool({ runId, status, replayed });
  }

  override handleToolError(error: Error, runId: string): void {
    const open = this.#open.get(runId);
    if (open) fail(open.span, error.name);
    // Calls that follow the runtime are named after how they ended.
    this.#endTool({ runId, status: error.name, replayed: false });
  }

  #endTool(options: { runId: string; status: string; replayed: boolean }): void {
    const { runId, status, replayed } = options;
    this.#close(runId, ({ span, started }) => {
      span.setAttribute("tulipgraph.tool.status", status);
      if (replayed) span.setAttribute("tulipgraph.tool.replayed", true);
      else this.#tell({ kind: "tool", status, seconds: since(started) });
    });
  }

  #endStage(runId: string): void {
    this.#close(runId, ({ stage = "", started }) =>
      this.#tell({ kind: "stage", stage, seconds: since(started) }),
    );
  }

  #spanAround(parentRunId: string | undefined): Span {
    return this.#around.get(parentRunId ?? "") ?? this.#run;
  }

  #start(options: {
    runId: string;
    around: Span;
    name: string;
    kind: SpanKind;
    attributes: Attributes;
  }): Open {
    const { runId, around, name, ...how } = options;
    const span = this.#tracer.startSpan(name, how, trace.setSpan(ROOT_CONTEXT, around));
    const open: Open = { span, started: performance.now() };
    this.#around.set(runId, span);
    this.#open.set(runId, open);
    return open;
  }

  #close(runId: string, before: (open: Open) => void): void {
    const open = this.#open.get(runId);
    this.#around.delete(runId);
    if (!open) return;
    this.#open.delete(runId);
    before(open);
    open.span.end();
  }
}

/** By what a question's metadata name the model, ours or LangChain's. */
type Names = { [MODEL_KEY]?: string; ls_model_name?: string };

/** A node of a graph, as opposed to what LangGraph runs around and inside it. */
function stageOf(options: {
  tags: string[] | undefined;
  metadata: Record<string, unknown> | undefined;
  runName: string | undefined;
}): string | undefined {
  const { tags = [], metadata = {}, runName } = options;
  const isNode = runName === metadata["langgraph_node"];
  return isNode && tags.some((tag) => tag.startsWith("graph:step:")) ? runName : undefined;
}

const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/;

/** Whatever is not of the form is left aside: a trace begins here. */
function remoteContext(traceparent = ""): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) % 2;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function partsOf(spec: string): { provider: string; name: string } {
  if (!spec.includes(":")) return { provider: "unknown", name: spec };
  const { provider, model } = parseModelSpec(spec);
  return { provider, name: model };
}

/** The kind of an error; its message may quote what somebody has said. */
function errorType(error: unknown): string {
  if (error instanceof TulipgraphError) return error.code;
  return error instanceof Error ? error.name : "error";
}

function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function numbers(values: Record<string, unknown>): Attributes {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

function since(started: number): number {
  return (performance.now() - started) / 1000;
}

const ROLES: Record<string, string> = { human: "user", ai: "assistant" };

/** As the conventions write messages: JSON with roles and parts. */
function messagesText(messages: readonly BaseMessage[]): string {
  const shown = messages.map((message) => ({
    role: ROLES[message.type] ?? message.type,
    parts: [
      ...(message.text ? [{ type: "text", content: message.text }] : []),
      ...("tool_calls" in message ? ((message as AIMessage).tool_calls ?? []) : []).map(
        ({ id, name, args }) => ({ type: "tool_call", id, name, arguments: args }),
      ),
    ],
  }));
  return JSON.stringify(shown);
}
