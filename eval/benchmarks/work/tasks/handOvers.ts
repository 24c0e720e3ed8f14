import { prev, step, type PlannedTask } from "../workTask.js";

/** Work that passes from one person or meeting to another. */
export const HAND_OVERS: readonly PlannedTask[] = [
  {
    id: "handover-01",
    query:
      "My holiday begins tomorrow. Bram Visser has agreed to take over the tasks that I have not finished.",
    plan: {
      steps: [
        step("who_am_i"),
        step("works_list", { owned_by: [prev(0)], type: ["task"] }),
        step("filter_work_items", { work_ids: prev(1), open: true }),
        step("search_object_by_name", { query: "Bram Visser" }),
        step("assign_work_items", { work_ids: prev(2), user_id: prev(3) }),
      ],
      answer: "$$PREV[4] are given to $$PREV[3].",
      lacking: [],
    },
  },
  {
    id: "handover-02",
    query:
      "Freya Lund is leaving us. Free everything open from that name; we will share it out on Thursday.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Freya Lund" }),
        step("works_list", { owned_by: [prev(0)] }),
        step("filter_work_items", { work_ids: prev(1), open: true }),
        step("unassign_work_items", { work_ids: prev(2) }),
      ],
      answer: "Nobody works on $$PREV[3] now.",
      lacking: [],
    },
  },
  {
    id: "handover-03",
    query:
      "Turn my notes into tasks and plan them for the current sprint:\n- Compare two mail providers\n- Ask legal about the data retention\n- Draw the new sign-up flow",
    plan: {
      steps: [
        step("create_actionable_tasks_from_text", {
          text: "- Compare two mail providers\n- Ask legal about the data retention\n- Draw the new sign-up flow",
        }),
        step("get_sprint_id"),
        step("add_work_items_to_sprint", { work_ids: prev(0), sprint_id: prev(1) }),
      ],
      answer: "$$PREV[2] are planned for $$PREV[1].",
      lacking: [],
    },
  },
  {
    id: "handover-04",
    query:
      "From today Chiara Rossi answers for Invoices. Record it and pass on the open work there that nobody has taken.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Chiara Rossi" }),
        step("search_object_by_name", { query: "Invoices" }),
        step("set_part_owner", { part_id: prev(1), user_id: prev(0) }),
        step("works_list", { applies_to_part: [prev(2)] }),
        step("list_unassigned_work_items"),
        step("combine_objects", { first: prev(3), second: prev(4), how: "in_both" }),
        step("assign_work_items", { work_ids: prev(5), user_id: prev(0) }),
      ],
      answer: "$$PREV[0] answers for $$PREV[2] and has $$PREV[6].",
      lacking: [],
    },
  },
  {
    id: "handover-05",
    query:
      'Return ISS-21 to whoever wrote it and leave the note "Cannot be reproduced with the steps given." there.',
    leftOpen: "whether the note or the return comes first",
    plan: {
      steps: [
        step("get_work_item", { work_id: "ISS-21" }),
        step("add_comment", {
          work_id: "ISS-21",
          text: "Cannot be reproduced with the steps given.",
        }),
        step("assign_work_items", { work_ids: ["ISS-21"], user_id: prev(0, "created_by") }),
      ],
      answer: "$$PREV[2] is with $$PREV[0].created_by.",
      lacking: [],
    },
  },
  {
    id: "handover-06",
    query: "Book two and a half hours of today on TASK-18 for me; with that it is finished.",
    plan: {
      steps: [
        step("log_time", { work_id: "TASK-18", hours: 2.5 }),
        step("close_work_items", { work_ids: ["TASK-18"] }),
      ],
      answer: "$$PREV[1] is closed, the time is booked as $$PREV[0].",
      lacking: [],
    },
  },
  {
    id: "handover-07",
    query:
      "Whoever picks up TASK-29 should see what holds it up. Write a summary of the blockers on it as a comment.",
    plan: {
      steps: [
        step("get_blocking_work_items", { work_id: "TASK-29" }),
        step("summarize_objects", { objects: prev(0) }),
        step("add_comment", { work_id: "TASK-29", text: prev(1) }),
      ],
      answer: "It is $$PREV[2].",
      lacking: [],
    },
  },
  {
    id: "handover-08",
    query: "I inherit TKT-40. What is it made up of that is not finished, and who is on it?",
    plan: {
      steps: [
        step("get_child_work_items", { work_id: "TKT-40" }),
        step("filter_work_items", { work_ids: prev(0), open: true }),
        step("summarize_objects", { objects: prev(1) }),
      ],
      answer: "$$PREV[2]",
      lacking: [],
    },
  },
  {
    id: "handover-09",
    query:
      "TASK-27 was closed by mistake. Open it again and let whoever of team support has the most time in this sprint do it.",
    plan: {
      steps: [
        step("get_sprint_id"),
        step("find_user_with_most_free_hours", { sprint_id: prev(0), team: "support" }),
        step("reopen_work_items", { work_ids: ["TASK-27"] }),
        step("assign_work_items", { work_ids: prev(2), user_id: prev(1) }),
      ],
      answer: "$$PREV[3] is open again, with $$PREV[1].",
      lacking: [],
    },
  },
  {
    id: "handover-10",
    query:
      "I have questions about Live map. Who answers for it, what is the address, and how much time is left there in this sprint?",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Live map" }),
        step("get_part_owner", { part_id: prev(0) }),
        step("get_user", { user_id: prev(1) }),
        step("get_sprint_id"),
        step("get_user_capacity", { user_id: prev(1), sprint_id: prev(3) }),
      ],
      answer: "$$PREV[2].name, $$PREV[2].email; $$PREV[4].free_hours hours are free.",
      lacking: [],
    },
  },
  {
    id: "handover-11",
    query:
      'Make a follow-up to ISS-38 for me: a task "Write the release note", about the same part, due 28 March, with the issue as its parent.',
    plan: {
      steps: [
        step("get_work_item", { work_id: "ISS-38" }),
        step("who_am_i"),
        step("create_task", {
          title: "Write the release note",
          applies_to_part: prev(0, "applies_to_part"),
          owned_by: prev(1),
          due_on: "2025-03-28",
        }),
        step("link_work_items", { from_id: "ISS-38", relation: "parent_of", to_id: prev(2) }),
      ],
      answer: "It is $$PREV[2].",
      lacking: [],
    },
  },
  {
    id: "handover-12",
    query:
      "I am away for the second half of March: of what falls due from the 17th to the 31st, put mine off to 4 April.",
    plan: {
      steps: [
        step("list_work_items_due", { from: "2025-03-17", to: "2025-03-31" }),
        step("who_am_i"),
        step("filter_work_items", { work_ids: prev(0), owned_by: [prev(1)] }),
        step("set_due_date", { work_ids: prev(2), due_on: "2025-04-04" }),
      ],
      answer: "$$PREV[3] are due on 2025-04-04.",
      lacking: [],
    },
  },
  {
    id: "handover-13",
    query:
      'Everything of Dmitri Volkov that is in review gets the label "handover", so that the others find it.',
    plan: {
      steps: [
        step("search_object_by_name", { query: "Dmitri Volkov" }),
        step("works_list", { owned_by: [prev(0)], "stage.name": ["in_review"] }),
        step("add_labels", { work_ids: prev(1), labels: ["handover"] }),
      ],
      answer: "$$PREV[2] have the label.",
      lacking: [],
    },
  },
];
