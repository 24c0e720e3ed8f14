import { TulipgraphError } from "../common/errors.js";
import { isPlainObject } from "../plans/steps/references.js";
import { canonicalJson, sha256 } from "../tools/library/records/hash.js";

/** What waits for a person: LangGraph's interrupt, and a digest of what it shows. A visit of a stage asks under one id. */
export interface OpenQuestion {
  id: string;
  digest: string;
}

/** Key of the questions that were open when a decision was sent, in a run's `configurable`. */
export const ASKED_KEY = "__tulipgraph_asked";

/** A decision about something that does not wait for one, or no longer. */
export class QuestionClosed extends TulipgraphError {
  readonly code = "QUESTION_CLOSED";

  constructor(readonly details: { problem: string; open: readonly string[] }) {
    const { problem, open } = details;
    super(
      `${problem}. ${open.length > 0 ? `Waiting now: ${open.join(", ")}; look at it and decide again` : "Nothing is waiting for a decision now"}`,
    );
  }
}

/** The questions of a state. */
export function openQuestions(state: {
  tasks: readonly { interrupts?: readonly unknown[] }[];
}): OpenQuestion[] {
  return state.tasks.flatMap(({ interrupts = [] }) =>
    interrupts.map((each) => {
      const { id = "", value } = Object(each) as { id?: string; value?: unknown };
      return { id, digest: sha256(canonicalJson(value ?? null)) };
    }),
  );
}

/** Under which a decision names the interrupt that it is about, beside `decisions`. */
const NAME = "interrupt";

/** Ids of interrupts, by which LangGraph tells that a resume names them. */
const ID = /^[0-9a-f]{32}$/;

/** A resume as LangGraph takes it: a decision that names its interrupt is given under that. */
export function namedResume(resume: unknown): unknown {
  if (!isPlainObject(resume)) return resume;
  const { [NAME]: id, ...decision } = resume;
  return typeof id === "string" ? { [id]: decision } : resume;
}

/**
 * Requires that a decision is about what waits. One that names no question is about those that were open when it was
 * sent, if that is known.
 *
 * @param options.asked what was open then
 * @throws QuestionClosed
 */
export function requireOpen(options: {
  resume: unknown;
  open: readonly OpenQuestion[];
  asked?: readonly OpenQuestion[];
}): void {
  const { resume, open, asked } = options;
  if (resume === undefined) return;
  const ids = open.map(({ id }) => id);
  const closed = namesIn(resume).find((id) => !ids.includes(id));
  if (closed !== undefined) {
    const problem = `the decision is about ${closed}, which is not waiting for one: it was already decided, or never asked`;
    throw new QuestionClosed({ problem, open: ids });
  }
  const isSame = ({ id, digest }: OpenQuestion) =>
    asked?.some((one) => one.id === id && one.digest === digest) ?? true;
  if (open.length === (asked ?? open).length && open.every(isSame)) return;
  const problem = "what was waiting when the decision was sent has since been decided or changed";
  throw new QuestionClosed({ problem, open: ids });
}

/** The interrupts that a resume names. */
function namesIn(resume: unknown): string[] {
  const named = namedResume(resume);
  if (!isPlainObject(named)) return [];
  const names = Object.keys(named);
  const isNamed = named !== resume || (names.length > 0 && names.every((name) => ID.test(name)));
  return isNamed ? names : [];
}
