import { lines, type ProgrammedTask } from "../workTask.js";

/** Numbers that have to be worked out: for each of several, the least of all, shares and means. */
export const COUNTS: readonly ProgrammedTask[] = [
  {
    id: "counts-01",
    query:
      "For the weekly report: how many open work items does each member of team support have? With names, please.",
    program: lines(
      "const rows = [];",
      'for (const user_id of await list_users({ team: "support" })) {',
      "  const { name } = await get_user({ user_id });",
      "  const owned = await works_list({ owned_by: [user_id] });",
      "  const open = await filter_work_items({ work_ids: owned, open: true });",
      "  rows.push(`${name}: ${open.length}`);",
      "}",
      'return rows.join("; ");',
    ),
  },
  {
    id: "counts-02",
    query:
      "Which customer has the fewest open tickets, and how many are that? Name all of them where several share that place.",
    program: lines(
      "const counted = [];",
      "for (const rev_org_id of await list_customers()) {",
      '  const tickets = await works_list({ "ticket.rev_org": [rev_org_id] });',
      "  const open = await filter_work_items({ work_ids: tickets, open: true });",
      "  const { name } = await get_customer({ rev_org_id });",
      "  counted.push({ name, open: open.length });",
      "}",
      "const fewest = Math.min(...counted.map((customer) => customer.open));",
      "const names = counted.filter((customer) => customer.open === fewest).map((customer) => customer.name);",
      'return `${names.join(" and ")}: ${fewest}.`;',
    ),
  },
  {
    id: "counts-03",
    query:
      "Of all the hours that we have logged since 1 March, what percentage was spent on tickets? Round it to a whole number.",
    program: lines(
      'const logs = await list_time_logs({ from: "2025-03-01" });',
      "const items = await get_work_items({ work_ids: unique(logs.map((log) => log.work_id)) });",
      'const tickets = items.filter((item) => item.type === "ticket").map((item) => item.id);',
      "const onTickets = logs.filter((log) => tickets.includes(log.work_id));",
      "const share = (100 * sum(onTickets.map((log) => log.hours))) / sum(logs.map((log) => log.hours));",
      "return `${round(share)} % of the hours.`;",
    ),
  },
  {
    id: "counts-04",
    query:
      "How old are our queued tickets on average today, in days since they were made? One decimal place is enough.",
    program: lines(
      'const ids = await works_list({ type: ["ticket"], "stage.name": ["queued"] });',
      "const tickets = await get_work_items({ work_ids: ids });",
      "const ages = tickets.map((ticket) => daysBetween(ticket.created_on, today));",
      "return `${round(average(ages), 1)} days on average.`;",
    ),
  },
  {
    id: "counts-05",
    query:
      "How many open work items have had more time logged on them than they were estimated at? List their ids as well, and say by how many hours they are over in all.",
    program: lines(
      "const logs = await list_time_logs();",
      "const worked = groupBy(logs, (log) => log.work_id);",
      "const items = await get_work_items({ work_ids: worked.map((group) => group.key) });",
      "const over = [];",
      "for (const item of items) {",
      "  if (item.closed_on) continue;",
      "  const hours = sum(logs.filter((log) => log.work_id === item.id).map((log) => log.hours));",
      "  if (hours > item.estimate_hours) over.push({ id: item.id, hours: hours - item.estimate_hours });",
      "}",
      'return `${over.length} are: ${over.map((item) => item.id).join(", ")}; ${sum(over.map((item) => item.hours))} hours over in all.`;',
    ),
  },
  {
    id: "counts-06",
    query:
      "How many tickets are waiting for an answer from us, broken down by the tier of the customer?",
    program: lines(
      'const waiting = await works_list({ "ticket.needs_response": true });',
      "const tickets = await get_work_items({ work_ids: waiting });",
      "const rows = [];",
      'for (const tier of ["enterprise", "business", "standard"]) {',
      "  const customers = await list_customers({ tier });",
      '  const count = tickets.filter((ticket) => customers.includes(ticket.rev_org ?? "")).length;',
      "  rows.push(`${tier}: ${count}`);",
      "}",
      'return rows.join(", ");',
    ),
  },
  {
    id: "counts-07",
    query:
      "Close the open tickets that came in through the portal and are more than 45 days old. Tell me the number of tickets you closed, even if it is 0.",
    program: lines(
      'const ids = await works_list({ type: ["ticket"], "ticket.source_channel": ["portal"] });',
      "const tickets = await get_work_items({ work_ids: ids });",
      "const old = tickets.filter((ticket) => !ticket.closed_on && daysBetween(ticket.created_on, today) > 45);",
      "if (old.length > 0) await close_work_items({ work_ids: old.map((ticket) => ticket.id) });",
      "return `Closed ${old.length} tickets.`;",
    ),
  },
  {
    id: "counts-08",
    query:
      "Who of all colleagues has not logged a single hour from Monday, 3 March to Sunday, 9 March?",
    program: lines(
      'const logs = await list_time_logs({ from: "2025-03-03", to: "2025-03-09" });',
      "const names = [];",
      "for (const user_id of await list_users()) {",
      "  if (logs.some((log) => log.user_id === user_id)) continue;",
      "  const { name } = await get_user({ user_id });",
      "  names.push(name);",
      "}",
      'return `Nothing was logged by ${names.join(" and ")}.`;',
    ),
  },
];
