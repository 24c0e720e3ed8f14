import { each, type Outcomes } from "../outcome.js";

/** What comes of the tasks of this part. */
export const CONDITIONS_OUTCOMES: Outcomes = {
  "conditions-01": {
    changes: { work_items: each(["TKT-16", "TKT-27"], { owned_by: "DEVU-7" }) },
  },
  "conditions-02": {
    changes: { work_items: each(["ISS-37", "TKT-20", "TKT-36"], { sprint_id: null }) },
  },
  "conditions-03": {
    changes: {
      comments: {
        "COMMENT-31": {
          id: "COMMENT-31",
          work_id: "TKT-26",
          author: "DEVU-1",
          text: "Please log your hours.",
          created_on: "2025-03-12",
        },
      },
    },
  },
  "conditions-04": {
    changes: {
      work_items: { "TKT-18": { owned_by: "DEVU-6" }, "TKT-19": { owned_by: "DEVU-5" } },
    },
  },
  "conditions-05": {
    changes: { work_items: { "ISS-44": { owned_by: "DEVU-5" } } },
  },
  "conditions-06": {
    changes: { work_items: { "TASK-29": { sprint_id: "SPRINT-4" } } },
  },
  "conditions-07": {
    changes: { work_items: each(["ISS-29", "ISS-45"], { sprint_id: "SPRINT-4" }) },
  },
  "conditions-08": {
    facts: ["17"],
    changes: {
      work_items: {
        "TASK-31": {
          id: "TASK-31",
          type: "task",
          title: "Clear the late answers",
          body: "",
          applies_to_part: "PROD-1",
          created_by: "DEVU-1",
          owned_by: "DEVU-7",
          stage: "backlog",
          created_on: "2025-03-12",
          due_on: "2025-03-14",
          estimate_hours: 4,
          labels: [],
          links: [],
        },
      },
    },
  },
};
