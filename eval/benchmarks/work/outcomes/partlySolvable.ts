import { each, ids, type Outcomes } from "../outcome.js";
import { step } from "../workTask.js";

/** What comes of the tasks of this part. */
export const PARTLY_SOLVABLE_OUTCOMES: Outcomes = {
  "partly-01": {
    unmet: ["cake"],
    changes: { work_items: { "TASK-30": { stage: "completed", closed_on: "2025-03-12" } } },
  },
  "partly-02": {
    unmet: ["ring", "phone", "call"],
    calls: [
      step("search_object_by_name", { query: "Chiara Rossi" }),
      step("assign_work_items", { work_ids: ["TKT-36"], user_id: "DEVU-3" }),
    ],
    changes: { work_items: { "TKT-36": { owned_by: "DEVU-3" } } },
  },
  "partly-03": {
    unmet: ["mail"],
    calls: [
      step("search_object_by_name", { query: "Invoices" }),
      step("works_list", { applies_to_part: ["FEAT-5"] }),
      step("get_logged_hours", {
        work_ids: ids(
          "ISS-2 ISS-4 ISS-9 ISS-15 ISS-41 TKT-1 TKT-7 TKT-18 TKT-22 TKT-38 TASK-11 TASK-28",
        ),
      }),
    ],
    facts: ["8.5"],
  },
  "partly-04": {
    unmet: ["upload", "drive"],
    calls: [
      step("works_list", { type: ["issue"], "issue.priority": ["p0"] }),
      step("filter_work_items", {
        work_ids: ids("ISS-23 ISS-26 ISS-28 ISS-29 ISS-40 ISS-45"),
        open: true,
      }),
      step("export_work_items", {
        work_ids: ids("ISS-23 ISS-26 ISS-28 ISS-29 ISS-40 ISS-45"),
        format: "json",
      }),
    ],
    facts: ids("ISS-23 ISS-26 ISS-28 ISS-29 ISS-40 ISS-45"),
  },
  "partly-05": {
    unmet: ["calendar"],
    changes: { work_items: { "TASK-26": { due_on: "2025-04-02" } } },
  },
  "partly-06": {
    unmet: ["merg", "pull request"],
    calls: [
      step("get_next_sprint_id"),
      step("add_work_items_to_sprint", { work_ids: ["ISS-31", "ISS-49"], sprint_id: "SPRINT-5" }),
    ],
    changes: { work_items: each(["ISS-31", "ISS-49"], { sprint_id: "SPRINT-5" }) },
  },
  "partly-07": {
    unmet: ["translat", "Japanese"],
    calls: [
      step("search_object_by_name", { query: "Refunds" }),
      step("get_part_owner", { part_id: "FEAT-6" }),
      step("works_list", { owned_by: ["DEVU-4"], type: ["issue"] }),
      step("filter_work_items", {
        work_ids: ids("ISS-13 ISS-21 ISS-29 ISS-32 ISS-33 ISS-34 ISS-36 ISS-47 ISS-49"),
        open: true,
      }),
      step("get_work_item_titles", {
        work_ids: ids("ISS-13 ISS-21 ISS-29 ISS-33 ISS-34 ISS-36 ISS-47 ISS-49"),
      }),
    ],
    facts: [
      "Time-out while saving checkout form",
      "Crash when opening monthly statement",
      "Slow loading of arrival alerts on phones",
      "Keyboard shortcuts for refunds",
      "Rewrite the tests of refunds",
      "Rewrite the tests of checkout form",
      "Missing translations in ordering",
      "Keyboard shortcuts for night colours",
    ],
  },
};
