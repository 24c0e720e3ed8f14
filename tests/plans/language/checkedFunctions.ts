import type { CheckedFunction } from "../../../plans/language/check/callProblem.js";

const text = { type: "string" };
const texts = { type: "array", items: text };
const stage = { enum: ["open", "done"] };

function taking(properties: Record<string, unknown>, required: string[] = []) {
  return { type: "object", properties, required };
}

/** Tools of all sorts for programs that are checked. */
export const CHECKED: CheckedFunction[] = [
  { name: "find_user", parameters: taking({ name: text }, ["name"]), returns: text },
  { name: "who", parameters: taking({}), returns: text },
  {
    name: "list_ids",
    parameters: taking({ "stage.name": { type: "array", items: stage }, owned_by: texts }),
    returns: texts,
  },
  {
    name: "get_items",
    parameters: taking({ ids: texts }, ["ids"]),
    returns: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: text,
          title: text,
          stage,
          hours: { type: "number" },
          due: text,
          body: text,
          "sla.name": text,
        },
        required: ["id", "title"],
      },
    },
  },
  {
    name: "search_items",
    parameters: taking({}),
    returns: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: { type: "object", properties: { id: text, hours: { type: "number" } } },
        },
        total: { type: "integer" },
        next_page: text,
      },
    },
  },
  {
    name: "get_team",
    parameters: taking({}),
    returns: { type: "object", properties: { name: text, members: texts } },
  },
  { name: "set_stage", parameters: taking({ ids: texts, stage }, ["ids", "stage"]) },
  {
    name: "note",
    parameters: taking({ text, pages: { type: "integer" } }, ["text"]),
    returns: { type: "object", properties: { ok: { type: "boolean" } } },
  },
  { name: "raw", parameters: { type: "object", additionalProperties: true } },
  {
    name: "either",
    parameters: taking({}),
    returns: {
      anyOf: [
        { type: "object", properties: { value: text } },
        { type: "object", properties: { error: text } },
      ],
    },
  },
  {
    name: "plan_trip",
    parameters: taking({
      stops: {
        type: "array",
        items: { type: "object", properties: { town: text }, additionalProperties: false },
      },
    }),
  },
];
