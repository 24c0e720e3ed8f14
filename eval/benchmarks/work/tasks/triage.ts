import { prev, step, type PlannedTask } from "../workTask.js";

/** What has come in, how urgent it is and who is to look at it. */
export const TRIAGE: readonly PlannedTask[] = [
  {
    id: "triage-01",
    query: "Which tickets has nobody taken yet? Name them in whatever order you like.",
    leftOpen: "the order of the answer",
    plan: {
      steps: [step("list_unassigned_work_items", { type: ["ticket"] })],
      answer: "Nobody works on $$PREV[0].",
      lacking: [],
    },
  },
  {
    id: "triage-02",
    query: "Has something like ISS-18 been reported before? I would like to see the titles.",
    plan: {
      steps: [
        step("get_similar_work_items", { work_id: "ISS-18" }),
        step("get_work_item_titles", { work_ids: prev(0) }),
      ],
      answer: "Similar: $$PREV[1].",
      lacking: [],
    },
  },
  {
    id: "triage-03",
    query:
      "We have half an hour for the issues that still sit in triage. In which order should we go through them?",
    plan: {
      steps: [
        step("works_list", { type: ["issue"], "stage.name": ["triage"] }),
        step("prioritize_objects", { objects: prev(0) }),
      ],
      answer: "In this order: $$PREV[1].",
      lacking: [],
    },
  },
  {
    id: "triage-04",
    query:
      "Of the open p1 and p2 issues on Arrival alerts itself, the two most urgent are for Bram Visser to fix from now on.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Arrival alerts" }),
        step("works_list", {
          applies_to_part: [prev(0)],
          "issue.priority": ["p1", "p2"],
          type: ["issue"],
        }),
        step("filter_work_items", { work_ids: prev(1), open: true }),
        step("prioritize_objects", { objects: prev(2) }),
        step("take_first_objects", { objects: prev(3), count: 2 }),
        step("search_object_by_name", { query: "Bram Visser" }),
        step("assign_work_items", { work_ids: prev(4), user_id: prev(5) }),
      ],
      answer: "$$PREV[6] are given to $$PREV[5].",
      lacking: [],
    },
  },
  {
    id: "triage-05",
    query: "ISS-49 is worse than we thought: make it p0 and move it on to the prioritized ones.",
    plan: {
      steps: [
        step("set_priority", { work_ids: ["ISS-49"], priority: "p0" }),
        step("set_stage", { work_ids: ["ISS-49"], stage: "prioritized" }),
      ],
      answer: "$$PREV[1] is p0 and prioritized.",
      lacking: [],
    },
  },
  {
    id: "triage-06",
    query:
      "ISS-44 says the same as ISS-37. Record it as a duplicate of that one and put it away as something we will not fix.",
    plan: {
      steps: [
        step("link_work_items", { from_id: "ISS-44", relation: "duplicates", to_id: "ISS-37" }),
        step("set_stage", { work_ids: ["ISS-44"], stage: "wont_fix" }),
      ],
      answer: "$$PREV[0][0] duplicates $$PREV[0][1] and will not be fixed.",
      lacking: [],
    },
  },
  {
    id: "triage-07",
    query: "What still has to be done before anybody can finish TASK-29? A summary will do.",
    leftOpen: "the wording of the summary",
    plan: {
      steps: [
        step("get_blocking_work_items", { work_id: "TASK-29" }),
        step("summarize_objects", { objects: prev(0) }),
      ],
      answer: "$$PREV[1]",
      lacking: [],
    },
  },
  {
    id: "triage-08",
    query:
      "We have been too soft on what carries the label regression: open issues among them that are p2 or p3 become p1.",
    plan: {
      steps: [
        step("list_work_items_with_label", { label: "regression" }),
        step("filter_work_items", {
          work_ids: prev(0),
          type: ["issue"],
          priority: ["p2", "p3"],
          open: true,
        }),
        step("set_priority", { work_ids: prev(1), priority: "p1" }),
      ],
      answer: "$$PREV[2] are p1 now.",
      lacking: [],
    },
  },
  {
    id: "triage-09",
    query: "How many issues are open anywhere in Tracking, all that belongs to it included?",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Tracking" }),
        step("get_part_with_sub_parts", { part_id: prev(0) }),
        step("works_list", { applies_to_part: prev(1), type: ["issue"] }),
        step("filter_work_items", { work_ids: prev(2), open: true }),
        step("count_objects", { objects: prev(3) }),
      ],
      answer: "$$PREV[4] issues are open.",
      lacking: [],
    },
  },
  {
    id: "triage-10",
    query:
      'Oakline Travel wants this fixed: "Long names are cut off in the header". File it as a p2 issue on Night colours, for whoever answers for that part.',
    leftOpen: "the order of the look-ups",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Oakline Travel" }),
        step("search_object_by_name", { query: "Night colours" }),
        step("get_part_owner", { part_id: prev(1) }),
        step("create_issue", {
          title: "Long names are cut off in the header",
          applies_to_part: prev(1),
          priority: "p2",
          rev_orgs: [prev(0)],
          owned_by: prev(2),
        }),
      ],
      answer: "It is $$PREV[3], for $$PREV[2].",
      lacking: [],
    },
  },
  {
    id: "triage-11",
    query:
      "Is there any blocker or high ticket from phone or chat whose customer is still waiting to hear from us?",
    plan: {
      steps: [
        step("works_list", {
          "ticket.severity": ["blocker", "high"],
          "ticket.source_channel": ["phone", "chat"],
          "ticket.needs_response": true,
        }),
      ],
      answer: "These: $$PREV[0].",
      lacking: [],
    },
  },
  {
    id: "triage-12",
    query:
      "Collect what mentions memory leak and is not closed yet, with who has it and how urgent it is, as a Markdown table.",
    plan: {
      steps: [
        step("search_work_items", { query: "memory leak" }),
        step("filter_work_items", { work_ids: prev(0), open: true }),
        step("export_work_items", { work_ids: prev(1), format: "markdown" }),
      ],
      answer: "$$PREV[2]",
      lacking: [],
    },
  },
  {
    id: "triage-13",
    query:
      "Who reported the issue that has been sitting in triage the longest? Name and address, so that I can ask for details.",
    plan: {
      steps: [
        step("works_list", { type: ["issue"], "stage.name": ["triage"] }),
        step("sort_work_items", { work_ids: prev(0), by: "created_on" }),
        step("get_work_item", { work_id: prev(1, 0) }),
        step("get_user", { user_id: prev(2, "created_by") }),
      ],
      answer: "$$PREV[3].name, $$PREV[3].email, reported $$PREV[1][0].",
      lacking: [],
    },
  },
];
