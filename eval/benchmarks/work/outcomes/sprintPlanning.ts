import { each, ids, type Outcomes } from "../outcome.js";
import { step } from "../workTask.js";

/** What comes of the tasks of this part. */
export const SPRINT_PLANNING_OUTCOMES: Outcomes = {
  "sprint-01": {
    facts: ["SPRINT-4"],
  },
  "sprint-02": {
    calls: [step("get_next_sprint_id"), step("get_sprint", { sprint_id: "SPRINT-5" })],
    facts: ["2025-03-17", "2025-03-30"],
  },
  "sprint-03": {
    calls: [
      step("who_am_i"),
      step("works_list", { owned_by: ["DEVU-1"], "issue.priority": ["p0", "p1"], type: ["issue"] }),
      step("filter_work_items", { work_ids: ["ISS-23", "ISS-41"], open: true }),
      step("get_sprint_id"),
      step("add_work_items_to_sprint", { work_ids: ["ISS-23", "ISS-41"], sprint_id: "SPRINT-4" }),
    ],
    changes: { work_items: each(["ISS-23", "ISS-41"], { sprint_id: "SPRINT-4" }) },
  },
  "sprint-04": {
    calls: [step("get_sprint_id"), step("get_sprint_progress", { sprint_id: "SPRINT-4" })],
    facts: ["31", "28.5", "200"],
  },
  "sprint-05": {
    calls: [
      step("search_object_by_name", { query: "Chiara Rossi" }),
      step("get_sprint_id"),
      step("get_user_capacity", { user_id: "DEVU-3", sprint_id: "SPRINT-4" }),
    ],
    facts: ["36"],
  },
  "sprint-06": {
    calls: [
      step("get_next_sprint_id"),
      step("find_user_with_most_free_hours", { sprint_id: "SPRINT-5", team: "platform" }),
      step("get_user", { user_id: "DEVU-4" }),
    ],
    facts: ["Dmitri Volkov"],
  },
  "sprint-07": {
    calls: [
      step("get_sprint_id"),
      step("get_next_sprint_id"),
      step("move_unfinished_work_items", { from_sprint_id: "SPRINT-4", to_sprint_id: "SPRINT-5" }),
    ],
    changes: {
      work_items: each(
        ids(
          "ISS-9 ISS-13 ISS-21 ISS-25 ISS-26 ISS-28 ISS-36 ISS-37 ISS-40 ISS-48 TKT-14 TKT-15 TKT-20 TKT-23 TKT-24 TKT-32 TKT-33 TKT-34 TKT-36 TASK-6 TASK-9 TASK-14 TASK-18 TASK-19 TASK-22",
        ),
        { sprint_id: "SPRINT-5" },
      ),
    },
  },
  "sprint-08": {
    calls: [
      step("list_overdue_work_items"),
      step("filter_work_items", {
        work_ids: ids(
          "TKT-15 ISS-15 TASK-9 TASK-20 TKT-14 TKT-16 TASK-16 TASK-2 ISS-29 ISS-37 TKT-5 ISS-41 ISS-46 TKT-22 TASK-14 ISS-5 TKT-29 TKT-37 TASK-28 ISS-38 TASK-17",
        ),
        type: ["task"],
      }),
      step("remove_work_items_from_sprint", {
        work_ids: ids("TASK-9 TASK-20 TASK-16 TASK-2 TASK-14 TASK-28 TASK-17"),
      }),
    ],
    changes: { work_items: each(["TASK-9", "TASK-14"], { sprint_id: null }) },
  },
  "sprint-09": {
    calls: [
      step("create_sprint", {
        name: "Stabilisation",
        starts_on: "2025-04-14",
        ends_on: "2025-04-27",
      }),
      step("works_list", { "issue.priority": ["p0"], type: ["issue"] }),
      step("filter_work_items", {
        work_ids: ids("ISS-23 ISS-26 ISS-28 ISS-29 ISS-40 ISS-45"),
        open: true,
      }),
      step("add_work_items_to_sprint", {
        work_ids: ids("ISS-23 ISS-26 ISS-28 ISS-29 ISS-40 ISS-45"),
        sprint_id: "SPRINT-7",
      }),
    ],
    changes: {
      sprints: {
        "SPRINT-7": {
          id: "SPRINT-7",
          name: "Stabilisation",
          starts_on: "2025-04-14",
          ends_on: "2025-04-27",
        },
      },
      work_items: each(ids("ISS-23 ISS-26 ISS-28 ISS-29 ISS-40 ISS-45"), { sprint_id: "SPRINT-7" }),
    },
  },
  "sprint-10": {
    calls: [
      step("works_list", { type: ["issue"], "stage.name": ["backlog"] }),
      step("prioritize_objects", { objects: ids("ISS-15 ISS-26 ISS-31 ISS-36 ISS-38 ISS-49") }),
      step("take_first_objects", {
        objects: ids("ISS-26 ISS-15 ISS-36 ISS-49 ISS-38 ISS-31"),
        count: 4,
      }),
      step("get_next_sprint_id"),
      step("add_work_items_to_sprint", {
        work_ids: ids("ISS-26 ISS-15 ISS-36 ISS-49"),
        sprint_id: "SPRINT-5",
      }),
    ],
    changes: { work_items: each(["ISS-26", "ISS-36", "ISS-49"], { sprint_id: "SPRINT-5" }) },
  },
  "sprint-11": {
    calls: [
      step("get_sprint_id"),
      step("list_sprint_work_items", { sprint_id: "SPRINT-4" }),
      step("filter_work_items", {
        work_ids: ids(
          "ISS-9 ISS-13 ISS-21 ISS-22 ISS-25 ISS-26 ISS-28 ISS-32 ISS-36 ISS-37 ISS-40 ISS-43 ISS-48 TKT-1 TKT-9 TKT-10 TKT-13 TKT-14 TKT-15 TKT-20 TKT-23 TKT-24 TKT-32 TKT-33 TKT-34 TKT-35 TKT-36 TASK-6 TASK-9 TASK-11 TASK-14 TASK-18 TASK-19 TASK-22 TASK-23 TASK-27",
        ),
        open: true,
      }),
      step("get_estimated_hours", {
        work_ids: ids(
          "ISS-9 ISS-13 ISS-21 ISS-25 ISS-26 ISS-28 ISS-36 ISS-37 ISS-40 ISS-48 TKT-14 TKT-15 TKT-20 TKT-23 TKT-24 TKT-32 TKT-33 TKT-34 TKT-36 TASK-6 TASK-9 TASK-14 TASK-18 TASK-19 TASK-22",
        ),
      }),
    ],
    facts: ["145"],
  },
  "sprint-12": {
    calls: [
      step("set_estimate", { work_id: "ISS-38", hours: 12 }),
      step("set_due_date", { work_ids: ["ISS-38"], due_on: "2025-03-20" }),
      step("get_sprint_id"),
      step("add_work_items_to_sprint", { work_ids: ["ISS-38"], sprint_id: "SPRINT-4" }),
    ],
    changes: {
      work_items: { "ISS-38": { due_on: "2025-03-20", estimate_hours: 12, sprint_id: "SPRINT-4" } },
    },
  },
  "sprint-13": {
    calls: [
      step("get_work_item", { work_id: "TASK-6" }),
      step("get_blocking_work_items", { work_id: "TASK-6" }),
      step("add_work_items_to_sprint", { work_ids: ["TASK-2", "TKT-33"], sprint_id: "SPRINT-4" }),
    ],
    changes: { work_items: { "TASK-2": { sprint_id: "SPRINT-4" } } },
  },
};
