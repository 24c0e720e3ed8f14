import { ids, type Outcomes } from "../outcome.js";

/** What comes of the tasks of this part. */
export const COUNTS_OUTCOMES: Outcomes = {
  "counts-01": { facts: ["Gita Rao", "8", "Hugo Marin", "4"] },
  "counts-02": { facts: ["Brightwater Schools", "Tideway Logistics", "2"] },
  "counts-03": { facts: ["47"] },
  "counts-04": { facts: ["27.5"] },
  "counts-05": { facts: ["6", ...ids("ISS-29 ISS-37 ISS-41 TKT-28 TASK-22 TASK-29"), "9.5"] },
  "counts-06": { facts: ["enterprise", "8", "business", "7", "standard", "4"] },
  "counts-07": { facts: ["0"] },
  "counts-08": { facts: ["Bram Visser"] },
};
