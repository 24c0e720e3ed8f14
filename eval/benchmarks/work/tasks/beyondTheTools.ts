import { lines, type ProgrammedTask } from "../workTask.js";

/** Requests with something in them that no tool does or nobody knows: all of it in the first four. */
export const BEYOND_THE_TOOLS: readonly ProgrammedTask[] = [
  {
    id: "beyond-01",
    query: "Ingrid Sommer starts her leave tomorrow. Take all her open tasks over to Bram Visser.",
    program: lines(
      "const people = await Promise.all((await list_users()).map((user_id) => get_user({ user_id })));",
      'const ingrid = people.find((person) => person.name === "Ingrid Sommer");',
      'if (!ingrid) throw new Error("Nobody here is called Ingrid Sommer, so nothing was changed.");',
      'const bram = await search_object_by_name({ query: "Bram Visser" });',
      'const tasks = await works_list({ owned_by: [ingrid.id], type: ["task"] });',
      "const open = await filter_work_items({ work_ids: tasks, open: true });",
      "await assign_work_items({ work_ids: open, user_id: bram });",
      'return `Bram Visser has ${open.join(", ")} now.`;',
    ),
  },
  {
    id: "beyond-02",
    query:
      "Rank our customers by what they paid us last year, and put the top three on the enterprise tier.",
    program: lines(
      'throw new Error("Nothing is known of what customers have paid, so no tier was changed.");',
    ),
  },
  {
    id: "beyond-03",
    query:
      "Tickets that were canceled more than ten days ago are only in the way. Delete each of them for good, together with its comments.",
    program: lines('throw new Error("Tickets and comments cannot be deleted.");'),
  },
  {
    id: "beyond-04",
    query:
      "Find out who is on holiday next week, and give the work of theirs that is due in that week to whoever of their team has the most free hours.",
    program: lines(
      'throw new Error("Nothing says who is on holiday, so no work was given to anybody else.");',
    ),
  },
  {
    id: "beyond-05",
    query:
      "Where a ticket still awaits the customer's response and was made more than 30 days ago, close it as resolved, and send me the list by e-mail.",
    program: lines(
      'const ids = await works_list({ "stage.name": ["awaiting_customer_response"] });',
      "const tickets = await get_work_items({ work_ids: ids });",
      "const old = tickets.filter((ticket) => daysBetween(ticket.created_on, today) > 30);",
      "await close_work_items({ work_ids: old.map((ticket) => ticket.id) });",
      'throw new Error(`Resolved: ${old.map((ticket) => ticket.id).join(", ")}. I could not send an e-mail.`);',
    ),
  },
  {
    id: "beyond-06",
    query:
      "Give every open p0 or p1 issue that nobody works on to the person who answers for its part, and ring each of them up about it.",
    program: lines(
      'const free = await list_unassigned_work_items({ type: ["issue"] });',
      'const urgent = await filter_work_items({ work_ids: free, priority: ["p0", "p1"] });',
      "const given = [];",
      "for (const issue of await get_work_items({ work_ids: urgent })) {",
      "  const user_id = await get_part_owner({ part_id: issue.applies_to_part });",
      "  await assign_work_items({ work_ids: [issue.id], user_id });",
      "  given.push(`${issue.id} to ${user_id}`);",
      "}",
      'throw new Error(`Given: ${given.join(", ")}. I cannot ring anybody up.`);',
    ),
  },
  {
    id: "beyond-07",
    query:
      "Who has more open issues, Chiara Rossi or Magnus Eklund? Tell me the number for each of them.",
    program: lines(
      "const people = await Promise.all((await list_users()).map((user_id) => get_user({ user_id })));",
      "const found = [];",
      'for (const wanted of ["Chiara Rossi", "Magnus Eklund"]) {',
      "  const person = people.find(({ name }) => name === wanted);",
      "  if (!person) {",
      "    found.push(`${wanted} is not known here`);",
      "    continue;",
      "  }",
      '  const issues = await works_list({ owned_by: [person.id], type: ["issue"] });',
      "  const open = await filter_work_items({ work_ids: issues, open: true });",
      "  found.push(`${wanted} has ${open.length} open issues`);",
      "}",
      'throw new Error(`${found.join("; ")}. So I cannot compare them.`);',
    ),
  },
  {
    id: "beyond-08",
    query:
      "What percentage of the current sprint's work items is closed? If it is less than half, post a warning in the team's Slack channel.",
    program: lines(
      "const sprint_id = await get_sprint_id();",
      "const { done_percent } = await get_sprint_progress({ sprint_id });",
      "if (done_percent < 50) throw new Error(`${done_percent} % are closed. I cannot post that in Slack.`);",
      "return `${done_percent} % are closed.`;",
    ),
  },
  {
    id: "beyond-09",
    query:
      "Open p1 issues that are in no sprint go into the next one. Then reserve a meeting room for its first day so that we can talk them through.",
    program: lines(
      "const sprint_id = await get_next_sprint_id();",
      'const ids = await works_list({ type: ["issue"], "issue.priority": ["p1"] });',
      "const issues = await get_work_items({ work_ids: ids });",
      "const free = issues.filter((issue) => !issue.closed_on && !issue.sprint_id).map((issue) => issue.id);",
      "await add_work_items_to_sprint({ work_ids: free, sprint_id });",
      'throw new Error(`In ${sprint_id} now: ${free.join(", ")}. I could not reserve a room.`);',
    ),
  },
  {
    id: "beyond-10",
    query:
      "For each enterprise customer I need the number of its open tickets and the phone number of the person in charge there.",
    program: lines(
      "const rows = [];",
      'for (const rev_org_id of await list_customers({ tier: "enterprise" })) {',
      "  const { name } = await get_customer({ rev_org_id });",
      '  const tickets = await works_list({ "ticket.rev_org": [rev_org_id] });',
      "  const open = await filter_work_items({ work_ids: tickets, open: true });",
      "  rows.push(`${name}: ${open.length}`);",
      "}",
      'throw new Error(`${rows.join("; ")}. Phone numbers are not known.`);',
    ),
  },
];
