import type { ToolContext } from "../../tool.js";
import { choiceProblem, deleteRecord, holds, updateRecord } from "./records.js";
import { addRow, rowsOf } from "./rows.js";
import type { OfficeWorld } from "./state.js";
import type { Customer } from "./tables.js";
import { boundsProblem, isDayWithin } from "./times.js";

const STATUSES = ["Qualified", "Won", "Lost", "Lead", "Proposal"];

const PRODUCTS = ["Software", "Hardware", "Services", "Consulting", "Training"];

/** The most customers that a search returns. */
const MOST_CUSTOMERS = 5;

/** What a search for customers may ask for. */
interface CustomerSearch {
  /** Text that the customer's name contains */
  customer_name?: string;
  /** Text that the customer's email address contains */
  customer_email?: string;
  /** What the customer may buy: Software, Hardware, Services, Consulting or Training */
  product_interest?: string;
  /** Where the sale stands: Qualified, Won, Lost, Lead or Proposal */
  status?: string;
  /** Email address, or a part of it, of the colleague who looks after the customer */
  assigned_to_email?: string;
  /** Earliest day of the last contact, inclusive, as YYYY-MM-DD */
  last_contact_date_min?: string;
  /** Latest day of the last contact, inclusive, as YYYY-MM-DD */
  last_contact_date_max?: string;
  /** Earliest day by which to follow up, inclusive, as YYYY-MM-DD */
  follow_up_by_min?: string;
  /** Latest day by which to follow up, inclusive, as YYYY-MM-DD */
  follow_up_by_max?: string;
}

/**
 * Find customers by parts of their name, address, interest, status or the colleague in charge, and by
 * the days of the last contact and of the next follow-up. A customer has to fit all that is given,
 * and at least one thing has to be given. Shows at most 5: ask more narrowly when there may be more.
 *
 * @name customer_relationship_manager.search_customers
 * @effects read
 * @flow private foreign
 * @returns the customers that fit, with all their fields; an empty list when there are none
 */
export function searchCustomers(
  search: CustomerSearch,
  ctx: ToolContext<OfficeWorld>,
): Customer[] | string {
  const { last_contact_date_min, last_contact_date_max, follow_up_by_min, follow_up_by_max } =
    search;
  const { customer_name, customer_email, product_interest, status, assigned_to_email } = search;
  const bounds = {
    last_contact_date_min,
    last_contact_date_max,
    follow_up_by_min,
    follow_up_by_max,
  };
  const parts = { customer_name, customer_email, product_interest, status, assigned_to_email };
  if (!Object.values({ ...bounds, ...parts }).some(Boolean)) {
    return "No search parameters provided. Please provide at least one parameter.";
  }
  const problem = boundsProblem(bounds);
  if (problem !== undefined) return problem;
  const fits = (customer: Customer) =>
    holdsParts(customer, parts) &&
    isDayWithin(customer.last_contact_date, {
      min: last_contact_date_min,
      max: last_contact_date_max,
    }) &&
    isDayWithin(customer.follow_up_by, { min: follow_up_by_min, max: follow_up_by_max });
  return rowsOf(ctx.world, "customer_relationship_manager").filter(fits).slice(0, MOST_CUSTOMERS);
}

/**
 * Change one field of a customer's record, such as the status, the colleague in charge or the next
 * follow-up.
 *
 * @name customer_relationship_manager.update_customer
 * @effects write
 * @returns in words whether the record was changed
 */
export function updateCustomer(
  {
    customer_id,
    field,
    new_value,
  }: {
    /** Id of the customer: eight digits */
    customer_id: string;
    /** Field to change: customer_name, assigned_to_email, customer_email, customer_phone, last_contact_date, product_interest, status, notes or follow_up_by */
    field: string;
    /** New value; status is Qualified, Won, Lost, Lead or Proposal, product_interest is Software, Hardware, Services, Consulting or Training, dates are YYYY-MM-DD; notes replace those there were */
    new_value: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  return updateRecord({
    world: ctx.world,
    database: "customer_relationship_manager",
    id: customer_id,
    field,
    value: new_value,
    problem: valueProblem(field, new_value),
  });
}

/**
 * Add a new customer to the customer records.
 *
 * @name customer_relationship_manager.add_customer
 * @effects write
 * @returns the id of the new customer, or in words what is missing
 */
export function addCustomer(
  customer: {
    /** First and last name of the customer */
    customer_name: string;
    /** Email address of the colleague who looks after the customer */
    assigned_to_email: string;
    /** Where the sale stands: Qualified, Won, Lost, Lead or Proposal */
    status: string;
    /** Email address of the customer */
    customer_email?: string;
    /** Telephone number of the customer */
    customer_phone?: string;
    /** Day of the last contact, as YYYY-MM-DD */
    last_contact_date?: string;
    /** What the customer may buy: Software, Hardware, Services, Consulting or Training */
    product_interest?: string;
    /** Notes about the customer */
    notes?: string;
    /** Day by which to follow up, as YYYY-MM-DD */
    follow_up_by?: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  const { customer_name, assigned_to_email, status } = customer;
  if (!customer_name || !assigned_to_email || !status) {
    return "A customer needs at least customer_name, assigned_to_email and status.";
  }
  const values = {
    customer_name,
    assigned_to_email: assigned_to_email.toLowerCase(),
    status,
    customer_email: customer.customer_email?.toLowerCase() || null,
    customer_phone: customer.customer_phone || null,
    last_contact_date: customer.last_contact_date || null,
    product_interest: customer.product_interest || null,
    notes: customer.notes || null,
    follow_up_by: customer.follow_up_by || null,
  };
  return addRow({ world: ctx.world, database: "customer_relationship_manager", values });
}

/**
 * Delete a customer from the customer records.
 *
 * @name customer_relationship_manager.delete_customer
 * @effects write
 * @returns in words whether the customer was deleted
 */
export function deleteCustomer(
  {
    customer_id,
  }: {
    /** Id of the customer: eight digits */
    customer_id: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  const { world } = ctx;
  return deleteRecord({ world, database: "customer_relationship_manager", id: customer_id });
}

/** An unknown cell contains nothing; a part that is left out matches every cell. */
function holdsParts(
  customer: Record<string, string | null>,
  parts: Record<string, string | undefined>,
): boolean {
  return Object.entries(parts).every(([column, part]) =>
    part ? holds(customer[column] ?? null, part) : true,
  );
}

function valueProblem(field: string, value: string): string | undefined {
  if (field === "status") return choiceProblem({ what: "Status", value, choices: STATUSES });
  if (field !== "product_interest") return undefined;
  return choiceProblem({ what: "Product interest", value, choices: PRODUCTS });
}
