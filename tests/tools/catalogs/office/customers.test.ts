import { beforeEach, describe, expect, it } from "vitest";
import {
  addCustomer,
  deleteCustomer,
  searchCustomers,
  updateCustomer,
} from "../../../../tools/catalogs/office/customers.js";
import type { OfficeWorld } from "../../../../tools/catalogs/office/state.js";
import type { ToolContext } from "../../../../tools/tool.js";
import { changeOf, sampleContext } from "./support.js";

let ctx: ToolContext<OfficeWorld>;
beforeEach(() => {
  ctx = sampleContext();
});

/** Ids of the customers found, or the answer in words. */
function found(search: Parameters<typeof searchCustomers>[0]): string[] | string {
  const customers = searchCustomers(search, ctx);
  return typeof customers === "string" ? customers : customers.map((each) => each.customer_id);
}

describe("searching for customers", () => {
  it("finds those that fit everything that is asked, whatever the case", () => {
    expect(found({ assigned_to_email: "FARAH" })).toEqual(["00000000", "00000002", "00000004"]);
    expect(found({ assigned_to_email: "farah", status: "lost" })).toEqual(["00000004"]);
    expect(found({ product_interest: "ware", customer_email: "@castell" })).toEqual(["00000001"]);
    expect(found({ customer_name: "nobody" })).toEqual([]);
  });

  it("gives whole records, with nothing where nothing is known", () => {
    expect(searchCustomers({ customer_name: "Rafael" }, ctx)).toEqual([
      {
        customer_id: "00000003",
        assigned_to_email: "oscar.brandt@kestrel.example",
        customer_name: "Rafael Montes",
        customer_email: "rafael@montesbikes.example",
        customer_phone: null,
        last_contact_date: "2023-11-15",
        product_interest: "Services",
        status: "Won",
        follow_up_by: null,
        notes: null,
      },
    ]);
  });

  it("takes both bounds of each date as inclusive; an unknown date lies within none", () => {
    const contact = { last_contact_date_min: "2023-10-31", last_contact_date_max: "2023-11-15" };
    expect(found(contact)).toEqual(["00000002", "00000003"]);
    expect(found({ follow_up_by_min: "2023-11-24", follow_up_by_max: "2023-12-01" })).toEqual([
      "00000001",
      "00000002",
    ]);
    expect(found({ follow_up_by_max: "2024-12-31" })).toEqual(["00000000", "00000001", "00000002"]);
  });

  it("gives at most the first five", () => {
    const customer = { assigned_to_email: "farah@kestrel.example", status: "Lead" };
    addCustomer({ ...customer, customer_name: "Ada Sixth" }, ctx);
    expect(found({ customer_name: "a" })).toHaveLength(5);
    expect(found({ customer_name: "ada" })).toEqual(["00000005"]);
  });

  it("requires a search term, and valid dates", () => {
    expect(found({})).toMatch(/^No search parameters provided\. /);
    expect(found({ follow_up_by_min: "soon" })).toMatch(/^follow_up_by_min not valid\. /);
  });
});

describe("changing a customer", () => {
  const customer_id = "00000001";

  it("stores addresses in lower case and replaces earlier notes", () => {
    const set = (field: string, new_value: string) =>
      updateCustomer({ customer_id, field, new_value }, ctx);
    expect(set("customer_email", "Ivo@CastellPrint.example")).toBe(
      "Customer updated successfully.",
    );
    expect(changeOf(ctx)).toEqual({});
    set("status", "Qualified");
    set("notes", "Rang back.");
    set("assigned_to_email", "Farah.Nazari@kestrel.example");
    expect(changeOf(ctx)).toEqual({
      customer_relationship_manager: {
        changed: {
          [customer_id]: {
            status: "Qualified",
            notes: "Rang back.",
            assigned_to_email: "farah.nazari@kestrel.example",
          },
        },
      },
    });
  });

  it.each([
    [{ field: "" }, /^Customer ID, field, or new value not provided\.$/],
    [{ customer_id: "1" }, /^Customer not found\.$/],
    [{ field: "age" }, /^Field not valid\. It must be one of: assigned_to_email, customer_name, /],
    [{ field: "customer_id" }, /^Field not valid\. /],
    [{ field: "status", new_value: "won" }, /^Status not valid\. .*: Qualified, Won, Lost, /],
    [{ field: "product_interest", new_value: "Cars" }, /^Product interest not valid\. /],
  ])("answers %j with %s", (wrong, answer) => {
    const args = { customer_id, field: "customer_phone", new_value: "555-0199", ...wrong };
    expect(updateCustomer(args, ctx)).toMatch(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});

describe("adding a customer", () => {
  const customer = {
    customer_name: "Lea Novak",
    assigned_to_email: "Oscar.Brandt@kestrel.example",
    status: "Lead",
  };

  it("gives the id after the highest; what is not said is unknown", () => {
    expect(addCustomer(customer, ctx)).toBe("00000005");
    expect(changeOf(ctx)).toEqual({
      customer_relationship_manager: {
        added: [
          {
            customer_id: "00000005",
            assigned_to_email: "oscar.brandt@kestrel.example",
            customer_name: "Lea Novak",
            customer_email: null,
            customer_phone: null,
            last_contact_date: null,
            product_interest: null,
            status: "Lead",
            follow_up_by: null,
            notes: null,
          },
        ],
      },
    });
  });

  it("keeps all that is said, and changes of it afterwards", () => {
    const more = {
      customer_email: "Lea@Novak.example",
      customer_phone: "555-0160",
      last_contact_date: "2023-11-29",
      product_interest: "Training",
      notes: "Met at a fair.",
      follow_up_by: "2023-12-08",
    };
    const customer_id = addCustomer({ ...customer, ...more }, ctx);
    updateCustomer({ customer_id, field: "status", new_value: "Qualified" }, ctx);
    expect(searchCustomers({ customer_name: "lea" }, ctx)).toEqual([
      {
        customer_id,
        ...customer,
        ...more,
        assigned_to_email: "oscar.brandt@kestrel.example",
        customer_email: "lea@novak.example",
        status: "Qualified",
      },
    ]);
  });

  it.each(["customer_name", "assigned_to_email", "status"])("wants %s", (missing) => {
    expect(addCustomer({ ...customer, [missing]: "" }, ctx)).toMatch(/^A customer needs at least /);
    expect(changeOf(ctx)).toEqual({});
  });
});

describe("deleting a customer", () => {
  it("takes the record away, once", () => {
    expect(deleteCustomer({ customer_id: "00000004" }, ctx)).toBe("Customer deleted successfully.");
    expect(deleteCustomer({ customer_id: "00000004" }, ctx)).toBe("Customer not found.");
    expect(deleteCustomer({ customer_id: "" }, ctx)).toBe("Customer ID not provided.");
    expect(changeOf(ctx)).toEqual({ customer_relationship_manager: { deleted: ["00000004"] } });
  });
});
