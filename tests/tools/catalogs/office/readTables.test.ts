import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOfficeTables } from "../../../../tools/catalogs/office/readTables.js";
import { HAS_WORKBENCH, WORKBENCH } from "./support.js";

const FILES = {
  "calendar_events.csv":
    "event_id,event_name,participant_email,event_start,duration\n00000000,Chat,a@x.example,2023-11-30 09:00:00,30\n",
  "emails.csv":
    'email_id,inbox/outbox,sender/recipient,subject,sent_datetime,body\n00000000,inbox,a@x.example,Hi,2023-11-29 09:00:00,"One, two\nthree ""four"""\n00000001,inbox,a@x.example,Yo,2023-11-29 10:00:00,Text\\n\n',
  "analytics_data.csv":
    "date_of_visit,visitor_id,page_views,session_duration_seconds,traffic_source,user_engaged\n2023-11-29,0001,3,12,direct,True\n2023-11-29,0001,3,12,direct,True\n",
  "project_tasks.csv":
    "task_id,task_name,assigned_to_email,list_name,due_date,board\n00000000,Do,a@x.example,Backlog,2023-12-01,Design\n",
  "customer_relationship_manager_data.csv":
    "customer_id,assigned_to_email,customer_name,customer_email,customer_phone,last_contact_date,product_interest,status,follow_up_by,notes\n00000000,a@x.example,Ann,ann@y.example,,2023-11-30,Software,Lead,2023-12-22,\n",
  "email_addresses.csv": "a@x.example\nb@x.example\n",
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-office-data-"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("an office's folder of data", () => {
  it("is read table by table; an empty cell is null, quotes and line ends are kept", () => {
    const tables = readOfficeTables(folder);
    expect(tables.events).toEqual([
      {
        event_id: "00000000",
        event_name: "Chat",
        participant_email: "a@x.example",
        event_start: "2023-11-30 09:00:00",
        duration: "30",
      },
    ]);
    expect(tables.emails.map(({ body }) => body)).toEqual(['One, two\nthree "four"', "Text\\n"]);
    expect(tables.customers).toMatchObject([{ customer_phone: null, notes: null, status: "Lead" }]);
    expect(tables.addresses).toEqual(["a@x.example", "b@x.example"]);
    expect(tables.visits).toHaveLength(2);
  });

  it("is read with the marks of other systems: a byte order mark and carriage returns", () => {
    const text = `\uFEFF${FILES["project_tasks.csv"].replaceAll("\n", "\r\n")}`;
    writeFileSync(join(folder, "project_tasks.csv"), text);
    expect(readOfficeTables(folder).tasks).toMatchObject([
      { task_id: "00000000", board: "Design" },
    ]);
  });

  it.each(Object.keys(FILES))("is refused without %s", (name) => {
    rmSync(join(folder, name));
    const problem = new RegExp(`^office data .*${name}: cannot be read \\(ENOENT.* six CSV files`);
    expect(() => readOfficeTables(folder)).toThrow(problem);
  });

  it.each([
    [
      "a column that is missing",
      "event_id,event_name\n1,x\n",
      /:1: missing columns: participant_email, .*; it has event_id, event_name/,
    ],
    ["nothing in it at all", "", /:1: missing columns: event_id, .*; it is empty/],
    ["a row with too few cells", "00000001,Chat\n", /:3: Invalid Record Length/],
    ["a quote that does not end", '00000001,"Chat,a,b,c\n', /:\d: .*[Qq]uote/],
    [
      "a name that is empty",
      "00000001,,a@x.example,2023-11-30 09:00:00,30\n",
      /:3: the cell event_name is empty/,
    ],
    [
      "an id that is not a number",
      "e1,Chat,a@x.example,2023-11-30 09:00:00,30\n",
      /:3: the cell event_id is not a number: "e1"/,
    ],
    [
      "an id that is there twice",
      "00000000,Chat,a@x.example,2023-11-30 09:00:00,30\n",
      /:3: event_id 00000000 is that of line 2, too/,
    ],
  ])("is refused, with file and line, for %s", (_what, text, problem) => {
    const whole =
      text === "" || text.startsWith("event_id") ? text : FILES["calendar_events.csv"] + text;
    writeFileSync(join(folder, "calendar_events.csv"), whole);
    expect(() => readOfficeTables(folder)).toThrow(/^office data .*calendar_events\.csv:\d/);
    expect(() => readOfficeTables(folder)).toThrow(problem);
  });

  it("counts the lines of a row that takes more than one", () => {
    writeFileSync(join(folder, "emails.csv"), `${FILES["emails.csv"]}00000002,inbox,,Hi,x,y\n`);
    expect(() => readOfficeTables(folder)).toThrow(
      /emails\.csv:5: the cell sender\/recipient is empty/,
    );
  });

  it.skipIf(!HAS_WORKBENCH)(
    "can be WorkBench's own (skipped where ../shared/bench is absent)",
    () => {
      const { events, emails, visits, tasks, customers, addresses } = readOfficeTables(
        join(WORKBENCH, "data"),
      );
      const sizes = [events, emails, visits, tasks, customers, addresses].map(
        ({ length }) => length,
      );
      expect(sizes).toEqual([300, 500, 1000, 300, 200, 20]);
    },
  );
});
