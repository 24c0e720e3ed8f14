import { expect, it } from "vitest";
import { inEachHome } from "../fakes/homes.js";
import { serveHere } from "./support.js";

const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

/** Routes whose body says nothing, as what they do is in their path and query, or is of another protocol. */
const BODILESS = /\/(copy|cancel|connected|connections\/.*|mcp)$/;

/** Every parameter that LangGraph's SDKs send, and that its document has, in a query. */
const ASKED: Record<string, string> = {
  [`GET /assistants/${ID}/graph`]: "xray",
  [`GET /assistants/${ID}/subgraphs`]: "recurse",
  [`GET /assistants/${ID}/subgraphs/add`]: "recurse",
  [`DELETE /assistants/${ID}`]: "delete_threads",
  [`POST /assistants/${ID}/latest`]: "version",
  "GET /metrics": "format",
  "GET /ok": "check_db",
  "POST /runs/cancel": "action",
  "GET /store/items": "namespace key refresh_ttl",
  [`GET /threads/${ID}`]: "include",
  [`GET /threads/${ID}/history`]: "limit before select",
  [`GET /threads/${ID}/runs`]: "limit offset status select",
  [`POST /threads/${ID}/runs/${ID}/cancel`]: "wait action",
  [`GET /threads/${ID}/runs/${ID}/join`]: "cancel_on_disconnect",
  [`GET /threads/${ID}/runs/${ID}/stream`]: "stream_mode cancel_on_disconnect",
  [`GET /threads/${ID}/state`]: "subgraphs select",
  [`GET /threads/${ID}/state/${ID}`]: "subgraphs select",
  [`GET /threads/${ID}/stream`]: "stream_mode stream_modes",
};

/** Every parameter that they send in a body, by what it is sent to. */
const RUN =
  "input command metadata config context checkpoint checkpoint_id checkpoint_during webhook interrupt_before interrupt_after stream_mode stream_subgraphs stream_resumable on_disconnect on_completion multitask_strategy if_not_exists after_seconds feedback_keys durability langsmith_tracer strict_resume";
const SENT: Record<string, string> = {
  "POST /runs": RUN,
  "POST /runs/wait": RUN,
  "POST /runs/stream": RUN,
  [`POST /threads/${ID}/runs`]: RUN,
  "POST /runs/crons":
    "schedule timezone input metadata config context webhook interrupt_before interrupt_after on_run_completed multitask_strategy end_time enabled stream_mode stream_subgraphs stream_resumable durability",
  "POST /runs/crons/search":
    "assistant_id thread_id limit offset sort_by sort_order select metadata enabled",
  "POST /assistants": "assistant_id graph_id config context metadata if_exists name description",
  [`PATCH /assistants/${ID}`]: "graph_id config context metadata name description",
  "POST /assistants/search": "graph_id metadata limit offset sort_by sort_order select name",
  [`POST /assistants/${ID}/latest`]: "version",
  "POST /assistants/count": "graph_id metadata name",
  "POST /runs/crons/count": "assistant_id thread_id metadata",
  "POST /runs/cancel": "status thread_id run_ids",
  "POST /threads/count": "metadata values status",
  [`POST /threads/${ID}/commands`]: "id method params",
  [`POST /threads/${ID}/stream/events`]: "channels namespaces depth since",
  "DELETE /store/items": "namespace key",
  [`PATCH /runs/crons/${ID}`]:
    "schedule timezone input metadata config context webhook interrupt_before interrupt_after on_run_completed end_time enabled stream_mode stream_subgraphs stream_resumable durability",
  [`POST /assistants/${ID}/versions`]: "metadata limit offset",
  "POST /threads": "thread_id metadata if_exists ttl supersteps",
  [`PATCH /threads/${ID}`]: "metadata ttl",
  "POST /threads/search":
    "metadata values status limit offset sort_by sort_order select ids extract",
  "POST /threads/prune": "thread_ids strategy",
  [`POST /threads/${ID}/state`]: "values as_node checkpoint checkpoint_id",
  [`POST /threads/${ID}/state/checkpoint`]: "checkpoint subgraphs select",
  [`POST /threads/${ID}/history`]: "limit before metadata checkpoint select",
  "PUT /store/items": "namespace key value index ttl",
  "POST /store/items/search": "namespace_prefix filter limit offset query refresh_ttl",
  "POST /store/namespaces": "prefix suffix max_depth limit offset",
};

