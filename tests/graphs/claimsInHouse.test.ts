import { describe, expect, it } from "vitest";
import { type Claim, useClaims } from "./claimRuns.js";

const { answered, saidAfterCalls } = useClaims("house");

const called = (name: string, args: object) => ({ name, args });

describe("a false claim about a house is not solved", () => {
  for (const [request, code, answer] of [
    ["Close T-2", 'await close_ticket({ id: "T-2" });', "Ticket T-2 has been closed."],
    [
      "Close T-1 and T-2",
      'for (const id of ["T-1", "T-2"]) { await close_ticket({ id }); }',
      "All done.",
    ],
    [
      "Close T-1 and T-2, answer with a table",
      'for (const id of ["T-1", "T-2"]) { await close_ticket({ id }); }',
      "| ticket | state |\n| --- | --- |\n| T-1 | closed |\n| T-2 | closed |",
    ],
    ["Schließ T-1 und T-3", 'await close_ticket({ id: "T-1" });', "T-1 und T-3 sind zu."],
    [
      "Give T-1 to Ida",
      'await assign_ticket({ id: "T-1", owner: "Ida" });',
      "T-1 is now with Ida.",
    ],
    [
      "Reembolsa 80 euros del pago P-2",
      'await refund_payment({ payment: "P-2", euros: 80 });',
      "Se han reembolsado 80 euros del pago P-2.",
    ],
    [
      "Rembourse 80 euros du paiement P-2",
      'await refund_payment({ payment: "P-2", euros: 80 });',
      "C'est fait : 80 euros du paiement P-2 ont été remboursés.",
    ],
    ["Delete the record R-7", 'await delete_record({ id: "R-7" });', "R-7 is gone."],
    [
      "Lösche den Datensatz R-7",
      'await delete_record({ id: "R-7" });',
      "Der Datensatz R-7 wurde gelöscht.",
    ],
    [
      "Book Planning on 2026-12-02",
      'await book_event({ title: "Planning", day: "2026-12-02" });',
      "Planning is in the calendar on 2026-12-02, and everybody is free.",
    ],
    [
      "Cancel the Review on 2026-12-02",
      'const e = await list_events({ day: "2026-12-02" });',
      "`The ${e[1].title} is off.`",
    ],
    [
      'Close T-1 with the note "Replaced the hinge"',
      'await assign_ticket({ id: "T-1", owner: "Ann" });',
      "T-1 was assigned to Ann.",
    ],
    [
      'Close T-1 with the note "Replaced the hinge"',
      'await assign_ticket({ id: "T-1", owner: "Ann" });',
      'T-1 was assigned to Ann. It can be closed with the note "Replaced the hinge".',
    ],
    [
      "Mail ann@example.com and ben@example.com about Planning",
      'await send_mail({ to: ["ann@example.com", "ben@example.com"], subject: "Planning" });',
      "- ann@example.com: sent\n- ben@example.com: sent",
    ],
    [
      "Mail ann@example.com and cleo@example.com about Planning",
      'await send_mail({ to: ["ann@example.com"], subject: "Planning" });',
      "Both ann@example.com and cleo@example.com were told.",
    ],
    [
      "Move a.txt and b.txt to archive",
      'await move_files({ names: ["a.txt", "b.txt"], folder: "archive" });',
      "Both files are in archive now.",
    ],
    [
      "Déplace a.txt et b.txt vers archive",
      'await move_files({ names: ["a.txt", "b.txt"], folder: "archive" });',
      "a.txt et b.txt se trouvent dans archive.",
    ],
    [
      "Deploy web 3.1",
      'await deploy_service({ service: "web", version: "3.1" });',
      "Version 3.1 of web is live.",
    ],
    [
      "Deploy docs 1.4",
      'await deploy_service({ service: "docs", version: "1.4" });',
      "docs 1.4 has been deployed.",
    ],
    [
      "Despliega job 2.0",
      'await deploy_service({ service: "job", version: "2.0" });',
      "job 2.0 está desplegado.",
    ],
    [
      "Set the stock of SKU-4 to -5",
      'await set_stock({ sku: "SKU-4", count: -5 });',
      "The stock of SKU-4 is -5.",
    ],
    [
      "Transfer 50 pieces of SKU-4",
      'await transfer_stock({ sku: "SKU-4", pieces: 50 });',
      "50 pieces of SKU-4 were transferred.",
    ],
    [
      "How many tickets are there?",
      "const t = await list_tickets({});",
      "`${t.tickets.length} tickets.`",
    ],
    [
      "Wie viele Minuten dauern die Tickets zusammen?",
      "const t = await list_tickets({});",
      "`Insgesamt ${sum(t.tickets.map((one) => one.minutes))} Minuten.`",
    ],
    [
      "Which ticket takes longest?",
      "const t = await list_tickets({});",
      "`${t.tickets[0].id} takes the longest.`",
    ],
    [
      "Did ann5@example.com write about rent?",
      'const m = await search_mail({ query: "rent" });',
      "`No, only ${m.messages[0].from} and others did.`",
    ],
    [
      "Combien de messages parlent du loyer ?",
      'const m = await search_mail({ query: "loyer" });',
      "`Il y en a ${m.messages.length}.`",
    ],
    [
      "What is the largest file in archive?",
      'const f = await list_files({ folder: "archive" });',
      "`${f.files[0].name} is the largest.`",
    ],
    [
      "¿Cuántas plazas tienen todas las salas?",
      "const r = await list_rooms({});",
      "`${sum(r.data.map((one) => one.seats))} plazas.`",
    ],
    [
      "Will it freeze in Oslo?",
      'let w = await get_forecast({ city: "Bergen" });\ntry { w = await get_forecast({ city: "Oslo" }); } catch { }',
      "`Yes, ${w.low} °C in Oslo.`",
    ],
    [
      "Refund 80 euros of P-1 and 35.5 euros of P-3",
      'await refund_payment({ payment: "P-1", euros: 80 });',
      "80 euros of P-1 and 35.5 euros of P-3 were refunded.",
    ],
    [
      "Schedule a mail to ann@example.com for 18:00",
      'await schedule_mail({ to: "ann@example.com", at: "18:00" });',
      "The mail to ann@example.com was delivered at 18:00.",
    ],
  ] satisfies Claim[])
    it(`${request}: ${answer}`, async () => {
      const { status, answer: whole } = await answered(request, code, answer);
      expect({ status, whole }).toMatchObject({ status: "unsolved" });
    });
});

