import type { ToolContext } from "../../tool.js";
import { deleteRecord, holds, readField } from "./records.js";
import { addRow, rowsOf, rowWith } from "./rows.js";
import type { OfficeWorld } from "./state.js";
import type { Email } from "./tables.js";
import { boundsProblem, isDayWithin, NOW } from "./times.js";

/** The most emails that a search returns. */
const MOST_EMAILS = 5;

/**
 * Look up one field of an email whose id is known, such as its whole body.
 *
 * @name email.get_email_information_by_id
 * @effects read
 * @flow private foreign
 * @returns the field with its value, or in words why there is none
 */
export function getEmailInformationById(
  {
    email_id,
    field,
  }: {
    /** Id of the email, digits only */
    email_id: string;
    /** Field to look up: email_id, inbox/outbox, sender/recipient, subject, sent_datetime or body */
    field: string;
  },
  ctx: ToolContext<OfficeWorld>,
): Record<string, string | null> | string {
  return readField({ world: ctx.world, database: "email", id: email_id, field });
}

/**
 * Find emails of the user by words and by the day on which they were sent. Shows the newest first,
 * at most 5.
 *
 * @name email.search_emails
 * @effects read
 * @flow private foreign
 * @returns the emails with id, sender or recipient, subject, time of sending and body, or in words
 * that there are none
 */
export function searchEmails(
  {
    query = "",
    date_min,
    date_max,
  }: {
    /** Words that must all occur in the subject, the body or the other side's address; any email when empty */
    query?: string;
    /** First day of sending, inclusive, as YYYY-MM-DD */
    date_min?: string;
    /** Last day of sending, inclusive, as YYYY-MM-DD */
    date_max?: string;
  },
  ctx: ToolContext<OfficeWorld>,
): Email[] | string {
  const problem = boundsProblem({ date_min, date_max });
  if (problem !== undefined) return problem;
  const words = query.split(/\s+/);
  const found = rowsOf(ctx.world, "email")
    .filter(
      ({ subject, body, "sender/recipient": address, sent_datetime }) =>
        words.every((word) => holds(`${subject} ${body} ${address}`, word)) &&
        isDayWithin(sent_datetime, { min: date_min, max: date_max }),
    )
    .toSorted(newestFirst);
  return found.length > 0 ? found.slice(0, MOST_EMAILS) : "No emails found.";
}

/**
 * Write and send a new email in the user's name.
 *
 * @name email.send_email
 * @effects write
 * @flow outward(subject, body)
 * @returns in words whether the email was sent
 */
export function sendEmail(
  {
    recipient,
    subject,
    body,
  }: {
    /** Email address of the recipient */
    recipient: string;
    /** Subject line */
    subject: string;
    /** Text of the email */
    body: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  if (!recipient || !subject || !body) return "Recipient, subject, or body not provided.";
  return send({ world: ctx.world, recipient, subject, body }) ?? "Email sent successfully.";
}

/**
 * Delete an email of the user.
 *
 * @name email.delete_email
 * @effects write
 * @returns in words whether the email was deleted
 */
export function deleteEmail(
  {
    email_id,
  }: {
    /** Id of the email, digits only */
    email_id: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  return deleteRecord({ world: ctx.world, database: "email", id: email_id });
}

/**
 * Send an email that the user has on to somebody else, with its body unchanged and "FW: " before its
 * subject.
 *
 * @name email.forward_email
 * @effects write
 * @flow outward
 * @returns in words whether the email was forwarded
 */
export function forwardEmail(
  {
    email_id,
    recipient,
  }: {
    /** Id of the email, digits only */
    email_id: string;
    /** Email address of the one who is to get it */
    recipient: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  if (!email_id || !recipient) return "Email ID or recipient not provided.";
  const email = rowWith(ctx.world, "email", email_id);
  if (email === undefined) return "Email not found.";
  const { body } = email;
  const subject = `FW: ${email.subject}`;
  return send({ world: ctx.world, recipient, subject, body }) ?? "Email forwarded successfully.";
}

/**
 * Answer an email: send a text to its other side under the same subject.
 *
 * @name email.reply_email
 * @effects write
 * @flow outward(body)
 * @returns in words whether the answer was sent
 */
export function replyEmail(
  {
    email_id,
    body,
  }: {
    /** Id of the email to answer, digits only */
    email_id: string;
    /** Text of the answer */
    body: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  if (!email_id || !body) return "Email ID or body not provided.";
  const email = rowWith(ctx.world, "email", email_id);
  if (email === undefined) return "Email not found.";
  const { subject, "sender/recipient": recipient } = email;
  return send({ world: ctx.world, recipient, subject, body }) ?? "Email replied successfully.";
}

/** Puts an email into the outbox, or returns what is wrong with it. */
function send({
  world,
  recipient,
  subject,
  body,
}: {
  world: OfficeWorld;
  recipient: string;
  subject: string;
  body: string;
}): string | undefined {
  if (!recipient.includes("@") || !recipient.includes(".")) {
    return "Invalid recipient email address.";
  }
  const values = {
    "inbox/outbox": "outbox",
    "sender/recipient": recipient.toLowerCase(),
    subject,
    sent_datetime: NOW,
    body,
  };
  addRow({ world, database: "email", values });
  return undefined;
}

function newestFirst(left: Email, right: Email): number {
  if (left.sent_datetime === right.sent_datetime) return 0;
  return left.sent_datetime < right.sent_datetime ? 1 : -1;
}
