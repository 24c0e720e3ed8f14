import { InvalidSetting, UnknownName } from "../../../common/errors.js";
import { TODAY } from "./clock.js";
import type { WorkItem, WorkType } from "./state.js";

interface Stages {
  open: readonly [string, ...string[]];
  /** An item in one of these is closed; the first means that the work was done. */
  last: readonly [string, ...string[]];
}

/** The stages of each type of work item; a new item is in the first one. */
export const STAGES: Readonly<Record<WorkType, Stages>> = {
  issue: {
    open: ["triage", "backlog", "prioritized", "in_development", "in_review"],
    last: ["completed", "wont_fix"],
  },
  ticket: {
    open: ["queued", "work_in_progress", "awaiting_customer_response", "in_development"],
    last: ["resolved", "canceled"],
  },
  task: { open: ["backlog", "in_progress", "in_review"], last: ["completed", "wont_fix"] },
};

/** Whether an item still needs work. */
export function isOpen({ closed_on }: Pick<WorkItem, "closed_on">): boolean {
  return closed_on === undefined;
}

/**
 * Moves an item to a stage: a last stage closes it, any other opens it again. The customer of a closed ticket no longer waits
 * for an answer.
 *
 * @throws InvalidSetting with the stages of the item's type
 */
export function moveToStage(item: WorkItem, stage: string): void {
  const { open, last } = STAGES[item.type];
  if (!open.includes(stage) && !last.includes(stage)) {
    throw new InvalidSetting({
      setting: "stage",
      problem: `${item.id} is a ${item.type} and cannot be in "${stage}"`,
      hint: `Use one of ${[...open, ...last].join(", ")}`,
    });
  }
  item.stage = stage;
  if (open.includes(stage)) {
    delete item.closed_on;
    return;
  }
  item.closed_on ??= TODAY;
  if (item.type === "ticket") item.needs_response = false;
}

/** The stages of a filter. @throws UnknownName for a stage that no type of work item has */
export function knownStages(wanted: string[] | undefined): string[] | undefined {
  const available = Object.values(STAGES).flatMap(({ open, last }) => [...open, ...last]);
  const unknown = wanted?.find((stage) => !available.includes(stage));
  if (unknown === undefined) return wanted;
  throw new UnknownName({ kind: "stage", wanted: unknown, available: [...new Set(available)] });
}
