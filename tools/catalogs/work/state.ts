// Types alone: what the tools import is read with them when they become tools.
import type { ToolContext } from "../../tool.js";

/** What a work item is: a change to the product, a customer's request, or anything else to be done. */
export type WorkType = "issue" | "ticket" | "task";

/** Urgency of an issue; p0 is the most urgent. */
export type Priority = "p0" | "p1" | "p2" | "p3";

/** How badly a ticket's customer is hit. */
export type Severity = "blocker" | "high" | "medium" | "low";

/** Where a ticket came in. */
export type SourceChannel = "email" | "chat" | "phone" | "portal";

/** How a work item stands to another one. */
export type Relation = "blocks" | "duplicates" | "relates_to" | "parent_of";

/** What a customer has paid for; it decides how soon a ticket has to be answered. */
export type Tier = "enterprise" | "business" | "standard";

/** A product, one of its capabilities, a feature of that, or an enhancement of a feature. */
export type PartType = "product" | "capability" | "feature" | "enhancement";

/** A work item. Days are written as YYYY-MM-DD. */
export interface WorkItem {
  /** "ISS-3", "TKT-8" or "TASK-12" */
  id: string;
  type: WorkType;
  title: string;
  body: string;
  /** Id of the part of the product, such as "FEAT-3" */
  applies_to_part: string;
  /** Id of the user who made it, such as "DEVU-2" */
  created_by: string;
  /** Id of the user who works on it; absent while nobody does */
  owned_by?: string;
  stage: string;
  created_on: string;
  due_on?: string;
  /** Given if and only if the stage is a last one */
  closed_on?: string;
  /** Id of the sprint that it is planned for */
  sprint_id?: string;
  estimate_hours: number;
  labels: string[];
  links: WorkLink[];
  /** Of issues alone */
  priority?: Priority;
  /** Ids of the customers who want an issue, such as "REV-2" */
  rev_orgs?: string[];
  /** Of tickets alone */
  severity?: Severity;
  /** Whether the customer of a ticket waits for an answer */
  needs_response?: boolean;
  /** Id of a ticket's customer, such as "REV-2" */
  rev_org?: string;
  /** Of tickets alone */
  source_channel?: SourceChannel;
}

/** A link is kept at the item that it starts from. */
export interface WorkLink {
  relation: Relation;
  /** Id of the other work item */
  to: string;
}

/** A remark on a work item. */
export interface Comment {
  id: string;
  work_id: string;
  /** Id of the user who wrote it */
  author: string;
  text: string;
  created_on: string;
}

/** Time that somebody has spent on a work item. */
export interface TimeLog {
  id: string;
  work_id: string;
  user_id: string;
  hours: number;
  /** The day, as YYYY-MM-DD */
  day: string;
}

/** A stretch of days for which work is planned. */
export interface Sprint {
  id: string;
  name: string;
  /** First day */
  starts_on: string;
  /** Last day */
  ends_on: string;
}

/** A part of what the company makes. */
export interface Part {
  id: string;
  name: string;
  type: PartType;
  /** Id of the part that it belongs to; absent for products */
  parent_id?: string;
  /** Id of the user who answers for it */
  owned_by: string;
}

/** A customer: an organisation that brings revenue, "rev org". */
export interface Customer {
  id: string;
  name: string;
  tier: Tier;
  contact_email: string;
}

/** A colleague. */
export interface User {
  id: string;
  name: string;
  email: string;
  team: string;
  hours_per_week: number;
}

/** All that there is, each table by id in the order in which things came. No row is ever removed. */
export interface WorkTables {
  work_items: Record<string, WorkItem>;
  comments: Record<string, Comment>;
  time_logs: Record<string, TimeLog>;
  sprints: Record<string, Sprint>;
  parts: Record<string, Part>;
  customers: Record<string, Customer>;
  users: Record<string, User>;
}

/** A run's copy of the company. */
export interface WorkWorld {
  readonly tables: WorkTables;
}

/** What a tool gets besides its arguments. */
export type WorkContext = ToolContext<WorkWorld>;

/** What a run has done: rows that are new or no longer as they were, as they are now. */
export type WorkChange = Partial<WorkTables>;
