import { mean, sum } from "../statistics/descriptive.js";
import { DRAFT_FAULTS, type DraftFault } from "./draftFaults.js";
import type { FailedCheck } from "./hiddenChecks.js";
import type { CreationRecord } from "./creationRecord.js";
import type { CreationRequest } from "./creationRequests.js";

/** The outcome of a request. */
type CreationOutcome = "created" | "updated" | "reused" | "no tool" | "broke off";

/** One request, judged. */
export interface CreationRow {
  request: string;
  theme: CreationRequest["theme"];
  outcome: CreationOutcome;
  /** Whether this outcome is right for the request and all hidden checks passed. */
  right: boolean;
  /** Why it is not right; empty if it is. */
  why: string;
  drafts: number;
  /** Faults of its drafts, in order. */
  faults: DraftFault[];
  /** Null if there is no tool to check. */
  hidden: { passed: number; of: number; failing: FailedCheck[] } | null;
  modelCalls: number;
  /** Input and output. */
  tokens: number;
  ms: number;
}

/** All figures of an evaluation. */
export interface CreationFigures {
  /** As "provider:name". */
  model: string;
  embeddings: string;
  version: string;
  rows: CreationRow[];
  requests: number;
  right: number;
  /** Requests for which a new tool, or a new version of one, is right. */
  wanted: number;
  /** Of those, the requests for which one was made. */
  made: number;
  /** Of those, the requests whose tool also passed all hidden checks. */
  madeRight: number;
  /** Drafts for each tool that was made; null if there is none. */
  meanDrafts: number | null;
  hidden: { passed: number; of: number };
  /** Drafts by fault, most frequent first. */
  faults: { fault: DraftFault; drafts: number }[];
  /** Input and output. */
  tokens: number;
  /** For the tokens of models and searches; null if a price is unknown. */
  usd: number | null;
  /** Some token counts are estimates, because the model reports none. */
  estimated: boolean;
}

/**
 * Judges the records of an evaluation.
 *
 * @param made each request with the record that counts
 */
export function creationFigures(
  made: readonly { request: CreationRequest; record: CreationRecord }[],
): CreationFigures {
  const rows = made.map(rowOf);
  const wanting = made.flatMap(({ request: { wanted } }, at) =>
    wanted.kind === "create" || wanted.kind === "update" ? (rows[at] ?? []) : [],
  );
  const successes = wanting.filter(({ outcome }) => outcome === "created" || outcome === "updated");
  const { model = "", embeddings = "", version = "" } = made[0]?.record ?? {};
  return {
    model,
    embeddings,
    version,
    rows,
    requests: rows.length,
    right: rows.filter(({ right }) => right).length,
    wanted: wanting.length,
    made: successes.length,
    madeRight: successes.filter(({ right }) => right).length,
    meanDrafts: successes.length > 0 ? mean(successes.map(({ drafts }) => drafts)) : null,
    hidden: {
      passed: sum(rows.map(({ hidden }) => hidden?.passed ?? 0)),
      of: sum(made.map(({ request }) => request.checks.length)),
    },
    faults: countFaults(rows),
    tokens: sum(rows.map(({ tokens }) => tokens)),
    usd: sumOfKnown(made.map(({ record }) => record.usd)),
    estimated: made.some(({ record }) => record.usage.estimated === true),
  };
}

function rowOf({
  request,
  record,
}: {
  request: CreationRequest;
  record: CreationRecord;
}): CreationRow {
  const { id, theme, checks } = request;
  const { drafts, hidden, usage, wallMs } = record;
  const why = whyWrong(request, record);
  return {
    request: id,
    theme,
    outcome: outcomeOf(record),
    right: why === "",
    why,
    drafts: drafts.length,
    faults: drafts.flatMap(({ fault }) => fault ?? []),
    hidden: hidden && { ...hidden, of: checks.length },
    modelCalls: usage.modelCalls,
    tokens: usage.inputTokens + usage.outputTokens,
    ms: wallMs,
  };
}

function outcomeOf({ edits, error }: CreationRecord): CreationOutcome {
  if (error !== undefined) return "broke off";
  const done = edits.findLast(({ kind, outcome }) => kind !== "delete" && outcome === "done");
  if (done) return done.kind === "create" ? "created" : "updated";
  return edits.some(({ outcome }) => outcome === "reused") ? "reused" : "no tool";
}

/** Empty if the outcome is right. */
function whyWrong(request: CreationRequest, record: CreationRecord): string {
  const { wanted, checks } = request;
  const { status, tool, hidden } = record;
  const outcome = outcomeOf(record);
  if (outcome === "broke off") return `it broke off: ${record.error}`;
  if (wanted.kind === "nothing") {
    if (outcome !== "no tool") return "a tool was made that cannot work";
    return status === "unsolved"
      ? ""
      : `it does not say that there is no tool, but ends "${status}"`;
  }
  if (wanted.kind === "reuse") return whyNotReused(wanted.tool, record);
  const right = wanted.kind === "create" ? "created" : "updated";
  if (outcome !== right)
    return outcome === "no tool" ? lastWords(record) : `the tool was ${outcome}`;
  if (wanted.kind === "update" && tool?.id !== wanted.tool)
    return `${tool?.id ?? "nothing"} was updated`;
  const calls = wanted.kind === "create" ? (wanted.calls ?? []) : [];
  const missing = calls.filter((id) => !tool?.calls.includes(id));
  if (missing.length > 0) return `it does not call ${missing.join(" and ")}`;
  const failing = checks.length - (hidden?.passed ?? 0);
  return failing > 0 ? `${failing} of ${checks.length} hidden checks fail` : "";
}

/** A model that found the tool may say so without asking for another one. */
function whyNotReused(tool: string, record: CreationRecord): string {
  const { status, edits, answer } = record;
  const outcome = outcomeOf(record);
  if (outcome === "reused") return record.tool?.id === tool ? "" : `${record.tool?.id} was reused`;
  if (outcome !== "no tool") return `${tool} does it already, and a tool was ${outcome}`;
  if (edits.length === 0 && status === "solved") return "";
  return `it does not say that ${tool} does it already: ${answer}`;
}

/** Why there is no tool: the problem of the last draft, or the answer if there was no draft. */
function lastWords({ drafts, answer }: CreationRecord): string {
  const problem = drafts.at(-1)?.problem.split("\n")[0];
  return problem ? `last draft: ${problem}` : `no draft: ${answer}`;
}

function countFaults(rows: readonly CreationRow[]): CreationFigures["faults"] {
  const faults = rows.flatMap((row) => row.faults);
  return DRAFT_FAULTS.map((fault) => ({
    fault,
    drafts: faults.filter((each) => each === fault).length,
  }))
    .filter(({ drafts }) => drafts > 0)
    .toSorted((a, b) => b.drafts - a.drafts);
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : sum(known);
}