inEachHome("the parameters of a request", (newPlace) => {
  it("are refused by every route that does not know them", async () => {
    const { url } = await serveHere(await newPlace());
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path })),
    );
    const taking = routes.filter(
      ({ method, path }) => ["POST", "PUT", "PATCH"].includes(method) && !BODILESS.test(path),
    );
    expect(taking.length).toBeGreaterThan(25);
    for (const { method, path } of taking) {
      const one = { assistant_id: "base", graph_id: "base", colour: "red" };
      const body = JSON.stringify(path === "/runs/batch" ? [one] : one);
      const answer = await fetch(url + path.replaceAll(/\{\w+\}/g, ID), { method, body });
      expect(`${path} ${answer.status}`).toBe(`${path} 422`);
    }
  });

  it("are refused in the query of every route that does not know them, and described where one does", async () => {
    const { url } = await serveHere(await newPlace());
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>;
    };
    let described = 0;
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { parameters }] of Object.entries(operations)) {
        const place = url + path.replaceAll(/\{\w+\}/g, ID);
        const answer = await fetch(`${place}?colour=red`, { method: method.toUpperCase() });
        const { message } = (await answer.json()) as { message: string };
        expect(`${method} ${path} ${answer.status} ${message}`).toMatch(/ 422 .*colour/);
        described += parameters.filter((each) => each.in === "query").length;
      }
    const asked = Object.values(ASKED).flatMap((names) => names.split(" "));
    expect(described).toBeGreaterThanOrEqual(asked.length);
    for (const [route, names] of Object.entries(ASKED)) {
      const [method, path = ""] = route.split(" ");
      for (const name of names.split(" ")) {
        const answer = await fetch(`${url}${path}?${name}=%7Bno%7D`, { method });
        expect(`${route} ${name} ${await answer.text()}`).not.toMatch(/unknown field|takes no/);
      }
    }
  });

  it("are all known where LangGraph's SDKs send them: each is taken, or refused with what to do instead", async () => {
    const { url } = await serveHere(await newPlace());
    for (const [route, parameters] of Object.entries(SENT)) {
      const [method = "", path = ""] = route.split(" ");
      for (const name of parameters.split(" ")) {
        // A value that no parameter takes: what is said about it tells that the parameter is known.
        const body = JSON.stringify({ [name]: { no: { such: ["value"] } } });
        const { message = "" } = (await (await fetch(url + path, { method, body })).json()) as {
          message?: string;
        };
        expect(`${route} ${name}: ${message}`).not.toContain(": body: unknown field");
      }
    }
  });
});

inEachHome("what is not offered", (newPlace) => {
  it("is refused with what there is instead", async () => {
    const { url } = await serveHere(await newPlace());
    const headers = { "content-type": "application/json" };
    const send = async (method: string, path: string, sent: object) => {
      const answer = await fetch(url + path, { method, headers, body: JSON.stringify(sent) });
      return `${answer.status} ${await answer.text()}`;
    };
    const run = { assistant_id: "base", input: { request: "hello" }, feedback_keys: ["good"] };
    expect(await send("POST", "/runs/wait", run)).toMatch(/^422.*feedback_keys: is not offered/);
    const item = { namespace: ["a"], key: "b", value: { c: 1 }, ttl: 5 };
    expect(await send("PUT", "/store/items", item)).toMatch(
      /^422.*ttl: is not offered: items stay/,
    );
    const wanted = { values: { answer: "12" } };
    expect(await send("POST", "/threads/search", wanted)).toMatch(/^422.*values: is not offered/);
  });
});
