import { beforeEach, describe, expect, it } from "vitest";
import {
  createEvent,
  deleteEvent,
  getEventInformationById,
  searchEvents,
  updateEvent,
} from "../../../../tools/catalogs/office/calendar.js";
import type { OfficeWorld } from "../../../../tools/catalogs/office/state.js";
import type { ToolContext } from "../../../../tools/tool.js";
import { changeOf, sampleContext } from "./support.js";

let ctx: ToolContext<OfficeWorld>;
beforeEach(() => {
  ctx = sampleContext();
});

/** Ids of the events found, or the answer in words. */
function found(search: Parameters<typeof searchEvents>[0]): string[] | string {
  const events = searchEvents(search, ctx);
  return typeof events === "string" ? events : events.map(({ event_id }) => event_id);
}

describe("looking up an event", () => {
  it("gives the one field that is asked for", () => {
    const field = getEventInformationById({ event_id: "00000004", field: "duration" }, ctx);
    expect(field).toEqual({ duration: "60" });
  });

  it.each([
    [{ event_id: "", field: "duration" }, "Event ID not provided."],
    [{ event_id: "00000004", field: "" }, "Field not provided."],
    [{ event_id: "4", field: "duration" }, "Event not found."],
    [{ event_id: "00000004", field: "place" }, "Field not found."],
    [{ event_id: "00000004", field: "toString" }, "Field not found."],
  ])("answers %j with: %s", (args, answer) => {
    expect(getEventInformationById(args, ctx)).toBe(answer);
  });
});

describe("searching for events", () => {
  it("finds them by their name and by the participant, whatever the case", () => {
    expect(found({ query: "STAND-UP" })).toEqual(["00000003", "00000005"]);
    expect(found({ query: "Oscar" })).toEqual(["00000004"]);
  });

  it("gives whole events", () => {
    expect(searchEvents({ query: "pricing" }, ctx)).toEqual([
      {
        event_id: "00000004",
        event_name: "Pricing review",
        participant_email: "oscar.brandt@kestrel.example",
        event_start: "2023-11-30 13:00:00",
        duration: "60",
      },
    ]);
  });

  it("gives at most the first five", () => {
    expect(found({})).toEqual(["00000000", "00000001", "00000002", "00000003", "00000004"]);
  });

  it("takes both bounds of the start as inclusive, to the second", () => {
    const [time_min, time_max] = ["2023-11-30 09:00:00", "2023-11-30 13:00:00"];
    expect(found({ time_min, time_max })).toEqual(["00000003", "00000004"]);
    expect(found({ time_min: "2023-11-30 09:00:01", time_max })).toEqual(["00000004"]);
    expect(found({ time_min, time_max: "2023-11-30 12:59:59" })).toEqual(["00000003"]);
  });

  it("takes a bound without a time of day as midnight, and one without seconds as the full minute", () => {
    expect(found({ time_min: "2023-12-04", time_max: "2023-12-05" })).toEqual(["00000006"]);
    expect(found({ time_min: "2023-12-04T09:30", time_max: "2023-12-04 09:30" })).toEqual([
      "00000006",
    ]);
  });

  it("takes special characters of patterns literally", () => {
    expect(found({ query: "One.to" })).toBe("No events found.");
    expect(found({ query: "(" })).toBe("No events found.");
  });

  it.each(["tomorrow", "2023-02-30", "2023-11-30 25:00:00", "30.11.2023", "2023-13-01"])(
    "says that a bound of %s is none",
    (time) => {
      const form = "Write it as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.";
      expect(found({ time_min: time })).toBe(`time_min not valid. ${form}`);
      expect(found({ time_max: time })).toBe(`time_max not valid. ${form}`);
    },
  );

  it("takes an empty bound as none", () => {
    expect(found({ query: "pricing", time_min: "", time_max: "" })).toEqual(["00000004"]);
  });
});

