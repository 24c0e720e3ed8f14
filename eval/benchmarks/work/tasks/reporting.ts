import { prev, step, type PlannedTask } from "../workTask.js";

/** Counts, sums, tables and summaries for people who want to know where things stand. */
export const REPORTING: readonly PlannedTask[] = [
  {
    id: "report-01",
    query: "What am I late with? As a Markdown table, please.",
    plan: {
      steps: [
        step("who_am_i"),
        step("list_overdue_work_items", { owned_by: [prev(0)] }),
        step("export_work_items", { work_ids: prev(1), format: "markdown" }),
      ],
      answer: "$$PREV[2]",
      lacking: [],
    },
  },
  {
    id: "report-02",
    query: "How severe are most of our open tickets, and how many is that?",
    plan: {
      steps: [
        step("works_list", { type: ["ticket"] }),
        step("filter_work_items", { work_ids: prev(0), open: true }),
        step("group_work_items", { work_ids: prev(1), by: "severity" }),
      ],
      answer: "$$PREV[2][0].count are $$PREV[2][0].value.",
      lacking: [],
    },
  },
  {
    id: "report-03",
    query: "What was our last finished sprint called, and what share of its work is done by now?",
    plan: {
      steps: [
        step("list_sprints", { state: "past" }),
        step("get_sprint_progress", { sprint_id: prev(0, -1, "id") }),
      ],
      answer: "$$PREV[0][-1].name: $$PREV[1].done_percent %.",
      lacking: [],
    },
  },
  {
    id: "report-04",
    query: "For Billing with everything below it, how do estimated and logged hours compare?",
    leftOpen: "which sum is made first",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Billing" }),
        step("get_part_with_sub_parts", { part_id: prev(0) }),
        step("works_list", { applies_to_part: prev(1) }),
        step("get_estimated_hours", { work_ids: prev(2) }),
        step("get_logged_hours", { work_ids: prev(2) }),
      ],
      answer: "$$PREV[3] hours are estimated and $$PREV[4] logged.",
      lacking: [],
    },
  },
  {
    id: "report-05",
    query: "Which labels do we use at all?",
    plan: {
      steps: [step("list_labels")],
      answer: "$$PREV[0]",
      lacking: [],
    },
  },
  {
    id: "report-06",
    query:
      "I want a CSV file's text with everything that falls due from Monday to Friday of next week.",
    plan: {
      steps: [
        step("list_work_items_due", { from: "2025-03-17", to: "2025-03-21" }),
        step("export_work_items", { work_ids: prev(0), format: "csv" }),
      ],
      answer: "$$PREV[1]",
      lacking: [],
    },
  },
  {
    id: "report-07",
    query: "Summarise for the stand-up what Dmitri Volkov has open.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Dmitri Volkov" }),
        step("works_list", { owned_by: [prev(0)] }),
        step("filter_work_items", { work_ids: prev(1), open: true }),
        step("summarize_objects", { objects: prev(2) }),
      ],
      answer: "$$PREV[3]",
      lacking: [],
    },
  },
  {
    id: "report-08",
    query: "On which items have I logged time since Monday?",
    plan: {
      steps: [
        step("who_am_i"),
        step("list_time_logs", { user_id: prev(0), from: "2025-03-10", to: "2025-03-12" }),
      ],
      answer: "$$PREV[1]",
      lacking: [],
    },
  },
  {
    id: "report-09",
    query: "In which stage are most of our p1 issues? Tell me the number, too.",
    plan: {
      steps: [
        step("works_list", { "issue.priority": ["p1"] }),
        step("group_work_items", { work_ids: prev(0), by: "stage" }),
      ],
      answer: "$$PREV[1][0].count are in $$PREV[1][0].value.",
      lacking: [],
    },
  },
  {
    id: "report-10",
    query: "How many of the things that I reported am I working on myself?",
    plan: {
      steps: [
        step("who_am_i"),
        step("works_list", { created_by: [prev(0)] }),
        step("works_list", { owned_by: [prev(0)] }),
        step("combine_objects", { first: prev(1), second: prev(2), how: "in_both" }),
        step("count_objects", { objects: prev(3) }),
      ],
      answer: "$$PREV[4]",
      lacking: [],
    },
  },
  {
    id: "report-11",
    query: "Which open p2 issue is estimated the highest, and at how many hours?",
    plan: {
      steps: [
        step("works_list", { "issue.priority": ["p2"] }),
        step("filter_work_items", { work_ids: prev(0), open: true }),
        step("sort_work_items", { work_ids: prev(1), by: "estimate_hours", descending: true }),
        step("get_work_item", { work_id: prev(2, 0) }),
      ],
      answer: "$$PREV[3].title ($$PREV[3].id): $$PREV[3].estimate_hours hours.",
      lacking: [],
    },
  },
  {
    id: "report-12",
    query: "What are the features called that Bram Visser answers for?",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Bram Visser" }),
        step("list_parts", { type: "feature", owned_by: prev(0) }),
      ],
      answer: "$$PREV[1]",
      lacking: [],
    },
  },
  {
    id: "report-13",
    query:
      "For the board: how many answers are late under our service agreement, and which customers does that hit?",
    plan: {
      steps: [
        step("list_sla_breaches"),
        step("count_objects", { objects: prev(0) }),
        step("get_customers_of_work_items", { work_ids: prev(0) }),
        step("summarize_objects", { objects: prev(2) }),
      ],
      answer: "$$PREV[1] answers are late. $$PREV[3]",
      lacking: [],
    },
  },
];
