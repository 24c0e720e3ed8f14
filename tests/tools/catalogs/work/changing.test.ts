import { describe, expect, it } from "vitest";
import { company } from "./support.js";

describe("creating work items", () => {
  it("create_issue, create_ticket and create_task begin in the first stage, today, by the current user", () => {
    const { call, item } = company();
    const made = { created_by: "DEVU-1", created_on: "2025-03-12", labels: [], links: [] };
    const issue = {
      title: "Blank",
      applies_to_part: "FEAT-2",
      priority: "p1",
      rev_orgs: ["rev-1"],
    };
    expect(call("create_issue", issue)).toBe("ISS-51");
    expect(item("ISS-51")).toMatchObject({ ...made, stage: "triage", rev_orgs: ["REV-1"] });
    const ticket = { title: "Help", applies_to_part: "FEAT-2", rev_org: "REV-2", severity: "low" };
    expect(call("create_ticket", ticket)).toBe("TKT-41");
    expect(item("TKT-41")).toMatchObject({
      ...made,
      stage: "queued",
      needs_response: true,
      source_channel: "portal",
    });
    const task = { title: "Tidy", applies_to_part: "FEAT-2", due_on: "2025-03-20" };
    expect(call("create_task", { ...task, owned_by: "DEVU-2" })).toBe("TASK-31");
    expect(item("TASK-31")).toMatchObject({ ...made, due_on: "2025-03-20", owned_by: "DEVU-2" });
    expect(() => call("create_task", { ...task, applies_to_part: "FEAT-9" })).toThrow(
      'unknown part "FEAT-9"',
    );
  });
});

describe("changing work items", () => {
  it("update_work_item changes what is given alone", () => {
    const { call, item } = company();
    const before = item("ISS-2");
    call("update_work_item", { work_id: "ISS-2", body: "New", applies_to_part: "FEAT-6" });
    expect(item("ISS-2")).toEqual({ ...before, body: "New", applies_to_part: "FEAT-6" });
    expect(() => call("update_work_item", { work_id: "ISS-2", title: "" })).toThrow("title");
  });

  it("assign_work_items and unassign_work_items change who works on them", () => {
    const { call, item } = company();
    expect(call("assign_work_items", { work_ids: ["ISS-2"], user_id: "DEVU-3" })).toEqual([
      "ISS-2",
    ]);
    expect(item("ISS-2").owned_by).toBe("DEVU-3");
    call("unassign_work_items", { work_ids: ["ISS-2"] });
    expect(item("ISS-2")).not.toHaveProperty("owned_by");
  });

  it("set_stage closes and opens, and refuses a stage of another type with those of its own", () => {
    const { call, item } = company();
    call("set_stage", { work_ids: ["TKT-4"], stage: "resolved" });
    expect(item("TKT-4")).toMatchObject({ closed_on: "2025-03-12", needs_response: false });
    call("set_stage", { work_ids: ["TKT-4"], stage: "in_development" });
    expect(item("TKT-4")).not.toHaveProperty("closed_on");
    expect(() => call("set_stage", { work_ids: ["TKT-4"], stage: "triage" })).toThrow(
      /TKT-4 is a ticket and cannot be in "triage".*queued/,
    );
  });

  it("close_work_items and reopen_work_items leave alone what is already closed or open", () => {
    const { call, item } = company();
    const [closed, open] = [item("TASK-27"), item("ISS-2")];
    call("close_work_items", { work_ids: ["TASK-27", "ISS-2"] });
    expect(item("TASK-27")).toEqual(closed);
    expect(item("ISS-2")).toEqual({ ...open, stage: "completed", closed_on: "2025-03-12" });
    call("reopen_work_items", { work_ids: ["ISS-2", "ISS-5"] });
    expect([item("ISS-2").stage, item("ISS-5").stage]).toEqual(["triage", "in_review"]);
  });

  it("set_priority is for issues and set_severity for tickets alone", () => {
    const { call, item } = company();
    call("set_priority", { work_ids: ["ISS-2"], priority: "p0" });
    call("set_severity", { work_ids: ["TKT-3"], severity: "blocker" });
    expect([item("ISS-2").priority, item("TKT-3").severity]).toEqual(["p0", "blocker"]);
    expect(() => call("set_priority", { work_ids: ["TKT-3"], priority: "p0" })).toThrow(
      "TKT-3: is of type ticket and has no priority",
    );
    expect(() => call("set_severity", { work_ids: ["TASK-2"], severity: "low" })).toThrow(
      "no severity",
    );
  });

  it("set_due_date and set_estimate refuse invalid days and hours", () => {
    const { call, item } = company();
    call("set_due_date", { work_ids: ["ISS-2"], due_on: "2025-03-31" });
    call("set_estimate", { work_id: "ISS-2", hours: 2.5 });
    expect(item("ISS-2")).toMatchObject({ due_on: "2025-03-31", estimate_hours: 2.5 });
    expect(() => call("set_due_date", { work_ids: ["ISS-2"], due_on: "soon" })).toThrow("soon");
    expect(() => call("set_estimate", { work_id: "ISS-2", hours: 0 })).toThrow("hours: 0");
  });
});

