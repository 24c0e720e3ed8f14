import type { Customer, Part, Sprint, User, WorkTables } from "./state.js";

/** The invented company without its work: it makes Parcelo, with which shops deliver what they sell. */
export const COMPANY: Pick<WorkTables, "sprints" | "parts" | "customers" | "users"> = {
  users: byId<User>([
    user(1, { name: "Noor Haddad", team: "apps", hours_per_week: 40 }),
    user(2, { name: "Bram Visser", team: "apps", hours_per_week: 40 }),
    user(3, { name: "Chiara Rossi", team: "apps", hours_per_week: 32 }),
    user(4, { name: "Dmitri Volkov", team: "platform", hours_per_week: 40 }),
    user(5, { name: "Emeka Obi", team: "platform", hours_per_week: 40 }),
    user(6, { name: "Freya Lund", team: "platform", hours_per_week: 24 }),
    user(7, { name: "Gita Rao", team: "support", hours_per_week: 40 }),
    user(8, { name: "Hugo Marin", team: "support", hours_per_week: 20 }),
  ]),
  parts: byId<Part>([
    { id: "PROD-1", name: "Parcelo", type: "product", owned_by: "DEVU-4" },
    {
      id: "CAPL-1",
      name: "Ordering",
      type: "capability",
      parent_id: "PROD-1",
      owned_by: "DEVU-2",
    },
    {
      id: "CAPL-2",
      name: "Tracking",
      type: "capability",
      parent_id: "PROD-1",
      owned_by: "DEVU-5",
    },
    {
      id: "CAPL-3",
      name: "Billing",
      type: "capability",
      parent_id: "PROD-1",
      owned_by: "DEVU-6",
    },
    feature(1, { name: "Checkout form", parent_id: "CAPL-1", owned_by: "DEVU-1" }),
    feature(2, { name: "Basket", parent_id: "CAPL-1", owned_by: "DEVU-2" }),
    feature(3, { name: "Live map", parent_id: "CAPL-2", owned_by: "DEVU-3" }),
    feature(4, { name: "Arrival alerts", parent_id: "CAPL-2", owned_by: "DEVU-5" }),
    feature(5, { name: "Invoices", parent_id: "CAPL-3", owned_by: "DEVU-6" }),
    feature(6, { name: "Refunds", parent_id: "CAPL-3", owned_by: "DEVU-4" }),
    enhancement(1, { name: "Saved addresses", parent_id: "FEAT-1", owned_by: "DEVU-1" }),
    enhancement(2, { name: "Night colours", parent_id: "FEAT-3", owned_by: "DEVU-3" }),
    enhancement(3, { name: "Monthly statement", parent_id: "FEAT-5", owned_by: "DEVU-6" }),
    enhancement(4, { name: "Text messages", parent_id: "FEAT-4", owned_by: "DEVU-5" }),
  ]),
  customers: byId<Customer>([
    customer(1, { name: "Harbour Foods", tier: "enterprise", domain: "harbourfoods" }),
    customer(2, { name: "Lumen Clinics", tier: "enterprise", domain: "lumenclinics" }),
    customer(3, { name: "Pine & Co", tier: "business", domain: "pineandco" }),
    customer(4, { name: "Oakline Travel", tier: "business", domain: "oaklinetravel" }),
    customer(5, { name: "Brightwater Schools", tier: "standard", domain: "brightwater" }),
    customer(6, { name: "Tideway Logistics", tier: "enterprise", domain: "tideway" }),
    customer(7, { name: "Fernwood Press", tier: "standard", domain: "fernwoodpress" }),
    customer(8, { name: "Ultima Retail", tier: "business", domain: "ultimaretail" }),
  ]),
  sprints: byId<Sprint>([
    { id: "SPRINT-1", name: "Sprint Anchor", starts_on: "2025-01-20", ends_on: "2025-02-02" },
    { id: "SPRINT-2", name: "Sprint Beacon", starts_on: "2025-02-03", ends_on: "2025-02-16" },
    { id: "SPRINT-3", name: "Sprint Compass", starts_on: "2025-02-17", ends_on: "2025-03-02" },
    { id: "SPRINT-4", name: "Sprint Delta", starts_on: "2025-03-03", ends_on: "2025-03-16" },
    { id: "SPRINT-5", name: "Sprint Ember", starts_on: "2025-03-17", ends_on: "2025-03-30" },
    { id: "SPRINT-6", name: "Sprint Falcon", starts_on: "2025-03-31", ends_on: "2025-04-13" },
  ]),
};

function byId<Row extends { id: string }>(rows: readonly Row[]): Record<string, Row> {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

function user(number: number, facts: Pick<User, "name" | "team" | "hours_per_week">): User {
  const address = facts.name.toLowerCase().replace(" ", ".");
  return { id: `DEVU-${number}`, email: `${address}@parcelo.example`, ...facts };
}

type PartFacts = Pick<Part, "name" | "parent_id" | "owned_by">;

function feature(number: number, facts: PartFacts): Part {
  return { id: `FEAT-${number}`, type: "feature", ...facts };
}

function enhancement(number: number, facts: PartFacts): Part {
  return { id: `ENH-${number}`, type: "enhancement", ...facts };
}

function customer(
  number: number,
  { domain, ...facts }: Pick<Customer, "name" | "tier"> & { domain: string },
): Customer {
  return { id: `REV-${number}`, contact_email: `service@${domain}.example`, ...facts };
}
