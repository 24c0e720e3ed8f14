import { jsonOrNothing } from "../../common/jsonInText.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { NO_END } from "./unfinished.js";

/**
 * Fetches a reply so that OpenAI's client can read it: whatever a server sends becomes events, and a stream that breaks off
 * says so. Its end is a finish reason, or `[DONE]`, which some local servers send alone. A failure with the status of a
 * success gets its own, so that it is tried again like any other; an endpoint that streams nothing is asked for a whole
 * reply.
 */
export async function fetchReply(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const asked = typeof init?.body === "string" ? init.body : "";
  const [model] = /"model":"[^"]*"/.exec(asked) ?? [];
  const endpoint = `${input instanceof Request ? input.url : input.toString()} ${model}`;
  const isWhole = streamless.has(endpoint);
  const response = await fetch(input, isWhole ? { ...init, body: withoutStream(asked) } : init);
  const { body, headers, status } = response;
  if (!response.ok) {
    const refused = await withReason(response);
    // A reply that was in the refusal may speak of streams, too.
    const isOfRequest = !refused.ok && [400, 403, 404, 422, 501].includes(status);
    const words = isOfRequest && !isWhole ? await refused.clone().text() : "";
    if (!/\bstream(?:ing)?\b/i.test(words)) return refused;
    streamless.add(endpoint);
    return await fetchReply(input, init);
  }
  if (!body) return response;
  const events = evenEvents(body.pipeThrough(new TextDecoderStream()));
  const first = await events.next().catch((failure: unknown) => ({ failure }));
  const event = "failure" in first || first.done ? undefined : first.value;
  const code = event && statusIn(event);
  if (code !== undefined) return Response.json(event, { status: code, headers });
  const encoder = new TextEncoder();
  const sent = new ReadableStream<Uint8Array>({
    start(controller) {
      // It is the reply that broke off, not the connection that was never made.
      if ("failure" in first) controller.error(first.failure);
      else if (event) controller.enqueue(encoder.encode(eventOf(event)));
    },
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(eventOf(value)));
    },
    cancel: (reason) => void events.return(reason),
  });
  return new Response(sent, { status, headers: EVENTS });
}

const EVENTS = { "content-type": "text/event-stream" };

type Fields = Record<string, unknown>;

function eventOf(value: Fields): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Endpoints and models that have refused to stream, as this process has met them. */
const streamless = new Set<string>();

function withoutStream(body: string): string {
  const { stream: _stream, stream_options: _options, ...others } = JSON.parse(body) as Fields;
  return JSON.stringify(others);
}

/** A refusal with its reason where OpenAI's client looks for it; Groq's of a call that it could not read has the reply. */
async function withReason(response: Response): Promise<Response> {
  const { headers, status, statusText } = response;
  const text = await response.text();
  const written = jsonOrNothing(text);
  const [value] = [written].flat();
  const error = isPlainObject(written) ? written["error"] : undefined;
  const message = isPlainObject(value) ? failureIn(value) : undefined;
  const { failed_generation: content } = Object(error) as Fields;
  if (typeof content === "string" && content)
    return new Response(eventOf(partOf(content, "stop")), { headers: EVENTS });
  const isRead = message === undefined || isPlainObject(error);
  const told = isRead ? text : JSON.stringify({ error: { message } });
  const rest = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) rest.delete(name);
  return new Response(told, { status, statusText, headers: rest });
}

function partOf(content: string, finish_reason: string): Fields {
  return { choices: [{ index: 0, delta: { content }, finish_reason }] };
}

/** Where endpoints say what was wrong: OpenAI's, FastAPI's, Amazon's, MiniMax's and others. */
const FAILURES =
  "error errors detail message Message msg error_msg error_description base_resp".split(" ");

function failureIn(value: Fields): string | undefined {
  const given = FAILURES.map((name) => value[name]).map((one) =>
    Array.isArray(one) ? one[0] : one,
  );
  const texts = given.map((one) =>
    isPlainObject(one) ? (one["message"] ?? one["msg"] ?? one["status_msg"]) : one,
  );
  return texts.find((one): one is string => typeof one === "string" && one !== "");
}

/** The status of an event that is a failure, if it says one. */
function statusIn({ error }: Fields): number | undefined {
  const { code } = Object(error) as { code?: unknown };
  return Number(code) >= 400 && Number(code) < 600 ? Number(code) : undefined;
}

/**
 * What the lines of a reply say, event by event: also lines of JSON without more, events with no blank line between them,
 * and a whole reply. A line that is not whole is not read.
 */
async function* evenEvents(body: ReadableStream<string>): AsyncGenerator<Fields, undefined> {
  let hasBegun = false;
  let hasEnded = false;
  let data = "";
  for await (const line of linesOf(body)) {
    if (/^(?:event|id|retry)?:/.test(line)) continue;
    data += line.replace(/^\uFEFF?(?:data:)?/, "");
    hasEnded ||= /^\s*"?\[DONE\]/i.test(data);
    const value = /[}\]]\s*$/.test(data) ? jsonOrNothing(data) : undefined;
    const isOver = value !== undefined || line.trim() === "" || hasEnded;
    if (isOver && value === undefined && /^\s*\{/.test(data))
      yield { error: { message: `the reply cannot be read: ${data}` } };
    if (isOver) data = "";
    for (const event of [value].flat().filter(isPlainObject).map(withFailure)) {
      hasBegun ||= "choices" in event;
      hasEnded ||= finishesIn(event);
      yield event;
    }
  }
  if (hasBegun && !hasEnded) yield partOf("", NO_END);
}

async function* linesOf(body: ReadableStream<string>): AsyncGenerator<string> {
  const reader = body.getReader();
  let rest = "";
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    yield rest;
  } finally {
    await reader.cancel();
  }
}

/** An event with its failure, if it is one, where OpenAI's client looks for it: some are named otherwise or in a choice. */
function withFailure(event: Fields): Fields {
  const [choice] = choicesOf(event);
  const inside = choice?.["error"];
  const message = failureIn(inside ? { error: inside } : choice ? {} : event);
  const { code } = Object(inside ?? event["error"]) as { code?: unknown };
  return message === undefined ? event : { error: { message, code } };
}

function choicesOf({ choices }: Fields): Fields[] {
  return [choices].flat().filter(isPlainObject);
}

function finishesIn(event: Fields): boolean {
  return choicesOf(event).some(
    (one) => "message" in one || typeof one["finish_reason"] === "string",
  );
}
