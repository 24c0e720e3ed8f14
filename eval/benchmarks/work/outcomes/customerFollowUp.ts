import { ids, type Outcomes } from "../outcome.js";
import { step } from "../workTask.js";

/** What comes of the tasks of this part. */
export const CUSTOMER_FOLLOW_UP_OUTCOMES: Outcomes = {
  "customer-01": {
    facts: ["REV-1", "REV-2", "REV-6"],
  },
  "customer-02": {
    calls: [
      step("search_object_by_name", { query: "Harbour Foods" }),
      step("get_customer", { rev_org_id: "REV-1" }),
    ],
    facts: ["service@harbourfoods.example"],
  },
  "customer-03": {
    facts: ["2025-03-06"],
  },
  "customer-04": {
    calls: [
      step("search_object_by_name", { query: "Ultima Retail" }),
      step("list_sla_breaches", { rev_org: ["REV-8"] }),
    ],
    facts: ["TKT-34"],
  },
  "customer-05": {
    changes: {
      work_items: { "TKT-21": { stage: "awaiting_customer_response", needs_response: false } },
      comments: {
        "COMMENT-31": {
          id: "COMMENT-31",
          work_id: "TKT-21",
          author: "DEVU-1",
          text: "The correction is part of release 4.2, which you can install today.",
          created_on: "2025-03-12",
        },
      },
    },
  },
  "customer-06": {
    calls: [
      step("search_object_by_name", { query: "Pine & Co" }),
      step("works_list", { "ticket.rev_org": ["REV-3"], "ticket.needs_response": true }),
      step("set_severity", { work_ids: ["TKT-4", "TKT-5", "TKT-19"], severity: "high" }),
      step("who_am_i"),
      step("assign_work_items", { work_ids: ["TKT-4", "TKT-5", "TKT-19"], user_id: "DEVU-1" }),
    ],
    changes: {
      work_items: {
        "TKT-4": { owned_by: "DEVU-1", severity: "high" },
        "TKT-5": { owned_by: "DEVU-1", severity: "high" },
        "TKT-19": { owned_by: "DEVU-1" },
      },
    },
  },
  "customer-07": {
    calls: [
      step("create_customer", {
        name: "Nordlicht Verlag",
        tier: "business",
        contact_email: "it@nordlicht-verlag.example",
      }),
      step("search_object_by_name", { query: "Saved addresses" }),
      step("create_ticket", {
        title: "How do we import our old addresses?",
        rev_org: "REV-9",
        applies_to_part: "ENH-1",
        severity: "low",
        source_channel: "email",
      }),
    ],
    changes: {
      customers: {
        "REV-9": {
          id: "REV-9",
          name: "Nordlicht Verlag",
          tier: "business",
          contact_email: "it@nordlicht-verlag.example",
        },
      },
      work_items: {
        "TKT-41": {
          id: "TKT-41",
          type: "ticket",
          title: "How do we import our old addresses?",
          body: "",
          applies_to_part: "ENH-1",
          created_by: "DEVU-1",
          stage: "queued",
          created_on: "2025-03-12",
          estimate_hours: 4,
          labels: [],
          links: [],
          severity: "low",
          needs_response: true,
          rev_org: "REV-9",
          source_channel: "email",
        },
      },
    },
  },
  "customer-08": {
    calls: [
      step("works_list", { "issue.priority": ["p0"], type: ["issue"] }),
      step("get_customers_of_work_items", {
        work_ids: ids("ISS-23 ISS-26 ISS-28 ISS-29 ISS-40 ISS-45"),
      }),
      step("summarize_objects", { objects: ["REV-6", "REV-8", "REV-4"] }),
    ],
    facts: ["Tideway Logistics", "Ultima Retail", "Oakline Travel"],
  },
  "customer-09": {
    calls: [
      step("get_similar_work_items", { work_id: "TKT-23" }),
      step("filter_work_items", {
        work_ids: ids("TKT-26 TKT-11 TKT-17 TKT-3 TKT-6"),
        type: ["ticket"],
      }),
      step("link_work_items", { from_id: "TKT-23", relation: "relates_to", to_id: "TKT-26" }),
    ],
    changes: { work_items: { "TKT-23": { links: [{ relation: "relates_to", to: "TKT-26" }] } } },
  },
  "customer-10": {
    calls: [
      step("search_object_by_name", { query: "Oakline Travel" }),
      step("set_customer_tier", { rev_org_id: "REV-4", tier: "enterprise" }),
      step("list_sla_breaches", { rev_org: ["REV-4"] }),
    ],
    facts: ["TKT-14", "TKT-22"],
    changes: { customers: { "REV-4": { tier: "enterprise" } } },
  },
  "customer-11": {
    calls: [
      step("search_object_by_name", { query: "Lumen Clinics" }),
      step("works_list", { "ticket.rev_org": ["REV-2"], "ticket.needs_response": true }),
      step("prioritize_objects", { objects: ids("TKT-23 TKT-33 TKT-37 TKT-39 TKT-40") }),
      step("get_work_item", { work_id: "TKT-40" }),
      step("get_sla_status", { ticket_id: "TKT-40" }),
    ],
    facts: ["TKT-40", "Login needed twice for ordering", "2025-03-13"],
  },
  "customer-12": {
    calls: [
      step("search_object_by_name", { query: "Brightwater Schools" }),
      step("search_object_by_name", { query: "Fernwood Press" }),
      step("works_list", { "issue.rev_orgs": ["REV-5"] }),
      step("works_list", { "issue.rev_orgs": ["REV-7"] }),
      step("combine_objects", {
        first: ids("ISS-1 ISS-11 ISS-12 ISS-20 ISS-24 ISS-30 ISS-39 ISS-46"),
        second: ids("ISS-1 ISS-2 ISS-4 ISS-17 ISS-19 ISS-46"),
        how: "in_both",
      }),
      step("get_work_item_titles", { work_ids: ["ISS-1", "ISS-46"] }),
    ],
    facts: ["Slow loading of tracking on phones", "Memory leak in night colours"],
  },
  "customer-13": {
    calls: [
      step("search_object_by_name", { query: "Fernwood Press" }),
      step("works_list", {
        "ticket.rev_org": ["REV-7"],
        "stage.name": ["awaiting_customer_response"],
      }),
      step("close_work_items", { work_ids: ["TKT-8", "TKT-30"] }),
    ],
    changes: {
      work_items: {
        "TKT-8": { stage: "resolved", closed_on: "2025-03-12" },
        "TKT-30": { stage: "resolved", needs_response: false, closed_on: "2025-03-12" },
      },
    },
  },
};
