import { each, type Outcomes } from "../outcome.js";

/** What comes of the tasks of this part of which something can be done. */
export const BEYOND_THE_TOOLS_OUTCOMES: Outcomes = {
  "beyond-05": {
    unmet: ["mail"],
    changes: {
      work_items: {
        "TKT-8": { stage: "resolved", closed_on: "2025-03-12" },
        "TKT-14": { stage: "resolved", needs_response: false, closed_on: "2025-03-12" },
      },
    },
  },
  "beyond-06": {
    unmet: ["ring", "phone", "call"],
    changes: {
      work_items: {
        "ISS-6": { owned_by: "DEVU-1" },
        "ISS-45": { owned_by: "DEVU-2" },
        "ISS-50": { owned_by: "DEVU-5" },
      },
    },
  },
  "beyond-07": { unmet: ["Magnus", "Eklund"], facts: ["5"] },
  "beyond-08": { unmet: ["Slack", "post"], facts: ["31"] },
  "beyond-09": {
    unmet: ["room"],
    changes: { work_items: each(["ISS-6", "ISS-47", "ISS-50"], { sprint_id: "SPRINT-5" }) },
  },
  "beyond-10": {
    unmet: ["phone"],
    facts: ["Harbour Foods", "3", "Lumen Clinics", "7", "Tideway Logistics", "2"],
  },
};
