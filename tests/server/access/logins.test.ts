import { expect, it } from "vitest";
import { inEachHome } from "../../fakes/homes.js";
import { serveLogins } from "./sources.js";
import { agreed, answer, gone, send, waiting, waits } from "./users.js";

const WARMTH = { place: "Rome" };

inEachHome("a login of a user", (newPlace) => {
  it("is asked for by a run, leads back to the page, and lets the run go on", async () => {
    const team = await serveLogins(await newPlace());
    const { user, first, thread_id, model } = await waiting(team, "ada", "warmth", WARMTH);
    expect(waits(first)).toMatchObject({ connect: [{ source: "weather", way: "login" }] });
    const { open } = await user.connect("weather");
    const back = await agreed(open);
    expect(back.href.startsWith(`${team.url}/connected?`)).toBe(true);
    expect(await (await fetch(back)).text()).toContain("page.js");
    const done = await send(user, back);
    expect(done).toMatchObject({ status: 200, source: "weather" });
    expect(await gone(user, done)).toEqual([expect.stringContaining("21")]);
    // Its token is refreshed, and asked for anew when that is no longer possible.
    team.weather.expire();
    expect(answer(await user.ask(thread_id, model))).toContain("21");
    expect(team.weather.grants.at(-1)).toBe("refresh_token");
    team.weather.expire();
    team.weather.forget();
    expect(waits(await user.ask(thread_id, model))?.kind).toBe("connect");
  });

  it("is nobody else's: an answer counts once, and for whoever has begun the login", async () => {
    const team = await serveLogins(await newPlace());
    const [ada, eve] = [await team.as("ada"), await team.as("eve")];
    // Eve sends Ada to a login that Eve has begun; what Ada's browser brings back is of no use to either.
    const lured = await agreed((await eve.connect("weather")).open);
    expect(await send(ada, lured)).toMatchObject({
      status: 422,
      message: expect.stringMatching(/you have begun none with this answer/),
    });
    const own = await agreed((await ada.connect("weather")).open);
    expect(await send(eve, own)).toMatchObject({ status: 422 });
    expect(await send(ada, own)).toMatchObject({ status: 200 });
    expect(await send(ada, own)).toMatchObject({ status: 422 });
    expect(await (await eve.send("GET", "/connections")).json()).toMatchObject([
      { source: "weather", state: "not connected" },
    ]);
  });
});
