import { expect, it } from "vitest";
import { openKeys } from "../../server/access/keys.js";
import { nextTime } from "../../server/api/crons.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import { openStore } from "../../storage/database.js";
import { inEachHome } from "../fakes/homes.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { echoModel, importInto, serveHere } from "./support.js";

const HELLO = { messages: [{ role: "user", content: "hello" }] };

const TIMES: [schedule: string, zone: string, after: string, next: string][] = [
  ["30 9 * * mon-fri", "Europe/Berlin", "2026-11-27T08:30:00Z", "2026-11-30T08:30:00.000Z"],
  ["*/20 * * * *", "UTC", "2026-11-27T08:21:00Z", "2026-11-27T08:40:00.000Z"],
  ["0 0 29 2 *", "UTC", "2026-11-27T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["0 0 13 * fri", "UTC", "2026-11-27T00:00:00Z", "2026-12-04T00:00:00.000Z"],
  ["15 2 * * *", "Asia/Kathmandu", "2026-11-27T00:00:00Z", "2026-11-27T20:30:00.000Z"],
];

it.for(TIMES)("the schedule %s in %s comes after %s at %s", ([text, zone, after, next]) => {
  const found = nextTime(text, zone, Date.parse(after));
  expect(new Date(found ?? 0).toISOString()).toBe(next);
});

it.for(["* * * *", "60 * * * *", "* * * * someday", "5-1 * * * *", "*/0 * * * *"])(
  "the schedule %s is refused",
  (text) => {
    expect(() => nextTime(text, "UTC", 0)).toThrow("CronPattern");
  },
);

inEachHome("a cron", (newPlace) => {
  it("queues its run once when it is due, whichever of two servers looks first, and says when the next one is", async () => {
    const place = await newPlace();
    await importInto(place);
    const [{ client }] = await Promise.all([serveHere(place), serveHere(place)]);
    const { thread_id } = await client.threads.create();
    const { cron_id } = await client.crons.createForThread(thread_id, "base", {
      schedule: "0 0 1 1 *",
      input: HELLO,
      context: { ...TEST_LIBRARY, ...echoModel().context },
    });
    const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
    const due = Math.floor(await data.now()) - 1;
    await data.db
      .updateTable("crons")
      .set({ next_at: due })
      .where("cron_id", "=", cron_id)
      .execute();
    await expect
      .poll(() => client.runs.list(thread_id), { timeout: 20_000 })
      .toMatchObject([{ status: "success", metadata: { cron_id } }]);
    await expect
      .poll(() => client.crons.search({ assistantId: undefined }), { timeout: 20_000 })
      .toMatchObject([{ cron_id, next_run_date: expect.stringMatching(/-01-01T00:00:00/) }]);
    expect(await client.runs.list(thread_id)).toHaveLength(1);
    await data.close();
  });

  it("queues nothing once the key of its owner has expired", async () => {
    const place = await newPlace();
    const { client } = await serveHere(place);
    const { thread_id } = await client.threads.create();
    await client.crons.createForThread(thread_id, "base", {
      schedule: "0 0 1 1 *",
      input: HELLO,
      context: echoModel().context,
    });
    const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
    const keys = openKeys(data);
    const { key } = await keys.create({ name: "late", owner: "", scopes: ["run"], lifetimeMs: 1 });
    const caller = JSON.stringify({ owner: "", id: key.id, scopes: ["run"] });
    const next_at = Math.floor(await data.now()) - 1;
    await data.db.updateTable("crons").set({ next_at, caller }).execute();
    const crons = data.db.selectFrom("crons").selectAll();
    await expect
      .poll(async () => (await crons.executeTakeFirst())?.next_at, { timeout: 20_000 })
      .toBeGreaterThan(next_at);
    expect(await data.db.selectFrom("runs").selectAll().execute()).toEqual([]);
    await data.close();
  });

  it("is refused with a schedule that cannot be read or never comes", async () => {
    const { client } = await serveHere(await newPlace());
    for (const schedule of ["every day", "0 0 31 2 *"])
      await expect(client.crons.create("base", { schedule, input: HELLO })).rejects.toThrow(/422/);
  });
});