describe("discussing and labelling", () => {
  it("add_comment and reply_to_ticket write comments, and an answer ends the waiting", () => {
    const { call, item } = company();
    expect(call("add_comment", { work_id: "TKT-4", text: "Seen" })).toBe("COMMENT-31");
    expect(item("TKT-4").needs_response).toBe(true);
    expect(call("reply_to_ticket", { ticket_id: "TKT-4", text: "Fixed" })).toBe("COMMENT-32");
    expect(item("TKT-4").needs_response).toBe(false);
    const comments = call("list_comments", { work_id: "TKT-4" }) as { text: string }[];
    expect(comments.map(({ text }) => text).slice(-2)).toEqual(["Seen", "Fixed"]);
    expect(() => call("reply_to_ticket", { ticket_id: "ISS-2", text: "Hi" })).toThrow("ISS-2");
  });

  it("add_labels and remove_labels keep each label once, in lower case", () => {
    const { call, item } = company();
    call("add_labels", { work_ids: ["ISS-2"], labels: ["Quick win", "New"] });
    expect(item("ISS-2").labels).toEqual(["quick win", "new"]);
    call("remove_labels", { work_ids: ["ISS-2"], labels: ["QUICK WIN", "other"] });
    expect(item("ISS-2").labels).toEqual(["new"]);
  });
});

describe("linking work items", () => {
  it("link_work_items and unlink_work_items change what get_linked_work_items gives", () => {
    const { call } = company();
    const link = { from_id: "ISS-2", relation: "relates_to", to_id: "ISS-5" };
    call("link_work_items", link);
    call("link_work_items", link);
    expect(call("get_linked_work_items", { work_id: "ISS-5" })).toEqual(["ISS-2"]);
    expect(call("get_linked_work_items", { work_id: "ISS-2" })).toEqual(["ISS-5"]);
    expect(call("get_linked_work_items", { work_id: "ISS-2", relation: "blocks" })).toEqual([]);
    call("unlink_work_items", { first_id: "ISS-5", second_id: "ISS-2" });
    expect(call("get_linked_work_items", { work_id: "ISS-2" })).toEqual([]);
  });

  it("get_blocking_work_items follows open ones, and no link may close a circle", () => {
    const { call } = company();
    expect(call("get_blocking_work_items", { work_id: "TASK-29" })).toEqual([
      "TASK-17",
      "TASK-26",
      "TASK-25",
    ]);
    call("close_work_items", { work_ids: ["TASK-26"] });
    expect(call("get_blocking_work_items", { work_id: "TASK-29" })).toEqual(["TASK-17"]);
    const circle = { from_id: "TASK-29", relation: "blocks", to_id: "TASK-25" };
    expect(() => call("link_work_items", circle)).toThrow("back to itself");
    expect(() => call("link_work_items", { ...circle, to_id: "TASK-29" })).toThrow("itself");
  });

  it("get_child_work_items gives those whose parent it is", () => {
    const { call } = company();
    expect(call("get_child_work_items", { work_id: "ISS-6" })).toEqual(["TKT-23"]);
    expect(call("get_child_work_items", { work_id: "TKT-23" })).toEqual([]);
  });
});
