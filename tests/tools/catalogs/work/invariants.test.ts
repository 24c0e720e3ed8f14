import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidSetting, UnknownName } from "../../../../common/errors.js";
import { STAGES } from "../../../../tools/catalogs/work/stages.js";
import type { WorkItem, WorkWorld } from "../../../../tools/catalogs/work/state.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { company, WORK_TOOLS } from "./support.js";

/** Existing ids, and an unknown one of each kind. */
const WORK_IDS = ["ISS-2", "ISS-6", "ISS-14", "TKT-4", "TKT-10", "TASK-2", "TASK-29", "TASK-999"];
const USER_IDS = ["DEVU-1", "DEVU-5", "DEVU-99"];
const CUSTOMER_IDS = ["REV-1", "REV-3", "REV-99"];
const PART_IDS = ["PROD-1", "CAPL-2", "FEAT-1", "ENH-4", "FEAT-99"];
const SPRINT_IDS = ["SPRINT-2", "SPRINT-4", "SPRINT-5", "SPRINT-99"];
const DAYS = ["2025-03-01", "2025-04-20", "2025-05-01", "2025-02-30"];
const TEXTS = ["Mend the basket. Call them!", "security", "open", "completed", "resolved", " "];

/** Values for an argument by how it is called and what its schema allows, right and wrong ones. */
function valueFor(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.type === "array") {
    return fc.array(valueFor(name, schema.items as JsonSchema), { maxLength: 3 });
  }
  if (schema.type === "number") return fc.constantFrom(-1, 0.5, 3, 30, 1e6);
  if (schema.type === "boolean") return fc.boolean();
  return fc.constantFrom(...textsFor(name));
}

function textsFor(name: string): string[] {
  if (/work_id|ticket_id|from_id|to_id|first|second|objects/.test(name)) return WORK_IDS;
  if (/owned_by|user|created_by/.test(name)) return USER_IDS;
  if (/rev_org/.test(name)) return CUSTOMER_IDS;
  if (/part|parent/.test(name)) return PART_IDS;
  if (/sprint/.test(name)) return SPRINT_IDS;
  if (/_on$|from|to$|day/.test(name)) return DAYS;
  return TEXTS;
}

function callsOf(offered: readonly ToolDefinition[]) {
  const call = fc.constantFrom(...offered).chain(({ id, effects, parameters }) => {
    const { properties, required = [] } = parameters;
    const values = Object.entries(properties).map(
      ([name, schema]) => [name, valueFor(name, schema)] as const,
    );
    const args = fc.record(Object.fromEntries(values), { requiredKeys: required });
    return args.map((each) => ({ tool: id, effects, args: each as Record<string, unknown> }));
  });
  return fc.array(call, { minLength: 1, maxLength: 15 });
}

function requireSound({ tables }: WorkWorld): void {
  const { work_items, users, parts, sprints, customers } = tables;
  for (const [id, item] of Object.entries(work_items)) {
    expect(item.id).toBe(id);
    expect(parts).toHaveProperty(item.applies_to_part);
    expect(users).toHaveProperty(item.created_by);
    expect(isKnown(users, item.owned_by)).toBe(true);
    expect(isKnown(sprints, item.sprint_id)).toBe(true);
    expect(isKnown(customers, item.rev_org)).toBe(true);
    expect(new Set(item.labels).size).toBe(item.labels.length);
    requireSoundState(item);
    requireNoWayBack(item, work_items);
  }
  for (const { work_id } of [...Object.values(tables.comments), ...Object.values(tables.time_logs)])
    expect(work_items).toHaveProperty(work_id);
}

function isKnown(rows: object, id: string | undefined): boolean {
  return id === undefined || Object.hasOwn(rows, id);
}

function requireSoundState(item: WorkItem): void {
  const { open, last } = STAGES[item.type];
  const isClosed = item.closed_on !== undefined;
  expect(isClosed ? last : open).toContain(item.stage);
  expect(isClosed && item.needs_response === true).toBe(false);
  expect(item.priority !== undefined).toBe(item.type === "issue");
  expect(item.severity !== undefined).toBe(item.type === "ticket");
}

function requireNoWayBack(item: WorkItem, items: Record<string, WorkItem>): void {
  for (const relation of ["blocks", "parent_of"]) {
    const reached = new Set(nextBy(item, relation));
    for (const id of reached) {
      const next = items[id];
      for (const further of next ? nextBy(next, relation) : []) reached.add(further);
    }
    expect(reached).not.toContain(item.id);
  }
}

function nextBy({ links }: WorkItem, relation: string): string[] {
  return links.filter((link) => link.relation === relation).map(({ to }) => to);
}

describe("whatever is done with the work items", () => {
  it("all that is referred to is there, states fit, no links lead back, and neither reads nor refused calls change anything", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(callsOf(WORK_TOOLS), (calls) => {
        const { call, change, world } = company();
        for (const { tool, effects, args } of calls) {
          const before = change();
          const isRefused = refuses(() => call(tool, args));
          const mayChange = !isRefused && effects === "write";
          expect(mayChange || isDeepStrictEqual(change(), before)).toBe(true);
        }
        requireSound(world());
      }),
      { numRuns: 10 },
    );
  });

  it("the same calls lead to the same results and the same change", () => {
    fc.assert(
      fc.property(callsOf(WORK_TOOLS), (calls) => {
        const runs = [company(), company()].map(({ call, change }) => ({
          results: calls.map(({ tool, args }) => resultOf(() => call(tool, args))),
          change: change(),
        }));
        expect(isDeepStrictEqual(runs[0], runs[1])).toBe(true);
      }),
      { numRuns: 6 },
    );
  });
});

function refuses(call: () => unknown): boolean {
  return resultOf(call) instanceof Error;
}

/** An error that is not one of the project's own is a bug of the tool, and fails the test. */
function resultOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof UnknownName || error instanceof InvalidSetting) return error;
    throw error;
  }
}
