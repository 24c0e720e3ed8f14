import { addDays, TODAY } from "./clock.js";
import { customerOf } from "./rows.js";
import type { Tier, WorkItem, WorkWorld } from "./state.js";

/** Whether a ticket has had its answer in time; a late answer counts as one, too. */
export type AnswerState = "answered" | "in_time" | "breached";

/** Days, weekends among them, after which a customer has to have an answer. */
const DAYS_TO_ANSWER: Readonly<Record<Tier, number>> = { enterprise: 1, business: 3, standard: 5 };

/** The last day on which a ticket is answered in time. */
export function answerBy(world: WorkWorld, { created_on, rev_org = "" }: WorkItem): string {
  return addDays(created_on, DAYS_TO_ANSWER[customerOf(world, rev_org).tier]);
}

/** How a ticket stands today. */
export function answerState(world: WorkWorld, ticket: WorkItem): AnswerState {
  if (!ticket.needs_response) return "answered";
  return answerBy(world, ticket) < TODAY ? "breached" : "in_time";
}
