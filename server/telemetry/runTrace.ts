import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import { isGraphBubbleUp } from "@langchain/langgraph";
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { withoutOwnSecrets } from "../../common/secrets.js";
import { MODEL_KEY } from "../../models/prompt.js";
import type { ToolOutcome } from "../../nodes/acting/followCalls.js";
import { errorType, markFailed, messagesText, parentOf, splitModel } from "./tracing.js";

/** The run that is traced. */
export interface TracedRun {
  graph: string;
  threadId: string;
  runId?: string;
  /** The W3C header of the request that started the run; its trace is continued. */
  traceparent?: string;
}

/** Something that has ended during a run, for metrics: a stage, a model call or a tool call. */
export type TracedEvent =
  | { kind: "stage"; stage: string; seconds: number }
  | {
      kind: "model";
      /** "provider:name" */
      model: string;
      seconds: number;
      inputTokens: number;
      /** Those of the input tokens that the provider has read from its cache. */
      cachedTokens?: number | undefined;
      outputTokens: number;
      /** Id of LangGraph's task that asked; a graph inside another counts for the outermost. */
      visit: string;
      prompt: readonly BaseMessage[];
      /** Absent if the call has failed. */
      reply?: AIMessage;
      error?: unknown;
    }
  | {
      kind: "tool";
      /** See tools/calls/callOutcome.ts. */
      status: string;
      seconds: number;
    };

/** What LangChain hands to a handler. */
type HandlerArguments<Name extends keyof BaseCallbackHandler> = Parameters<
  Extract<BaseCallbackHandler[Name], (...given: never[]) => unknown>
>;

interface Open {
  span: Span;
  started: number;
  /** The stage, the tool, or the model as "provider:name". */
  name: string;
  /** Of a model call. */
  asked?: Pick<TracedEvent & { kind: "model" }, "visit" | "prompt">;
}

