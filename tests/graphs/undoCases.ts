import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import type { Desk } from "../fixtures/desk/tools.js";
import { DESK, freshDesk, type useDesk, worldOf } from "./desk.js";
import { program, programRun } from "./tulipRuns.js";

type DeskFile = ReturnType<typeof useDesk>;
type Run = ReturnType<typeof programRun>;
type Step = Awaited<ReturnType<Run["undo"]>>;

/** What a case has shown. */
export interface UndoOutcome {
  /** Whether the world is as before the program, but for what others have changed. */
  isWhole: boolean;
  answer: string;
}

/**
 * Runs a random program at the desk, has others change things and runs break off, and takes it back. A person approves
 * everything but what would overwrite another's change.
 */
export async function undoCase(seed: number, desk: DeskFile): Promise<UndoOutcome> {
  const random = randomOf(seed);
  const start = freshDesk();
  desk.put(start);
  const { lines, mails } = randomProgram(random);
  const run = programRun({
    script: [program(...lines, "return `Done.`;")],
    request: "Tidy up",
    settings: { ...DESK, maxModelCalls: 3 },
  });
  const isKilled = random(2) === 0;
  if (isKilled) {
    await brokenOff(run, desk, () => run.start(), 1 + random(lines.length));
    if (random(2) === 0) await decided(run, await run.goOn());
  } else await run.start();
  const change = random(2) === 0 ? otherChange(random, desk) : undefined;
  let step = await run.undo();
  if (step.waiting && random(2) === 0) {
    const after = desk.get().changes + 1 + random(3);
    await brokenOff(run, desk, () => decided(run, step), after);
    step = await run.goOn();
  }
  const { state } = await decided(run, step);
  const { answer } = state;
  const found = worldOf(desk.get());
  // Nothing was done twice.
  expect(found.mails.length).toBeLessThanOrEqual(mails);
  for (const things of [desk.get().issues, desk.get().todos])
    expect(new Set(things.map(({ id }) => id)).size).toBe(things.length);
  if (change)
    expect(change.holds(desk.get()), `${change.what} was overwritten: ${answer}`).toBe(true);
  const others = differences(found, change?.apply(freshDesk()) ?? freshDesk());
  for (const thing of others)
    expect(
      answer,
      `seed ${seed}: ${thing} is not as it was, and the answer does not say so`,
    ).toMatch(new RegExp(`\\b${thing}\\b`, "i"));
  return { isWhole: others.length === 0, answer };
}

/** What others have changed, or the values that they have given. */
const OF_OTHERS = /changed since|"Boss"|"2027-01-01"/;

/** Decides about whatever waits, until nothing does. */
async function decided(run: Run, step: Step): Promise<Step> {
  let { state, waiting } = step;
  for (let round = 0; waiting && round < 10; round++) {
    const { kind, actionRequests } = waiting as ReviewRequest;
    const decisions = actionRequests.map(({ name, args, description = "" }) => {
      if (kind === "outcome") return edited(name, { ...args, action: "decline" });
      return { type: OF_OTHERS.test(description) ? "reject" : "approve" };
    });
    ({ state, waiting } = await run.decide(...decisions));
  }
  return { state, waiting };
}

function edited(name: string, args: Record<string, unknown>) {
  return { type: "edit", editedAction: { name, args } };
}

/** Breaks a run off once so many changes were made in all. */
async function brokenOff(
  run: Run,
  desk: DeskFile,
  work: () => Promise<unknown>,
  changes: number,
): Promise<void> {
  const progress = { hasEnded: false };
  const worked = work()
    .catch(() => undefined)
    .finally(() => (progress.hasEnded = true));
  while (!progress.hasEnded && changesIn(desk) < changes) await pause(1);
  run.breakOff();
  await worked;
}

/** The file may be being written. */
function changesIn(desk: DeskFile): number {
  try {
    return desk.get().changes;
  } catch {
    return 0;
  }
}

