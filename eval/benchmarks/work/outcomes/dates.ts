import { each, ids, type Outcomes } from "../outcome.js";

/** What comes of the tasks of this part. */
export const DATES_OUTCOMES: Outcomes = {
  "dates-01": {
    changes: {
      work_items: {
        "ISS-5": { due_on: "2025-03-22" },
        "ISS-15": { due_on: "2025-03-17" },
        "ISS-29": { due_on: "2025-03-20" },
        "ISS-37": { due_on: "2025-03-20" },
        "ISS-38": { due_on: "2025-03-24" },
        "ISS-41": { due_on: "2025-03-21" },
        "ISS-46": { due_on: "2025-03-21" },
      },
    },
  },
  "dates-02": {
    changes: {
      work_items: {
        "TKT-3": { labels: ["long runner"] },
        "TKT-4": { labels: ["long runner"] },
        "TKT-5": { labels: ["mobile", "documentation", "long runner"] },
      },
    },
  },
  "dates-03": {
    changes: {
      work_items: {
        "ISS-6": { due_on: "2025-03-24" },
        "ISS-14": { due_on: "2025-03-31" },
        "ISS-19": { due_on: "2025-04-07" },
        "ISS-20": { due_on: "2025-03-17" },
        "ISS-28": { due_on: "2025-03-17" },
        "ISS-31": { due_on: "2025-03-24" },
      },
    },
  },
  "dates-04": { facts: [...ids("TKT-13 TASK-11"), "14"] },
  "dates-05": {
    changes: { work_items: each(["ISS-20", "TKT-40"], { sprint_id: "SPRINT-4" }) },
  },
  "dates-06": {
    changes: {
      comments: Object.fromEntries(
        ["TKT-5", "TKT-18"].map((work_id, at) => [
          `COMMENT-${31 + at}`,
          {
            id: `COMMENT-${31 + at}`,
            work_id,
            author: "DEVU-1",
            text: "Is this still going on?",
            created_on: "2025-03-12",
          },
        ]),
      ),
    },
  },
  "dates-07": {
    changes: {
      work_items: {
        "ISS-30": { due_on: "2025-03-18" },
        "TKT-21": { due_on: "2025-03-13" },
        "TASK-24": { due_on: "2025-03-30" },
      },
    },
  },
};
