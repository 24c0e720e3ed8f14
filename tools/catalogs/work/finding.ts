import { nearestByName, tokensOf } from "./names.js";
import {
  CURRENT_USER,
  allWorkItems,
  customerOf,
  idsOf,
  isAmong,
  known,
  partOf,
  requireCount,
  requireText,
  userOf,
  workItem,
} from "./rows.js";
import { knownStages } from "./stages.js";
import type {
  Priority,
  Severity,
  SourceChannel,
  WorkContext,
  WorkItem,
  WorkType,
} from "./state.js";

/**
 * List work items (issues, tickets and tasks) that match all the filters given, in the order in which they were made.
 * Each filter with several values wants any of them; one that is left out lets everything through.
 *
 * @effects read
 * @returns ids of the work items
 */
export function worksList(
  {
    limit = 50,
    ...filters
  }: {
    /** Ids of parts, such as ["FEAT-3", "PROD-1"]: only work items of any of these parts themselves */
    applies_to_part?: string[];
    /** Ids of users, such as ["DEVU-2"]: only work items that any of them made */
    created_by?: string[];
    /** Priorities: only issues of any of them */
    "issue.priority"?: Priority[];
    /** Ids of customers, such as ["REV-2"]: only issues that any of them wants */
    "issue.rev_orgs"?: string[];
    /** At most this many: a whole number, 1 or more */
    limit?: number;
    /** Ids of users, such as ["DEVU-1"]: only work items that any of them works on */
    owned_by?: string[];
    /** Stages: triage, backlog, prioritized, in_development, in_review, completed or wont_fix of issues; queued, work_in_progress, awaiting_customer_response, in_development, resolved or canceled of tickets; backlog, in_progress, in_review, completed or wont_fix of tasks */
    "stage.name"?: string[];
    /** Only tickets whose customer waits for an answer, or only those whose customer does not */
    "ticket.needs_response"?: boolean;
    /** Ids of customers, such as ["REV-2"]: only their tickets */
    "ticket.rev_org"?: string[];
    /** Severities: only tickets of any of them */
    "ticket.severity"?: Severity[];
    /** Channels: only tickets that came in by any of them */
    "ticket.source_channel"?: SourceChannel[];
    /** Only work items of these types */
    type?: WorkType[];
  },
  ctx: WorkContext,
): string[] {
  const { world } = ctx;
  const parts = known(filters.applies_to_part, (id) => partOf(world, id));
  const makers = known(filters.created_by, (id) => userOf(world, id));
  const owners = known(filters.owned_by, (id) => userOf(world, id));
  const wanting = known(filters["issue.rev_orgs"], (id) => customerOf(world, id));
  const customers = known(filters["ticket.rev_org"], (id) => customerOf(world, id));
  const stages = knownStages(filters["stage.name"]);
  const needsResponse = filters["ticket.needs_response"];
  const isWanted = (item: WorkItem) =>
    isAmong(item.applies_to_part, parts) &&
    isAmong(item.created_by, makers) &&
    isAmong(item.priority, filters["issue.priority"]) &&
    (!wanting || item.rev_orgs?.some((id) => wanting.includes(id))) &&
    isAmong(item.owned_by, owners) &&
    isAmong(item.stage, stages) &&
    (needsResponse === undefined || item.needs_response === needsResponse) &&
    isAmong(item.rev_org, customers) &&
    isAmong(item.severity, filters["ticket.severity"]) &&
    isAmong(item.source_channel, filters["ticket.source_channel"]) &&
    isAmong(item.type, filters.type);
  const most = requireCount("limit", limit);
  return idsOf(allWorkItems(world).filter(isWanted).slice(0, most));
}

/**
 * Find the id of something by its name: a customer, a part of the product, a user, a sprint or a work item. An exact
 * match comes first, then a name with all words of the query, then the one that shares most words with it.
 *
 * @effects read
 * @param query - Name, or words of it
 * @returns id of the object whose name fits best
 */
export function searchObjectByName(query: string, ctx: WorkContext): string {
  return nearestByName(ctx.world, query);
}

/**
 * Find out who the current user is: "I" and "me" in a request.
 *
 * @effects read
 * @returns id of the current user
 */
export function whoAmI(ctx: WorkContext): string {
  return userOf(ctx.world, CURRENT_USER).id;
}

/**
 * Find work items that are about the same as a given one: they share words of the title, and less
 * importantly of the text, with it.
 *
 * @effects read
 * @param work_id - Id of the work item, such as "TASK-12"
 * @returns ids of at most 5 similar work items, the most similar first; not the given one itself
 */
export function getSimilarWorkItems(work_id: string, ctx: WorkContext): string[] {
  const item = workItem(ctx.world, work_id);
  const similar = allWorkItems(ctx.world)
    .filter(({ id }) => id !== item.id)
    .map((other) => ({ id: other.id, similarity: similarity(item, other) }))
    .filter((each) => each.similarity >= LEAST_SIMILAR)
    .toSorted((left, right) => right.similarity - left.similarity);
  return idsOf(similar.slice(0, MOST_SIMILAR));
}

/**
 * Find work items whose title, text or labels contain all words of a query.
 *
 * @effects read
 * @param query - Words; their order and case do not matter
 * @returns ids of the work items, in the order in which they were made
 */
export function searchWorkItems(query: string, ctx: WorkContext): string[] {
  const wanted = tokensOf(requireText("query", query));
  const found = allWorkItems(ctx.world).filter(({ title, body, labels }) => {
    const there = new Set(tokensOf([title, body, ...labels].join(" ")));
    return wanted.every((token) => there.has(token));
  });
  return idsOf(found);
}

/** The most similar items that are returned. */
const MOST_SIMILAR = 5;

/** Items with a lower similarity (0 to 1) do not count as similar. */
const LEAST_SIMILAR = 0.25;

/** The title counts more, since many texts are much the same. */
const TITLE_SHARE = 0.75;

/** The overlap of the words of the titles and, to a quarter, of the texts (Jaccard coefficients). */
function similarity(left: WorkItem, right: WorkItem): number {
  const titles = overlap(left.title, right.title);
  return TITLE_SHARE * titles + (1 - TITLE_SHARE) * overlap(left.body, right.body);
}

function overlap(left: string, right: string): number {
  const [words, others] = [new Set(tokensOf(left)), new Set(tokensOf(right))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared === 0 ? 0 : shared / new Set([...words, ...others]).size;
}
