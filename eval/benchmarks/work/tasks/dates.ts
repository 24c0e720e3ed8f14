import { lines, type ProgrammedTask } from "../workTask.js";

/** Days are compared, counted and shifted. */
export const DATES: readonly ProgrammedTask[] = [
  {
    id: "dates-01",
    query:
      "Every issue that is overdue gets two more weeks, counted from the due date that it has now.",
    program: lines(
      "const overdue = await list_overdue_work_items();",
      'const ids = await filter_work_items({ work_ids: overdue, type: ["issue"] });',
      "const issues = await get_work_items({ work_ids: ids });",
      "for (const issue of issues) {",
      "  await set_due_date({ work_ids: [issue.id], due_on: addDays(issue.due_on ?? today, 14) });",
      "}",
      'return `Two more weeks for ${ids.join(", ")}.`;',
    ),
  },
  {
    id: "dates-02",
    query:
      'Tickets in development that were made more than 30 days ago are to carry the label "long runner"; exactly 30 days are not enough.',
    program: lines(
      'const ids = await works_list({ type: ["ticket"], "stage.name": ["in_development"] });',
      "const tickets = await get_work_items({ work_ids: ids });",
      "const old = tickets.filter((ticket) => daysBetween(ticket.created_on, today) > 30);",
      'await add_labels({ work_ids: old.map((ticket) => ticket.id), labels: ["long runner"] });',
      'return `Labelled ${old.map((ticket) => ticket.id).join(", ")}.`;',
    ),
  },
  {
    id: "dates-03",
    query:
      "Nobody works at weekends here. Where an open issue falls due on a Saturday or Sunday, from today on, put it off to the Monday right after.",
    program: lines(
      'const due = await list_work_items_due({ from: today, to: "2026-12-31" });',
      'const issues = await get_work_items({ work_ids: await filter_work_items({ work_ids: due, type: ["issue"] }) });',
      "let moved = 0;",
      "for (const issue of issues) {",
      "  const day = new Date(issue.due_on ?? today).getDay();",
      "  if (day !== 0 && day !== 6) continue;",
      "  await set_due_date({ work_ids: [issue.id], due_on: addDays(issue.due_on ?? today, day === 6 ? 2 : 1) });",
      "  moved += 1;",
      "}",
      "return `${moved} of ${issues.length} issues are due on a Monday now.`;",
    ),
  },
  {
    id: "dates-04",
    query:
      "Which work items that were closed since Monday, 3 March were closed after their due date, and how many days late were they all together?",
    program: lines(
      'const ids = await works_list({ "stage.name": ["completed", "wont_fix", "resolved", "canceled"] });',
      "const items = await get_work_items({ work_ids: ids });",
      "const late = [];",
      "for (const { id, due_on, closed_on } of items) {",
      '  if (!due_on || !closed_on || closed_on < "2025-03-03" || closed_on <= due_on) continue;',
      "  late.push({ id, days: daysBetween(due_on, closed_on) });",
      "}",
      'return `${late.map((item) => item.id).join(", ")}: ${sum(late.map((item) => item.days))} days in all.`;',
    ),
  },
  {
    id: "dates-05",
    query:
      "Whatever is open and due from today up to and including the last day of the current sprint belongs into that sprint. Plan for it what is not there yet.",
    program: lines(
      "const sprint_id = await get_sprint_id();",
      "const { ends_on } = await get_sprint({ sprint_id });",
      "const due = await list_work_items_due({ from: today, to: ends_on });",
      "const items = await get_work_items({ work_ids: due });",
      "const missing = items.filter((item) => item.sprint_id !== sprint_id).map((item) => item.id);",
      "await add_work_items_to_sprint({ work_ids: missing, sprint_id });",
      'return `New in ${sprint_id}: ${missing.join(", ")}.`;',
    ),
  },
  {
    id: "dates-06",
    query:
      'Look at the low tickets that are still open. Where the latest comment is more than five days old, comment "Is this still going on?"; what has no comment at all stays without one.',
    program: lines(
      'const ids = await works_list({ "ticket.severity": ["low"] });',
      "const asked = [];",
      "for (const work_id of await filter_work_items({ work_ids: ids, open: true })) {",
      "  const comments = await list_comments({ work_id });",
      "  const latest = comments.at(-1);",
      "  if (!latest || daysBetween(latest.created_on, today) <= 5) continue;",
      '  await add_comment({ work_id, text: "Is this still going on?" });',
      "  asked.push(work_id);",
      "}",
      'return `Asked on ${asked.join(" and ")}.`;',
    ),
  },
  {
    id: "dates-07",
    query:
      "Some of what Freya Lund has open has no due date. Let each of these be due 30 days after the day on which it was made.",
    program: lines(
      'const freya = await search_object_by_name({ query: "Freya Lund" });',
      "const owned = await works_list({ owned_by: [freya] });",
      "const open = await get_work_items({ work_ids: await filter_work_items({ work_ids: owned, open: true }) });",
      "const undated = open.filter((item) => !item.due_on);",
      "for (const item of undated) {",
      "  await set_due_date({ work_ids: [item.id], due_on: addDays(item.created_on, 30) });",
      "}",
      'return `Dated: ${undated.map((item) => item.id).join(", ")}.`;',
    ),
  },
];
