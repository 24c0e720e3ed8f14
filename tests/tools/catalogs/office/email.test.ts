import { beforeEach, describe, expect, it } from "vitest";
import {
  deleteEmail,
  forwardEmail,
  getEmailInformationById,
  replyEmail,
  searchEmails,
  sendEmail,
} from "../../../../tools/catalogs/office/email.js";
import type { OfficeWorld } from "../../../../tools/catalogs/office/state.js";
import type { ToolContext } from "../../../../tools/tool.js";
import { changeOf, sampleContext } from "./support.js";

let ctx: ToolContext<OfficeWorld>;
beforeEach(() => {
  ctx = sampleContext();
});

const SENT = { "inbox/outbox": "outbox", sent_datetime: "2023-11-30 00:00:00" };

/** Ids of the emails found, or the answer in words. */
function found(search: Parameters<typeof searchEmails>[0]): string[] | string {
  const emails = searchEmails(search, ctx);
  return typeof emails === "string" ? emails : emails.map(({ email_id }) => email_id);
}

describe("looking up an email", () => {
  it("gives the one field that is asked for", () => {
    expect(getEmailInformationById({ email_id: "00000002", field: "inbox/outbox" }, ctx)).toEqual({
      "inbox/outbox": "outbox",
    });
  });

  it.each([
    [{ email_id: "", field: "body" }, "Email ID not provided."],
    [{ email_id: "00000002", field: "" }, "Field not provided."],
    [{ email_id: "00000077", field: "body" }, "Email not found."],
    [{ email_id: "00000002", field: "sender" }, "Field not found."],
  ])("answers %j with: %s", (args, answer) => {
    expect(getEmailInformationById(args, ctx)).toBe(answer);
  });
});

describe("searching for emails", () => {
  it("wants every word in the subject, the body or the address, whatever the case", () => {
    expect(found({ query: "VISITS imani" })).toEqual(["00000002", "00000001"]);
    expect(found({ query: "visits  chart" })).toEqual(["00000001"]);
    expect(found({ query: "visits payments" })).toBe("No emails found.");
  });

  it("gives the newest five at most, the newest first", () => {
    expect(found({})).toEqual(["00000005", "00000004", "00000003", "00000002", "00000001"]);
  });

  it("takes both bounds as whole days, inclusive", () => {
    expect(found({ date_min: "2023-11-28", date_max: "2023-11-29" })).toEqual([
      "00000005",
      "00000004",
      "00000003",
    ]);
    expect(found({ date_min: "2023-11-28 23:59:59", date_max: "2023-11-28 00:00:00" })).toEqual([
      "00000003",
    ]);
  });

  it("refuses a bound that is not a date", () => {
    expect(found({ date_min: "yesterday" })).toMatch(/^date_min not valid\. /);
    expect(found({ date_max: "2023-11-31" })).toMatch(/^date_max not valid\. /);
  });
});

describe("sending an email", () => {
  const email = { recipient: "Mei.Tan@kestrel.example", subject: "Lunch", body: "At twelve?" };

  it("puts it into the outbox at the office's time, with the next id and no leading zeros", () => {
    expect(sendEmail(email, ctx)).toBe("Email sent successfully.");
    const { subject, body } = email;
    const row = { ...SENT, "sender/recipient": "mei.tan@kestrel.example", subject, body };
    expect(changeOf(ctx)).toEqual({ email: { added: [{ email_id: "6", ...row }] } });
    expect(found({ query: "lunch" })).toEqual(["6"]);
  });

  it("replaces no other after an email was deleted", () => {
    deleteEmail({ email_id: "00000001" }, ctx);
    sendEmail(email, ctx);
    expect(found({})).toEqual(["6", "00000005", "00000004", "00000003", "00000002"]);
  });

  it.each([
    [{ ...email, recipient: "" }, "Recipient, subject, or body not provided."],
    [{ ...email, subject: "" }, "Recipient, subject, or body not provided."],
    [{ ...email, body: "" }, "Recipient, subject, or body not provided."],
    [{ ...email, recipient: "mei" }, "Invalid recipient email address."],
    [{ ...email, recipient: "mei.tan" }, "Invalid recipient email address."],
  ])("answers %j with: %s", (args, answer) => {
    expect(sendEmail(args, ctx)).toBe(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});

describe("deleting an email", () => {
  it("takes it out of the mailbox, once", () => {
    expect(deleteEmail({ email_id: "00000005" }, ctx)).toBe("Email deleted successfully.");
    expect(deleteEmail({ email_id: "00000005" }, ctx)).toBe("Email not found.");
    expect(deleteEmail({ email_id: "" }, ctx)).toBe("Email ID not provided.");
    expect(changeOf(ctx)).toEqual({ email: { deleted: ["00000005"] } });
  });
});

describe("forwarding an email", () => {
  it("forwards its body under its subject with a mark before it", () => {
    const args = { email_id: "00000004", recipient: "Oscar.Brandt@kestrel.example" };
    expect(forwardEmail(args, ctx)).toBe("Email forwarded successfully.");
    const body =
      "Hi Sam, two payments failed in the night and left no trace. We should log them. Piotr";
    const row = { email_id: "6", ...SENT, subject: "FW: Failed payments", body };
    expect(changeOf(ctx)).toEqual({
      email: { added: [{ ...row, "sender/recipient": "oscar.brandt@kestrel.example" }] },
    });
  });

  it.each([
    [{ email_id: "", recipient: "a@b.example" }, "Email ID or recipient not provided."],
    [{ email_id: "00000004", recipient: "" }, "Email ID or recipient not provided."],
    [{ email_id: "00000099", recipient: "oscar" }, "Email not found."],
    [{ email_id: "00000004", recipient: "oscar" }, "Invalid recipient email address."],
  ])("answers %j with: %s", (args, answer) => {
    expect(forwardEmail(args, ctx)).toBe(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});

describe("replying to an email", () => {
  it("sends an answer to its other side under the same subject", () => {
    const args = { email_id: "00000000", body: "I will." };
    expect(replyEmail(args, ctx)).toBe("Email replied successfully.");
    const row = { email_id: "6", ...SENT, subject: "Sign-up form", body: "I will." };
    expect(changeOf(ctx)).toEqual({
      email: { added: [{ ...row, "sender/recipient": "tomas.vega@kestrel.example" }] },
    });
  });

  it.each([
    [{ email_id: "", body: "Yes" }, "Email ID or body not provided."],
    [{ email_id: "00000000", body: "" }, "Email ID or body not provided."],
    [{ email_id: "00000099", body: "Yes" }, "Email not found."],
  ])("answers %j with: %s", (args, answer) => {
    expect(replyEmail(args, ctx)).toBe(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});
