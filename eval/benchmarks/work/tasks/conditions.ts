import { lines, type ProgrammedTask } from "../workTask.js";

/** What is to be done depends on what is found. */
export const CONDITIONS: readonly ProgrammedTask[] = [
  {
    id: "conditions-01",
    query:
      "If Bram Visser has three open tickets or more, hand those of his that are of low or medium severity to Gita Rao. With fewer than three he keeps them all.",
    program: lines(
      'const bram = await search_object_by_name({ query: "Bram Visser" });',
      'const tickets = await works_list({ owned_by: [bram], type: ["ticket"] });',
      "const open = await filter_work_items({ work_ids: tickets, open: true });",
      "if (open.length < 3) return `Bram Visser keeps his ${open.length} open tickets.`;",
      'const minor = await filter_work_items({ work_ids: open, severity: ["low", "medium"] });',
      'const gita = await search_object_by_name({ query: "Gita Rao" });',
      "await assign_work_items({ work_ids: minor, user_id: gita });",
      'return `Of ${open.length} open tickets, ${minor.join(" and ")} are given to Gita Rao.`;',
    ),
  },
  {
    id: "conditions-02",
    query:
      "Is the running sprint at least half done, counted in work items? If so, just tell me the percentage. If not, take the p3 issues and the low tickets that are still open out of it.",
    program: lines(
      "const sprint_id = await get_sprint_id();",
      "const { done_percent } = await get_sprint_progress({ sprint_id });",
      "if (done_percent >= 50) return `${done_percent} % are done.`;",
      "const planned = await get_work_items({ work_ids: await list_sprint_work_items({ sprint_id }) });",
      'const minor = planned.filter((item) => !item.closed_on && (item.priority === "p3" || item.severity === "low"));',
      "await remove_work_items_from_sprint({ work_ids: minor.map((item) => item.id) });",
      'return `Only ${done_percent} % are done. Taken out: ${minor.map((item) => item.id).join(", ")}.`;',
    ),
  },
  {
    id: "conditions-03",
    query:
      'Has Freya Lund logged at least 5 hours since 1 March? If she has, comment "Thanks for the hours." on TKT-26, otherwise "Please log your hours."',
    program: lines(
      'const freya = await search_object_by_name({ query: "Freya Lund" });',
      'const logs = await list_time_logs({ user_id: freya, from: "2025-03-01" });',
      "const hours = sum(logs.map((log) => log.hours));",
      'const text = hours >= 5 ? "Thanks for the hours." : "Please log your hours.";',
      'await add_comment({ work_id: "TKT-26", text });',
      "return `She has logged ${hours} hours; I wrote: ${text}`;",
    ),
  },
  {
    id: "conditions-04",
    query:
      "Pine & Co: each open ticket of theirs that nobody works on goes to whoever answers for the part it is about. Where somebody is at work already, nothing changes.",
    program: lines(
      'const customer = await search_object_by_name({ query: "Pine & Co" });',
      'const ids = await works_list({ "ticket.rev_org": [customer] });',
      "const tickets = await get_work_items({ work_ids: ids });",
      "const given = [];",
      "for (const ticket of tickets) {",
      "  if (ticket.closed_on || ticket.owned_by) continue;",
      "  const owner = await get_part_owner({ part_id: ticket.applies_to_part });",
      "  await assign_work_items({ work_ids: [ticket.id], user_id: owner });",
      "  given.push(`${ticket.id} to ${owner}`);",
      "}",
      'return `Given: ${given.join(", ")}.`;',
    ),
  },
  {
    id: "conditions-05",
    query:
      "ISS-44 is for Dmitri Volkov or for Emeka Obi, whichever of them has more free hours in the next sprint. Should that be a draw, Emeka takes it.",
    program: lines(
      "const sprint_id = await get_next_sprint_id();",
      'const dmitri = await search_object_by_name({ query: "Dmitri Volkov" });',
      'const emeka = await search_object_by_name({ query: "Emeka Obi" });',
      "const first = await get_user_capacity({ user_id: dmitri, sprint_id });",
      "const second = await get_user_capacity({ user_id: emeka, sprint_id });",
      "const user_id = first.free_hours > second.free_hours ? dmitri : emeka;",
      'await assign_work_items({ work_ids: ["ISS-44"], user_id });',
      "return `ISS-44 goes to ${user_id}: ${first.free_hours} hours are free against ${second.free_hours}.`;",
    ),
  },
  {
    id: "conditions-06",
    query:
      "If nothing that I have open is due between today and the last day of this sprint, plan that open item of mine which falls due first after it for this sprint. Otherwise leave my plan alone.",
    program: lines(
      "const me = await who_am_i();",
      "const sprint_id = await get_sprint_id();",
      "const { ends_on } = await get_sprint({ sprint_id });",
      'const due = await list_work_items_due({ from: today, to: "2026-12-31" });',
      "const mine = await get_work_items({ work_ids: await filter_work_items({ work_ids: due, owned_by: [me] }) });",
      'if (mine.some((item) => (item.due_on ?? "") <= ends_on)) return `You have enough for ${sprint_id}.`;',
      "if (mine.length === 0) return `Nothing of yours has a due date after ${ends_on}.`;",
      "await add_work_items_to_sprint({ work_ids: [mine[0].id], sprint_id });",
      "return `${mine[0].id}, due on ${mine[0].due_on}, is planned for ${sprint_id}.`;",
    ),
  },
  {
    id: "conditions-07",
    query:
      "Go through the open p0 issues. What is in no sprint comes into the current one. What waits for the next sprint is pulled forward into the current one only where it is overdue already.",
    program: lines(
      "const current = await get_sprint_id();",
      "const next = await get_next_sprint_id();",
      'const ids = await works_list({ type: ["issue"], "issue.priority": ["p0"] });',
      "const issues = await get_work_items({ work_ids: ids });",
      "const moved = issues.filter((issue) => {",
      "  if (issue.closed_on) return false;",
      "  if (!issue.sprint_id) return true;",
      "  return issue.sprint_id === next && issue.due_on !== undefined && issue.due_on < today;",
      "});",
      "await add_work_items_to_sprint({ work_ids: moved.map((issue) => issue.id), sprint_id: current });",
      'return `In ${current} now: ${moved.map((issue) => issue.id).join(", ")}.`;',
    ),
  },
  {
    id: "conditions-08",
    query:
      'How many tickets are past the day for an answer under our service agreement? If it is more than five, create a task "Clear the late answers" for Gita Rao, about Parcelo as a whole and due this Friday; five or fewer are no reason for one.',
    program: lines(
      "const late = await list_sla_breaches();",
      "if (late.length <= 5) return `${late.length} answers are late, which is no reason for a task.`;",
      'const owned_by = await search_object_by_name({ query: "Gita Rao" });',
      'const applies_to_part = await search_object_by_name({ query: "Parcelo" });',
      'const task = await create_task({ title: "Clear the late answers", applies_to_part, owned_by, due_on: addDays(today, 2) });',
      "return `${late.length} answers are late; ${task} is for Gita Rao.`;",
    ),
  },
];
