import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ModelFailed } from "../../../common/errors.js";
import { ask } from "../../../models/chat/ask.js";
import { modelFailure } from "../../../models/chat/failures.js";
import type { EndpointReply, EndpointScript } from "../../fakes/chatEndpoint.js";
import type { SettingsInput } from "../../../state/settings.js";
import { KEY, type QuestionParts, actQuestion, openAiEndpoint, rejectionOf } from "../support.js";

/** The failure of one question to an endpoint that replies so; always one line without the key. */
async function failureAt(
  reply: EndpointReply | EndpointScript,
  settings: SettingsInput = {},
  parts: QuestionParts = {},
): Promise<ModelFailed> {
  const endpoint = await openAiEndpoint(reply);
  const failure = await failureOf(settings, parts);
  expect(endpoint.requests).toHaveLength(1);
  return failure;
}

async function failureOf(
  settings: SettingsInput = {},
  parts: QuestionParts = {},
): Promise<ModelFailed> {
  const error = await rejectionOf(ask(actQuestion(settings, parts)));
  expect(error).toBeInstanceOf(ModelFailed);
  expect(error.message).toMatch(/^model openai:gpt-4\.1-mini: [^\n]+$/);
  expect(error.message).not.toContain(KEY);
  return error as ModelFailed;
}

function refusal(status: number, message: string, code?: string): EndpointReply {
  return { status, body: { error: { message, type: "error", code } } };
}

/** Nobody listens there: the port has no use, and is too low for the system to hand it out to anybody. */
const CLOSED_PORT = 4;

/** The time for a reply, which is over when a test says so, however slow the machine is. */
function replyTime() {
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(time.signal);
  onTestFinished(() => timeout.mockRestore());
  return { end: () => time.abort(new DOMException("it is over", "TimeoutError")) };
}

describe("the failure of a model", () => {
  it.each([
    [401, `Incorrect API key: ${KEY}.`, "the key was refused (HTTP 401)", "the provider's key"],
    [404, "no `gpt-4.1-mini`", "not found (HTTP 404): no `gpt-4.1-mini`", "the model's name"],
  ])("reports HTTP %i with what to check, and no key", async (status, said, problem, hint) => {
    const { message } = await failureAt(refusal(status, said));
    expect(message).toContain(problem);
    expect(message).toContain(`Check ${hint}`);
  });

  it("passes on the first line of what was wrong with the request, without the key", async () => {
    const words = `Invalid schema for tool 'x' (${KEY})\nand a second line`;
    const { message } = await failureAt(refusal(400, words));
    expect(message).toContain("HTTP 400: Invalid schema for tool 'x' (<OPENAI_API_KEY>)");
    expect(message).not.toContain("second line");
  });

  it("reports a used-up quota, without trying again", async () => {
    const reply = refusal(429, "You exceeded your current quota", "insufficient_quota");
    const { message, details } = await failureAt(reply);
    expect(message).toContain("(HTTP 429): You exceeded your current quota");
    expect(message).toContain("check the account's quota");
    expect(details.overloaded).toBeUndefined();
  });

  it("reports a pause that is too long to wait for, without trying again", async () => {
    const headers = { "retry-after": "3600" };
    const { message, details } = await failureAt({
      status: 429,
      body: { error: { message: "slow down" } },
      headers,
    });
    expect(message).toContain("(HTTP 429): slow down");
    // Who has the time may wait for as long.
    expect(details.overloaded).toEqual({ retryAfterMs: 3_600_000 });
  });

  it("immediately reports an endpoint where nothing listens", async () => {
    vi.stubEnv("OPENAI_BASE_URL", `http://127.0.0.1:${CLOSED_PORT}/v1`);
    vi.stubEnv("OPENAI_API_KEY", KEY);
    const fetching = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => fetching.mockRestore());
    const { message } = await failureOf();
    expect(message).toContain("the endpoint cannot be reached (ECONNREFUSED)");
    expect(message).toContain("OPENAI_BASE_URL");
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  it("reports a reply that began and did not end in time", async () => {
    const { end } = replyTime();
    const handleLLMNewToken = (token: string) => {
      if (token) end();
    };
    const { message } = await failureAt(
      { content: "The", afterwards: "hang" },
      { modelTimeoutMs: 300 },
      { config: { callbacks: [{ handleLLMNewToken }] } },
    );
    expect(message).toContain("did not answer in time (300 ms)");
  });

  it("reports a reply that broke off, and does not take it as complete", async () => {
    const { message } = await failureAt({ content: "The answer is 10649", afterwards: "breakOff" });
    expect(message).toContain("the connection broke off before the reply was complete");
  });

  it.each([
    ["a page", "<!DOCTYPE html>\n<html><body>Welcome</body></html>"],
    ["an object of another kind", { hello: "world" }],
    ["nothing", ""],
  ])("tells of an endpoint that answers with %s", async (_what, body) => {
    const { message } = await failureAt({ status: 200, body });
    expect(message).toContain("did not send a reply");
    expect(message).toContain("OPENAI_BASE_URL");
  });

  it("reports a stream whose parts are not JSON, and writes nothing to the terminal", async () => {
    const log = vi.spyOn(console, "error");
    const headers = { "content-type": "text/event-stream" };
    const { message } = await failureAt({ status: 200, body: "data: {not json\n\n", headers });
    expect(message).toContain("the reply cannot be read");
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  it("reports an error in the middle of a stream", async () => {
    const headers = { "content-type": "text/event-stream" };
    const body = `data: {"error":{"message":"out of memory with ${KEY}"}}\n\n`;
    const { message } = await failureAt({ status: 200, body, headers });
    expect(message).toContain("out of memory with <OPENAI_API_KEY>");
  });
});

describe("modelFailure", () => {
  const spec = "p:m";

  it.each(["statusCode", "status_code"])(
    "reads the HTTP status under the name %s, too",
    (field) => {
      const error = Object.assign(new Error("model not found"), { [field]: 404 });
      expect(String(modelFailure({ spec, error }))).toContain("HTTP 404");
    },
  );

  it.each([
    ["a text", "boom", "model p:m: boom"],
    ["nothing", undefined, "model p:m: undefined"],
    ["an error without words", new Error(""), "model p:m: no reason was given"],
  ])("makes one line of %s that was thrown", (_what, error, message) => {
    expect(modelFailure({ spec, error })).toMatchObject({ message });
  });

  it("finds the connection's error code in a chain of causes", () => {
    const socket = Object.assign(new Error("lookup"), { code: "ENOTFOUND" });
    const fetching = new TypeError("fetch failed", { cause: socket });
    const error = new Error("Connection error.", { cause: fetching });
    expect(String(modelFailure({ spec, error }))).toContain("cannot be reached (ENOTFOUND)");
  });
});
