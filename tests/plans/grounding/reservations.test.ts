import { expect, it } from "vitest";
import { reservationsOf } from "../../../plans/grounding/reservations.js";

it.each([
  ["send_notes", { amount: 7 }, { sent: ["a"] }, 1],
  ["get_pull_request_status", { pull_number: 7 }, { statuses: ["ci"] }, 0],
  ["send_page", { page_id: 7, page: 3 }, { sent: 1 }, 0],
])("%s %j with the result %j leaves %i things undone", (name, args, result, open) => {
  expect(reservationsOf(result, { name, args })).toHaveLength(open);
});
