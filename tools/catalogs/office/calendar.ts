import type { ToolContext } from "../../tool.js";
import { deleteRecord, holds, readField, updateRecord } from "./records.js";
import { addRow, rowsOf } from "./rows.js";
import type { OfficeWorld } from "./state.js";
import type { CalendarEvent } from "./tables.js";
import { boundsProblem, isTimeWithin } from "./times.js";

/** The most events that a search returns. */
const MOST_EVENTS = 5;

/**
 * Look up one field of a calendar event whose id is known.
 *
 * @name calendar.get_event_information_by_id
 * @effects read
 * @flow private foreign
 * @returns the field with its value, or in words why there is none
 */
export function getEventInformationById(
  {
    event_id,
    field,
  }: {
    /** Id of the event: eight digits */
    event_id: string;
    /** Field to look up: event_id, event_name, participant_email, event_start or duration */
    field: string;
  },
  ctx: ToolContext<OfficeWorld>,
): Record<string, string | null> | string {
  return readField({ world: ctx.world, database: "calendar", id: event_id, field });
}

/**
 * Find events in the user's calendar by a part of their name or of a participant's address and by
 * when they start. Shows at most 5, in the order of their start with newly created ones last: ask
 * for a shorter stretch of time when there may be more.
 *
 * @name calendar.search_events
 * @effects read
 * @flow private foreign
 * @returns the events with id, name, participant, start and duration in minutes, or in words that
 * there are none
 */
export function searchEvents(
  {
    query = "",
    time_min,
    time_max,
  }: {
    /** Text that the event's name or its participant's email address contains; any event when empty */
    query?: string;
    /** Earliest start, inclusive, as YYYY-MM-DD HH:MM:SS */
    time_min?: string;
    /** Latest start, inclusive, as YYYY-MM-DD HH:MM:SS */
    time_max?: string;
  },
  ctx: ToolContext<OfficeWorld>,
): CalendarEvent[] | string {
  const problem = boundsProblem({ time_min, time_max });
  if (problem !== undefined) return problem;
  const found = rowsOf(ctx.world, "calendar").filter(
    ({ event_name, participant_email, event_start }) =>
      (holds(event_name, query) || holds(participant_email, query)) &&
      isTimeWithin(event_start, { min: time_min, max: time_max }),
  );
  return found.length > 0 ? found.slice(0, MOST_EVENTS) : "No events found.";
}

/**
 * Put a new event with one participant into the user's calendar. Does not look whether the time is
 * free.
 *
 * @name calendar.create_event
 * @effects write
 * @flow outward(event_name)
 * @returns the id of the new event, or in words what is missing
 */
export function createEvent(
  {
    event_name,
    participant_email,
    event_start,
    duration,
  }: {
    /** Name of the event */
    event_name: string;
    /** Email address of the participant */
    participant_email: string;
    /** When the event starts, as YYYY-MM-DD HH:MM:SS */
    event_start: string;
    /** Length in minutes, digits only, such as "30" */
    duration: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  if (!event_name) return "Event name not provided.";
  if (!participant_email) return "Participant email not provided.";
  if (!event_start) return "Event start not provided.";
  if (!duration) return "Event duration not provided.";
  const participant = participant_email.toLowerCase();
  const values = { event_name, participant_email: participant, event_start, duration };
  return addRow({ world: ctx.world, database: "calendar", values });
}

/**
 * Delete an event from the user's calendar: cancel a meeting.
 *
 * @name calendar.delete_event
 * @effects write
 * @returns in words whether the event was deleted
 */
export function deleteEvent(
  {
    event_id,
  }: {
    /** Id of the event: eight digits */
    event_id: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  return deleteRecord({ world: ctx.world, database: "calendar", id: event_id });
}

/**
 * Change one field of a calendar event: rename, move, lengthen or shorten it, or give it another
 * participant.
 *
 * @name calendar.update_event
 * @effects write
 * @returns in words whether the event was changed
 */
export function updateEvent(
  {
    event_id,
    field,
    new_value,
  }: {
    /** Id of the event: eight digits */
    event_id: string;
    /** Field to change: event_name, participant_email, event_start or duration */
    field: string;
    /** New value; event_start as YYYY-MM-DD HH:MM:SS, duration in minutes */
    new_value: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  const { world } = ctx;
  return updateRecord({ world, database: "calendar", id: event_id, field, value: new_value });
}
