import { z } from "zod";
import { readAsWritten } from "../../../common/dataFile.js";
import { TODAY, addDays, daysBetween } from "./clock.js";
import { ID_PREFIX, isOpen, STAGES } from "./stages.js";
import type {
  Comment,
  Priority,
  Relation,
  Severity,
  SourceChannel,
  TimeLog,
  WorkItem,
  WorkTables,
  WorkType,
} from "./state.js";

/** How many work items of each type there are. */
const AMOUNTS: Readonly<Record<WorkType, number>> = { issue: 50, ticket: 40, task: 30 };

/** Age of the oldest work item. */
const MOST_DAYS_OLD = 60;

const PRIORITIES: readonly Priority[] = ["p0", "p1", "p1", "p2", "p2", "p2", "p3", "p3"];
const SEVERITIES: readonly Severity[] = ["blocker", "high", "high", "medium", "medium", "low"];
const CHANNELS: readonly SourceChannel[] = ["email", "email", "chat", "phone", "portal"];
const HOURS = [1, 2, 2, 4, 4, 6, 8, 8, 12, 16];

const COMMENT_AMOUNT = 30;
const LOG_AMOUNT = 40;
const LINK_AMOUNT = 24;

const RELATIONS: readonly Relation[] = [
  "blocks",
  "blocks",
  "duplicates",
  "relates_to",
  "parent_of",
];

function sampleWork(chance: Chance): WorkTables {
  const types: WorkType[] = ["issue", "ticket", "task"];
  const items = types.flatMap((type) => itemsOf(type, chance));
  linkSome(items, chance);
  return {
    ...COMPANY,
    work_items: Object.fromEntries(items.map((item) => [item.id, item])),
    comments: commentsOn(items, chance),
    time_logs: logsOn(items, chance),
  };
}

/** Items of one type, the oldest first, all with different titles. */
function itemsOf(type: WorkType, chance: Chance): WorkItem[] {
  const parts = Object.values(COMPANY.parts).filter((part) => part.type !== "product");
  const subjects = TITLES[type].flatMap((title) =>
    parts.map((part) => ({ part, title: titled(title, part.name) })),
  );
  const amount = AMOUNTS[type];
  return chance.some(subjects, amount).map(({ part, title }, index) => {
    const age = Math.round((MOST_DAYS_OLD * (amount - 1 - index)) / amount);
    const id = `${ID_PREFIX[type]}-${index + 1}`;
    const created_on = addDays(TODAY, -age);
    const common = { id, type, title, applies_to_part: part.id, created_on };
    const state = progress(type, created_on, chance);
    return { ...common, ...state, ...ofType(type, isOpen(state), chance) };
  });
}

