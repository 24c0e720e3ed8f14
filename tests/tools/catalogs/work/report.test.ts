import { describe, expect, it } from "vitest";
import { company } from "./support.js";

describe("works_list", () => {
  it("gives the work items that match all filters, any value of each", () => {
    const { call, world } = company();
    const args = { type: ["issue"], "issue.priority": ["p0", "p1"], owned_by: ["DEVU-1"] };
    const wanted = Object.values(world().tables.work_items).filter(
      ({ priority, owned_by }) => /p[01]/.test(priority ?? "") && owned_by === "DEVU-1",
    );
    expect(call("works_list", args)).toEqual(wanted.map(({ id }) => id));
    expect(call("works_list", args)).toEqual(["ISS-23", "ISS-41"]);
  });

  it("filters by the part, the maker, the stage and the customers of issues", () => {
    const { call, item } = company();
    expect(
      call("works_list", { applies_to_part: ["FEAT-3"], "stage.name": ["in_review"] }),
    ).toEqual(["ISS-23", "TASK-9"]);
    expect(call("works_list", { "issue.rev_orgs": ["REV-4"], "issue.priority": ["p0"] })).toEqual([
      "ISS-29",
    ]);
    const made = call("works_list", { created_by: ["DEVU-3"] }) as string[];
    expect(made.length).toBeGreaterThan(0);
    expect(made.every((id) => item(id).created_by === "DEVU-3")).toBe(true);
  });

  it("filters tickets by customer, severity, channel and whether an answer is due", () => {
    const { call, item } = company();
    const tickets = call("works_list", {
      "ticket.rev_org": ["REV-2"],
      "ticket.severity": ["high", "blocker"],
      "ticket.needs_response": true,
    });
    expect(tickets).toEqual(["TKT-23", "TKT-33", "TKT-40"]);
    const byPhone = call("works_list", { "ticket.source_channel": ["phone"] }) as string[];
    expect(byPhone.length).toBeGreaterThan(0);
    expect(byPhone.every((id) => item(id).source_channel === "phone")).toBe(true);
  });

  it("gives at most 50, or as many as are wanted, and refuses no number of them", () => {
    const { call } = company();
    expect(call("works_list")).toHaveLength(50);
    expect(call("works_list", { limit: 3 })).toEqual(["ISS-1", "ISS-2", "ISS-3"]);
    expect(() => call("works_list", { limit: 0 })).toThrow("limit: 0 is not possible");
  });

  it("refuses unknown ids and stages, naming the known ones", () => {
    const { call } = company();
    expect(() => call("works_list", { owned_by: ["DEVU-99"] })).toThrow(
      /unknown user "DEVU-99"; available: DEVU-1, DEVU-2/,
    );
    expect(() => call("works_list", { "stage.name": ["triaged"] })).toThrow(
      /unknown stage "triaged"; did you mean "triage"/,
    );
  });
});

