import { InvalidSetting } from "../../../common/errors.js";
import { requireDay, TODAY } from "./clock.js";
import { tokensOf } from "./names.js";
import { CURRENT_USER, customerOf, nextId, partOf, requireText, userOf } from "./rows.js";
import { ID_PREFIX, STAGES } from "./stages.js";
import type {
  Priority,
  Severity,
  SourceChannel,
  WorkContext,
  WorkItem,
  WorkWorld,
} from "./state.js";

/** What every new work item may be given. */
interface NewItem {
  /** Title in a few words */
  title: string;
  /** What it is about; empty when left out */
  body?: string;
  /** Id of the user who is to work on it; nobody when left out */
  owned_by?: string;
}

/**
 * Create an issue: a fault of the product or a change to it. It begins in triage.
 *
 * @effects write
 * @returns id of the new issue
 */
export function createIssue(
  issue: NewItem & {
    /** Id of the part that it is about, such as "FEAT-3" */
    applies_to_part: string;
    /** How urgent it is; p0 is the most urgent */
    priority: Priority;
    /** Ids of the customers who want it */
    rev_orgs?: string[];
  },
  ctx: WorkContext,
): string {
  const { world } = ctx;
  const rev_orgs = (issue.rev_orgs ?? []).map((id) => customerOf(world, id).id);
  return addWorkItem(world, {
    ...commonOf(world, issue),
    type: "issue",
    applies_to_part: partOf(world, issue.applies_to_part).id,
    priority: issue.priority,
    rev_orgs: [...new Set(rev_orgs)],
  });
}

/**
 * Create a ticket: something that a customer has asked or reported, and waits for an answer to. It begins in the queue.
 *
 * @effects write
 * @returns id of the new ticket
 */
export function createTicket(
  ticket: NewItem & {
    /** Id of the customer, such as "REV-2" */
    rev_org: string;
    /** Id of the part that it is about, such as "FEAT-3" */
    applies_to_part: string;
    /** How badly the customer is hit */
    severity: Severity;
    /** Where it came in */
    source_channel?: SourceChannel;
  },
  ctx: WorkContext,
): string {
  const { world } = ctx;
  const { source_channel = "portal" } = ticket;
  return addWorkItem(world, {
    ...commonOf(world, ticket),
    type: "ticket",
    applies_to_part: partOf(world, ticket.applies_to_part).id,
    rev_org: customerOf(world, ticket.rev_org).id,
    severity: ticket.severity,
    needs_response: true,
    source_channel,
  });
}

/**
 * Create a task: something to be done that is neither a change to the product nor a customer's request.
 *
 * @effects write
 * @returns id of the new task
 */
export function createTask(
  task: NewItem & {
    /** Id of the part that it is about, such as "FEAT-3" */
    applies_to_part: string;
    /** Day by which it has to be done, as YYYY-MM-DD */
    due_on?: string;
  },
  ctx: WorkContext,
): string {
  const { world } = ctx;
  const due_on = task.due_on && requireDay("due_on", task.due_on);
  return addWorkItem(world, {
    ...commonOf(world, task),
    type: "task",
    applies_to_part: partOf(world, task.applies_to_part).id,
    ...(due_on ? { due_on } : {}),
  });
}

/**
 * Create tasks from a text, such as a transcript of a meeting: one for every bullet point, or, where the
 * text has none, one for every sentence. The current user works on them; each is about the part whose
 * name it contains, else about the first product.
 *
 * @effects write
 * @param text - Text that says what is to be done
 * @returns ids of the new tasks, in the order of the text
 */
export function createActionableTasksFromText(text: string, ctx: WorkContext): string[] {
  const { world } = ctx;
  return actionsIn(requireText("text", text)).map((action) =>
    addWorkItem(world, {
      type: "task",
      title: action,
      body: "",
      applies_to_part: sharedPart(world, action),
      owned_by: CURRENT_USER,
    }),
  );
}

/** What differs between new work items. */
type NewWorkItem = Pick<WorkItem, "type" | "title" | "body" | "applies_to_part"> &
  Partial<Omit<WorkItem, "id">>;

/** The default estimate of a new item. */
const USUAL_HOURS = 4;

/** Adds a work item, made by the current user today, in its first stage. @returns its id */
function addWorkItem({ tables }: WorkWorld, item: NewWorkItem): string {
  const id = nextId(tables.work_items, ID_PREFIX[item.type]);
  tables.work_items[id] = {
    id,
    ...item,
    created_by: CURRENT_USER,
    stage: STAGES[item.type].open[0],
    created_on: TODAY,
    estimate_hours: USUAL_HOURS,
    labels: [],
    links: [],
  };
  return id;
}

function commonOf(world: WorkWorld, { title, body = "", owned_by }: NewItem) {
  return {
    title: requireText("title", title),
    body,
    ...(owned_by === undefined ? {} : { owned_by: userOf(world, owned_by).id }),
  };
}

/**
 * The things to do in a text: its bullet points ("-", "*", "•" or "1." at the start of a line), or its sentences if it has
 * none. Repetitions count once.
 *
 * @throws InvalidSetting if the text has no words
 */
function actionsIn(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const points = lines.flatMap((line) => BULLET.exec(line)?.groups?.["point"] ?? []);
  const parts = points.length > 0 ? points : lines.flatMap((line) => line.split(SENTENCE_END));
  const actions = parts.map((part) => part.trim().replace(/[.;!]+$/, "")).filter(hasWords);
  if (actions.length > 0) return [...new Set(actions)];
  throw new InvalidSetting({
    setting: "text",
    problem: "has no sentence and no bullet point",
    hint: "Give a text that says what is to be done",
  });
}

/** Id of the part with the longest name whose words are all in the text; otherwise of the first part. */
function sharedPart({ tables }: WorkWorld, text: string): string {
  const there = new Set(tokensOf(text));
  const parts = Object.values(tables.parts);
  const named = parts
    .map(({ id, name }) => ({ id, tokens: tokensOf(name) }))
    .filter(({ tokens }) => tokens.every((token) => there.has(token)))
    .toSorted((left, right) => right.tokens.length - left.tokens.length);
  return named[0]?.id ?? parts[0]?.id ?? "";
}

const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(?<point>.+)$/;

/** After a full stop, question mark, exclamation mark or semicolon that ends a word. */
const SENTENCE_END = /(?<=[.?!;])\s+/;

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
