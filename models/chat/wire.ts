import { jsonOrNothing } from "../../common/jsonInText.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { NO_END } from "./unfinished.js";

/**
 * Fetches a reply so that OpenAI's client can read it: a plain JSON reply to a request for a stream becomes one, and a
 * stream that breaks off says so. Its end is a finish reason, or `[DONE]`, which some local servers send alone.
 */
export async function fetchReply(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { body, headers, status } = response;
  if (!response.ok) return await withReason(response);
  if (!body) return response;
  if (/^application\/json/i.test(headers.get("content-type") ?? "")) {
    return new Response(asEvents(await response.text()), { status, headers: EVENTS });
  }
  const decoded = body.pipeThrough(new TextDecoderStream());
  const ended = decoded.pipeThrough(withEnd()).pipeThrough(new TextEncoderStream());
  return new Response(ended, { status, headers });
}

const EVENTS = { "content-type": "text/event-stream" };

/** A refusal with its reason where OpenAI's client looks for it. */
async function withReason(response: Response): Promise<Response> {
  const { headers, status, statusText } = response;
  const text = await response.text();
  const written = jsonOrNothing(text);
  const [value] = [written].flat();
  const message = isPlainObject(value) ? failureIn(value) : undefined;
  const isRead =
    message === undefined || (isPlainObject(written) && isPlainObject(written["error"]));
  const told = isRead ? text : JSON.stringify({ error: { message } });
  const rest = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) rest.delete(name);
  return new Response(told, { status, statusText, headers: rest });
}

/** A whole reply as events. Failures come under several names, some with the status of a success. */
function asEvents(text: string): string {
  const value = jsonOrNothing(text);
  if (!isPlainObject(value)) return text;
  const message = value["choices"] === undefined ? failureIn(value) : undefined;
  const event = message === undefined ? value : { error: { message } };
  return `data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`;
}

/** Where endpoints say what was wrong: OpenAI's, FastAPI's, Amazon's and others. */
const FAILURES = "error errors detail message Message msg error_msg error_description".split(" ");

function failureIn(value: Record<string, unknown>): string | undefined {
  const given = FAILURES.map((name) => value[name]).map((one) =>
    Array.isArray(one) ? one[0] : one,
  );
  const texts = given.map((one) => (isPlainObject(one) ? (one["message"] ?? one["msg"]) : one));
  return texts.find((one): one is string => typeof one === "string" && one !== "");
}

const END = `\n\ndata: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: NO_END }] })}\n\n`;

/** Passes on whole lines; a line without its end is not read. A reply that is no stream becomes one. */
function withEnd(): TransformStream<string, string> {
  let rest = "";
  let isWhole: boolean | undefined;
  let hasBegun = false;
  let hasEnded = false;
  const passed = (text: string) => {
    hasBegun ||= text.includes('"choices"');
    hasEnded ||= /"finish_reason"\s*:\s*"|^data:\s*\[DONE\]/m.test(text);
    return text;
  };
  return new TransformStream({
    transform(part, controller) {
      const text = rest + part;
      isWhole ??= text.trim() === "" ? undefined : /^\s*\{/.test(text);
      const end = isWhole ? 0 : text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      if (end > 0) controller.enqueue(passed(text.slice(0, end)));
    },
    flush(controller) {
      const isLine = /^data:\s*(?:\[DONE\]|\{)/.test(rest) && /\]\s*$|\}\s*$/.test(rest);
      if (isWhole) controller.enqueue(asEvents(rest));
      else if (isLine) controller.enqueue(passed(`${rest}\n\n`));
      if (hasBegun && !hasEnded) controller.enqueue(END);
    },
  });
}
