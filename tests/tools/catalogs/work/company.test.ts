import { describe, expect, it } from "vitest";
import { company } from "./support.js";

describe("sprints", () => {
  it("are listed by their days and states, and shown one by one", () => {
    const { call } = company();
    const ids = (args: object) =>
      (call("list_sprints", { ...args }) as { id: string }[]).map(({ id }) => id);
    expect(ids({ state: "past" })).toEqual(["SPRINT-1", "SPRINT-2", "SPRINT-3"]);
    expect(ids({ state: "current" })).toEqual(["SPRINT-4"]);
    expect(ids({})).toHaveLength(6);
    expect(call("get_next_sprint_id")).toBe("SPRINT-5");
    expect(call("get_sprint", { sprint_id: "SPRINT-5" })).toMatchObject({ name: "Sprint Ember" });
    expect(() => call("get_sprint", { sprint_id: "SPRINT-9" })).toThrow(
      'unknown sprint "SPRINT-9"',
    );
  });

  it("create_sprint refuses days that another one has and an end before its beginning", () => {
    const { call } = company();
    const sprint = { name: "Gale", starts_on: "2025-04-14", ends_on: "2025-04-27" };
    expect(call("create_sprint", sprint)).toBe("SPRINT-7");
    expect(() => call("create_sprint", sprint)).toThrow("SPRINT-7 takes days of these");
    expect(() =>
      call("create_sprint", { ...sprint, starts_on: "2025-05-02", ends_on: "2025-05-01" }),
    ).toThrow("2025-05-01 is before 2025-05-02");
  });

  it("remove_work_items_from_sprint and move_unfinished_work_items change what is planned", () => {
    const { call, item } = company();
    call("remove_work_items_from_sprint", { work_ids: ["ISS-9"] });
    expect(item("ISS-9")).not.toHaveProperty("sprint_id");
    const args = { from_sprint_id: "SPRINT-4", to_sprint_id: "SPRINT-5" };
    const moved = call("move_unfinished_work_items", args);
    expect(moved).toContain("ISS-13");
    expect(moved).not.toContain("ISS-9");
    expect([item("ISS-13").sprint_id, item("ISS-22").sprint_id]).toEqual(["SPRINT-5", "SPRINT-4"]);
    const left = call("list_sprint_work_items", { sprint_id: "SPRINT-4" }) as string[];
    expect(left).toContain("ISS-22");
    expect(left.every((id) => item(id).closed_on !== undefined)).toBe(true);
  });

  it("get_sprint_progress adds up what is in the sprint", () => {
    const { call, item } = company();
    call("create_sprint", { name: "Gale", starts_on: "2025-04-14", ends_on: "2025-04-27" });
    const empty = { total: 0, open: 0, closed: 0, done_percent: 0 };
    expect(call("get_sprint_progress", { sprint_id: "SPRINT-7" })).toMatchObject(empty);
    call("add_work_items_to_sprint", {
      work_ids: ["ISS-1", "ISS-2", "TASK-30"],
      sprint_id: "SPRINT-7",
    });
    const before = call("get_logged_hours", { work_ids: ["ISS-1", "ISS-2", "TASK-30"] }) as number;
    call("log_time", { work_id: "ISS-2", hours: 1.5 });
    expect(call("get_sprint_progress", { sprint_id: "SPRINT-7" })).toEqual({
      sprint_id: "SPRINT-7",
      total: 3,
      open: 2,
      closed: 1,
      done_percent: 33,
      estimated_hours: item("ISS-1").estimate_hours + item("ISS-2").estimate_hours + 4,
      logged_hours: before + 1.5,
    });
  });

  it("get_user_capacity plans what is left of open work, and the freest user has most hours left", () => {
    const { call } = company();
    call("create_sprint", { name: "Gale", starts_on: "2025-04-14", ends_on: "2025-04-27" });
    call("create_task", { title: "Big", applies_to_part: "PROD-1", owned_by: "DEVU-1" });
    call("set_estimate", { work_id: "TASK-31", hours: 50 });
    call("log_time", { work_id: "TASK-31", hours: 20 });
    call("add_work_items_to_sprint", { work_ids: ["TASK-31"], sprint_id: "SPRINT-7" });
    const hours = { capacity_hours: 80, planned_hours: 30, free_hours: 50 };
    const asked = { user_id: "DEVU-1", sprint_id: "SPRINT-7" };
    expect(call("get_user_capacity", asked)).toEqual({ ...asked, ...hours });
    const freest = (team?: string) =>
      call("find_user_with_most_free_hours", { sprint_id: "SPRINT-7", ...(team ? { team } : {}) });
    expect([freest(), freest("platform"), freest("Support")]).toEqual([
      "DEVU-2",
      "DEVU-4",
      "DEVU-7",
    ]);
    expect(() => freest("sales")).toThrow(/unknown team "sales".*apps, platform, support/);
  });
});

