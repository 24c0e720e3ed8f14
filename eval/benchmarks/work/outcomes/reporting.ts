import { ids, type Outcomes } from "../outcome.js";
import { step } from "../workTask.js";

/** What comes of the tasks of this part. */
export const REPORTING_OUTCOMES: Outcomes = {
  "report-01": {
    calls: [
      step("who_am_i"),
      step("list_overdue_work_items", { owned_by: ["DEVU-1"] }),
      step("export_work_items", { work_ids: ["ISS-41", "TASK-17"], format: "markdown" }),
    ],
    facts: ["ISS-41", "TASK-17"],
  },
  "report-02": {
    calls: [
      step("works_list", { type: ["ticket"] }),
      step("filter_work_items", {
        work_ids: ids(
          "TKT-1 TKT-2 TKT-3 TKT-4 TKT-5 TKT-6 TKT-7 TKT-8 TKT-9 TKT-10 TKT-11 TKT-12 TKT-13 TKT-14 TKT-15 TKT-16 TKT-17 TKT-18 TKT-19 TKT-20 TKT-21 TKT-22 TKT-23 TKT-24 TKT-25 TKT-26 TKT-27 TKT-28 TKT-29 TKT-30 TKT-31 TKT-32 TKT-33 TKT-34 TKT-35 TKT-36 TKT-37 TKT-38 TKT-39 TKT-40",
        ),
        open: true,
      }),
      step("group_work_items", {
        work_ids: ids(
          "TKT-3 TKT-4 TKT-5 TKT-6 TKT-8 TKT-14 TKT-15 TKT-16 TKT-18 TKT-19 TKT-20 TKT-21 TKT-22 TKT-23 TKT-24 TKT-25 TKT-26 TKT-27 TKT-28 TKT-29 TKT-30 TKT-31 TKT-32 TKT-33 TKT-34 TKT-36 TKT-37 TKT-38 TKT-39 TKT-40",
        ),
        by: "severity",
      }),
    ],
    facts: ["10", "high"],
  },
  "report-03": {
    calls: [
      step("list_sprints", { state: "past" }),
      step("get_sprint_progress", { sprint_id: "SPRINT-3" }),
    ],
    facts: ["Sprint Compass", "100"],
  },
  "report-04": {
    calls: [
      step("search_object_by_name", { query: "Billing" }),
      step("get_part_with_sub_parts", { part_id: "CAPL-3" }),
      step("works_list", { applies_to_part: ids("CAPL-3 FEAT-5 FEAT-6 ENH-3") }),
      step("get_estimated_hours", {
        work_ids: ids(
          "ISS-2 ISS-4 ISS-5 ISS-9 ISS-15 ISS-20 ISS-21 ISS-25 ISS-26 ISS-33 ISS-34 ISS-37 ISS-41 ISS-42 ISS-44 TKT-1 TKT-6 TKT-7 TKT-8 TKT-14 TKT-15 TKT-18 TKT-21 TKT-22 TKT-25 TKT-34 TKT-37 TKT-38 TASK-8 TASK-11 TASK-12 TASK-13 TASK-15 TASK-16 TASK-19 TASK-22 TASK-27 TASK-28 TASK-30",
        ),
      }),
      step("get_logged_hours", {
        work_ids: ids(
          "ISS-2 ISS-4 ISS-5 ISS-9 ISS-15 ISS-20 ISS-21 ISS-25 ISS-26 ISS-33 ISS-34 ISS-37 ISS-41 ISS-42 ISS-44 TKT-1 TKT-6 TKT-7 TKT-8 TKT-14 TKT-15 TKT-18 TKT-21 TKT-22 TKT-25 TKT-34 TKT-37 TKT-38 TASK-8 TASK-11 TASK-12 TASK-13 TASK-15 TASK-16 TASK-19 TASK-22 TASK-27 TASK-28 TASK-30",
        ),
      }),
    ],
    facts: ["262", "24.5"],
  },
  "report-05": {
    facts: ["documentation", "mobile", "performance", "quick win", "regression", "security"],
  },
  "report-06": {
    calls: [
      step("list_work_items_due", { from: "2025-03-17", to: "2025-03-21" }),
      step("export_work_items", {
        work_ids: ids("TASK-29 ISS-33 TKT-4 TKT-6 TKT-26"),
        format: "csv",
      }),
    ],
    facts: ids("TASK-29 ISS-33 TKT-4 TKT-6 TKT-26"),
  },
  "report-07": {
    calls: [
      step("search_object_by_name", { query: "Dmitri Volkov" }),
      step("works_list", { owned_by: ["DEVU-4"] }),
      step("filter_work_items", {
        work_ids: ids(
          "ISS-13 ISS-21 ISS-29 ISS-32 ISS-33 ISS-34 ISS-36 ISS-47 ISS-49 TKT-1 TKT-39 TASK-3 TASK-10 TASK-26 TASK-30",
        ),
        open: true,
      }),
      step("summarize_objects", {
        objects: ids(
          "ISS-13 ISS-21 ISS-29 ISS-33 ISS-34 ISS-36 ISS-47 ISS-49 TKT-39 TASK-26 TASK-30",
        ),
      }),
    ],
    facts: ids("ISS-13 ISS-21 ISS-29 ISS-33 ISS-34 ISS-36 ISS-47 ISS-49 TKT-39 TASK-26 TASK-30"),
  },
  "report-08": {
    calls: [
      step("who_am_i"),
      step("list_time_logs", { user_id: "DEVU-1", from: "2025-03-10", to: "2025-03-12" }),
    ],
    facts: ["TASK-29", "TKT-24"],
  },
  "report-09": {
    calls: [
      step("works_list", { "issue.priority": ["p1"] }),
      step("group_work_items", {
        work_ids: ids(
          "ISS-6 ISS-9 ISS-11 ISS-13 ISS-16 ISS-19 ISS-20 ISS-25 ISS-41 ISS-43 ISS-46 ISS-47 ISS-50",
        ),
        by: "stage",
      }),
    ],
    facts: ["4", "in_review"],
  },
  "report-10": {
    calls: [
      step("who_am_i"),
      step("works_list", { created_by: ["DEVU-1"] }),
      step("works_list", { owned_by: ["DEVU-1"] }),
      step("combine_objects", {
        first: ids("ISS-7 ISS-17 ISS-19 ISS-32 ISS-48 TKT-24 TKT-32 TKT-37 TKT-38 TASK-14 TASK-15"),
        second: ids(
          "ISS-14 ISS-23 ISS-31 ISS-39 ISS-41 ISS-48 TKT-10 TKT-24 TKT-38 TASK-12 TASK-13 TASK-17 TASK-18 TASK-29",
        ),
        how: "in_both",
      }),
      step("count_objects", { objects: ["ISS-48", "TKT-24", "TKT-38"] }),
    ],
    facts: ["3"],
  },
  "report-11": {
    calls: [
      step("works_list", { "issue.priority": ["p2"] }),
      step("filter_work_items", {
        work_ids: ids(
          "ISS-1 ISS-3 ISS-7 ISS-8 ISS-12 ISS-15 ISS-17 ISS-18 ISS-21 ISS-22 ISS-24 ISS-32 ISS-33 ISS-36 ISS-39 ISS-42 ISS-44 ISS-48 ISS-49",
        ),
        open: true,
      }),
      step("sort_work_items", {
        work_ids: ids("ISS-15 ISS-17 ISS-21 ISS-33 ISS-36 ISS-39 ISS-42 ISS-44 ISS-48 ISS-49"),
        by: "estimate_hours",
        descending: true,
      }),
      step("get_work_item", { work_id: "ISS-33" }),
    ],
    facts: ["Keyboard shortcuts for refunds", "ISS-33", "16"],
  },
  "report-12": {
    calls: [
      step("search_object_by_name", { query: "Bram Visser" }),
      step("list_parts", { type: "feature", owned_by: "DEVU-2" }),
    ],
    facts: ["Basket"],
  },
  "report-13": {
    calls: [
      step("list_sla_breaches"),
      step("count_objects", {
        objects: ids(
          "TKT-4 TKT-5 TKT-14 TKT-15 TKT-19 TKT-21 TKT-22 TKT-23 TKT-24 TKT-28 TKT-30 TKT-31 TKT-33 TKT-34 TKT-36 TKT-37 TKT-39",
        ),
      }),
      step("get_customers_of_work_items", {
        work_ids: ids(
          "TKT-4 TKT-5 TKT-14 TKT-15 TKT-19 TKT-21 TKT-22 TKT-23 TKT-24 TKT-28 TKT-30 TKT-31 TKT-33 TKT-34 TKT-36 TKT-37 TKT-39",
        ),
      }),
      step("summarize_objects", { objects: ids("REV-3 REV-4 REV-5 REV-1 REV-2 REV-7 REV-8") }),
    ],
    facts: [
      "17",
      "Pine & Co",
      "Oakline Travel",
      "Brightwater Schools",
      "Harbour Foods",
      "Lumen Clinics",
      "Fernwood Press",
      "Ultima Retail",
    ],
  },
};
