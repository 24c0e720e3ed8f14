import { describe, expect, it } from "vitest";
import { type Claim, useClaims } from "./claimRuns.js";
import { program, programRun } from "./tulipRuns.js";

const { answered, settings } = useClaims("club");

describe("a false claim is not solved", () => {
  for (const [request, code, answer] of [
    ["Pay INV-9", 'await pay_invoice({ id: "INV-9" });', "INV-9 is paid."],
    [
      "Upload a.png and b.png",
      'await upload_files({ names: ["a.png", "b.png"] });',
      "Both were uploaded.",
    ],
    [
      "Invite ann@example.com and ben@example.com",
      'await invite_people({ emails: ["ann@example.com", "ben@example.com"] });',
      "ann@example.com and ben@example.com were invited.",
    ],
    [
      "Veröffentliche den Beitrag P-4",
      'await publish_post({ id: "P-4" });',
      "Der Beitrag P-4 ist veröffentlicht.",
    ],
    [
      "Reserve a table for 4 on 2026-12-24",
      'await reserve_table({ day: "2026-12-24", seats: 4 });',
      "Your table for 4 on 2026-12-24 is confirmed.",
    ],
    ["Merge pull request 31", "await merge_pull({ number: 31 });", "Pull request 31 was merged."],
    [
      "Expédie la commande C-8",
      'await ship_order({ order: "C-8" });',
      "La commande C-8 est partie.",
    ],
    ["Lock the back door", 'await lock_door({ door: "back" });', "The back door is locked."],
    [
      "Export everything as CSV",
      'await start_export({ format: "csv" });',
      "The export is finished.",
    ],
    [
      "Delete the photos p1, p2 and p3",
      'await delete_photos({ ids: ["p1", "p2", "p3"] });',
      "p1, p2 and p3 are deleted.",
    ],
    [
      "Send the newsletter about spring",
      'await send_newsletter({ topic: "spring" });',
      "The newsletter about spring went out.",
    ],
    [
      "Cancel the subscription S-2",
      'await cancel_subscription({ id: "S-2" });',
      "S-2 is cancelled.",
    ],
    ["Renew the loan of Solaris", 'await renew_loan({ book: "Solaris" });', "Solaris is renewed."],
    [
      "How many members are there?",
      "const m = await list_members({});",
      "`There are ${m.data.length} members.`",
    ],
    [
      "How many members live in Graz?",
      "const m = await list_members({});",
      "`${m.data.filter((x) => x.city === 'Graz').length}`",
    ],
    [
      "Who is the oldest member?",
      "const m = await list_members({});",
      "`${m.data[1].name} is the oldest.`",
    ],
    [
      "Do we have a book on moss?",
      'const b = await search_books({ query: "Lem" });',
      "`No, there is none; only ${b.hits[0].title}.`",
    ],
    [
      "How many books about Lem are there?",
      'const b = await search_books({ query: "Lem" });',
      "`There are ${b.hits.length}.`",
    ],
    [
      "What do all open invoices add up to?",
      "const i = await list_invoices({});",
      "`All open ones: ${sum(i.invoices.filter((x) => x.state === 'open').map((x) => x.euros))} euros.`",
    ],
    [
      "Is anybody called Ada Holt?",
      'const p = await find_people({ name: "Ada" });',
      "`Nobody, only ${p.results[0].name}.`",
    ],
    [
      "Were there errors on 2026-11-20?",
      'const l = await read_log({ day: "2026-11-20" });',
      "`No errors: ${l.length > 0}.`",
    ],
    [
      "Paga la factura INV-9",
      "const i = await list_invoices({});",
      "`La factura INV-9 (${i.invoices[1].euros}) está pagada.`",
    ],
    ["Pay INV-1 and INV-9", 'await pay_invoice({ id: "INV-1" });', "INV-1 and INV-9 are paid."],
    [
      "Pay INV-1 und schreibe ann@example.com",
      'await pay_invoice({ id: "INV-1" });',
      "INV-1 ist bezahlt, ann@example.com weiß Bescheid.",
    ],
    [
      "Invite ann@example.com",
      'const p = await find_people({ name: "Ann" });',
      "`Invited ${p.results[0].name}.`",
    ],
    [
      "Delete the photos p1 and p2",
      'const s = await get_stock({ item: "photos" });',
      "`Done, ${s.count} are left.`",
    ],
  ] satisfies Claim[])
    it(`${request}: ${answer}`, async () => {
      const { status, deeds, answer: whole } = await answered(request, code, answer);
      expect({ status, whole }).toMatchObject({ status: "unsolved" });
      expect(deeds).not.toBeNull();
    });
});

