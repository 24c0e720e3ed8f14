import type { Chance } from "./chance.js";
import { addDays, daysBetween, TODAY } from "./clock.js";
import { COMMENTS, COMPANY } from "./company.js";
import type { Comment, Relation, TimeLog, WorkItem } from "./state.js";

const COMMENT_AMOUNT = 30;
const LOG_AMOUNT = 40;
const LINK_AMOUNT = 24;

/** Links some items. Links lead from earlier to later items in the list, so they form no circle. */
export function linkSome(items: readonly WorkItem[], chance: Chance): void {
  for (let count = 0; count < LINK_AMOUNT; count += 1) {
    const place = chance.below(items.length - 1);
    const [from] = items.slice(place);
    const to = chance.one(items.slice(place + 1));
    const isLinked = from?.links.some((link) => link.to === to.id);
    if (!isLinked) from?.links.push({ relation: chance.one(RELATIONS), to: to.id });
  }
}

const RELATIONS: readonly Relation[] = [
  "blocks",
  "blocks",
  "duplicates",
  "relates_to",
  "parent_of",
];

/** Comments on some items, each made while its item was open. */
export function commentsOn(items: readonly WorkItem[], chance: Chance): Record<string, Comment> {
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
export function logsOn(items: readonly WorkItem[], chance: Chance): Record<string, TimeLog> {
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
