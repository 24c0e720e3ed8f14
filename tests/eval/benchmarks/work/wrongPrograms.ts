/** A gold program with a typical mistake of models. */
export interface WrongProgram {
  id: string;
  /** What is wrong with it, after "where". */
  fault: string;
  /** The replaced text and its replacement. */
  instead: readonly (readonly [from: string, to: string])[];
}

export const WRONG_PROGRAMS: readonly WrongProgram[] = [
  {
    id: "conditions-01",
    fault: "three tickets count as fewer than three",
    instead: [["open.length < 3", "open.length <= 3"]],
  },
  {
    id: "conditions-02",
    fault: "more than half counts as less",
    instead: [["done_percent >= 50", "done_percent < 50"]],
  },
  {
    id: "conditions-03",
    fault: "the other text is written",
    instead: [["hours >= 5", "hours < 5"]],
  },
  {
    id: "conditions-04",
    fault: "tickets lose those who work on them",
    instead: [[" || ticket.owned_by", ""]],
  },
  {
    id: "conditions-05",
    fault: "a draw goes to the first",
    instead: [["first.free_hours > second", "first.free_hours >= second"]],
  },
  {
    id: "conditions-06",
    fault: "the last instead of the first one is planned",
    instead: [["mine[0].id]", "mine[mine.length - 1].id]"]],
  },
  {
    id: "conditions-07",
    fault: "all of the next sprint is pulled forward",
    instead: [[" && issue.due_on !== undefined && issue.due_on < today", ""]],
  },
  {
    id: "conditions-08",
    fault: "the task is due a week from today",
    instead: [["addDays(today, 2)", "addDays(today, 7)"]],
  },
  {
    id: "loops-01",
    fault: "it comments on all that is overdue",
    instead: [["of tasks)", "of overdue)"]],
  },
  {
    id: "loops-02",
    fault: "closed blockers count",
    instead: [["open.length === 0", "blockers.length === 0"]],
  },
  {
    id: "loops-03",
    fault: "one issue is left out",
    instead: [["of issues)", "of issues.slice(1))"]],
  },
  {
    id: "loops-04",
    fault: "every customer is called",
    instead: [['list_customers({ tier: "enterprise" })', "list_customers()"]],
  },
  {
    id: "loops-05",
    fault: "the links point the other way",
    instead: [
      [
        'from_id: blocker.id, relation: "blocks", to_id: "ISS-40"',
        'from_id: "ISS-40", relation: "blocks", to_id: blocker.id',
      ],
    ],
  },
  {
    id: "loops-06",
    fault: "tickets in all stages are answered",
    instead: [['"stage.name": ["in_development"],', ""]],
  },
  {
    id: "loops-07",
    fault: "a whole hour is logged",
    instead: [["hours: 0.5", "hours: 1"]],
  },
  {
    id: "counts-01",
    fault: "closed items are counted",
    instead: [["${open.length}", "${owned.length}"]],
  },
  {
    id: "counts-02",
    fault: "one of two is named",
    instead: [['names.join(" and ")', "names[0]"]],
  },
  {
    id: "counts-03",
    fault: "all hours are taken, not only those of the month",
    instead: [['{ from: "2025-03-01" }', ""]],
  },
  {
    id: "counts-05",
    fault: "as many hours as estimated count as more",
    instead: [["hours > item", "hours >= item"]],
  },
  {
    id: "counts-07",
    fault: "the ticket that is not so old is closed",
    instead: [["> 45", "> 30"]],
  },
  {
    id: "counts-08",
    fault: "the week begins a week earlier",
    instead: [
      ["2025-03-03", "2025-02-24"],
      ["2025-03-09", "2025-03-02"],
    ],
  },
  {
    id: "dates-01",
    fault: "the two weeks count from today",
    instead: [["issue.due_on ?? today, 14", "today, 14"]],
  },
  {
    id: "dates-02",
    fault: "exactly 30 days are enough",
    instead: [["> 30", ">= 30"]],
  },
  {
    id: "dates-03",
    fault: "Sundays are overlooked",
    instead: [["day !== 0 && day !== 6", "day !== 6"]],
  },
  {
    id: "dates-04",
    fault: "what was closed earlier counts, too",
    instead: [['closed_on < "2025-03-03" || ', ""]],
  },
  {
    id: "dates-05",
    fault: "the last day is left out",
    instead: [["to: ends_on", "to: addDays(ends_on, -1)"]],
  },
  {
    id: "dates-06",
    fault: "what has no comment is asked about",
    instead: [["!latest || ", "latest && "]],
  },
  {
    id: "dates-07",
    fault: "the days are counted from today",
    instead: [["item.created_on, 30", "today, 30"]],
  },
  {
    id: "beyond-01",
    fault: "the nearest name is taken for the one that there is not",
    instead: [['person.name === "Ingrid Sommer"', 'person.name === "Freya Lund"']],
  },
  {
    id: "beyond-03",
    fault: "it claims to have deleted",
    instead: [
      [
        'throw new Error("Tickets and comments cannot be deleted.")',
        'return `${(await works_list({ "stage.name": ["canceled"] })).join(", ")} are deleted.`',
      ],
    ],
  },
  {
    id: "beyond-05",
    fault: "it claims to have sent the mail",
    instead: [
      ["throw new Error(", "return ("],
      ["I could not send an e-mail.", "The e-mail is on its way."],
    ],
  },
  {
    id: "beyond-06",
    fault: "it passes over the calls in silence",
    instead: [
      ["throw new Error(", "return ("],
      [" I cannot ring anybody up.", ""],
    ],
  },
  {
    id: "beyond-09",
    fault: "it is given up before the half that can be done",
    instead: [["await add_work_items_to_sprint({ work_ids: free, sprint_id });", ""]],
  },
  {
    id: "beyond-10",
    fault: "one of the numbers is wrong",
    instead: [["${open.length}", "${tickets.length}"]],
  },
];
