import { describe, expect, it } from "vitest";
import { CATALOGS } from "../../../../tools/catalogs/index.js";
import { SAMPLE_OFFICE } from "../../../../tools/catalogs/office/sample.js";
import { NOW } from "../../../../tools/catalogs/office/times.js";

const TIME = /^2023-1[0-2]-\d\d \d\d:\d\d:00$/;
const DATE = /^2023-(09|1[0-2])-\d\d$/;
const SECOND = /^2023-11-\d\d \d\d:\d\d:\d\d$/;
const DIGITS = /^\d+$/;
const { addresses, events, emails, visits, tasks, customers } = SAMPLE_OFFICE;
const COLLEAGUE = new RegExp(`^(${addresses.join("|")})$`);

describe("the invented office", () => {
  it("has all cells of all rows, each with a value of its column", () => {
    for (const row of events) {
      expect(row.event_start).toMatch(TIME);
      expect([row.participant_email, row.duration]).toEqual([
        expect.stringMatching(COLLEAGUE),
        expect.stringMatching(DIGITS),
      ]);
    }
    for (const row of emails) {
      expect(row.sent_datetime).toMatch(SECOND);
      expect(row["sender/recipient"]).toMatch(COLLEAGUE);
      expect(row["inbox/outbox"]).toMatch(/^(inbox|outbox)$/);
      expect(row.body).toMatch(/\w/);
    }
    for (const row of visits) {
      expect(row.date_of_visit).toMatch(DATE);
      expect(row.session_duration_seconds).toMatch(DIGITS);
      expect(row.traffic_source).toMatch(/^(direct|referral|search engine|social media)$/);
      expect(row.user_engaged).toMatch(/^(True|False)$/);
    }
    for (const row of tasks) {
      expect(row.assigned_to_email).toMatch(COLLEAGUE);
      expect(row.list_name).toMatch(/^(Backlog|In Progress|In Review|Completed)$/);
      expect(row.due_date).toMatch(DATE);
      expect(row.board).toMatch(/^(Back end|Front end|Design)$/);
    }
    for (const row of customers) {
      expect(row.assigned_to_email).toMatch(COLLEAGUE);
      expect(row.status).toMatch(/^(Qualified|Won|Lost|Lead|Proposal)$/);
      expect(row.product_interest).toMatch(/^(Software|Hardware|Services|Consulting|Training)$/);
      expect(row.last_contact_date).toMatch(DATE);
      expect(row.follow_up_by ?? "2023-12-01").toMatch(DATE);
    }
  });

  it("counts the ids of every table from 0", () => {
    const ids = [
      events.map(({ event_id }) => event_id),
      emails.map(({ email_id }) => email_id),
      tasks.map(({ task_id }) => task_id),
      customers.map(({ customer_id }) => customer_id),
    ];
    for (const column of ids) {
      expect(column).toEqual(column.map((_id, place) => String(place).padStart(8, "0")));
    }
  });
});

describe("what a model is told of the office", () => {
  it("names the day and the time at which its clock stands, the weekday too", () => {
    const day = new Date(`${NOW.replace(" ", "T")}Z`);
    const options = { timeZone: "UTC", weekday: "long", day: "numeric", month: "long" } as const;
    const [weekday, date] = day.toLocaleDateString("en-GB", options).split(/,? (.*)/s);
    expect(CATALOGS["office"]?.background).toContain(
      `Today is ${weekday}, ${date} ${day.getUTCFullYear()}`,
    );
    expect(CATALOGS["office"]?.background).toContain(`the time is ${NOW.slice(-8)}`);
  });
});
