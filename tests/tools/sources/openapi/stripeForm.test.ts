import { describe, expect, it, vi } from "vitest";
import { startServer } from "./apiServer.js";
import { caller, documentFile, listDraft } from "./support.js";

const FORM = "application/x-www-form-urlencoded";
const text = { maxLength: 5000, type: "string" };
const deep = { explode: true, style: "deepObject" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answered = (schema: unknown) => ({
  "200": { content: { "application/json": { schema } }, description: "Successful response." },
  default: { content: { "application/json": { schema: ref("error") } }, description: "Error." },
});
const form = (properties: object, encoding: object = {}, required: string[] = []) => ({
  content: { [FORM]: { encoding, schema: { properties, required, type: "object" } } },
  required: required.length > 0,
});
const NO_FORM = {
  content: { [FORM]: { encoding: {}, schema: { properties: {}, type: "object" } } },
  required: false,
};
const expand = {
  description: "Specifies which fields in the response should be expanded.",
  explode: true,
  in: "query",
  name: "expand",
  required: false,
  schema: { items: text, type: "array" },
  style: "deepObject",
};
const path = (name: string) => ({
  in: "path",
  name,
  required: true,
  schema: text,
  style: "simple",
});
const OR_EMPTY = { enum: [""], type: "string" };
const METADATA = {
  anyOf: [{ additionalProperties: { type: "string" }, type: "object" }, OR_EMPTY],
};
const RANGE = {
  anyOf: [
    {
      properties: { gt: { type: "integer" }, gte: { type: "integer" }, lt: { type: "integer" } },
      title: "range_query_specs",
      type: "object",
    },
    { type: "integer" },
  ],
};
const kind = (name: string) => ({ enum: [name], type: "string" });

/** A document as Stripe writes its own: forms with hashes, fields that expand, and unions by `object`. */
const DRAFT = {
  info: { title: "Stripe API", version: "2026-10-29" },
  security: [{ basicAuth: [] }, { bearerAuth: [] }],
  components: {
    securitySchemes: {
      basicAuth: { scheme: "basic", type: "http" },
      bearerAuth: { bearerFormat: "auth-scheme", scheme: "bearer", type: "http" },
    },
    schemas: {
      error: { properties: { error: { properties: { message: text }, type: "object" } } },
      customer: {
        properties: {
          id: text,
          object: kind("customer"),
          email: { ...text, nullable: true },
          default_source: { anyOf: [text, ref("card"), ref("bank_account")], nullable: true },
          subscriptions: { properties: { data: { items: ref("subscription"), type: "array" } } },
        },
        required: ["id", "object"],
        type: "object",
        "x-expandableFields": ["default_source"],
      },
      deleted_customer: {
        properties: {
          id: text,
          object: kind("customer"),
          deleted: { enum: [true], type: "boolean" },
        },
        required: ["id", "object", "deleted"],
        type: "object",
      },
      card: {
        properties: { id: text, object: kind("card"), last4: text },
        required: ["id", "object"],
      },
      bank_account: { properties: { id: text, object: kind("bank_account"), bank_name: text } },
      subscription: {
        properties: {
          id: text,
          customer: { anyOf: [text, ref("customer"), ref("deleted_customer")] },
        },
        type: "object",
      },
    },
  },
  paths: {
    "/v1/customers": {
      get: {
        description: "<p>Returns a list of your customers.</p>",
        operationId: "GetCustomers",
        parameters: [
          { in: "query", name: "created", required: false, schema: RANGE, ...deep },
          {
            in: "query",
            name: "limit",
            required: false,
            schema: { type: "integer" },
            style: "form",
          },
          expand,
        ],
        requestBody: NO_FORM,
        responses: answered({
          properties: {
            data: { items: ref("customer"), type: "array" },
            has_more: { type: "boolean" },
            object: kind("list"),
            url: text,
          },
          required: ["data", "has_more", "object", "url"],
          type: "object",
        }),
      },
    },
    "/v1/customers/{customer}": {
      get: {
        operationId: "GetCustomersCustomer",
        parameters: [path("customer"), expand],
        requestBody: NO_FORM,
        responses: answered({ anyOf: [ref("customer"), ref("deleted_customer")] }),
      },
      post: {
        operationId: "PostCustomersCustomer",
        parameters: [path("customer")],
        requestBody: form(
          {
            address: {
              anyOf: [{ properties: { city: text, line1: text }, type: "object" }, OR_EMPTY],
            },
            email: { maxLength: 512, type: "string" },
            expand: { items: text, type: "array" },
            metadata: METADATA,
            shipping: {
              anyOf: [
                {
                  properties: {
                    address: { properties: { city: text }, type: "object" },
                    name: text,
                    phone: text,
                  },
                  required: ["address", "name"],
                  type: "object",
                },
                OR_EMPTY,
              ],
            },
          },
          { address: deep, expand: deep, metadata: deep, shipping: deep },
        ),
        responses: answered(ref("customer")),
      },
      delete: {
        operationId: "DeleteCustomersCustomer",
        parameters: [path("customer")],
        requestBody: NO_FORM,
        responses: answered(ref("deleted_customer")),
      },
    },
    "/v1/subscription_schedules": {
      post: {
        operationId: "PostSubscriptionSchedules",
        requestBody: form(
          {
            customer: text,
            start_date: { anyOf: [{ type: "integer" }, { enum: ["now"], type: "string" }] },
            phases: {
              items: {
                properties: {
                  items: {
                    items: {
                      properties: {
                        price: text,
                        quantity: { type: "integer" },
                        price_data: {
                          properties: { currency: text, unit_amount: { type: "integer" } },
                        },
                      },
                      type: "object",
                    },
                    type: "array",
                  },
                  default_tax_rates: { anyOf: [{ items: text, type: "array" }, OR_EMPTY] },
                  trial: { type: "boolean" },
                },
                required: ["items"],
                type: "object",
              },
              type: "array",
            },
          },
          { phases: deep },
        ),
        responses: answered(ref("subscription")),
      },
    },
  },
};

async function stripe(base: string) {
  vi.stubEnv("STRIPE_KEY", "sk_test_1");
  return await caller({ document: documentFile(DRAFT), base, auth: ["bearerAuth=$STRIPE_KEY"] });
}

const CUSTOMER = { id: "cus_1", object: "customer", email: null, default_source: "card_1" };

describe("a document of Stripe's form", () => {
  it("is read whole, and what takes no form has no argument for one", async () => {
    const { tools, problems } = await listDraft(DRAFT);
    expect(problems).toEqual([]);
    const argumentsOf = Object.fromEntries(
      tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties)]),
    );
    expect(argumentsOf).toEqual({
      GetCustomers: ["created", "limit", "expand"],
      GetCustomersCustomer: ["customer", "expand"],
      PostCustomersCustomer: ["customer", "address", "email", "expand", "metadata", "shipping"],
      DeleteCustomersCustomer: ["customer"],
      PostSubscriptionSchedules: ["customer", "start_date", "phases"],
    });
  });

  describe("is called as Stripe wants it:", () => {
    it.each<[string, Record<string, unknown>, string, string, unknown?]>([
      [
        "GetCustomers",
        { created: { gte: 5, lt: 9 }, limit: 3, expand: ["data.default_source"] },
        "/v1/customers?created[gte]=5&created[lt]=9&limit=3&expand[0]=data.default_source",
        "",
        { object: "list", data: [CUSTOMER], has_more: false, url: "/v1/customers" },
      ],
      [
        "GetCustomers",
        { created: 5 },
        "/v1/customers?created=5",
        "",
        { object: "list", data: [], has_more: false, url: "/v1/customers" },
      ],
      [
        "GetCustomersCustomer",
        { customer: "cus_1", expand: ["default_source"] },
        "/v1/customers/cus_1?expand[0]=default_source",
        "",
        { ...CUSTOMER, default_source: { id: "card_1", object: "card", last4: "4242" } },
      ],
      [
        "GetCustomersCustomer",
        { customer: "cus_1" },
        "/v1/customers/cus_1",
        "",
        { id: "cus_1", object: "customer", deleted: true },
      ],
      [
        "PostCustomersCustomer",
        {
          customer: "cus_1",
          metadata: { order: "7", note: "a&b" },
          shipping: { name: "Ann", address: { city: "Köln" } },
          expand: ["default_source"],
        },
        "/v1/customers/cus_1",
        "metadata[order]=7&metadata[note]=a&b&shipping[name]=Ann&shipping[address][city]=Köln&expand[0]=default_source",
      ],
      [
        "PostCustomersCustomer",
        { customer: "cus_1", metadata: "", address: "" },
        "/v1/customers/cus_1",
        "metadata=&address=",
      ],
      [
        "DeleteCustomersCustomer",
        { customer: "cus_1" },
        "/v1/customers/cus_1",
        "",
        { id: "cus_1", object: "customer", deleted: true },
      ],
      [
        "PostSubscriptionSchedules",
        {
          customer: "cus_1",
          start_date: "now",
          phases: [
            {
              items: [
                { price: "p1", quantity: 2 },
                { price_data: { currency: "eur", unit_amount: 500 } },
              ],
              default_tax_rates: "",
              trial: true,
            },
          ],
        },
        "/v1/subscription_schedules",
        "customer=cus_1&start_date=now&phases[0][items][0][price]=p1&phases[0][items][0][quantity]=2&phases[0][items][1][price_data][currency]=eur&phases[0][items][1][price_data][unit_amount]=500&phases[0][default_tax_rates]=&phases[0][trial]=true",
        { id: "sub_1", customer: "cus_1" },
      ],
    ])("%s(%j)", async (id, args, url, body, said = CUSTOMER) => {
      const { url: base, received } = await startServer(() => ({ body: said }));
      const call = await stripe(base);
      expect(await call(id, args)).toMatchObject({ status: "done", result: said });
      expect(decodeURIComponent(received[0]?.url ?? "")).toBe(url);
      expect(decodeURIComponent(received[0]?.body.replaceAll("+", " ") ?? "")).toBe(body);
    });
  });

  it("is refused in Stripe's words", async () => {
    const error = { message: "No such customer: 'cus_9'", param: "customer", type: "invalid" };
    const { url: base } = await startServer(() => ({ status: 404, body: { error } }));
    const call = await stripe(base);
    const { error: why } = await call("GetCustomersCustomer", { customer: "cus_9" });
    expect(why).toContain("No such customer: 'cus_9'");
  });
});
