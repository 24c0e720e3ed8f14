import type { CreationRecord } from "../../../eval/creation/creationRecord.js";
import type { CreationRequest } from "../../../eval/creation/creationRequests.js";
import { NOTHING_USED } from "../../../state/state.js";

/** A request with two hidden checks. */
export function requestWith(changes: Partial<CreationRequest> = {}): CreationRequest {
  return {
    id: "twice",
    theme: "numbers",
    query: "Create a tool that doubles a number.",
    wanted: { kind: "create" },
    start: [],
    checks: [
      { args: [1], expects: { kind: "value", value: 2 } },
      { args: [0], expects: { kind: "value", value: 0 } },
    ],
    ...changes,
  };
}

/** The record of a request whose first draft became a tool. */
export function createdRecord(changes: Partial<CreationRecord> = {}): CreationRecord {
  return {
    request: "twice",
    requestHash: "h",
    attempt: 1,
    model: "openai:gpt-4.1-mini",
    embeddings: "local:sentence-encoder",
    version: "1.0.0",
    status: "solved",
    answer: "It is there.",
    edits: [{ kind: "create", tool: "f", outcome: "done", version: 1, task: "t", failures: 0 }],
    drafts: [{ fault: null, problem: "" }],
    tool: { id: "f", version: 1, code: "", calls: [] },
    hidden: { passed: 2, failing: [] },
    usage: { ...NOTHING_USED, modelCalls: 3, inputTokens: 1000, outputTokens: 234, ms: 5 },
    usd: 0.01,
    wallMs: 1500,
    threadId: "twice",
    ...changes,
  };
}