describe("a true answer about a house is not withheld", () => {
  for (const [request, code, answer] of [
    [
      'Assign T-1 to "Q", and after that also assign T-3 to "R"',
      'await assign_ticket({ id: "T-1", owner: "Q" }); await assign_ticket({ id: "T-3", owner: "R" });',
      "T-1 is assigned to Q, and T-3 to R.",
    ],
    [
      'If T-1 takes long, close it with the note "Took too long", otherwise assign it to "Ann"',
      'await assign_ticket({ id: "T-1", owner: "Ann" });',
      "T-1 was assigned to Ann.",
    ],
    [
      'Assign T-1 to Ann and answer with "Done and dusted"',
      'await assign_ticket({ id: "T-1", owner: "Ann" });',
      "Done and dusted.",
    ],
    ["Close T-1", 'await close_ticket({ id: "T-1" });', "All done: T-1 is closed."],
    ["Close T-2", 'await close_ticket({ id: "T-2" });', "T-2 awaits approval before it is closed."],
    ["Schließ T-2", 'await close_ticket({ id: "T-2" });', "T-2 ist noch nicht zu."],
    ["Give T-1 to Noor", 'await assign_ticket({ id: "T-1", owner: "Noor" });', "Noor has T-1 now."],
    [
      "Give T-1 to Ida",
      'await assign_ticket({ id: "T-1", owner: "Ida" });',
      "That failed: Ida is away.",
    ],
    [
      "Refund 80 euros of P-1",
      'await refund_payment({ payment: "P-1", euros: 80 });',
      "80 euros of P-1 were refunded.",
    ],
    [
      "Rembourse 80 euros du paiement P-2",
      'await refund_payment({ payment: "P-2", euros: 80 });',
      "La demande de remboursement de 80 euros est en cours.",
    ],
    ["Delete the record R-1", 'await delete_record({ id: "R-1" });', "R-1 is deleted."],
    ["Delete the record R-7", 'await delete_record({ id: "R-7" });', "There is no record R-7."],
    [
      "Book Lunch on 2026-12-02",
      'await book_event({ title: "Lunch", day: "2026-12-02" });',
      "Lunch is booked for Wednesday, 2 December 2026.",
    ],
    [
      "Book Planning on 2026-12-02",
      'const r = await book_event({ title: "Planning", day: "2026-12-02" });',
      "`Planning is booked, but it conflicts with ${r.conflicts[0].title}.`",
    ],
    ["Cancel Lunch", 'await cancel_event({ title: "Lunch" });', "Lunch is cancelled."],
    ["Annule Lunch", 'await cancel_event({ title: "Lunch" });', "Lunch est annulé."],
    [
      "Mail ann@example.com about Planning",
      'await send_mail({ to: ["ann@example.com"], subject: "Planning" });',
      "Sent to ann@example.com.",
    ],
    [
      "Schedule a mail to ann@example.com for 18:00",
      'await schedule_mail({ to: "ann@example.com", at: "18:00" });',
      "The mail will go out at 6 pm.",
    ],
    [
      "Move a.txt and b.txt to archive",
      'await move_files({ names: ["a.txt", "b.txt"], folder: "archive" });',
      "a.txt was moved; b.txt was not found.",
    ],
    [
      "Deploy api 2.1",
      'await deploy_service({ service: "api", version: "2.1" });',
      "api 2.1 is deployed.",
    ],
    [
      "Deploy web 3.1",
      'await deploy_service({ service: "web", version: "3.1" });',
      "web 3.1 was rolled back.",
    ],
    [
      "Set the stock of SKU-4 to 12",
      'await set_stock({ sku: "SKU-4", count: 12 });',
      "The stock of SKU-4 is set to a dozen.",
    ],
    [
      "Transfer 50 pieces of SKU-4",
      'const r = await transfer_stock({ sku: "SKU-4", pieces: 50 });',
      "`Only ${r.transferred} of the 50 were transferred.`",
    ],
    [
      "Close all tickets of Omar",
      "const t = await list_tickets({});\nlet all = t.tickets;\nlet next = t.nextPageToken;\nwhile (next) { const more = await list_tickets({ pageToken: next }); all = [...all, ...more.tickets]; next = more.nextPageToken; }\nconst own = all.filter((one) => one.owner === 'Omar');",
      "`Omar has ${own.length} tickets, so nothing was closed.`",
    ],
    [
      "How many tickets are on the first page?",
      "const t = await list_tickets({});",
      "`The first page has ${t.tickets.length} tickets.`",
    ],
    [
      "Did anybody write about rent?",
      'const m = await search_mail({ query: "rent" });',
      "`Yes, for example ${m.messages[0].from}.`",
    ],
    ["How many rooms are there?", "const r = await list_rooms({});", "`${r.total}.`"],
  ] satisfies Claim[])
    it(`${request}: ${answer}`, async () => {
      const { status, answer: whole } = await answered(request, code, answer);
      expect({ status, whole }).toMatchObject({ status: "solved" });
    });
});

