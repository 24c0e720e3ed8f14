import { type PlannedTask } from "../workTask.js";

/** Requests that no tool of the catalogue can do anything for. */
export const UNSOLVABLE: readonly PlannedTask[] = [
  {
    id: "unsolvable-01",
    query: "Will it rain during the summer party in Hamburg on Saturday?",
    plan: {
      steps: [],
      answer: "",
      lacking: ["a weather forecast"],
    },
  },
  {
    id: "unsolvable-02",
    query: "Roll the web shop back to last night's build, customers see blank pages.",
    plan: {
      steps: [],
      answer: "",
      lacking: ["deploying or rolling back software"],
    },
  },
  {
    id: "unsolvable-03",
    query: "Send Harbour Foods the invoice for February once more.",
    plan: {
      steps: [],
      answer: "",
      lacking: ["invoices"],
    },
  },
  {
    id: "unsolvable-04",
    query: "I have locked myself out of the staging server. Reset my password, please.",
    plan: {
      steps: [],
      answer: "",
      lacking: ["resetting passwords"],
    },
  },
  {
    id: "unsolvable-05",
    query: "Reserve the large meeting room for our retrospective, Friday from two to four.",
    plan: {
      steps: [],
      answer: "",
      lacking: ["booking rooms"],
    },
  },
  {
    id: "unsolvable-06",
    query: "What does Bram Visser earn, and when was the last rise?",
    plan: {
      steps: [],
      answer: "",
      lacking: ["salaries"],
    },
  },
  {
    id: "unsolvable-07",
    query: "Have the unit tests of the release branch run again and tell me which of them fail.",
    plan: {
      steps: [],
      answer: "",
      lacking: ["running tests"],
    },
  },
  {
    id: "unsolvable-08",
    query: "Put our vacancy for a technical writer on the careers page and on two job boards.",
    plan: {
      steps: [],
      answer: "",
      lacking: ["publishing vacancies"],
    },
  },
];
