import { each, ids, type Outcomes } from "../outcome.js";
import { step } from "../workTask.js";

/** What comes of the tasks of this part. */
export const HAND_OVERS_OUTCOMES: Outcomes = {
  "handover-01": {
    calls: [
      step("who_am_i"),
      step("works_list", { owned_by: ["DEVU-1"], type: ["task"] }),
      step("filter_work_items", {
        work_ids: ids("TASK-12 TASK-13 TASK-17 TASK-18 TASK-29"),
        open: true,
      }),
      step("search_object_by_name", { query: "Bram Visser" }),
      step("assign_work_items", { work_ids: ["TASK-17", "TASK-18", "TASK-29"], user_id: "DEVU-2" }),
    ],
    changes: { work_items: each(["TASK-17", "TASK-18", "TASK-29"], { owned_by: "DEVU-2" }) },
  },
  "handover-02": {
    calls: [
      step("search_object_by_name", { query: "Freya Lund" }),
      step("works_list", { owned_by: ["DEVU-6"] }),
      step("filter_work_items", {
        work_ids: ids(
          "ISS-4 ISS-20 ISS-27 ISS-30 ISS-46 TKT-7 TKT-21 TKT-26 TKT-32 TASK-5 TASK-14 TASK-22 TASK-24",
        ),
        open: true,
      }),
      step("unassign_work_items", {
        work_ids: ids(
          "ISS-20 ISS-27 ISS-30 ISS-46 TKT-21 TKT-26 TKT-32 TASK-5 TASK-14 TASK-22 TASK-24",
        ),
      }),
    ],
    changes: {
      work_items: each(
        ids("ISS-20 ISS-27 ISS-30 ISS-46 TKT-21 TKT-26 TKT-32 TASK-5 TASK-14 TASK-22 TASK-24"),
        { owned_by: null },
      ),
    },
  },
  "handover-03": {
    calls: [
      step("create_actionable_tasks_from_text", {
        text: "- Compare two mail providers\n- Ask legal about the data retention\n- Draw the new sign-up flow",
      }),
      step("get_sprint_id"),
      step("add_work_items_to_sprint", {
        work_ids: ["TASK-31", "TASK-32", "TASK-33"],
        sprint_id: "SPRINT-4",
      }),
    ],
    changes: {
      work_items: {
        "TASK-31": {
          id: "TASK-31",
          type: "task",
          title: "Compare two mail providers",
          body: "",
          applies_to_part: "PROD-1",
          created_by: "DEVU-1",
          owned_by: "DEVU-1",
          stage: "backlog",
          created_on: "2025-03-12",
          sprint_id: "SPRINT-4",
          estimate_hours: 4,
          labels: [],
          links: [],
        },
        "TASK-32": {
          id: "TASK-32",
          type: "task",
          title: "Ask legal about the data retention",
          body: "",
          applies_to_part: "PROD-1",
          created_by: "DEVU-1",
          owned_by: "DEVU-1",
          stage: "backlog",
          created_on: "2025-03-12",
          sprint_id: "SPRINT-4",
          estimate_hours: 4,
          labels: [],
          links: [],
        },
        "TASK-33": {
          id: "TASK-33",
          type: "task",
          title: "Draw the new sign-up flow",
          body: "",
          applies_to_part: "PROD-1",
          created_by: "DEVU-1",
          owned_by: "DEVU-1",
          stage: "backlog",
          created_on: "2025-03-12",
          sprint_id: "SPRINT-4",
          estimate_hours: 4,
          labels: [],
          links: [],
        },
      },
    },
  },
  "handover-04": {
    calls: [
      step("search_object_by_name", { query: "Chiara Rossi" }),
      step("search_object_by_name", { query: "Invoices" }),
      step("set_part_owner", { part_id: "FEAT-5", user_id: "DEVU-3" }),
      step("works_list", { applies_to_part: ["FEAT-5"] }),
      step("list_unassigned_work_items"),
      step("combine_objects", {
        first: ids(
          "ISS-2 ISS-4 ISS-9 ISS-15 ISS-41 TKT-1 TKT-7 TKT-18 TKT-22 TKT-38 TASK-11 TASK-28",
        ),
        second: ids(
          "ISS-2 ISS-6 ISS-15 ISS-17 ISS-44 ISS-45 ISS-50 TKT-8 TKT-14 TKT-18 TKT-19 TKT-34 TKT-36 TKT-37 TASK-7 TASK-19 TASK-21",
        ),
        how: "in_both",
      }),
      step("assign_work_items", { work_ids: ["ISS-2", "ISS-15", "TKT-18"], user_id: "DEVU-3" }),
    ],
    changes: {
      parts: { "FEAT-5": { owned_by: "DEVU-3" } },
      work_items: each(["ISS-2", "ISS-15", "TKT-18"], { owned_by: "DEVU-3" }),
    },
  },
  "handover-05": {
    calls: [
      step("get_work_item", { work_id: "ISS-21" }),
      step("add_comment", {
        work_id: "ISS-21",
        text: "Cannot be reproduced with the steps given.",
      }),
      step("assign_work_items", { work_ids: ["ISS-21"], user_id: "DEVU-5" }),
    ],
    changes: {
      work_items: { "ISS-21": { owned_by: "DEVU-5" } },
      comments: {
        "COMMENT-31": {
          id: "COMMENT-31",
          work_id: "ISS-21",
          author: "DEVU-1",
          text: "Cannot be reproduced with the steps given.",
          created_on: "2025-03-12",
        },
      },
    },
  },
  "handover-06": {
    changes: {
      work_items: { "TASK-18": { stage: "completed", closed_on: "2025-03-12" } },
      time_logs: {
        "LOG-41": {
          id: "LOG-41",
          work_id: "TASK-18",
          user_id: "DEVU-1",
          hours: 2.5,
          day: "2025-03-12",
        },
      },
    },
  },
  "handover-07": {
    calls: [
      step("get_blocking_work_items", { work_id: "TASK-29" }),
      step("summarize_objects", { objects: ["TASK-17", "TASK-26", "TASK-25"] }),
      step("add_comment", {
        work_id: "TASK-29",
        text: "3 objects, 3 of them open work.\nTASK-17: Review the access rights of checkout form (task, backlog, Noor Haddad, due 2025-03-10).\nTASK-26: Write a guide for text messages (task, in_progress, Dmitri Volkov, due 2025-03-23).\nTASK-25: Interview customers about checkout form (task, in_review, Emeka Obi).",
      }),
    ],
    changes: {
      comments: {
        "COMMENT-31": {
          id: "COMMENT-31",
          work_id: "TASK-29",
          author: "DEVU-1",
          text: "3 objects, 3 of them open work.\nTASK-17: Review the access rights of checkout form (task, backlog, Noor Haddad, due 2025-03-10).\nTASK-26: Write a guide for text messages (task, in_progress, Dmitri Volkov, due 2025-03-23).\nTASK-25: Interview customers about checkout form (task, in_review, Emeka Obi).",
          created_on: "2025-03-12",
        },
      },
    },
  },
  "handover-08": {
    calls: [
      step("get_child_work_items", { work_id: "TKT-40" }),
      step("filter_work_items", { work_ids: ["TASK-5"], open: true }),
      step("summarize_objects", { objects: ["TASK-5"] }),
    ],
    facts: ["TASK-5"],
  },
  "handover-09": {
    calls: [
      step("get_sprint_id"),
      step("find_user_with_most_free_hours", { sprint_id: "SPRINT-4", team: "support" }),
      step("reopen_work_items", { work_ids: ["TASK-27"] }),
      step("assign_work_items", { work_ids: ["TASK-27"], user_id: "DEVU-7" }),
    ],
    changes: {
      work_items: { "TASK-27": { owned_by: "DEVU-7", stage: "backlog", closed_on: null } },
    },
  },
  "handover-10": {
    calls: [
      step("search_object_by_name", { query: "Live map" }),
      step("get_part_owner", { part_id: "FEAT-3" }),
      step("get_user", { user_id: "DEVU-3" }),
      step("get_sprint_id"),
      step("get_user_capacity", { user_id: "DEVU-3", sprint_id: "SPRINT-4" }),
    ],
    facts: ["Chiara Rossi", "chiara.rossi@parcelo.example", "36"],
  },
  "handover-11": {
    calls: [
      step("get_work_item", { work_id: "ISS-38" }),
      step("who_am_i"),
      step("create_task", {
        title: "Write the release note",
        applies_to_part: "FEAT-1",
        owned_by: "DEVU-1",
        due_on: "2025-03-28",
      }),
      step("link_work_items", { from_id: "ISS-38", relation: "parent_of", to_id: "TASK-31" }),
    ],
    changes: {
      work_items: {
        "ISS-38": { links: [{ relation: "parent_of", to: "TASK-31" }] },
        "TASK-31": {
          id: "TASK-31",
          type: "task",
          title: "Write the release note",
          body: "",
          applies_to_part: "FEAT-1",
          created_by: "DEVU-1",
          owned_by: "DEVU-1",
          stage: "backlog",
          created_on: "2025-03-12",
          due_on: "2025-03-28",
          estimate_hours: 4,
          labels: [],
          links: [],
        },
      },
    },
  },
  "handover-12": {
    calls: [
      step("list_work_items_due", { from: "2025-03-17", to: "2025-03-31" }),
      step("who_am_i"),
      step("filter_work_items", {
        work_ids: ids(
          "TASK-29 ISS-33 TKT-4 TKT-6 TKT-26 ISS-6 ISS-31 TKT-32 TASK-22 TASK-26 ISS-40 TKT-23 TKT-38 TASK-15 ISS-10 TKT-25 TKT-34 ISS-14 TASK-5",
        ),
        owned_by: ["DEVU-1"],
      }),
      step("set_due_date", { work_ids: ids("TASK-29 ISS-31 TKT-38 ISS-14"), due_on: "2025-04-04" }),
    ],
    changes: { work_items: each(ids("ISS-14 ISS-31 TKT-38 TASK-29"), { due_on: "2025-04-04" }) },
  },
  "handover-13": {
    calls: [
      step("search_object_by_name", { query: "Dmitri Volkov" }),
      step("works_list", { owned_by: ["DEVU-4"], "stage.name": ["in_review"] }),
      step("add_labels", { work_ids: ids("ISS-13 ISS-33 ISS-34 TASK-30"), labels: ["handover"] }),
    ],
    changes: {
      work_items: {
        "ISS-13": { labels: ["quick win", "handover"] },
        "ISS-33": { labels: ["security", "documentation", "handover"] },
        "ISS-34": { labels: ["security", "handover"] },
        "TASK-30": { labels: ["regression", "mobile", "handover"] },
      },
    },
  },
};
