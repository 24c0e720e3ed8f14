import { ids, type Outcomes, type RowChanges } from "../outcome.js";

/** What comes of the tasks of this part. */
export const LOOPS_OUTCOMES: Outcomes = {
  "loops-01": {
    changes: {
      comments: comments(
        "What is in the way?",
        ids("TASK-2 TASK-9 TASK-14 TASK-16 TASK-17 TASK-20 TASK-28"),
      ),
    },
  },
  "loops-02": {
    facts: ["Oakline Travel"],
    changes: { customers: { "REV-4": { tier: "enterprise" } } },
  },
  "loops-03": {
    changes: {
      work_items: {
        "ISS-9": { estimate_hours: 6 },
        "ISS-13": { estimate_hours: 18 },
        "ISS-20": { estimate_hours: 12 },
        "ISS-41": { estimate_hours: 3 },
      },
    },
  },
  "loops-04": {
    changes: {
      work_items: Object.fromEntries(
        ["Harbour Foods", "Lumen Clinics", "Tideway Logistics"].map((name, at) => [
          `TASK-${31 + at}`,
          {
            id: `TASK-${31 + at}`,
            type: "task",
            title: `Call ${name}`,
            body: "",
            applies_to_part: "CAPL-1",
            created_by: "DEVU-1",
            owned_by: "DEVU-7",
            stage: "backlog",
            created_on: "2025-03-12",
            due_on: "2025-03-21",
            estimate_hours: 4,
            labels: [],
            links: [],
          },
        ]),
      ),
    },
  },
  "loops-05": {
    changes: {
      work_items: {
        "ISS-6": {
          links: [
            { relation: "parent_of", to: "TKT-23" },
            { relation: "blocks", to: "ISS-40" },
          ],
        },
        "ISS-41": { links: [{ relation: "blocks", to: "ISS-40" }] },
        "ISS-45": {
          links: [
            { relation: "blocks", to: "TKT-28" },
            { relation: "blocks", to: "ISS-40" },
          ],
        },
        "ISS-46": { links: [{ relation: "blocks", to: "ISS-40" }] },
      },
    },
  },
  "loops-06": {
    changes: {
      work_items: {
        "TKT-23": { needs_response: false },
        "TKT-33": { needs_response: false },
        "TKT-39": { needs_response: false },
      },
      comments: comments("We are on it and will be back by Friday.", ids("TKT-23 TKT-33 TKT-39")),
    },
  },
  "loops-07": {
    changes: {
      time_logs: Object.fromEntries(
        ids("ISS-23 ISS-39 ISS-41 TASK-18").map((work_id, at) => [
          `LOG-${41 + at}`,
          { id: `LOG-${41 + at}`, work_id, user_id: "DEVU-1", hours: 0.5, day: "2025-03-12" },
        ]),
      ),
    },
  },
};

/** The same comment on several work items, as the user of the company writes it today. */
function comments(text: string, work_ids: readonly string[]): RowChanges["comments"] {
  return Object.fromEntries(
    work_ids.map((work_id, at) => [
      `COMMENT-${31 + at}`,
      { id: `COMMENT-${31 + at}`, work_id, author: "DEVU-1", text, created_on: "2025-03-12" },
    ]),
  );
}
