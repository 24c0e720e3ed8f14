import { DATABASES, type OfficeTables, type Row, VISIT_COLUMNS } from "./tables.js";

const GRETA = "greta.lind@kestrel.example";
const TOMAS = "tomas.vega@kestrel.example";
const IMANI = "imani.okoro@kestrel.example";
const PIOTR = "piotr.zielinski@kestrel.example";
const MEI = "mei.tan@kestrel.example";
const OSCAR = "oscar.brandt@kestrel.example";
const FARAH = "farah.nazari@kestrel.example";

/** A small invented office around the fixed date, so that the tools can be tried without any data. */
export const SAMPLE_OFFICE: OfficeTables = {
  addresses: [GRETA, TOMAS, IMANI, PIOTR, MEI, OSCAR, FARAH],
  events: rows(DATABASES.calendar.columns, [
    ["00000000", "Roadmap workshop", GRETA, "2023-11-24 10:00:00", "90"],
    ["00000001", "One-to-one", TOMAS, "2023-11-27 09:30:00", "30"],
    ["00000002", "Website figures", IMANI, "2023-11-29 14:00:00", "60"],
    ["00000003", "Stand-up", MEI, "2023-11-30 09:00:00", "30"],
    ["00000004", "Pricing review", OSCAR, "2023-11-30 13:00:00", "60"],
    ["00000005", "Stand-up", MEI, "2023-12-01 09:00:00", "30"],
    ["00000006", "One-to-one", TOMAS, "2023-12-04 09:30:00", "30"],
    ["00000007", "Visit at Alder Foods", FARAH, "2023-12-05 11:00:00", "120"],
    ["00000008", "Year-end planning", GRETA, "2023-12-12 15:00:00", "90"],
  ]),
  emails: rows(DATABASES.email.columns, [
    [
      "00000000",
      "inbox",
      TOMAS,
      "Sign-up form",
      "2023-11-23 11:12:40",
      "Hi Sam, the form is down to four fields. Could you try it before Wednesday? Tomas",
    ],
    [
      "00000001",
      "inbox",
      IMANI,
      "Visits last week",
      "2023-11-27 08:55:03",
      "Hello Sam, do you want the visits as a chart for our meeting? Imani",
    ],
    [
      "00000002",
      "outbox",
      IMANI,
      "Visits last week",
      "2023-11-27 09:20:31",
      "Hello Imani, yes please, one bar for each day. Sam",
    ],
    [
      "00000003",
      "inbox",
      FARAH,
      "Alder Foods",
      "2023-11-28 16:41:09",
      "Sam, Nora Alder has asked us to come over. I have put it into the calendar. Farah",
    ],
    [
      "00000004",
      "inbox",
      PIOTR,
      "Failed payments",
      "2023-11-29 10:05:57",
      "Hi Sam, two payments failed in the night and left no trace. We should log them. Piotr",
    ],
    [
      "00000005",
      "inbox",
      OSCAR,
      "Pricing review",
      "2023-11-29 17:30:18",
      "Dear Sam, the figures for tomorrow are ready; half an hour will do. Oscar",
    ],
  ]),
  visits: rows(VISIT_COLUMNS, [
    ["2023-11-22", "1042", "4", "35", "direct", "True"],
    ["2023-11-23", "2210", "1", "3", "social media", "False"],
    ["2023-11-23", "3307", "7", "81", "search engine", "True"],
    ["2023-11-24", "4518", "2", "12", "referral", "False"],
    ["2023-11-27", "1042", "9", "64", "direct", "True"],
    ["2023-11-27", "5093", "1", "0", "social media", "False"],
    ["2023-11-28", "6121", "3", "22", "direct", "False"],
    ["2023-11-28", "7764", "5", "47", "search engine", "True"],
    ["2023-11-28", "8235", "2", "9", "direct", "False"],
    ["2023-11-29", "9350", "6", "58", "referral", "True"],
  ]),
  tasks: rows(DATABASES.project_management.columns, [
    ["00000000", "Draw icons for the order page", GRETA, "In Review", "2023-11-28", "Design"],
    ["00000001", "Shorten the sign-up form", TOMAS, "In Progress", "2023-11-29", "Front end"],
    ["00000002", "Cache the price list", PIOTR, "Completed", "2023-11-29", "Back end"],
    ["00000003", "Log failed payments", PIOTR, "Backlog", "2023-12-01", "Back end"],
    ["00000004", "Make the menu work by keyboard", MEI, "In Progress", "2023-12-04", "Front end"],
    ["00000005", "Choose colours for the dark theme", GRETA, "Backlog", "2023-12-06", "Design"],
    ["00000006", "Move old orders to the archive", PIOTR, "Backlog", "2023-12-08", "Back end"],
    ["00000007", "Show delivery dates in the basket", TOMAS, "Backlog", "2023-12-11", "Front end"],
  ]),
  customers: rows(DATABASES.customer_relationship_manager.columns, [
    [
      "00000000",
      FARAH,
      "Nora Alder",
      "nora.alder@alderfoods.example",
      "555-0101",
      "2023-11-28",
      "Software",
      "Proposal",
      "2023-12-05",
      "2023-11-28: Asked for a visit.",
    ],
    [
      "00000001",
      OSCAR,
      "Ivo Castell",
      "ivo@castellprint.example",
      null,
      "2023-11-20",
      "Hardware",
      "Lead",
      "2023-12-01",
      null,
    ],
    [
      "00000002",
      FARAH,
      "June Whitby",
      "june.whitby@whitbyglass.example",
      "555-0117",
      "2023-10-31",
      "Training",
      "Qualified",
      "2023-11-24",
      "2023-10-31: Wants a course for six people.",
    ],
    [
      "00000003",
      OSCAR,
      "Rafael Montes",
      "rafael@montesbikes.example",
      null,
      "2023-11-15",
      "Services",
      "Won",
      null,
      null,
    ],
    [
      "00000004",
      FARAH,
      "Hedda Solberg",
      "hedda@solbergboats.example",
      "555-0142",
      "2023-09-18",
      "Consulting",
      "Lost",
      null,
      "2023-09-18: Took another offer.",
    ],
  ]),
};

/** Rows by column; the tests check that each has all its cells. */
function rows<R extends Row>(
  columns: readonly string[],
  cells: readonly (readonly (string | null)[])[],
): R[] {
  return cells.map(
    (row) => Object.fromEntries(columns.map((column, place) => [column, row[place] ?? null])) as R,
  );
}
