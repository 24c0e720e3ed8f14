import { prev, step, type PlannedTask } from "../workTask.js";

/** Who waits for an answer, until when, and what they are told. */
export const CUSTOMER_FOLLOW_UP: readonly PlannedTask[] = [
  {
    id: "customer-01",
    query: "Give me the ids of the customers who pay for the enterprise tier.",
    plan: {
      steps: [step("list_customers", { tier: "enterprise" })],
      answer: "$$PREV[0]",
      lacking: [],
    },
  },
  {
    id: "customer-02",
    query: "To which address do I write at Harbour Foods?",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Harbour Foods" }),
        step("get_customer", { rev_org_id: prev(0) }),
      ],
      answer: "$$PREV[1].contact_email",
      lacking: [],
    },
  },
  {
    id: "customer-03",
    query: "By which day should somebody have answered TKT-34?",
    plan: {
      steps: [step("get_sla_status", { ticket_id: "TKT-34" })],
      answer: "By $$PREV[0].answer_by: $$PREV[0].state.",
      lacking: [],
    },
  },
  {
    id: "customer-04",
    query:
      "Have we kept our word with Ultima Retail, or are answers to them late under the service agreement?",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Ultima Retail" }),
        step("list_sla_breaches", { rev_org: [prev(0)] }),
      ],
      answer: "Late: $$PREV[1].",
      lacking: [],
    },
  },
  {
    id: "customer-05",
    query:
      'Answer TKT-21 with "The correction is part of release 4.2, which you can install today." and wait for what they say.',
    plan: {
      steps: [
        step("reply_to_ticket", {
          ticket_id: "TKT-21",
          text: "The correction is part of release 4.2, which you can install today.",
        }),
        step("set_stage", { work_ids: ["TKT-21"], stage: "awaiting_customer_response" }),
      ],
      answer: "$$PREV[1][0] is answered with $$PREV[0].",
      lacking: [],
    },
  },
  {
    id: "customer-06",
    query:
      "Pine & Co is losing patience. Treat every ticket of theirs that lacks an answer as high, and put it on my list.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Pine & Co" }),
        step("works_list", { "ticket.rev_org": [prev(0)], "ticket.needs_response": true }),
        step("set_severity", { work_ids: prev(1), severity: "high" }),
        step("who_am_i"),
        step("assign_work_items", { work_ids: prev(2), user_id: prev(3) }),
      ],
      answer: "$$PREV[4] are high and yours.",
      lacking: [],
    },
  },
  {
    id: "customer-07",
    query:
      'Nordlicht Verlag (it@nordlicht-verlag.example) has signed for business and sends its first question by email: "How do we import our old addresses?" It is about Saved addresses and of low severity. Enter both.',
    plan: {
      steps: [
        step("create_customer", {
          name: "Nordlicht Verlag",
          tier: "business",
          contact_email: "it@nordlicht-verlag.example",
        }),
        step("search_object_by_name", { query: "Saved addresses" }),
        step("create_ticket", {
          title: "How do we import our old addresses?",
          rev_org: prev(0),
          applies_to_part: prev(1),
          severity: "low",
          source_channel: "email",
        }),
      ],
      answer: "$$PREV[0] has the ticket $$PREV[2].",
      lacking: [],
    },
  },
  {
    id: "customer-08",
    query: "Which customers stand behind our p0 issues? In a few words about each.",
    leftOpen: "the words about each customer",
    plan: {
      steps: [
        step("works_list", { "issue.priority": ["p0"], type: ["issue"] }),
        step("get_customers_of_work_items", { work_ids: prev(0) }),
        step("summarize_objects", { objects: prev(1) }),
      ],
      answer: "$$PREV[2]",
      lacking: [],
    },
  },
  {
    id: "customer-09",
    query:
      "Has anybody else written to us about what TKT-23 describes? Relate it to the ticket that comes closest.",
    plan: {
      steps: [
        step("get_similar_work_items", { work_id: "TKT-23" }),
        step("filter_work_items", { work_ids: prev(0), type: ["ticket"] }),
        step("link_work_items", { from_id: "TKT-23", relation: "relates_to", to_id: prev(1, 0) }),
      ],
      answer: "$$PREV[2][0] relates to $$PREV[2][1].",
      lacking: [],
    },
  },
  {
    id: "customer-10",
    query:
      "Oakline Travel has gone up to the enterprise tier. Change that and tell me which of their tickets are late by the stricter rule.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Oakline Travel" }),
        step("set_customer_tier", { rev_org_id: prev(0), tier: "enterprise" }),
        step("list_sla_breaches", { rev_org: [prev(1)] }),
      ],
      answer: "Late for $$PREV[1]: $$PREV[2].",
      lacking: [],
    },
  },
  {
    id: "customer-11",
    query:
      "I am about to call Lumen Clinics. What is the most pressing thing they are waiting for, what is it about, and until when did we promise an answer?",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Lumen Clinics" }),
        step("works_list", { "ticket.rev_org": [prev(0)], "ticket.needs_response": true }),
        step("prioritize_objects", { objects: prev(1) }),
        step("get_work_item", { work_id: prev(2, 0) }),
        step("get_sla_status", { ticket_id: prev(2, 0) }),
      ],
      answer: "$$PREV[3].id, $$PREV[3].title, by $$PREV[4].answer_by.",
      lacking: [],
    },
  },
  {
    id: "customer-12",
    query:
      "Which issues have both Brightwater Schools and Fernwood Press asked for, finished ones included? Their titles will do, in any order.",
    leftOpen: "the order of the titles",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Brightwater Schools" }),
        step("search_object_by_name", { query: "Fernwood Press" }),
        step("works_list", { "issue.rev_orgs": [prev(0)] }),
        step("works_list", { "issue.rev_orgs": [prev(1)] }),
        step("combine_objects", { first: prev(2), second: prev(3), how: "in_both" }),
        step("get_work_item_titles", { work_ids: prev(4) }),
      ],
      answer: "$$PREV[5]",
      lacking: [],
    },
  },
  {
    id: "customer-13",
    query:
      "Fernwood Press told me on the phone that whatever we still awaited their reply for has settled itself. Close those tickets.",
    plan: {
      steps: [
        step("search_object_by_name", { query: "Fernwood Press" }),
        step("works_list", {
          "ticket.rev_org": [prev(0)],
          "stage.name": ["awaiting_customer_response"],
        }),
        step("close_work_items", { work_ids: prev(1) }),
      ],
      answer: "$$PREV[2] are closed.",
      lacking: [],
    },
  },
];