describe("creating an event", () => {
  const event = {
    event_name: "Lunch",
    participant_email: "Mei.Tan@kestrel.example",
    event_start: "2023-12-01 12:00:00",
    duration: "60",
  };

  it("gives it the id after the highest and its participant in lower case", () => {
    expect(createEvent(event, ctx)).toBe("00000009");
    const added = [
      { event_id: "00000009", ...event, participant_email: "mei.tan@kestrel.example" },
    ];
    expect(changeOf(ctx)).toEqual({ calendar: { added } });
    expect(searchEvents({ query: "lunch" }, ctx)).toEqual(added);
  });

  it("counts on from an event that was created before", () => {
    createEvent(event, ctx);
    expect(createEvent(event, ctx)).toBe("00000010");
  });

  it.each([
    ["event_name", "Event name not provided."],
    ["participant_email", "Participant email not provided."],
    ["event_start", "Event start not provided."],
    ["duration", "Event duration not provided."],
  ])("says when %s is missing", (missing, answer) => {
    expect(createEvent({ ...event, [missing]: "" }, ctx)).toBe(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});

describe("deleting an event", () => {
  it("takes it out of the calendar", () => {
    expect(deleteEvent({ event_id: "00000003" }, ctx)).toBe("Event deleted successfully.");
    expect(found({ query: "stand-up" })).toEqual(["00000005"]);
    expect(changeOf(ctx)).toEqual({ calendar: { deleted: ["00000003"] } });
  });

  it("finds nothing the second time, and nothing under an unknown id", () => {
    deleteEvent({ event_id: "00000003" }, ctx);
    for (const event_id of ["00000003", "99999999"]) {
      expect(deleteEvent({ event_id }, ctx)).toBe("Event not found.");
    }
    expect(deleteEvent({ event_id: "" }, ctx)).toBe("Event ID not provided.");
  });

  it("forgets what was changed of it before", () => {
    updateEvent({ event_id: "00000003", field: "duration", new_value: "15" }, ctx);
    deleteEvent({ event_id: "00000003" }, ctx);
    expect(changeOf(ctx)).toEqual({ calendar: { deleted: ["00000003"] } });
  });

  it("leaves nothing of one that the run itself has created", () => {
    const event_id = createEvent(
      {
        event_name: "Lunch",
        participant_email: "mei.tan@kestrel.example",
        event_start: "2023-12-01 12:00:00",
        duration: "60",
      },
      ctx,
    );
    deleteEvent({ event_id }, ctx);
    expect(changeOf(ctx)).toEqual({});
  });
});

describe("changing an event", () => {
  const event_id = "00000006";

  it("keeps the fields that have another value than at the start", () => {
    const set = (field: string, new_value: string) =>
      updateEvent({ event_id, field, new_value }, ctx);
    expect(set("event_name", "Long one-to-one")).toBe("Event updated successfully.");
    set("duration", "90");
    set("participant_email", "Mei.Tan@Kestrel.example");
    expect(getEventInformationById({ event_id, field: "event_name" }, ctx)).toEqual({
      event_name: "Long one-to-one",
    });
    set("duration", "30");
    const changed = {
      [event_id]: { event_name: "Long one-to-one", participant_email: "mei.tan@kestrel.example" },
    };
    expect(changeOf(ctx)).toEqual({ calendar: { changed } });
  });

  it("is not a change if everything is put back", () => {
    updateEvent({ event_id, field: "duration", new_value: "90" }, ctx);
    updateEvent({ event_id, field: "duration", new_value: "30" }, ctx);
    expect(changeOf(ctx)).toEqual({});
  });

  const missing = "Event ID, field, or new value not provided.";
  const unknownField =
    "Field not valid. It must be one of: event_name, participant_email, event_start, duration.";
  it.each([
    [{ event_id: "", field: "duration", new_value: "30" }, missing],
    [{ event_id, field: "", new_value: "30" }, missing],
    [{ event_id, field: "duration", new_value: "" }, missing],
    [{ event_id: "6", field: "duration", new_value: "90" }, "Event not found."],
    [{ event_id, field: "place", new_value: "Oslo" }, unknownField],
    [{ event_id, field: "event_id", new_value: "00000099" }, unknownField],
  ])("answers %j with: %s", (args, answer) => {
    expect(updateEvent(args, ctx)).toBe(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});
