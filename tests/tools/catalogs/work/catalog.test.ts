import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { CATALOGS } from "../../../../tools/catalogs/index.js";
import { TODAY } from "../../../../tools/catalogs/work/clock.js";
import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";
import { EXAMPLE_CALLS } from "./exampleCalls.js";
import { company, WORK_TOOLS } from "./support.js";

/** The report's tools with their arguments. */
const OF_THE_REPORT: Record<string, string[]> = {
  works_list: [
    "applies_to_part",
    "created_by",
    "issue.priority",
    "issue.rev_orgs",
    "limit",
    "owned_by",
    "stage.name",
    "ticket.needs_response",
    "ticket.rev_org",
    "ticket.severity",
    "ticket.source_channel",
    "type",
  ],
  summarize_objects: ["objects"],
  prioritize_objects: ["objects"],
  add_work_items_to_sprint: ["work_ids", "sprint_id"],
  get_sprint_id: [],
  get_similar_work_items: ["work_id"],
  search_object_by_name: ["query"],
  create_actionable_tasks_from_text: ["text"],
  who_am_i: [],
};

describe("the catalog for work items", () => {
  it("has the report's nine tools with their arguments, and at least 30 more", () => {
    const argumentsOf = new Map(
      WORK_TOOLS.map(({ id, parameters }) => [id, Object.keys(parameters.properties)]),
    );
    for (const [tool, wanted] of Object.entries(OF_THE_REPORT)) {
      expect(argumentsOf.get(tool)?.toSorted()).toEqual(wanted.toSorted());
    }
    expect(WORK_TOOLS.length).toBeGreaterThanOrEqual(39);
  });

  it("says of every result whether it is a text, a number, an object, or a list and of what", () => {
    const vague = WORK_TOOLS.filter(({ returns }) => !isInformative(returns));
    expect(vague.map(({ id }) => id)).toEqual([]);
  });

  it("gives of every tool what its schema says, from arguments that its schema allows", () => {
    expect(Object.keys(EXAMPLE_CALLS)).toEqual(WORK_TOOLS.map(({ id }) => id).toSorted());
    const ajv = new Ajv2020({ strict: false });
    for (const { id, parameters, returns } of WORK_TOOLS) {
      const args = EXAMPLE_CALLS[id];
      requireFit({ ajv, what: `arguments of ${id}`, schema: parameters, value: args });
      const result = company().call(id, args);
      requireFit({ ajv, what: `result of ${id}`, schema: returns ?? {}, value: result });
    }
  });

  it("changes something by every tool that writes, and nothing by one that reads", () => {
    const changing = WORK_TOOLS.filter(({ id }) => {
      const { call, change } = company();
      call(id, EXAMPLE_CALLS[id]);
      return Object.keys(change() as object).length > 0;
    });
    const writing = WORK_TOOLS.filter(({ effects }) => effects === "write");
    expect(changing.map(({ id }) => id)).toEqual(writing.map(({ id }) => id));
  });

  it("comes with a background that names the day of its clock", () => {
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
    const written = day.format(new Date(TODAY)).replace(/^(\w+) /, "$1, ");
    expect(CATALOGS["work"]?.background).toContain(`Today is ${written}`);
  });
});

function isInformative(returns: JsonSchema | undefined): boolean {
  if (returns?.type === "array") return isInformative(returns.items as JsonSchema);
  if (returns?.type !== "object") return returns?.type === "string" || returns?.type === "number";
  return Array.isArray(returns.required) && returns.required.length > 0;
}

function requireFit(options: {
  ajv: Ajv2020;
  what: string;
  schema: JsonSchema;
  value: unknown;
}): void {
  const { ajv, what, schema, value } = options;
  const problem = ajv.validate(schema, value) ? "" : `${what}: ${ajv.errorsText()}`;
  expect(problem).toBe("");
}
