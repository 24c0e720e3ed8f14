import { afterEach, describe, expect, it } from "vitest";
import { givenIds, neededIds } from "../../../../tools/library/records/ids.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";
import { tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

/** A tool with parameters of type string; all of them are required. */
function asking(id: string, names: string[], details: Partial<ToolDefinition> = {}) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return tool(id, { parameters: { type: "object", properties, required: names }, ...details });
}

function returning(...names: string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { returns: { type: "object", properties } };
}

describe("the ids that a tool asks for", () => {
  it.each([
    ["delete_event", ["event_id"], ["event id"]],
    ["AddAlarm", ["token", "time"], ["token"]],
    ["GET /albums/{id}/tracks", ["id", "market"], ["album id"]],
    ["close_ticket", ["id"], ["close id", "ticket id"]],
    ["follow", ["artistIds"], ["artist id"]],
    ["multiply", ["a", "b"], []],
    ["search_events", ["query", "date", "name", "text", "value"], []],
  ])("%s(%s): %s", (id, names, ids) => {
    expect(neededIds(asking(id, names))).toEqual(ids);
  });

  it("do not include those of optional parameters", () => {
    const { parameters, ...listed } = asking("list_issues", ["owner_id", "project_id"]);
    const issues = { ...listed, parameters: { ...parameters, required: ["project_id"] } };
    expect(neededIds(issues)).toEqual(["project id"]);
  });
});

describe("the ids that a tool gives", () => {
  it("are those that it returns, at any depth", () => {
    const flat = asking("GetUserToken", ["username"], returning("token"));
    expect(givenIds(flat)).toContain("token");
    const items = returning("airportId").returns;
    const deep = asking("plan", ["to"], { returns: { type: "array", items } });
    expect(givenIds(deep)).toEqual(["airport id"]);
  });

  it.each([
    ["get_user_id", ["name"], "user id"],
    ["calendar.search_events", ["query"], "event id"],
    ["search_object_by_name", ["name"], "object id"],
    ["GET /me/playlists", ["limit"], "playlist id"],
  ])("are said by its name where it says nothing of what it returns: %s", (id, names, given) => {
    expect(givenIds(asking(id, names))).toContain(given);
  });

  it("come from its description if it searches for all sorts of things", () => {
    const description = "Information about albums, artists and tracks that match a keyword.";
    expect(givenIds(asking("GET /search", ["q"], { description }))).toEqual(
      expect.arrayContaining(["album id", "artist id", "track id"]),
    );
  });

  it("do not include ids that it has to be given", () => {
    expect(givenIds(asking("get_event", ["event_id"], returning("event_id")))).toEqual([]);
  });

  it("do not include ids of what it makes", () => {
    expect(givenIds(asking("create_event", ["title"], returning("event_id")))).toEqual([]);
  });
});

async function searched(tools: ToolDefinition[], phrase: string, topK = 3) {
  const library = await shop.openLibrary({ embeddings: wordEmbeddings({ dimensions: 1024 }) });
  await library.sync({ origin: "here", fingerprint: "1", tools });
  const { results } = await library.search({ phrases: [phrase], topK });
  return results[0]?.hits ?? [];
}

describe("a search", () => {
  const DELETE = asking("delete_event", ["event_id"], { description: "Deletes an appointment." });
  const FIND = asking("find_events", ["query"], { description: "Looks into the calendar." });
  const OTHERS = ["mail", "plot", "sing", "dance"].map((id) =>
    asking(id, ["text"], { description: `Does ${id} and nothing of the kind.` }),
  );

  it("brings the tool that gives the id, behind the one that needs it", async () => {
    const hits = await searched([...OTHERS, DELETE, FIND], "cancel my appointment");
    expect(hits.map(({ id }) => id).slice(0, 2)).toEqual(["delete_event", "find_events"]);
    expect(hits[1]).toMatchObject({ neededBy: "delete_event" });
    expect(hits).toHaveLength(3);
  });

  it("brings what that tool needs, too", async () => {
    const find = asking("find_events", ["token"], { description: "Looks into the calendar." });
    const login = asking("login", ["password"], {
      description: "Says who somebody is.",
      ...returning("token"),
    });
    const hits = await searched([...OTHERS, DELETE, find, login], "cancel my appointment");
    expect(hits.map(({ id }) => id)).toEqual(["delete_event", "find_events", "login"]);
    expect(hits[2]).toMatchObject({ neededBy: "find_events" });
  });

  it("brings nothing if the request states the id", async () => {
    const hits = await searched([...OTHERS, DELETE, FIND], "cancel my appointment, id 42");
    expect(hits[0]?.id).toBe("delete_event");
    expect(hits.filter(({ neededBy }) => neededBy)).toEqual([]);
  });

  it("brings nothing if many tools give the id", async () => {
    const finders = ["read", "get", "list", "fetch"].map((verb) => ({
      ...FIND,
      id: `${verb}_events`,
      name: `${verb}_events`,
    }));
    const hits = await searched([...OTHERS, DELETE, ...finders], "cancel my appointment", 9);
    expect(hits[0]?.id).toBe("delete_event");
    expect(hits.filter(({ neededBy }) => neededBy)).toEqual([]);
  });

  it("brings nothing of another provider", async () => {
    const tools = [...OTHERS, { ...DELETE, provider: "Work" }, { ...FIND, provider: "Home" }];
    const hits = await searched(tools, "cancel my appointment", 6);
    expect(hits[0]?.id).toBe("delete_event");
    expect(hits.filter(({ neededBy }) => neededBy)).toEqual([]);
  });

  it("brings only tools that it may find", async () => {
    const library = await shop.openLibrary();
    await library.sync({ origin: "here", fingerprint: "1", tools: [DELETE, FIND] });
    const within = ["delete_event"];
    const { results } = await library.search({ phrases: ["cancel it"], topK: 3, within });
    expect(results[0]?.hits.map(({ id }) => id)).toEqual(within);
  });

  it("follows changes of the tools", async () => {
    const library = await shop.openLibrary();
    const sync = async (tools: ToolDefinition[], fingerprint: string) =>
      library.sync({ origin: "here", fingerprint, tools });
    const found = async () => {
      const { results } = await library.search({ phrases: ["cancel my appointment"], topK: 3 });
      return results[0]?.hits.filter(({ neededBy }) => neededBy).map(({ id }) => id);
    };
    await sync([...OTHERS, DELETE], "1");
    expect(await found()).toEqual([]);
    await sync([...OTHERS, DELETE, FIND], "2");
    expect(await found()).toEqual(["find_events"]);
    await sync([...OTHERS, DELETE, { ...FIND, name: "dream" }], "3");
    expect(await found()).toEqual([]);
  });
});
