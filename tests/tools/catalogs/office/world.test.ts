import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SAMPLE_OFFICE } from "../../../../tools/catalogs/office/sample.js";
import type { OfficeWorld } from "../../../../tools/catalogs/office/state.js";
import { contextOn, officeFunction, sampleWorld } from "./support.js";

interface Call {
  tool: string;
  args: Record<string, string>;
}

const EVENT_ID = fc.integer({ min: 0, max: 11 }).map((id) => String(id).padStart(8, "0"));
const EMAIL_ID = fc.oneof(EVENT_ID, fc.constantFrom("6", "7", "8"));
const TEXT = fc.constantFrom("Stand-up", "One-to-one", "30", "Lead", "Design", "mei.tan@x.example");
const FIELD = fc.constantFrom(
  "event_name",
  "duration",
  "participant_email",
  "task_name",
  "board",
  "customer_name",
  "status",
  "notes",
);

function call(tool: string, args: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<Call> {
  return fc.record(args).map((values) => ({ tool, args: values }));
}

const PERSON = fc.constantFrom("mei.tan@kestrel.example", "Tomas.Vega@kestrel.example");

const CALL: fc.Arbitrary<Call> = fc.oneof(
  call("calendar.delete_event", { event_id: EVENT_ID }),
  call("calendar.update_event", { event_id: EVENT_ID, field: FIELD, new_value: TEXT }),
  call("calendar.create_event", {
    event_name: TEXT,
    participant_email: PERSON,
    event_start: fc.constantFrom("2023-11-29 10:00:00", "2023-12-01 10:00:00"),
    duration: TEXT,
  }),
  call("email.send_email", { recipient: PERSON, subject: TEXT, body: TEXT }),
  call("email.forward_email", { email_id: EMAIL_ID, recipient: PERSON }),
  call("email.reply_email", { email_id: EMAIL_ID, body: TEXT }),
  call("email.delete_email", { email_id: EMAIL_ID }),
  call("analytics.create_plot", {
    time_min: TEXT,
    time_max: TEXT,
    value_to_plot: fc.constant("total_visits"),
    plot_type: fc.constantFrom("bar", "line"),
  }),
  call("project_management.delete_task", { task_id: EVENT_ID }),
  call("project_management.update_task", { task_id: EVENT_ID, field: FIELD, new_value: TEXT }),
  call("project_management.create_task", {
    task_name: TEXT,
    assigned_to_email: PERSON,
    list_name: fc.constant("Backlog"),
    due_date: fc.constant("2023-12-24"),
    board: fc.constant("Design"),
  }),
  call("customer_relationship_manager.delete_customer", { customer_id: EVENT_ID }),
  call("customer_relationship_manager.update_customer", {
    customer_id: EVENT_ID,
    field: FIELD,
    new_value: TEXT,
  }),
  call("customer_relationship_manager.add_customer", {
    customer_name: TEXT,
    assigned_to_email: PERSON,
    status: TEXT,
  }),
);

const LOOKS: Call[] = [
  { tool: "calendar.search_events", args: {} },
  { tool: "calendar.search_events", args: { time_min: "2023-12-01" } },
  { tool: "email.search_emails", args: {} },
  { tool: "project_management.search_tasks", args: { due_date: "2023" } },
  { tool: "customer_relationship_manager.search_customers", args: { customer_name: "e" } },
];

function answers(world: OfficeWorld, calls: readonly Call[]): unknown[] {
  return calls.map(({ tool, args }) => officeFunction(tool)(args, contextOn(world)));
}

/** A world that was written down and read again. */
function restored(world: OfficeWorld): OfficeWorld {
  return sampleWorld.load(JSON.parse(JSON.stringify(sampleWorld.save(world))));
}

const SEQUENCE = fc.array(CALL, { maxLength: 25 });

describe("an office that was saved and loaded", () => {
  it("answers all further calls like one that was not", () => {
    fc.assert(
      fc.property(SEQUENCE, SEQUENCE, (before, after) => {
        const world = sampleWorld.create();
        answers(world, before);
        const copy = restored(world);
        expect(answers(copy, LOOKS)).toEqual(answers(world, LOOKS));
        expect(answers(copy, after)).toEqual(answers(world, after));
        expect(answers(copy, LOOKS)).toEqual(answers(world, LOOKS));
        expect(sampleWorld.save(copy)).toEqual(sampleWorld.save(world));
      }),
    );
  });

  it("does the same when it is saved and loaded after every single call", () => {
    fc.assert(
      fc.property(SEQUENCE, (calls) => {
        const world = sampleWorld.create();
        let copy = sampleWorld.create();
        for (const each of calls) {
          expect(answers(copy, [each])).toEqual(answers(world, [each]));
          copy = restored(copy);
        }
        expect(copy).toEqual(world);
      }),
    );
  });

  it("shares nothing with what was saved nor with another run", () => {
    fc.assert(
      fc.property(SEQUENCE, SEQUENCE, (before, after) => {
        const world = sampleWorld.create();
        answers(world, before);
        const saved = sampleWorld.save(world);
        const text = JSON.stringify(saved);
        answers(sampleWorld.load(saved), after);
        answers(world, after);
        expect(JSON.stringify(saved)).toBe(text);
        expect(sampleWorld.save(sampleWorld.create())).toEqual({});
      }),
    );
  });

  it("never changes the tables of the start", () => {
    const text = JSON.stringify(SAMPLE_OFFICE);
    fc.assert(
      fc.property(SEQUENCE, (calls) => {
        answers(sampleWorld.create(), calls);
        expect(JSON.stringify(SAMPLE_OFFICE)).toBe(text);
      }),
    );
  });
});

describe("what is saved of an office", () => {
  it("is nothing at the start and after mere look-ups", () => {
    const world = sampleWorld.create();
    expect(sampleWorld.save(world)).toEqual({});
    answers(world, LOOKS);
    expect(sampleWorld.save(world)).toEqual({});
  });

  it("names no unchanged value, and no row twice except one that took a deleted row's id", () => {
    fc.assert(
      fc.property(SEQUENCE, (calls) => {
        const world = sampleWorld.create();
        answers(world, calls);
        const { deleted, changed } = world.change.calendar;
        expect(new Set(deleted).size).toBe(deleted.length);
        for (const [id, values] of Object.entries(changed)) {
          expect(deleted).not.toContain(id);
          const before = SAMPLE_OFFICE.events.find(({ event_id }) => event_id === id);
          expect(Object.keys(values)).not.toHaveLength(0);
          for (const [column, value] of Object.entries(values)) {
            expect((before as Record<string, string> | undefined)?.[column]).not.toBe(value);
          }
        }
      }),
    );
  });

  it("is refused if it is not a change of an office", () => {
    expect(() => sampleWorld.load({ kitchen: {} })).toThrow(/change of the office: .*kitchen/);
  });
});