describe("a true answer is not withheld", () => {
  for (const [request, code, answer] of [
    ["Pay INV-1", 'await pay_invoice({ id: "INV-1" });', "INV-1 is paid."],
    ["Pay INV-9", 'await pay_invoice({ id: "INV-9" });', "INV-9 was not paid: insufficient funds."],
    [
      "Upload a.png and b.png",
      'await upload_files({ names: ["a.png", "b.png"] });',
      "a.png was uploaded; b.png is too large.",
    ],
    [
      "Invite ann@example.com and ben@example.com",
      'const r = await invite_people({ emails: ["ann@example.com", "ben@example.com"] });',
      "`Invited ${r.sent[0]}; the mail to ${r.bounced[0]} bounced.`",
    ],
    [
      "Veröffentliche den Beitrag P-4",
      'await publish_post({ id: "P-4" });',
      "P-4 ist eingereicht und wird noch geprüft.",
    ],
    [
      "Reserve a table for 4 on 2026-12-24",
      'await reserve_table({ day: "2026-12-24", seats: 4 });',
      "A table for 4 on 24 December is reserved tentatively (T-4).",
    ],
    [
      "Merge pull request 31",
      "await merge_pull({ number: 31 });",
      "31 could not be merged because of a conflict.",
    ],
    [
      "Expédie la commande C-8",
      'await ship_order({ order: "C-8" });',
      "L'envoi de C-8 est prévu pour demain.",
    ],
    [
      "Export everything as CSV",
      'const j = await start_export({ format: "csv" });',
      "`The export is running as ${j.jobId}.`",
    ],
    [
      "Delete the photos p1, p2 and p3",
      'const r = await delete_photos({ ids: ["p1", "p2", "p3"] });',
      "`${r.deleted} of 3 were deleted.`",
    ],
    [
      "Cancel the subscription S-2",
      'await cancel_subscription({ id: "S-2" });',
      "The cancellation of S-2 has been requested.",
    ],
    [
      "Change Ada Kern's phone to 0660 123",
      'await update_phone({ name: "Ada Kern", phone: "0660 123" });',
      "Done: Ada Kern now has 0660 123.",
    ],
    [
      "Stelle die Küche auf 21,5 Grad",
      'await set_thermostat({ room: "Küche", celsius: 21.5 });',
      "Die Küche ist auf 21,5 °C gestellt.",
    ],
    [
      "Wie warm ist es im Saal?",
      'const t = await read_thermometer({ room: "Saal" });',
      "`Im Saal hat es ${String(t.celsius).replace('.', ',')} °C.`",
    ],
    [
      "How warm is the hall in Kelvin?",
      'const t = await read_thermometer({ room: "hall" });',
      "`${round(t.celsius + 273.15, 2)} K.`",
    ],
    [
      "When was the hall measured?",
      'const t = await read_thermometer({ room: "hall" });',
      "`At ${t.at.slice(11, 16)} on 28 November 2026: ${t.celsius} °C.`",
    ],
    [
      "What is the stock of cola worth?",
      'const s = await get_stock({ item: "cola" });',
      "`${s.count * s.price} euros.`",
    ],
    [
      "How many litres of cola are there?",
      'const s = await get_stock({ item: "cola" });',
      "`${s.count * s.litres} litres in ${s.count} bottles.`",
    ],
    [
      "What does a dozen cola cost with 20 % off?",
      'const s = await get_stock({ item: "cola" });',
      "`${round(s.count * s.price * 0.8, 2)} euros.`",
    ],
    [
      "Pay all overdue invoices",
      "const o = await overdue_invoices({});",
      "`There are ${o.total} overdue invoices, so nothing was paid.`",
    ],
    [
      "Are there overdue invoices?",
      "const o = await overdue_invoices({});",
      "`${o.invoices.length === 0 ? 'No' : 'Yes'}, none.`",
    ],
    [
      "Create a task: call Ada",
      'const t = await create_task({ title: "call Ada" });',
      "`Created ${t.id}: ${t.title}.`",
    ],
    [
      "How many members are there?",
      "const m = await list_members({});",
      "`${m.meta.total} members.`",
    ],
    [
      "How many members live in Graz?",
      "const a = await list_members({ page: 1 });\nconst b = await list_members({ page: 2 });\nconst all = [...a.data, ...b.data];",
      "`${all.filter((x) => x.city === 'Graz').length} of ${all.length} live in Graz.`",
    ],
    [
      "What is the average age of all members?",
      "const a = await list_members({ page: 1 });\nconst b = await list_members({ page: 2 });\nconst all = [...a.data, ...b.data];",
      "`${sum(all.map((x) => x.age)) / all.length} years on average.`",
    ],
    [
      "Name some members",
      "const m = await list_members({});",
      "`For example ${m.data[0].name} and ${m.data[1].name}.`",
    ],
    [
      "What is the first member's city?",
      "const m = await list_members({});",
      "`${m.data[0].city}.`",
    ],
    ["How old is Ben?", "const m = await list_members({});", "`Ben is ${m.data[1].age}.`"],
    [
      "When is INV-9 due?",
      "const i = await list_invoices({});",
      "`INV-9 is due on 8 December 2026.${i.page > 9 ? '' : ''}`",
    ],
    [
      "Are there books about Lem?",
      'const b = await search_books({ query: "Lem" });',
      "`Yes, such as ${b.hits[0].title}.`",
    ],
    [
      "Pay INV-3",
      "const i = await list_invoices({});",
      "`INV-3 is already ${i.invoices[0].state}, so I changed nothing.`",
    ],
    [
      "How much less is INV-3 than INV-9?",
      "const i = await list_invoices({});",
      "`INV-3 is ${i.invoices[1].euros - i.invoices[0].euros} euros less.`",
    ],
  ] satisfies Claim[])
    it(`${request}: ${answer}`, async () => {
      const { status, answer: whole } = await answered(request, code, answer);
      expect({ status, whole }).toMatchObject({ status: "solved" });
    });
});

