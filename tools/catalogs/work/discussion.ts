import { UnknownName } from "../../../common/errors.js";
import { TODAY } from "./clock.js";
import {
  allWorkItems,
  CURRENT_USER,
  idsOf,
  nextId,
  requireText,
  ticketOf,
  workItem,
  workItems,
} from "./rows.js";
import type { Comment, WorkContext, WorkWorld } from "./state.js";

/**
 * Write a comment on a work item, as the current user; it is seen by colleagues alone.
 *
 * @effects write
 * @param work_id - Id of the work item
 * @param text - What to say
 * @returns id of the comment
 */
export function addComment(work_id: string, text: string, ctx: WorkContext): string {
  return addCommentTo(ctx.world, { work_id, text });
}

/**
 * List the comments on a work item.
 *
 * @effects read
 * @flow private foreign
 * @param work_id - Id of the work item
 * @returns the comments, the oldest first
 */
export function listComments(work_id: string, ctx: WorkContext): Comment[] {
  const { id } = workItem(ctx.world, work_id);
  return Object.values(ctx.world.tables.comments).filter((comment) => comment.work_id === id);
}

/**
 * Answer the customer of a ticket: the text becomes a comment, and the customer waits no longer.
 *
 * @effects write
 * @flow outward(text)
 * @param ticket_id - Id of the ticket, such as "TKT-8"
 * @param text - What to tell the customer
 * @returns id of the comment
 */
export function replyToTicket(ticket_id: string, text: string, ctx: WorkContext): string {
  const ticket = ticketOf(ctx.world, ticket_id);
  const comment = addCommentTo(ctx.world, { work_id: ticket.id, text });
  ticket.needs_response = false;
  return comment;
}

/**
 * Put labels on work items; a label that is there already stays once.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @param labels - Labels, such as ["regression"]; their case does not matter
 * @returns ids of the work items
 */
export function addLabels(work_ids: string[], labels: string[], ctx: WorkContext): string[] {
  const added = labels.map(plainLabel);
  const items = workItems(ctx.world, work_ids);
  for (const item of items) item.labels = [...new Set([...item.labels, ...added])];
  return idsOf(items);
}

/**
 * Take labels off work items; a label that is not there is no error.
 *
 * @effects write
 * @param work_ids - Ids of the work items
 * @param labels - Labels to take off
 * @returns ids of the work items
 */
export function removeLabels(work_ids: string[], labels: string[], ctx: WorkContext): string[] {
  const removed = labels.map(plainLabel);
  const items = workItems(ctx.world, work_ids);
  for (const item of items) item.labels = item.labels.filter((label) => !removed.includes(label));
  return idsOf(items);
}

/**
 * List all labels that are on any work item.
 *
 * @effects read
 * @returns the labels in alphabetical order
 */
export function listLabels(ctx: WorkContext): string[] {
  return [...new Set(allWorkItems(ctx.world).flatMap(({ labels }) => labels))].toSorted();
}

/**
 * List the work items that have a label.
 *
 * @effects read
 * @param label - The label; its case does not matter
 * @returns ids of the work items, in the order in which they were made
 */
export function listWorkItemsWithLabel(label: string, ctx: WorkContext): string[] {
  const known = listLabels(ctx);
  const wanted = plainLabel(label);
  if (!known.includes(wanted)) {
    throw new UnknownName({ kind: "label", wanted: label, available: known });
  }
  return idsOf(allWorkItems(ctx.world).filter(({ labels }) => labels.includes(wanted)));
}

function addCommentTo(world: WorkWorld, comment: { work_id: string; text: string }): string {
  const { comments } = world.tables;
  const { id: work_id } = workItem(world, comment.work_id);
  const text = requireText("text", comment.text);
  const id = nextId(comments, "COMMENT");
  comments[id] = { id, work_id, author: CURRENT_USER, text, created_on: TODAY };
  return id;
}

function plainLabel(label: string): string {
  return requireText("label", label).toLowerCase();
}
