import { prev, step, type PlannedTask } from "../workTask.js";

/** Requests of which the tools can do a part; the gold is that part. */
export const PARTLY_SOLVABLE: readonly PlannedTask[] = [
  {
    id: "partly-01",
    query: "TASK-30 is through: close it, and order a cake for everyone who helped.",
    plan: {
      steps: [step("close_work_items", { work_ids: ["TASK-30"] })],
      answer: "$$PREV[0] is closed. I cannot order a cake.",
      lacking: ["ordering a cake"],
    },
  },
  {
    id: "partly-02",
    query: "TKT-36 goes to Chiara Rossi. Ring the desk as well so that nobody overlooks it.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Chiara Rossi" }),
        step("assign_work_items", { work_ids: ["TKT-36"], user_id: prev(0) }),
      ],
      answer: "$$PREV[1] is given to $$PREV[0]. I cannot make phone calls.",
      lacking: ["making a phone call"],
    },
  },
  {
    id: "partly-03",
    query:
      "Finance wants to know how much time Invoices has eaten so far. Work out the hours and mail them to the controller.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Invoices" }),
        step("works_list", { applies_to_part: [prev(0)] }),
        step("get_logged_hours", { work_ids: prev(1) }),
      ],
      answer: "$$PREV[2] hours are logged on $$PREV[0]. I cannot send mail.",
      lacking: ["sending an email"],
    },
  },
  {
    id: "partly-04",
    query:
      "Produce JSON of the p0 issues that are not closed, and upload the file to our shared drive.",
    plan: {
      steps: [
        step("works_list", { type: ["issue"], "issue.priority": ["p0"] }),
        step("filter_work_items", { work_ids: prev(0), open: true }),
        step("export_work_items", { work_ids: prev(1), format: "json" }),
      ],
      answer: "$$PREV[2]",
      lacking: ["uploading a file"],
    },
  },
  {
    id: "partly-05",
    query: "TASK-26 has time until 2 April. Block that afternoon in my calendar for it, too.",
    plan: {
      steps: [step("set_due_date", { work_ids: ["TASK-26"], due_on: "2025-04-02" })],
      answer: "$$PREV[0] is due on 2025-04-02. I cannot change your calendar.",
      lacking: ["calendar entries"],
    },
  },
  {
    id: "partly-06",
    query: "For the next sprint, plan ISS-31 and ISS-49, and merge their pull requests into main.",
    plan: {
      steps: [
        step("get_next_sprint_id"),
        step("add_work_items_to_sprint", { work_ids: ["ISS-31", "ISS-49"], sprint_id: prev(0) }),
      ],
      answer: "$$PREV[1] are planned for $$PREV[0]. I cannot merge pull requests.",
      lacking: ["merging pull requests"],
    },
  },
  {
    id: "partly-07",
    query:
      "Who answers for Refunds? Our partner in Osaka needs the titles of that colleague's open issues, in Japanese.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Refunds" }),
        step("get_part_owner", { part_id: prev(0) }),
        step("works_list", { owned_by: [prev(1)], type: ["issue"] }),
        step("filter_work_items", { work_ids: prev(2), open: true }),
        step("get_work_item_titles", { work_ids: prev(3) }),
      ],
      answer: "$$PREV[1] answers for $$PREV[0]. Open issues: $$PREV[4]. I cannot translate them.",
      lacking: ["translating into Japanese"],
    },
  },
];
