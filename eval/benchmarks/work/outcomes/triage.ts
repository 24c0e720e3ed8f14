import { each, ids, type Outcomes } from "../outcome.js";
import { step } from "../workTask.js";

/** What comes of the tasks of this part. */
export const TRIAGE_OUTCOMES: Outcomes = {
  "triage-01": {
    facts: ids("TKT-8 TKT-14 TKT-18 TKT-19 TKT-34 TKT-36 TKT-37"),
  },
  "triage-02": {
    calls: [
      step("get_similar_work_items", { work_id: "ISS-18" }),
      step("get_work_item_titles", { work_ids: ids("ISS-9 ISS-27 ISS-5 ISS-47 ISS-14") }),
    ],
    facts: [
      "Missing translations in invoices",
      "Missing translations in night colours",
      "Missing translations in billing",
      "Missing translations in ordering",
      "Missing translations in checkout form",
    ],
  },
  "triage-03": {
    calls: [
      step("works_list", { type: ["issue"], "stage.name": ["triage"] }),
      step("prioritize_objects", { objects: ids("ISS-19 ISS-27 ISS-30 ISS-42 ISS-48") }),
    ],
    facts: ids("ISS-19 ISS-42 ISS-48 ISS-27 ISS-30"),
  },
  "triage-04": {
    calls: [
      step("search_object_by_name", { query: "Arrival alerts" }),
      step("works_list", {
        applies_to_part: ["FEAT-4"],
        "issue.priority": ["p1", "p2"],
        type: ["issue"],
      }),
      step("filter_work_items", {
        work_ids: ids("ISS-18 ISS-19 ISS-39 ISS-48 ISS-50"),
        open: true,
      }),
      step("prioritize_objects", { objects: ids("ISS-19 ISS-39 ISS-48 ISS-50") }),
      step("take_first_objects", { objects: ids("ISS-19 ISS-50 ISS-39 ISS-48"), count: 2 }),
      step("search_object_by_name", { query: "Bram Visser" }),
      step("assign_work_items", { work_ids: ["ISS-19", "ISS-50"], user_id: "DEVU-2" }),
    ],
    changes: { work_items: each(["ISS-19", "ISS-50"], { owned_by: "DEVU-2" }) },
  },
  "triage-05": {
    changes: { work_items: { "ISS-49": { stage: "prioritized", priority: "p0" } } },
  },
  "triage-06": {
    changes: {
      work_items: {
        "ISS-44": {
          stage: "wont_fix",
          links: [{ relation: "duplicates", to: "ISS-37" }],
          closed_on: "2025-03-12",
        },
      },
    },
  },
  "triage-07": {
    calls: [
      step("get_blocking_work_items", { work_id: "TASK-29" }),
      step("summarize_objects", { objects: ["TASK-17", "TASK-26", "TASK-25"] }),
    ],
    facts: ["TASK-17", "TASK-26", "TASK-25"],
  },
  "triage-08": {
    calls: [
      step("list_work_items_with_label", { label: "regression" }),
      step("filter_work_items", {
        work_ids: ids(
          "ISS-12 ISS-17 ISS-28 ISS-29 ISS-36 ISS-42 ISS-45 ISS-46 TKT-1 TKT-2 TKT-18 TKT-20 TKT-21 TKT-24 TKT-25 TKT-32 TKT-37 TKT-39 TASK-9 TASK-15 TASK-23 TASK-30",
        ),
        type: ["issue"],
        priority: ["p2", "p3"],
        open: true,
      }),
      step("set_priority", { work_ids: ["ISS-17", "ISS-36", "ISS-42"], priority: "p1" }),
    ],
    changes: { work_items: each(["ISS-17", "ISS-36", "ISS-42"], { priority: "p1" }) },
  },
  "triage-09": {
    calls: [
      step("search_object_by_name", { query: "Tracking" }),
      step("get_part_with_sub_parts", { part_id: "CAPL-2" }),
      step("works_list", {
        applies_to_part: ids("CAPL-2 FEAT-3 FEAT-4 ENH-2 ENH-4"),
        type: ["issue"],
      }),
      step("filter_work_items", {
        work_ids: ids(
          "ISS-1 ISS-3 ISS-8 ISS-10 ISS-11 ISS-16 ISS-17 ISS-18 ISS-19 ISS-23 ISS-27 ISS-29 ISS-35 ISS-39 ISS-40 ISS-43 ISS-46 ISS-48 ISS-49 ISS-50",
        ),
        open: true,
      }),
      step("count_objects", {
        objects: ids(
          "ISS-10 ISS-17 ISS-19 ISS-23 ISS-27 ISS-29 ISS-35 ISS-39 ISS-40 ISS-46 ISS-48 ISS-49 ISS-50",
        ),
      }),
    ],
    facts: ["13"],
  },
  "triage-10": {
    calls: [
      step("search_object_by_name", { query: "Oakline Travel" }),
      step("search_object_by_name", { query: "Night colours" }),
      step("get_part_owner", { part_id: "ENH-2" }),
      step("create_issue", {
        title: "Long names are cut off in the header",
        applies_to_part: "ENH-2",
        priority: "p2",
        rev_orgs: ["REV-4"],
        owned_by: "DEVU-3",
      }),
    ],
    changes: {
      work_items: {
        "ISS-51": {
          id: "ISS-51",
          type: "issue",
          title: "Long names are cut off in the header",
          body: "",
          applies_to_part: "ENH-2",
          created_by: "DEVU-1",
          owned_by: "DEVU-3",
          stage: "triage",
          created_on: "2025-03-12",
          estimate_hours: 4,
          labels: [],
          links: [],
          priority: "p2",
          rev_orgs: ["REV-4"],
        },
      },
    },
  },
  "triage-11": {
    facts: ids("TKT-22 TKT-23 TKT-24 TKT-30 TKT-33"),
  },
  "triage-12": {
    calls: [
      step("search_work_items", { query: "memory leak" }),
      step("filter_work_items", {
        work_ids: ids("ISS-6 ISS-7 ISS-40 ISS-41 ISS-45 ISS-46"),
        open: true,
      }),
      step("export_work_items", {
        work_ids: ids("ISS-6 ISS-40 ISS-41 ISS-45 ISS-46"),
        format: "markdown",
      }),
    ],
    facts: ids("ISS-6 ISS-40 ISS-41 ISS-45 ISS-46"),
  },
  "triage-13": {
    calls: [
      step("works_list", { type: ["issue"], "stage.name": ["triage"] }),
      step("sort_work_items", {
        work_ids: ids("ISS-19 ISS-27 ISS-30 ISS-42 ISS-48"),
        by: "created_on",
      }),
      step("get_work_item", { work_id: "ISS-19" }),
      step("get_user", { user_id: "DEVU-1" }),
    ],
    facts: ["Noor Haddad", "noor.haddad@parcelo.example"],
  },
};
