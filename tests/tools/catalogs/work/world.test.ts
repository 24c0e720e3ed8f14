import { describe, expect, it } from "vitest";
import { SAMPLE_WORK } from "../../../../tools/catalogs/work/sample.js";
import { workWorld } from "../../../../tools/catalogs/work/world.js";

const definition = workWorld({ tables: SAMPLE_WORK });

describe("the sample company", () => {
  it("has 120 work items, no two with the same title, and none done before it was made", () => {
    const items = Object.values(SAMPLE_WORK.work_items);
    expect(items).toHaveLength(120);
    expect(new Set(items.map(({ title }) => title)).size).toBe(120);
    for (const { created_on, closed_on = created_on, due_on = created_on } of items) {
      expect(closed_on >= created_on && due_on >= created_on).toBe(true);
    }
  });
});

describe("the world of the work items", () => {
  it("shares nothing with the company, so that no run changes another", () => {
    definition.create().tables.users["DEVU-1"] = { ...SAMPLE_WORK.users["DEVU-2"] } as never;
    const first = definition.create().tables.work_items["ISS-1"];
    first?.labels.push("changed");
    expect(definition.create().tables).toEqual(SAMPLE_WORK);
  });

  it("is saved as what has changed, and loaded as it was", () => {
    const world = definition.create();
    expect(definition.save(world)).toEqual({});
    const comment = {
      id: "COMMENT-31",
      work_id: "ISS-1",
      author: "DEVU-1",
      text: "Done",
      created_on: "2025-03-12",
    };
    world.tables.comments[comment.id] = comment;
    const saved: unknown = JSON.parse(JSON.stringify(definition.save(world)));
    expect(saved).toEqual({ comments: { "COMMENT-31": comment } });
    expect(definition.load(saved)).toEqual(world);
  });
});
