import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** A tool that programs of several styles call. */
interface StyleTool {
  effects: "read" | "write";
  properties: Record<string, JsonSchema>;
  required?: string[];
  returns?: JsonSchema;
  /** @param writes how many writes there were, with this one */
  run: (args: Record<string, never>, writes: number) => unknown;
}

const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };
const mayLack = (type: string) => ({ type: [type, "null"] });
const listOf = (items: JsonSchema) => ({ type: "array", items });
const record = (properties: Record<string, JsonSchema>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});

const ISSUES = [
  {
    id: 1,
    title: "Login fails (SSO)",
    state: "open",
    labels: ["bug", "auth"],
    author: { login: "ann", name: "Ann Lee" },
    created_at: "2026-01-05T10:00:00Z",
    closed_at: null,
    estimate: 3.5,
    priority: "high",
  },
  {
    id: 2,
    title: "Typo in docs",
    state: "closed",
    labels: [],
    author: { login: "bob", name: null },
    created_at: "2026-02-10T08:30:00Z",
    closed_at: "2026-02-12T00:00:00Z",
    estimate: null,
    priority: "low",
  },
  {
    id: 3,
    title: "Slow search: 1200ms",
    state: "open",
    labels: ["perf"],
    author: { login: "ann", name: "Ann Lee" },
    created_at: "2026-02-28T23:59:59Z",
    closed_at: null,
    estimate: 8,
    priority: "medium",
  },
  {
    id: 4,
    title: "crash on start",
    state: "open",
    labels: ["bug"],
    author: null,
    created_at: "2026-03-01T00:00:00Z",
    closed_at: null,
    estimate: 1,
    priority: "high",
  },
];

const ISSUE = record(
  {
    id: integer,
    title: text,
    state: { enum: ["open", "closed"] },
    labels: listOf(text),
    author: { anyOf: [record({ login: text, name: mayLack("string") }), { type: "null" }] },
    created_at: text,
    closed_at: mayLack("string"),
    estimate: mayLack("number"),
    priority: text,
  },
  ["id", "title", "state", "labels", "created_at"],
);

const LOG = `commit a1b2c3
Author: Ann <ann@x.org>
Date:   2026-02-28

    fix: login (#12)

commit d4e5f6
Author: Bob <bob@x.org>
Date:   2026-03-01

    feat(api): add search
`;

function pageOfOrders(cursor: string | undefined) {
  const page = Number(cursor ?? 0);
  const orders = [0, 1].map((at) => ({
    id: `o${page * 2 + at}`,
    total_cents: 1999 + 1000 * (page * 2 + at),
    currency: at === 1 ? "EUR" : "USD",
    placed: `2026-0${page + 1}-1${at}T12:00:00Z`,
    items: [
      { sku: `s${at}`, qty: at + 1, price: 9.99 },
      { sku: "x", qty: 2, price: 0.5 + page },
    ],
  }));
  return { orders, next_cursor: page < 2 ? String(page + 1) : null, has_more: page < 2 };
}

/** Tools with results of all shapes: lists, pages, texts, and one of which nothing is known. */
export const STYLE_TOOLS: Readonly<Record<string, StyleTool>> = {
  list_issues: {
    effects: "read",
    properties: { state: text, page: integer, per_page: integer },
    returns: listOf(ISSUE),
    run: ({ state, page = 1, per_page = 10 }) =>
      ISSUES.filter((issue) => !state || issue.state === state).slice(
        (page - 1) * per_page,
        page * per_page,
      ),
  },
  get_issue: {
    effects: "read",
    properties: { id: integer },
    required: ["id"],
    returns: ISSUE,
    run: ({ id }) => {
      const found = ISSUES.find((issue) => issue.id === id);
      if (!found) throw new Error(`issue ${String(id)} not found`);
      return found;
    },
  },
  page_orders: {
    effects: "read",
    properties: { cursor: text, limit: integer },
    returns: record({
      orders: listOf(
        record({
          id: text,
          total_cents: integer,
          currency: text,
          placed: text,
          items: listOf(record({ sku: text, qty: integer, price: number })),
        }),
      ),
      next_cursor: mayLack("string"),
      has_more: { type: "boolean" },
    }),
    run: ({ cursor }) => pageOfOrders(cursor),
  },
  git_log: { effects: "read", properties: { max: integer }, run: () => LOG },
  weather: {
    effects: "read",
    properties: { city: text },
    required: ["city"],
    returns: record({
      city: text,
      temp_c: number,
      wind: record({ speed: number, deg: number }),
      conditions: listOf(text),
    }),
    run: ({ city }) => {
      const name = String(city);
      if (/nowhere/i.test(name)) throw new Error("city not found");
      const wind = { speed: 3.2, deg: 270 };
      return { city: name, temp_c: name.length * 2.5 - 10, wind, conditions: ["rain"] };
    },
  },
  free_data: {
    effects: "read",
    properties: {},
    run: () => ({
      users: [
        { name: "Zoë", age: "41", tags: "a;b;;c", joined: "2025-12-31" },
        { name: "Émile", age: "7", tags: "", joined: "2024-02-29" },
        { name: "ann", age: null, tags: "b", joined: "2026-03-09" },
      ],
      meta: { total: 3, "x-rate": "1,250.50" },
    }),
  },
  csv: {
    effects: "read",
    properties: {},
    returns: text,
    run: () => 'date,amount,who\n2026-03-01,12.50,Ann\n2026-03-02,7,Bob\n2026-03-02,"1,000",Ann\n',
  },
  add_comment: {
    effects: "write",
    properties: { id: integer, body: text },
    required: ["id", "body"],
    returns: record({ ok: { type: "boolean" }, comment_id: integer }),
    run: (_args, writes) => ({ ok: true, comment_id: 100 + writes }),
  },
  send_mail: {
    effects: "write",
    properties: { to: listOf(text), subject: text, body: text },
    required: ["to", "subject"],
    run: ({ to }, writes) => {
      if (String(to).includes("bad@x")) throw new Error("550 no such mailbox");
      return { id: `m${writes}` };
    },
  },
};
