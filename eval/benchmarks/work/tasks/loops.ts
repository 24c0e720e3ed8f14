import { lines, type ProgrammedTask } from "../workTask.js";

/** Something is done for each of the things that are found. */
export const LOOPS: readonly ProgrammedTask[] = [
  {
    id: "loops-01",
    query: 'Please leave the comment "What is in the way?" on every open task that is overdue.',
    program: lines(
      "const overdue = await list_overdue_work_items();",
      'const tasks = await filter_work_items({ work_ids: overdue, type: ["task"] });',
      "for (const work_id of tasks) {",
      '  await add_comment({ work_id, text: "What is in the way?" });',
      "}",
      'return `Asked on ${tasks.join(", ")}.`;',
    ),
  },
  {
    id: "loops-02",
    query:
      "Customers of the business tier who have at least one blocker ticket open get the enterprise tier from now on. See to that and name them.",
    program: lines(
      "const upgraded = [];",
      'for (const rev_org_id of await list_customers({ tier: "business" })) {',
      '  const blockers = await works_list({ "ticket.rev_org": [rev_org_id], "ticket.severity": ["blocker"] });',
      "  const open = await filter_work_items({ work_ids: blockers, open: true });",
      "  if (open.length === 0) continue;",
      '  await set_customer_tier({ rev_org_id, tier: "enterprise" });',
      "  const customer = await get_customer({ rev_org_id });",
      "  upgraded.push(customer.name);",
      "}",
      'return `On the enterprise tier now: ${upgraded.join(", ")}.`;',
    ),
  },
  {
    id: "loops-03",
    query:
      "The p1 issues in review were half as much work again as we thought. Raise each of their estimates by 50 percent.",
    program: lines(
      'const ids = await works_list({ type: ["issue"], "issue.priority": ["p1"], "stage.name": ["in_review"] });',
      "const issues = await get_work_items({ work_ids: ids });",
      "for (const issue of issues) {",
      "  await set_estimate({ work_id: issue.id, hours: issue.estimate_hours * 1.5 });",
      "}",
      'return `Raised: ${issues.map((issue) => issue.id).join(", ")}.`;',
    ),
  },
  {
    id: "loops-04",
    query:
      'Gita Rao is to ring up our enterprise customers by 21 March. Give her a task for each of them, about Ordering, with a title like "Call Harbour Foods".',
    leftOpen: "the order of the tasks",
    program: lines(
      'const owned_by = await search_object_by_name({ query: "Gita Rao" });',
      'const applies_to_part = await search_object_by_name({ query: "Ordering" });',
      "const tasks = [];",
      'for (const rev_org_id of await list_customers({ tier: "enterprise" })) {',
      "  const { name } = await get_customer({ rev_org_id });",
      '  tasks.push(await create_task({ title: `Call ${name}`, applies_to_part, owned_by, due_on: "2025-03-21" }));',
      "}",
      'return `Gita Rao has ${tasks.join(", ")}.`;',
    ),
  },
  {
    id: "loops-05",
    query:
      'ISS-40 cannot be finished before the other open issues whose titles begin with "Memory leak" are. Record for each of those that it blocks ISS-40.',
    program: lines(
      'const found = await search_work_items({ query: "memory leak" });',
      "const items = await get_work_items({ work_ids: found });",
      'const blockers = items.filter((item) => item.type === "issue" && !item.closed_on && item.id !== "ISS-40" && item.title.startsWith("Memory leak"));',
      "for (const blocker of blockers) {",
      '  await link_work_items({ from_id: blocker.id, relation: "blocks", to_id: "ISS-40" });',
      "}",
      'return `ISS-40 waits for ${blockers.map((item) => item.id).join(", ")}.`;',
    ),
  },
  {
    id: "loops-06",
    query:
      'Lumen Clinics: where they wait for our answer and the ticket is in development, reply "We are on it and will be back by Friday." Do not touch their other tickets.',
    program: lines(
      'const customer = await search_object_by_name({ query: "Lumen Clinics" });',
      "const waiting = await works_list({",
      '  "ticket.rev_org": [customer],',
      '  "ticket.needs_response": true,',
      '  "stage.name": ["in_development"],',
      "});",
      "for (const ticket_id of waiting) {",
      '  await reply_to_ticket({ ticket_id, text: "We are on it and will be back by Friday." });',
      "}",
      'return `Answered ${waiting.join(", ")}.`;',
    ),
  },
  {
    id: "loops-07",
    query: "Log half an hour of mine for today on each thing that I have in review.",
    program: lines(
      "const me = await who_am_i();",
      'const items = await works_list({ owned_by: [me], "stage.name": ["in_review"] });',
      "for (const work_id of items) {",
      "  await log_time({ work_id, hours: 0.5 });",
      "}",
      'return `Logged on ${items.join(", ")}.`;',
    ),
  },
];