describe("the report's other tools", () => {
  it("summarize_objects counts the objects and says of each what matters", () => {
    const { call } = company();
    expect(call("summarize_objects", { objects: ["ISS-29", "TKT-8", "REV-1", "TKT-8"] })).toBe(
      [
        "3 objects, 2 of them open work.",
        "ISS-29: Slow loading of arrival alerts on phones (p0 issue, prioritized, Dmitri Volkov, due 2025-03-06).",
        "TKT-8: Old data shown in billing (high ticket, awaiting_customer_response, nobody works on it, for Fernwood Press).",
        "REV-1: Harbour Foods, a customer of tier enterprise.",
      ].join("\n"),
    );
    expect(call("summarize_objects", { objects: ["FEAT-3", "SPRINT-4", "DEVU-2"] })).toContain(
      "SPRINT-4: Sprint Delta, from 2025-03-03 to 2025-03-16.",
    );
    expect(call("summarize_objects", { objects: [] })).toBe("No objects.");
    expect(() => call("summarize_objects", { objects: ["ISS-999"] })).toThrow(
      'unknown object "ISS-999"',
    );
  });

  it("prioritize_objects puts open before closed, then the urgent, the waiting and the due", () => {
    const { call } = company();
    // Closed; p3; medium and answered; p1; overdue task; blocker that waits; p0 that is due; p0 that is not.
    const objects = ["ISS-1", "ISS-2", "TKT-15", "ISS-6", "TASK-2", "TKT-30", "ISS-26", "ISS-23"];
    expect(call("prioritize_objects", { objects })).toEqual([
      "TKT-30",
      "TASK-2",
      "ISS-26",
      "ISS-23",
      "ISS-6",
      "TKT-15",
      "ISS-2",
      "ISS-1",
    ]);
  });

  it("get_sprint_id and add_work_items_to_sprint plan work for the sprint that today is in", () => {
    const { call, item } = company();
    const sprint_id = call("get_sprint_id");
    expect(sprint_id).toBe("SPRINT-4");
    const work_ids = ["ISS-2", "TASK-5", "ISS-2"];
    expect(call("add_work_items_to_sprint", { work_ids, sprint_id })).toEqual(["ISS-2", "TASK-5"]);
    expect([item("ISS-2").sprint_id, item("TASK-5").sprint_id]).toEqual(["SPRINT-4", "SPRINT-4"]);
    expect(() => call("add_work_items_to_sprint", { work_ids, sprint_id: "SPRINT-3" })).toThrow(
      "SPRINT-3 was over on 2025-03-02",
    );
  });

  it("get_similar_work_items gives those that share most words, and never the item itself", () => {
    const { call } = company();
    call("create_issue", {
      title: "Memory leak in basket",
      applies_to_part: "FEAT-2",
      priority: "p1",
      body: "Found in the weekly review of the logs.",
    });
    const similar = call("get_similar_work_items", { work_id: "ISS-51" }) as string[];
    expect(similar[0]).toBe("ISS-45");
    expect(similar).not.toContain("ISS-51");
    expect(similar.length).toBeLessThanOrEqual(5);
  });

  it("search_object_by_name prefers an equal name, then one with all words, then one with some", () => {
    const { call } = company();
    expect(call("search_object_by_name", { query: "ultima retail" })).toBe("REV-8");
    expect(call("search_object_by_name", { query: "Freya" })).toBe("DEVU-6");
    expect(call("search_object_by_name", { query: "the live map" })).toBe("FEAT-3");
    expect(call("search_object_by_name", { query: "Wrong total in live map" })).toBe("ISS-17");
    expect(() => call("search_object_by_name", { query: "Live map 2" })).toThrow("unknown object");
    expect(() => call("search_object_by_name", { query: "zebra" })).toThrow(
      /unknown object "zebra".*Harbour Foods/,
    );
  });

  it("create_actionable_tasks_from_text makes a task of each bullet point, else of each sentence", () => {
    const { call, item } = company();
    const text =
      "Minutes of today:\n- Mend the live map!\n* Call Harbour Foods.\n- Mend the live map";
    expect(call("create_actionable_tasks_from_text", { text })).toEqual(["TASK-31", "TASK-32"]);
    expect(item("TASK-31")).toMatchObject({
      title: "Mend the live map",
      type: "task",
      applies_to_part: "FEAT-3",
      owned_by: "DEVU-1",
      stage: "backlog",
    });
    expect(item("TASK-32")).toMatchObject({
      title: "Call Harbour Foods",
      applies_to_part: "PROD-1",
    });
    call("create_actionable_tasks_from_text", { text: "Ship version 2.5. Tell everybody" });
    expect([item("TASK-33").title, item("TASK-34").title]).toEqual([
      "Ship version 2.5",
      "Tell everybody",
    ]);
    expect(() => call("create_actionable_tasks_from_text", { text: " ... " })).toThrow(
      "has no sentence",
    );
  });

  it("who_am_i gives the current user", () => {
    expect(company().call("who_am_i")).toBe("DEVU-1");
  });
});