/** Numbers below a bound, the same for the same seed. */
function randomOf(seed: number): (bound: number) => number {
  let state = seed * 2654435761 + 12345;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const PEOPLE = ["Mira", "Jonas", "Freya"];

/** A program of up to eight writes that all succeed. */
function randomProgram(random: (bound: number) => number): { lines: string[]; mails: number } {
  const { issues, todos } = freshDesk();
  const open = new Map(issues.map(({ id, status }) => [id, status]));
  const days = new Set(todos.map(({ id }) => id));
  const lines: string[] = [];
  let mails = 0;
  const count = 2 + random(7);
  for (let at = 0; at < count; at++) {
    const id = [...open.keys()][random(open.size)] ?? "ISS-1";
    const day = [...days][random(days.size)] ?? 1;
    switch (random(8)) {
      case 0:
        lines.push(`await close_issue({ id: "${id}" });`);
        break;
      case 1:
        lines.push(`await reopen_issue({ id: "${id}" });`);
        break;
      case 2:
        lines.push(`await assign_issue({ id: "${id}", owner: "${PEOPLE[random(3)]}" });`);
        break;
      case 3:
        lines.push(`await create_issue({ title: "Fresh${at}" });`);
        break;
      case 4:
        if (open.size > 1 && open.delete(id)) lines.push(`await delete_issue({ id: "${id}" });`);
        break;
      case 5:
        if (days.size > 1 && days.delete(day)) lines.push(`await remove_todo({ id: ${day} });`);
        break;
      case 6:
        lines.push(`await move_todo({ id: ${day}, due: "2026-12-${10 + random(20)}" });`);
        break;
      default:
        mails += 1;
        lines.push(`await send_mail({ to: "mira", text: "mail ${at}" });`);
    }
  }
  if (lines.length === 0) lines.push('await add_todo({ title: "Fresh", due: "2026-12-01" });');
  return { lines, mails };
}

interface OtherChange {
  what: string;
  apply: (desk: Desk) => Desk;
  holds: (desk: Desk) => boolean;
}

/** Somebody else changes something that is there. */
function otherChange(random: (bound: number) => number, desk: DeskFile): OtherChange | undefined {
  const { issues, todos } = desk.get();
  const issue = issues[random(issues.length)];
  const todo = todos[random(todos.length)];
  const isIssue = random(2) === 0;
  const apply = (now: Desk): Desk => {
    if (isIssue)
      now.issues = now.issues.map((one) =>
        one.id === issue?.id ? { ...one, owner: "Boss" } : one,
      );
    else
      now.todos = now.todos.map((one) =>
        one.id === todo?.id ? { ...one, due: "2027-01-01" } : one,
      );
    return now;
  };
  desk.put(apply(desk.get()));
  const holds = (now: Desk) =>
    isIssue
      ? now.issues.some(({ id, owner }) => id === issue?.id && owner === "Boss")
      : now.todos.some(({ id, due }) => id === todo?.id && due === "2027-01-01");
  return { what: `${isIssue ? issue?.id : `todo ${todo?.id}`} by another`, apply, holds };
}

/** What is not as it was: ids of things, titles of things that were not there, and mails. */
function differences(found: ReturnType<typeof worldOf>, wanted: Desk): string[] {
  const expected = worldOf(wanted);
  const own = (["issues", "todos"] as const).flatMap((kind) => {
    const [one, other] = [found[kind], expected[kind]] as Record<string, { title: string }>[];
    const ids = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
    return [...ids].flatMap((id) => {
      if (JSON.stringify(sorted(one?.[id])) === JSON.stringify(sorted(other?.[id]))) return [];
      const name = kind === "todos" ? `todo ${id}` : id;
      return other?.[id] ? name : (one?.[id]?.title ?? name);
    });
  });
  return [...own, ...found.mails.map((mail) => mail.replace("mira: ", ""))];
}

function sorted(thing: object | undefined) {
  return thing && Object.entries(thing).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
