import type { WorkType } from "./state.js";

/** Titles of work items; "#" stands for the name of the part. */
export const TITLES: Readonly<Record<WorkType, readonly string[]>> = {
  issue: [
    "Slow loading of # on phones",
    "Crash when opening #",
    "Wrong total shown in #",
    "Memory leak in #",
    "Missing translations in #",
    "Keyboard shortcuts for #",
    "Time-out while saving #",
    "Rewrite the tests of #",
  ],
  ticket: [
    "Cannot open #",
    "Old data shown in #",
    "Error message on saving #",
    "How do we export #?",
    "Request for more columns in #",
    "# stopped working after the update",
    "Login needed twice for #",
  ],
  task: [
    "Write a guide for #",
    "Review the access rights of #",
    "Measure the load of #",
    "Renew the screenshots of #",
    "Plan the release of #",
    "Interview customers about #",
  ],
};

/** What work items of each type are about. */
export const BODIES: Readonly<Record<WorkType, readonly string[]>> = {
  issue: [
    "Seen on staging and in production since the last release.",
    "Happens on small screens only.",
    "Found in the weekly review of the logs.",
    "Several customers have asked for it.",
    "Follows from the new design.",
  ],
  ticket: [
    "It worked last week. Please help soon.",
    "Happens to all our users.",
    "Only our Monday reports are concerned.",
    "A short answer is enough.",
    "We have tried two browsers.",
  ],
  task: [
    "As agreed in the planning.",
    "Needed before the next release.",
    "Ask support what comes up most often.",
    "Half a day at most.",
  ],
};

/** Labels that work items may have. */
export const LABELS: readonly string[] = [
  "regression",
  "performance",
  "security",
  "mobile",
  "documentation",
  "quick win",
];

/** Comments on work items. */
export const COMMENTS: readonly string[] = [
  "I can see it here, too.",
  "Waiting for the next deployment.",
  "Let us talk about it in the stand-up.",
  "The logs say nothing.",
  "Done on my side, please check.",
];