/**
 * Follows a run through LangChain's callbacks and turns it into spans by OpenTelemetry's conventions for generative AI:
 * the run (`invoke_agent`), its stages, and inside these the model calls (`chat`) and tool calls (`execute_tool`).
 * Prompts, replies, arguments and results are left out unless
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
  readonly #tell: (event: TracedEvent) => void;
  readonly #run: Span;
  /** Open spans, by the id of LangChain's run. */
  readonly #open = new Map<string, Open>();
  /** The span in which the children of one of LangChain's runs belong, by its id. */
  readonly #around = new Map<string, Span>();
  readonly #showsContent =
    process.env["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"]?.toLowerCase() === "true";

  constructor(options: { run: TracedRun; tracer: Tracer; tell?: (event: TracedEvent) => void }) {
    // Otherwise LangChain may call in any order, even after the run.
    super({ _awaitHandler: true });
    const { run, tracer, tell = () => undefined } = options;
    this.#tracer = tracer;
    this.#tell = tell;
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "tulipgraph",
      "gen_ai.agent.name": run.graph,
      "gen_ai.conversation.id": run.threadId,
      "tulipgraph.run.id": run.runId,
    };
    const name = `invoke_agent ${run.graph}`;
    const parent = parentOf(run.traceparent);
    this.#run = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, parent);
  }

  /** Closes the run's span. */
  end({ status, error }: { status: string; error?: unknown }): void {
    for (const { span } of this.#open.values()) span.end();
    this.#run.setAttribute("tulipgraph.run.status", status);
    if (error !== undefined || status === "error" || status === "timeout")
      markFailed(this.#run, error === undefined ? status : errorType(error));
    this.#run.end();
  }

  override handleChainStart(...given: HandlerArguments<"handleChainStart">): void {
    // LangChain's types name the fourth and the eighth argument the wrong way round.
    const [, , runId, parentRunId, tags, metadata, , runName] = given;
    const stage = stageOf(runName, tags, metadata);
    if (stage === undefined) {
      this.#around.set(runId, this.#spanAround(parentRunId));
      return;
    }
    const attributes = { "tulipgraph.stage": stage };
    this.#start({ runId, parentRunId, operation: "stage", name: stage, attributes });
  }

  override handleChainEnd(_outputs: unknown, runId: string): void {
    this.#endStage(runId);
  }

  override handleChainError(error: unknown, runId: string): void {
    const open = this.#open.get(runId);
    // A stage that waits for a person has not failed.
    if (open && isGraphBubbleUp(error)) open.span.setAttribute("tulipgraph.stage.waits", true);
    else if (open) markFailed(open.span, errorType(error));
    this.#endStage(runId);
  }

  override handleChatModelStart(...given: HandlerArguments<"handleChatModelStart">): void {
    const [, [messages = []], runId, parentRunId, , , metadata = {}] = given;
    const { [MODEL_KEY]: ours, ls_model_name: theirs = "unknown" } = metadata as ModelNames;
    const model = ours ?? theirs;
    const { provider, name } = splitModel(model);
    const attributes: Attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": name,
      "gen_ai.request.temperature": metadata["ls_temperature"],
      "gen_ai.request.max_tokens": metadata["ls_max_tokens"],
      "gen_ai.input.messages": this.#content(() => messagesText(messages)),
    };
    const open = this.#start({ runId, parentRunId, operation: "chat", name, attributes });
    // "act:ID" for a visit of a stage.
    const { langgraph_checkpoint_ns: ns = "" } = metadata as { langgraph_checkpoint_ns?: string };
    const [place = ""] = ns.split("|");
    const [, visit = ""] = place.split(":");
    Object.assign(open, { name: model, asked: { visit, prompt: messages } });
  }

  override handleLLMEnd({ generations }: LLMResult, runId: string): void {
    const first = generations[0]?.[0];
    const message = first && "message" in first ? (first.message as AIMessage) : undefined;
    const usage = message?.usage_metadata;
    const cachedTokens = usage?.input_token_details?.cache_read;
    const { finish_reason, model_name, id } = message?.response_metadata ?? {};
    this.#close(runId, (open) => {
      open.span.setAttributes({
        "gen_ai.usage.input_tokens": usage?.input_tokens,
        "gen_ai.usage.cache_read.input_tokens": cachedTokens,
        "gen_ai.usage.output_tokens": usage?.output_tokens,
        "gen_ai.response.finish_reasons":
          typeof finish_reason === "string" ? [finish_reason] : undefined,
        "gen_ai.response.model": text(model_name),
        "gen_ai.response.id": text(id),
        "gen_ai.output.messages": this.#content(() => message && messagesText([message])),
      });
      const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = usage ?? {};
      this.#tell({ ...modelEvent(open), inputTokens, cachedTokens, outputTokens, reply: message });
    });
  }

  override handleLLMError(error: unknown, runId: string): void {
    this.#close(runId, (open) => {
      markFailed(open.span, errorType(error));
      this.#tell({ ...modelEvent(open), inputTokens: 0, outputTokens: 0, error });
    });
  }

  override handleToolStart(...given: HandlerArguments<"handleToolStart">): void {
    const [, input, runId, parentRunId, , , runName = "unknown", toolCallId] = given;
    const attributes: Attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": runName,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": toolCallId,
      "gen_ai.tool.call.arguments": this.#content(() => withoutOwnSecrets(input)),
    };
    this.#start({ runId, parentRunId, operation: "execute_tool", name: runName, attributes });
  }

  override handleToolEnd(output: { content?: unknown; artifact?: ToolOutcome }, runId: string) {
    const { status = "done", replayed = false } = output?.artifact ?? {};
    const result = this.#content(() => withoutOwnSecrets(String(output?.content)));
    this.#open.get(runId)?.span.setAttributes({ "gen_ai.tool.call.result": result });
    this.#endTool(runId, status, replayed);
  }

  override handleToolError(error: Error, runId: string): void {
    const open = this.#open.get(runId);
    if (open) markFailed(open.span, error.name);
    // The runtime names its errors after the outcome of the call.
    this.#endTool(runId, error.name, false);
  }

  #content(read: () => string | undefined): string | undefined {
    return this.#showsContent ? read() : undefined;
  }

  #endTool(runId: string, status: string, replayed: boolean): void {
    this.#close(runId, ({ span, started }) => {
      span.setAttribute("tulipgraph.tool.status", status);
      if (replayed) span.setAttribute("tulipgraph.tool.replayed", true);
      else this.#tell({ kind: "tool", status, seconds: since(started) });
    });
  }

  #endStage(runId: string): void {
    this.#close(runId, ({ name, started }) =>
      this.#tell({ kind: "stage", stage: name, seconds: since(started) }),
    );
  }

  #spanAround(parentRunId: string | undefined): Span {
    return this.#around.get(parentRunId ?? "") ?? this.#run;
  }

  #start(options: {
    runId: string;
    parentRunId: string | undefined;
    operation: "stage" | "chat" | "execute_tool";
    name: string;
    attributes: Attributes;
  }): Open {
    const { runId, parentRunId, operation, name, attributes } = options;
    const span = this.#tracer.startSpan(
      `${operation} ${name}`,
      { kind: operation === "chat" ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes },
      trace.setSpan(ROOT_CONTEXT, this.#spanAround(parentRunId)),
    );
    const open: Open = { span, started: performance.now(), name };
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

/** The model's name in the metadata of a call, ours or LangChain's. */
type ModelNames = { [MODEL_KEY]?: string; ls_model_name?: string };

function modelEvent({ name: model, started, asked = { visit: "", prompt: [] } }: Open) {
  return { kind: "model" as const, model, seconds: since(started), ...asked };
}

/** The name of a graph's node; undefined for what LangGraph runs around and inside nodes. */
function stageOf(
  runName: string | undefined,
  tags: string[] = [],
  metadata: Record<string, unknown> = {},
): string | undefined {
  const isNode = runName === metadata["langgraph_node"];
  return isNode && tags.some((tag) => tag.startsWith("graph:step:")) ? runName : undefined;
}

/** An attribute; one that is undefined is left out. */
function text(value: unknown): string | undefined {
  return typeof value === "string" ? withoutOwnSecrets(value) : undefined;
}

function since(started: number): number {
  return (performance.now() - started) / 1000;
}
