import { InvalidSetting, UnknownName } from "../../../common/errors.js";
import { TODAY } from "./clock.js";
import { allWorkItems } from "./rows.js";
import type { Sprint, WorkItem, WorkWorld } from "./state.js";

/** Whether a sprint is over, running or still to come today. */
export function sprintState({ starts_on, ends_on }: Sprint): "past" | "current" | "future" {
  if (ends_on < TODAY) return "past";
  return starts_on > TODAY ? "future" : "current";
}

/** @throws UnknownName if today is in no sprint */
export function currentSprint({ tables }: WorkWorld): Sprint {
  const sprints = Object.values(tables.sprints);
  const current = sprints.find((sprint) => sprintState(sprint) === "current");
  if (current) return current;
  throw new UnknownName({
    kind: "sprint",
    wanted: "current",
    available: Object.keys(tables.sprints),
  });
}

/** @throws UnknownName if there is no later sprint */
export function nextSprint({ tables }: WorkWorld): Sprint {
  const sprints = Object.values(tables.sprints);
  const [next] = sprints
    .filter((sprint) => sprintState(sprint) === "future")
    .toSorted((left, right) => (left.starts_on < right.starts_on ? -1 : 1));
  if (next) return next;
  throw new UnknownName({ kind: "sprint", wanted: "next", available: Object.keys(tables.sprints) });
}

/** @throws InvalidSetting for a sprint that is over */
export function requireRunning(sprint: Sprint): Sprint {
  if (sprintState(sprint) !== "past") return sprint;
  throw new InvalidSetting({
    setting: "sprint_id",
    problem: `${sprint.id} was over on ${sprint.ends_on}`,
    hint: "Choose the current sprint or one to come",
  });
}

/** The items planned for a sprint. */
export function workIn(world: WorkWorld, { id }: Sprint): WorkItem[] {
  return allWorkItems(world).filter((item) => item.sprint_id === id);
}
