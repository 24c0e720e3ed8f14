import { prev, step, type PlannedTask } from "../workTask.js";

/** What is planned for which sprint, and whether it fits. */
export const SPRINT_PLANNING: readonly PlannedTask[] = [
  {
    id: "sprint-01",
    query: "I need the id of the sprint that is running right now.",
    plan: {
      steps: [step("get_sprint_id")],
      answer: "$$PREV[0]",
      lacking: [],
    },
  },
  {
    id: "sprint-02",
    query: "On which day does the coming sprint start, and when is it over?",
    plan: {
      steps: [step("get_next_sprint_id"), step("get_sprint", { sprint_id: prev(0) })],
      answer: "From $$PREV[1].starts_on to $$PREV[1].ends_on.",
      lacking: [],
    },
  },
  {
    id: "sprint-03",
    query: "All p0 and p1 issues on my desk that are open belong into the running sprint.",
    plan: {
      steps: [
        step("who_am_i"),
        step("works_list", {
          owned_by: [prev(0)],
          "issue.priority": ["p0", "p1"],
          type: ["issue"],
        }),
        step("filter_work_items", { work_ids: prev(1), open: true }),
        step("get_sprint_id"),
        step("add_work_items_to_sprint", { work_ids: prev(2), sprint_id: prev(3) }),
      ],
      answer: "$$PREV[4] are planned for $$PREV[3].",
      lacking: [],
    },
  },
  {
    id: "sprint-04",
    query:
      "How far are we with this sprint in percent, and how many of the estimated hours have been logged?",
    plan: {
      steps: [step("get_sprint_id"), step("get_sprint_progress", { sprint_id: prev(0) })],
      answer:
        "$$PREV[1].done_percent % are done; $$PREV[1].logged_hours of $$PREV[1].estimated_hours hours are logged.",
      lacking: [],
    },
  },
  {
    id: "sprint-05",
    query: "Could Chiara Rossi take on more before this sprint is over? Tell me the free hours.",
    leftOpen: "which of the two ids is looked up first",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Chiara Rossi" }),
        step("get_sprint_id"),
        step("get_user_capacity", { user_id: prev(0), sprint_id: prev(1) }),
      ],
      answer: "$$PREV[2].free_hours hours are free.",
      lacking: [],
    },
  },
  {
    id: "sprint-06",
    query:
      "Somebody of team platform should lead the migration in the next sprint. Who has the most room?",
    plan: {
      steps: [
        step("get_next_sprint_id"),
        step("find_user_with_most_free_hours", { sprint_id: prev(0), team: "platform" }),
        step("get_user", { user_id: prev(1) }),
      ],
      answer: "$$PREV[2].name ($$PREV[1]).",
      lacking: [],
    },
  },
  {
    id: "sprint-07",
    query:
      "Whatever we will not get done in this sprint has to wait for the one after it. Move it all over.",
    plan: {
      steps: [
        step("get_sprint_id"),
        step("get_next_sprint_id"),
        step("move_unfinished_work_items", { from_sprint_id: prev(0), to_sprint_id: prev(1) }),
      ],
      answer: "Moved to $$PREV[1]: $$PREV[2].",
      lacking: [],
    },
  },
  {
    id: "sprint-08",
    query: "Tasks that are overdue anyway have no place in a sprint any more: take them out.",
    plan: {
      steps: [
        step("list_overdue_work_items"),
        step("filter_work_items", { work_ids: prev(0), type: ["task"] }),
        step("remove_work_items_from_sprint", { work_ids: prev(1) }),
      ],
      answer: "$$PREV[2] are in no sprint now.",
      lacking: [],
    },
  },
  {
    id: "sprint-09",
    query:
      'Set up a sprint called "Stabilisation" from 14 April to 27 April 2025 and fill it with every open p0 issue.',
    plan: {
      steps: [
        step("create_sprint", {
          name: "Stabilisation",
          starts_on: "2025-04-14",
          ends_on: "2025-04-27",
        }),
        step("works_list", { "issue.priority": ["p0"], type: ["issue"] }),
        step("filter_work_items", { work_ids: prev(1), open: true }),
        step("add_work_items_to_sprint", { work_ids: prev(2), sprint_id: prev(0) }),
      ],
      answer: "$$PREV[0] holds $$PREV[3].",
      lacking: [],
    },
  },
  {
    id: "sprint-10",
    query:
      "Pick the four issues from the backlog that are needed most and plan them for next sprint; how you list them in your answer is up to you.",
    leftOpen: "the form of the answer",
    plan: {
      steps: [
        step("works_list", { type: ["issue"], "stage.name": ["backlog"] }),
        step("prioritize_objects", { objects: prev(0) }),
        step("take_first_objects", { objects: prev(1), count: 4 }),
        step("get_next_sprint_id"),
        step("add_work_items_to_sprint", { work_ids: prev(2), sprint_id: prev(3) }),
      ],
      answer: "$$PREV[4] are planned for $$PREV[3].",
      lacking: [],
    },
  },
  {
    id: "sprint-11",
    query:
      "Adding up the estimates of what is still open in the current sprint, how many hours do we get?",
    plan: {
      steps: [
        step("get_sprint_id"),
        step("list_sprint_work_items", { sprint_id: prev(0) }),
        step("filter_work_items", { work_ids: prev(1), open: true }),
        step("get_estimated_hours", { work_ids: prev(2) }),
      ],
      answer: "$$PREV[3] hours.",
      lacking: [],
    },
  },
  {
    id: "sprint-12",
    query: "ISS-38: estimate 12 hours, due 20 March, to be done in the sprint we are in.",
    leftOpen: "the order of the changes",
    plan: {
      steps: [
        step("set_estimate", { work_id: "ISS-38", hours: 12 }),
        step("set_due_date", { work_ids: ["ISS-38"], due_on: "2025-03-20" }),
        step("get_sprint_id"),
        step("add_work_items_to_sprint", { work_ids: ["ISS-38"], sprint_id: prev(2) }),
      ],
      answer: "$$PREV[3] is planned for $$PREV[2].",
      lacking: [],
    },
  },
  {
    id: "sprint-13",
    query:
      "It makes no sense to do TASK-6 in its sprint while its blockers are planned for some other time. Bring all open ones into that same sprint.",
    plan: {
      steps: [
        step("get_work_item", { work_id: "TASK-6" }),
        step("get_blocking_work_items", { work_id: "TASK-6" }),
        step("add_work_items_to_sprint", { work_ids: prev(1), sprint_id: prev(0, "sprint_id") }),
      ],
      answer: "$$PREV[2] are planned for $$PREV[0].sprint_id.",
      lacking: [],
    },
  },
];