describe("time", () => {
  it("log_time adds to what list_time_logs and get_logged_hours give", () => {
    const { call } = company();
    const before = call("get_logged_hours", { work_ids: ["ISS-14"] }) as number;
    expect(call("log_time", { work_id: "ISS-14", hours: 3, day: "2025-03-11" })).toBe("LOG-41");
    expect(call("get_logged_hours", { work_ids: ["ISS-14"] })).toBe(before + 3);
    const logs = call("list_time_logs", {
      user_id: "DEVU-1",
      from: "2025-03-11",
      to: "2025-03-11",
    });
    expect(logs).toContainEqual({
      id: "LOG-41",
      work_id: "ISS-14",
      user_id: "DEVU-1",
      hours: 3,
      day: "2025-03-11",
    });
    expect(() => call("log_time", { work_id: "ISS-14", hours: 25 })).toThrow("hours: 25");
  });

  it("get_estimated_hours adds up each item once", () => {
    expect(company().call("get_estimated_hours", { work_ids: ["ISS-1", "ISS-2", "ISS-1"] })).toBe(
      16,
    );
  });
});

describe("parts", () => {
  it("are listed by type and owner, with what is below them", () => {
    const { call } = company();
    const ids = (args: object) =>
      (call("list_parts", { ...args }) as { id: string }[]).map(({ id }) => id);
    expect(ids({ type: "capability" })).toEqual(["CAPL-1", "CAPL-2", "CAPL-3"]);
    expect(ids({ owned_by: "DEVU-1" })).toEqual(["FEAT-1", "ENH-1"]);
    expect(call("get_part_with_sub_parts", { part_id: "CAPL-1" })).toEqual([
      "CAPL-1",
      "FEAT-1",
      "FEAT-2",
      "ENH-1",
    ]);
    expect(call("get_part", { part_id: "ENH-4" })).toMatchObject({ parent_id: "FEAT-4" });
  });

  it("create_part wants a parent of the right type, and set_part_owner changes get_part_owner", () => {
    const { call } = company();
    const part = { name: "Gifts", type: "feature", owned_by: "DEVU-2" };
    expect(call("create_part", { ...part, parent_id: "CAPL-1" })).toBe("FEAT-7");
    expect(() => call("create_part", part)).toThrow("a feature belongs to a capability");
    expect(() => call("create_part", { ...part, parent_id: "FEAT-1" })).toThrow(
      "a feature cannot belong to FEAT-1, a feature",
    );
    call("set_part_owner", { part_id: "FEAT-7", user_id: "DEVU-8" });
    expect(call("get_part_owner", { part_id: "FEAT-7" })).toBe("DEVU-8");
  });
});

describe("customers and users", () => {
  it("are listed by tier and team, and shown one by one", () => {
    const { call } = company();
    expect(call("list_customers", { tier: "enterprise" })).toEqual(["REV-1", "REV-2", "REV-6"]);
    expect(call("get_customer", { rev_org_id: "REV-3" })).toMatchObject({ name: "Pine & Co" });
    expect(call("list_users", { team: "Platform" })).toEqual(["DEVU-4", "DEVU-5", "DEVU-6"]);
    expect(call("list_users", {})).toHaveLength(8);
    expect(call("get_user", { user_id: "DEVU-6" })).toMatchObject({
      email: "freya.lund@parcelo.example",
      hours_per_week: 24,
    });
  });

  it("create_customer adds one, and get_customers_of_work_items finds who is behind work", () => {
    const { call } = company();
    const customer = { name: "Elm", tier: "standard", contact_email: "hello@elm.example" };
    expect(call("create_customer", customer)).toBe("REV-9");
    expect(call("get_customer", { rev_org_id: "REV-9" })).toEqual({ id: "REV-9", ...customer });
    expect(
      call("get_customers_of_work_items", { work_ids: ["ISS-1", "TKT-7", "TKT-1", "TASK-1"] }),
    ).toEqual(["REV-5", "REV-7", "REV-2"]);
  });

  it("the service level counts from the customer's tier, until the ticket is answered", () => {
    const { call } = company();
    const status = (ticket_id: string) => call("get_sla_status", { ticket_id });
    expect(status("TKT-38")).toEqual({
      ticket_id: "TKT-38",
      answer_by: "2025-03-12",
      state: "in_time",
    });
    expect(call("list_sla_breaches", { rev_org: ["REV-8"] })).toEqual(["TKT-34"]);
    call("set_customer_tier", { rev_org_id: "REV-8", tier: "enterprise" });
    expect(status("TKT-38")).toMatchObject({ answer_by: "2025-03-10", state: "breached" });
    expect(call("list_sla_breaches", { rev_org: ["REV-8"] })).toEqual(["TKT-34", "TKT-38"]);
    call("reply_to_ticket", { ticket_id: "TKT-38", text: "Fixed" });
    expect(status("TKT-38")).toMatchObject({ state: "answered" });
    expect(() => status("ISS-1")).toThrow("ISS-1: is of type issue");
  });
});