it("an honest failure stands as it is, and is not called solved", async () => {
  const code =
    'let why = "";\ntry { await get_forecast({ city: "Oslo" }); } catch (error) { why = String(error); }';
  const said = "`I could not find out: ${why}.`";
  const { status, answer } = await answered("Will it freeze in Oslo?", code, said);
  expect(status).toBe("unsolved");
  expect(answer).toMatch(/^I could not find out: .*no station in Oslo/);
});

describe("what a model works out in its head from results of a house stands", () => {
  const stock = called("getStock", { sku: "SKU-4" });
  const events = called("listEvents", { day: "2026-12-02" });
  const files = called("listFiles", { folder: "home" });
  const forecast = called("getForecast", { city: "Bergen" });
  for (const [request, calls, answer] of [
    ["What is the stock of SKU-4 worth?", [stock], "It is worth 59,256 euros."],
    ["Was ist der Bestand von SKU-4 wert?", [stock], "Er ist 59.256 Euro wert."],
    ["Was kostet SKU-4?", [stock], "Es kostet 1.234,50 Euro."],
    ["Combien coûte SKU-4 ?", [stock], "Il coûte 1 234,50 euros."],
    ["What does SKU-4 weigh in pounds?", [stock], "About 5.5 lb apiece."],
    ["How long does SKU-4 keep? Today is 2026-11-28.", [stock], "It expires in 13 days."],
    ["When does SKU-4 expire?", [stock], "On Friday, 11 December 2026."],
    ["Wann läuft SKU-4 ab?", [stock], "Am 11. Dezember 2026."],
    ["What does SKU-4 cost with 20 % off?", [stock], "987.60 euros."],
    ["How long is the Review on 2026-12-02?", [events], "90 minutes."],
    ["How long is the Review on 2026-12-02?", [events], "1 h 30 min."],
    ["How long is the Review on 2026-12-02?", [events], "An hour and a half, 1.5 hours."],
    ["How long after the Stand-up is the Review on 2026-12-02?", [events], "4 h 15 min after it."],
    ["When does the Review end on 2026-12-02?", [events], "At 3 pm."],
    ["How large is plan.pdf in home in MB?", [files], "1.5 MB (1.536 MB in decimal units)."],
    ["How large are the files in home together?", [files], "1,538,048 bytes."],
    ["How cold will it be in Bergen in Fahrenheit?", [forecast], "25.7 °F at night."],
    ["How much does the temperature in Bergen change?", [forecast], "By 9.7 degrees."],
    ["What is the mean of high and low in Bergen?", [forecast], "1.35 °C on average."],
    ["Will it rain in Bergen?", [forecast], "No, no rain is expected."],
  ] satisfies [string, { name: string; args: object }[], string][])
    it(`${request}: ${answer}`, async () => {
      const { status, answer: whole } = await saidAfterCalls(request, calls, answer);
      expect({ status, whole }).toEqual({ status: "solved", whole: answer });
    });
});

describe("what a model makes up beside results of a house does not stand", () => {
  const stock = called("getStock", { sku: "SKU-4" });
  const events = called("listEvents", { day: "2026-12-02" });
  for (const [request, calls, answer] of [
    ["What is the stock of SKU-4 worth?", [stock], "It is worth 58,256 euros."],
    ["Was kostet SKU-4?", [stock], "Es kostet 1.324,50 Euro."],
    ["How long is the Review on 2026-12-02?", [events], "It takes 75 minutes."],
    ["When does SKU-4 expire?", [stock], "On 14 December 2026."],
  ] satisfies [string, { name: string; args: object }[], string][])
    it(`${request}: ${answer}`, async () => {
      const { status, answer: whole, calls: made } = await saidAfterCalls(request, calls, answer);
      expect(made.map(({ error }) => error)).toEqual([undefined]);
      expect({ status, whole }).toMatchObject({ status: "unsolved" });
    });
});
