import { describe, expect, it } from "vitest";
import { company } from "./support.js";

const { call } = company();

describe("finding work items", () => {
  it("search_work_items wants all words, in title, text or labels", () => {
    expect(call("search_work_items", { query: "LEAK basket" })).toEqual(["ISS-45"]);
    expect(call("search_work_items", { query: "regression leak basket" })).toEqual(["ISS-45"]);
    expect(call("search_work_items", { query: "zebra" })).toEqual([]);
    expect(() => call("search_work_items", { query: " " })).toThrow("query: is empty");
  });

  it("list_overdue_work_items gives open ones, the longest overdue first, of anybody or of some", () => {
    const all = call("list_overdue_work_items", {}) as string[];
    expect(all.slice(0, 2)).toEqual(["TKT-15", "ISS-15"]);
    expect(all).not.toContain("TASK-11");
    expect(call("list_overdue_work_items", { owned_by: ["DEVU-1"] })).toEqual([
      "ISS-41",
      "TASK-17",
    ]);
  });

  it("list_work_items_due gives open ones from the first day to the last", () => {
    expect(call("list_work_items_due", { from: "2025-03-13", to: "2025-03-16" })).toEqual([
      "ISS-26",
      "ISS-28",
      "ISS-20",
      "TKT-40",
      "TASK-6",
    ]);
    expect(() => call("list_work_items_due", { from: "2025-02-30", to: "2025-03-16" })).toThrow(
      'from: "2025-02-30" is not a day',
    );
  });

  it("list_unassigned_work_items gives open ones that nobody works on", () => {
    expect(call("list_unassigned_work_items", { type: ["task"] })).toEqual([
      "TASK-7",
      "TASK-19",
      "TASK-21",
    ]);
    const all = call("list_unassigned_work_items", {}) as string[];
    expect(all).toEqual(expect.arrayContaining(["ISS-2", "TKT-8", "TASK-7"]));
  });

  it("list_work_items_with_label and list_labels know what is on the work items", () => {
    expect(call("list_labels")).toEqual([
      "documentation",
      "mobile",
      "performance",
      "quick win",
      "regression",
      "security",
    ]);
    const secured = call("list_work_items_with_label", { label: "Security" }) as string[];
    expect(secured).toContain("ISS-3");
    expect(secured).not.toContain("ISS-2");
    expect(() => call("list_work_items_with_label", { label: "secure" })).toThrow(
      /unknown label "secure".*security/,
    );
  });
});

describe("handling lists of work items", () => {
  it("filter_work_items keeps what matches all filters, in the order given", () => {
    const work_ids = ["TKT-1", "ISS-23", "ISS-2", "ISS-26", "TKT-21"];
    expect(call("filter_work_items", { work_ids, priority: ["p0"] })).toEqual(["ISS-23", "ISS-26"]);
    expect(call("filter_work_items", { work_ids, severity: ["high"], open: true })).toEqual([
      "TKT-21",
    ]);
    expect(call("filter_work_items", { work_ids, type: ["ticket"], open: false })).toEqual([
      "TKT-1",
    ]);
    expect(
      call("filter_work_items", { work_ids, stage: ["in_review"], owned_by: ["DEVU-1"] }),
    ).toEqual(["ISS-23"]);
  });

  it("sort_work_items sorts either way, what lacks the property last", () => {
    const work_ids = ["ISS-2", "TASK-2", "TKT-30", "TKT-3", "TKT-8"];
    const sorted = (by: string, descending?: boolean) =>
      call("sort_work_items", {
        work_ids,
        by,
        ...(descending === undefined ? {} : { descending }),
      });
    expect(sorted("severity")).toEqual(["TKT-30", "TKT-8", "TKT-3", "ISS-2", "TASK-2"]);
    expect(sorted("severity", true)).toEqual(["TKT-3", "TKT-8", "TKT-30", "ISS-2", "TASK-2"]);
    expect(sorted("estimate_hours", true)).toEqual(["ISS-2", "TKT-3", "TKT-8", "TASK-2", "TKT-30"]);
  });

  it("group_work_items counts each group, the largest first", () => {
    const work_ids = ["ISS-2", "ISS-23", "ISS-26", "TASK-2"];
    expect(call("group_work_items", { work_ids, by: "priority" })).toEqual([
      { value: "p0", count: 2, work_ids: ["ISS-23", "ISS-26"] },
      { value: "p3", count: 1, work_ids: ["ISS-2"] },
      { value: "none", count: 1, work_ids: ["TASK-2"] },
    ]);
  });

  it("count_objects counts each once, and take_first_objects takes the first", () => {
    const objects = ["ISS-1", "REV-1", "ISS-1"];
    expect(call("count_objects", { objects })).toBe(2);
    expect(call("take_first_objects", { objects, count: 2 })).toEqual(["ISS-1", "REV-1"]);
    expect(() => call("take_first_objects", { objects, count: 1.5 })).toThrow("count: 1.5");
  });

  it("combine_objects keeps what is in any, in both or only in the first", () => {
    const lists = { first: ["A", "B", "A"], second: ["B", "C"] };
    expect(call("combine_objects", { ...lists, how: "in_any" })).toEqual(["A", "B", "C"]);
    expect(call("combine_objects", { ...lists, how: "in_both" })).toEqual(["B"]);
    expect(call("combine_objects", { ...lists, how: "only_in_first" })).toEqual(["A"]);
  });

  it("get_work_item, get_work_items and get_work_item_titles show what is known", () => {
    expect(call("get_work_item", { work_id: " tkt-33 " })).toMatchObject({
      id: "TKT-33",
      rev_org: "REV-2",
      severity: "high",
    });
    expect(call("get_work_items", { work_ids: ["TASK-1", "ISS-1"] })).toMatchObject([
      { id: "TASK-1", stage: "completed" },
      { id: "ISS-1", priority: "p2" },
    ]);
    expect(call("get_work_item_titles", { work_ids: ["TKT-4"] })).toEqual([
      "Tracking stopped working after the update",
    ]);
    expect(() => call("get_work_item", { work_id: "TASK-999" })).toThrow(
      /unknown work item "TASK-999"/,
    );
  });

  it("export_work_items writes CSV, JSON and Markdown that hold every sign of a title", () => {
    const { call: callHere } = company();
    callHere("update_work_item", { work_id: "ISS-2", title: 'Slow, "very" | slow' });
    const text = (format: string) => callHere("export_work_items", { work_ids: ["ISS-2"], format });
    expect(text("csv")).toBe(
      'id,type,title,stage,owned_by,urgency,due_on\nISS-2,issue,"Slow, ""very"" | slow",in_review,,p3,',
    );
    expect(JSON.parse(String(text("json")))).toMatchObject([{ title: 'Slow, "very" | slow' }]);
    expect(text("markdown")).toContain(String.raw`| ISS-2 | issue | Slow, "very" \| slow |`);
  });
});