describe("a follow-up rests on a result for its own object", () => {
  for (const [first, code, request, answer, status] of [
    [
      "How warm is the hall?",
      'const t = await read_thermometer({ room: "hall" });',
      "And the cellar?",
      "The cellar has 21.5 °C.",
      "unsolved",
    ],
    [
      "How warm is the hall?",
      'const t = await read_thermometer({ room: "hall" });',
      "And in Rome?",
      "It has 21.5 °C.",
      "unsolved",
    ],
    [
      "What is the stock of cola?",
      'const t = await get_stock({ item: "cola" });',
      "Wie viel kostet Fanta?",
      "Fanta kostet 3,5 Euro.",
      "unsolved",
    ],
    [
      "How warm is the hall?",
      'const t = await read_thermometer({ room: "hall" });',
      "Say it again",
      "It is 21.5 °C.",
      "solved",
    ],
    [
      "How warm is the hall?",
      'const t = await read_thermometer({ room: "hall" });',
      "And in Kelvin?",
      "294.65 K in the hall.",
      "solved",
    ],
    [
      "What is the stock of cola?",
      'const t = await get_stock({ item: "cola" });',
      "What does one cost?",
      "One costs 3.5 euros.",
      "solved",
    ],
    [
      "Who is in the club?",
      "const t = await list_members({});",
      "And Ben?",
      "Ben Ochs is 44.",
      "solved",
    ],
  ] satisfies [string, string, string, string, string][])
    it(`${first} ${request} ${answer}`, async () => {
      const run = programRun({
        request: first,
        settings,
        script: ({ stage, input }) => {
          const said = input.request === first ? "`${JSON.stringify(t)}`" : JSON.stringify(answer);
          const lines = input.request === first ? [code] : [];
          if (stage === "writeProgram") return program(...lines, `return ${said};`);
          return { stop: answer, solved: true };
        },
      });
      expect((await run.start()).state.status).toBe("solved");
      const { state } = await run.next(request);
      expect({ status: state.status, said: state.answer }).toMatchObject({ status });
    });
});
