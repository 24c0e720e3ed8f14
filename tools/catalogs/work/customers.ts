import { addDays, TODAY } from "./clock.js";
import {
  allWorkItems,
  customerOf,
  idsOf,
  isAmong,
  known,
  nextId,
  requireText,
  ticketOf,
  workItems,
} from "./rows.js";
import type { Customer, Tier, WorkContext, WorkItem, WorkWorld } from "./state.js";

/**
 * Show what is known about a customer: name, tier and the email address to write to.
 *
 * @effects read
 * @flow private
 * @param rev_org_id - Id of the customer, such as "REV-2"
 * @returns the customer
 */
export function getCustomer(rev_org_id: string, ctx: WorkContext): Customer {
  return customerOf(ctx.world, rev_org_id);
}

/**
 * List the customers: all, or those of a tier.
 *
 * @effects read
 * @param tier - Only customers of this tier
 * @returns ids of the customers
 */
export function listCustomers(tier: Tier | undefined, ctx: WorkContext): string[] {
  const customers = Object.values(ctx.world.tables.customers);
  return idsOf(customers.filter((customer) => tier === undefined || customer.tier === tier));
}

/**
 * Add a customer: an organisation that brings revenue.
 *
 * @effects write
 * @param name - Name of the organisation
 * @param tier - What it has paid for
 * @param contact_email - Email address to write to
 * @returns id of the new customer
 */
export function createCustomer(
  name: string,
  tier: Tier,
  contact_email: string,
  ctx: WorkContext,
): string {
  const { customers } = ctx.world.tables;
  const id = nextId(customers, "REV");
  customers[id] = {
    id,
    name: requireText("name", name),
    tier,
    contact_email: requireText("contact_email", contact_email),
  };
  return id;
}

/**
 * Change the tier of a customer, and with it how soon its tickets have to be answered.
 *
 * @effects write
 * @param rev_org_id - Id of the customer, such as "REV-2"
 * @param tier - What it has paid for from now on
 * @returns id of the customer
 */
export function setCustomerTier(rev_org_id: string, tier: Tier, ctx: WorkContext): string {
  const customer = customerOf(ctx.world, rev_org_id);
  customer.tier = tier;
  return customer.id;
}

/**
 * Find out which customers are behind work items: those of tickets and those who want issues.
 *
 * @effects read
 * @param work_ids - Ids of the work items
 * @returns ids of the customers, each once
 */
export function getCustomersOfWorkItems(work_ids: string[], ctx: WorkContext): string[] {
  const customers = workItems(ctx.world, work_ids).flatMap(({ rev_org, rev_orgs = [] }) =>
    rev_org === undefined ? rev_orgs : [rev_org],
  );
  return [...new Set(customers)];
}

/**
 * Look up by when a ticket has to be answered under the service level agreement (SLA), and whether it
 * was: within 1 day for customers of tier enterprise, 3 for business, 5 for standard.
 *
 * @effects read
 * @param ticket_id - Id of the ticket, such as "TKT-8"
 * @returns the last day for an answer, and whether the ticket is answered, still in time, or the agreement is breached
 */
export function getSlaStatus(
  ticket_id: string,
  ctx: WorkContext,
): { ticket_id: string; answer_by: string; state: AnswerState } {
  const { world } = ctx;
  const ticket = ticketOf(world, ticket_id);
  return {
    ticket_id: ticket.id,
    answer_by: answerBy(world, ticket),
    state: answerState(world, ticket),
  };
}

/**
 * List the tickets whose customer waits longer for an answer than the service level agreement (SLA) allows.
 *
 * @effects read
 * @param rev_org - Ids of customers: only their tickets
 * @returns ids of the tickets, in the order in which they were made
 */
export function listSlaBreaches(rev_org: string[] | undefined, ctx: WorkContext): string[] {
  const { world } = ctx;
  const customers = known(rev_org, (id) => customerOf(world, id));
  const breached = allWorkItems(world).filter(
    (item) =>
      item.type === "ticket" &&
      answerState(world, item) === "breached" &&
      isAmong(item.rev_org, customers),
  );
  return idsOf(breached);
}

/** Whether a ticket has had its answer in time; a late answer counts as one, too. */
export type AnswerState = "answered" | "in_time" | "breached";

/** Days, including weekends, within which a customer must get an answer. */
const DAYS_TO_ANSWER: Readonly<Record<Tier, number>> = { enterprise: 1, business: 3, standard: 5 };

/** The last day on which a ticket is answered in time. */
function answerBy(world: WorkWorld, { created_on, rev_org = "" }: WorkItem): string {
  return addDays(created_on, DAYS_TO_ANSWER[customerOf(world, rev_org).tier]);
}

function answerState(world: WorkWorld, ticket: WorkItem): AnswerState {
  if (!ticket.needs_response) return "answered";
  return answerBy(world, ticket) < TODAY ? "breached" : "in_time";
}
