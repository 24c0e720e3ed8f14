import type { Task } from "../benchmark.js";

/**
 * Requests that no sequence of calls of the catalogue answers: facts about the world, data of the
 * asker, actions, chance, language, and mathematics on formulas instead of numbers.
 */
export const UNSOLVABLE: readonly Pick<Task, "id" | "query">[] = [
  {
    id: "unsolvable-01",
    query: "In which year did the first underground railway in London carry passengers?",
  },
  {
    id: "unsolvable-02",
    query: "Please book a table for four at an Italian restaurant for Friday at half past seven.",
  },
  {
    id: "unsolvable-03",
    query: "Give me an antiderivative of x² · e^x as a formula in x.",
  },
  {
    id: "unsolvable-04",
    query: "Will it rain in Lisbon tomorrow afternoon?",
  },
  {
    id: "unsolvable-05",
    query: "How many Japanese yen do I get for 250 Swiss francs at today's exchange rate?",
  },
  {
    id: "unsolvable-06",
    query: "Write the Boolean expression (A AND B) OR (A AND NOT B) in its simplest form.",
  },
  {
    id: "unsolvable-07",
    query: "Toss a fair coin ten times for me and tell me how often it came up heads.",
  },
  {
    id: "unsolvable-08",
    query: 'How do you say "Good morning, did you sleep well?" in Portuguese?',
  },
  {
    id: "unsolvable-09",
    query: "How many of the unread e-mails in my inbox are from the tax office?",
  },
  {
    id: "unsolvable-10",
    query: "Draw the graph of y = sin(x) / x for x from -10 to 10 and send me the picture.",
  },
];