function titled(title: string, partName: string): string {
  const text = title.replace("#", partName.toLowerCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What every item has; older items are more likely to be closed. */
function progress(type: WorkType, created_on: string, chance: Chance) {
  const isOld = created_on < addDays(TODAY, -MOST_DAYS_OLD / 2);
  const users = Object.keys(COMPANY.users);
  const state: WorkState = chance.happens(isOld ? 0.5 : 0.12)
    ? closedState(type, created_on, chance)
    : openState(type, chance);
  return {
    body: chance.one(BODIES[type]),
    created_by: chance.one(users),
    ...(!isOpen(state) || chance.happens(0.85) ? { owned_by: chance.one(users) } : {}),
    ...state,
    ...(chance.happens(0.6) ? { due_on: dueDay(created_on, chance) } : {}),
    estimate_hours: chance.one(HOURS),
    labels: chance.some(LABELS, chance.below(3)),
    links: [],
  };
}

/** Nothing is due before it was made. */
function dueDay(created_on: string, chance: Chance): string {
  const day = addDays(TODAY, chance.below(40) - 12);
  return day < created_on ? created_on : day;
}

type WorkState = Pick<WorkItem, "stage" | "closed_on" | "sprint_id">;

/** Half of the open items are planned for a sprint. */
function openState(type: WorkType, chance: Chance): WorkState {
  const stage = chance.one(STAGES[type].open);
  if (chance.happens(0.5)) return { stage };
  return { stage, sprint_id: chance.one(["SPRINT-4", "SPRINT-4", "SPRINT-5"]) };
}

/** Most closed items were completed; all belong to the sprint of their last day. */
function closedState(type: WorkType, created_on: string, chance: Chance): WorkState {
  const { last } = STAGES[type];
  const closed_on = addDays(created_on, chance.below(daysBetween(created_on, TODAY) + 1));
  const sprint = Object.values(COMPANY.sprints).find(
    ({ starts_on, ends_on }) => starts_on <= closed_on && closed_on <= ends_on,
  );
  return {
    stage: chance.happens(0.8) ? last[0] : chance.one(last),
    closed_on,
    ...(sprint ? { sprint_id: sprint.id } : {}),
  };
}

function ofType(type: WorkType, isOpen: boolean, chance: Chance): Partial<WorkItem> {
  const customers = Object.keys(COMPANY.customers);
  if (type === "issue") {
    return { priority: chance.one(PRIORITIES), rev_orgs: chance.some(customers, chance.below(3)) };
  }
  if (type === "task") return {};
  return {
    severity: chance.one(SEVERITIES),
    needs_response: isOpen && chance.happens(0.6),
    rev_org: chance.one(customers),
    source_channel: chance.one(CHANNELS),
  };
}

/** Links some items. Links lead from earlier to later items in the list, so they form no circle. */
function linkSome(items: readonly WorkItem[], chance: Chance): void {
  for (let count = 0; count < LINK_AMOUNT; count += 1) {
    const place = chance.below(items.length - 1);
    const [from] = items.slice(place);
    const to = chance.one(items.slice(place + 1));
    const isLinked = from?.links.some((link) => link.to === to.id);
    if (!isLinked) from?.links.push({ relation: chance.one(RELATIONS), to: to.id });
  }
}

/** Comments on some items, each made while its item was open. */
function commentsOn(items: readonly WorkItem[], chance: Chance): Record<string, Comment> {
  return numbered("COMMENT", COMMENT_AMOUNT, (id) => {
    const item = chance.one(items);
    return {
      id,
      work_id: item.id,
      author: chance.one(Object.keys(COMPANY.users)),
      text: chance.one(COMMENTS),
      created_on: dayOf(item, chance),
    };
  });
}

/** Time spent on some assigned items, each log made while its item was open. */
function logsOn(items: readonly WorkItem[], chance: Chance): Record<string, TimeLog> {
  const owned = items.filter(({ owned_by }) => owned_by !== undefined);
  return numbered("LOG", LOG_AMOUNT, (id) => {
    const item = chance.one(owned);
    return {
      id,
      work_id: item.id,
      user_id: item.owned_by ?? item.created_by,
      hours: chance.one([0.5, 1, 1.5, 2, 3, 4]),
      day: dayOf(item, chance),
    };
  });
}

function numbered<Row>(
  prefix: string,
  amount: number,
  row: (id: string) => Row,
): Record<string, Row> {
  const ids = Array.from({ length: amount }, (_none, index) => `${prefix}-${index + 1}`);
  return Object.fromEntries(ids.map((id) => [id, row(id)]));
}

function dayOf({ created_on, closed_on = TODAY }: WorkItem, chance: Chance): string {
  return addDays(created_on, chance.below(daysBetween(created_on, closed_on) + 1));
}

/** The invented company without its work items. It makes Parcelo, with which shops deliver their goods. */
const COMPANY = readAsWritten(
  new URL("company.json", import.meta.url),
  z.custom<Pick<WorkTables, "sprints" | "parts" | "customers" | "users">>(),
);

/** Sample texts of work items; "#" in a title stands for the name of the part. */
const {
  titles: TITLES,
  bodies: BODIES,
  labels: LABELS,
  comments: COMMENTS,
} = readAsWritten(
  new URL("sampleTexts.json", import.meta.url),
  z.custom<{
    titles: Record<WorkType, string[]>;
    bodies: Record<WorkType, string[]>;
    labels: string[];
    comments: string[];
  }>(),
);

/** Random choices, the same for the same seed. */
interface Chance {
  /** A whole number from 0 to below `end`; 0 if `end` is not above 0. */
  below: (end: number) => number;
  one: <Value>(values: readonly Value[]) => Value;
  /** Different values in random order. */
  some: <Value>(values: readonly Value[], count: number) => Value[];
  happens: (probability: number) => boolean;
}

function chanceFrom(seed: number): Chance {
  const next = mulberry32(seed);
  const below = (end: number) => Math.floor(next() * Math.max(0, end));
  return {
    below,
    one: (values) => values[below(values.length)] as (typeof values)[number],
    some(values, count) {
      const left = [...values];
      const chosen = Array.from({ length: Math.min(count, left.length) }, () =>
        left.splice(below(left.length), 1),
      );
      return chosen.flat();
    },
    happens: (probability) => next() < probability,
  };
}

/** Tommy Ettinger's generator of 32-bit numbers; returns numbers from 0 to below 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The catalog's default company: small and invented, with 120 work items, some comments and time logs; the same on every
 * machine.
 */
export const SAMPLE_WORK: WorkTables = sampleWork(chanceFrom(7));
