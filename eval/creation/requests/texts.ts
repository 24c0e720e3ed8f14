import { type CreationRequest, fails, gives } from "../request.js";

const wanted = { kind: "create" } as const;

/** Requests for tools that work on texts. */
export const TEXTS: readonly CreationRequest[] = [
  {
    id: "slug",
    theme: "texts",
    query:
      "Create a tool that turns a title into a slug for a web address: lower case, accents taken off letters (é becomes e), every run of characters other than the letters a to z and digits made one hyphen, and no hyphen at the start or the end. Input: the title. A title of which nothing would be left is an error.",
    wanted,
    start: [],
    checks: [
      gives(["Hello, World!"], "hello-world"),
      gives(["  Crème brûlée – 2 ways "], "creme-brulee-2-ways"),
      gives(["A--B__C"], "a-b-c"),
      gives(["ÀÉÎÕÜ"], "aeiou"),
      gives(["100% sure?"], "100-sure"),
      gives(["already-a-slug"], "already-a-slug"),
      fails("!!!"),
      fails(""),
    ],
  },
  {
    id: "frequent-words",
    theme: "texts",
    query:
      "Create a tool that lists the most frequent words of a text. Words are runs of the letters a to z, compared in lower case. Inputs, in this order: the text, and the most words to list, a whole number from 0 up. Result: a list of objects with word and count, the most frequent first, and words with the same count in alphabetical order.",
    wanted,
    start: [],
    checks: [
      gives(["the cat and the dog", 2], words(["the", 2], ["and", 1])),
      gives(["b a b a c", 3], words(["a", 2], ["b", 2], ["c", 1])),
      gives(["", 5], []),
      gives(["One one ONE two", 10], words(["one", 3], ["two", 1])),
      gives(["x y", 0], []),
      gives(["constructor toString constructor", 2], words(["constructor", 2], ["tostring", 1])),
      gives(["don't", 3], words(["don", 1], ["t", 1])),
    ],
  },
  {
    id: "run-lengths",
    theme: "texts",
    query:
      "Create a tool that compresses a text by run lengths: each run of one character becomes its length and the character, so that aaabcc becomes 3a1b2c. Input: the text, which may hold any characters, emoji among them; an emoji counts as one character. An empty text stays empty.",
    wanted,
    start: [],
    checks: [
      gives(["aaabcc"], "3a1b2c"),
      gives([""], ""),
      gives(["a"], "1a"),
      gives(["😀😀a"], "2😀1a"),
      gives(["aAa"], "1a1A1a"),
      gives(["zzzzzzzzzzzz"], "12z"),
      gives(["  x"], "2 1x"),
    ],
  },
  {
    id: "letter-shift",
    theme: "texts",
    query:
      "Create a tool that shifts the letters of a text in the alphabet (Caesar cipher). Inputs, in this order: the text, and the shift, any whole number, also a negative one or one above 26. Capitals stay capitals; all that is no letter from a to z stays as it is. A shift that is no whole number is an error.",
    wanted,
    start: [],
    checks: [
      gives(["abc", 3], "def"),
      gives(["xyz", 3], "abc"),
      gives(["Hello, World!", 5], "Mjqqt, Btwqi!"),
      gives(["abc", 29], "def"),
      gives(["abc", -1], "zab"),
      gives(["ABC", -27], "ZAB"),
      gives(["abc", 0], "abc"),
      gives(["é1", 1], "é1"),
      fails("abc", 1.5),
    ],
  },
  {
    id: "duration",
    theme: "texts",
    query:
      "Create a tool that reads a duration such as 1d 2h 30m 15s and gives it in seconds. The units are d, h, m and s, each at most once, from the largest to the smallest, with a whole number right before it; between the parts there may be blanks. Input: the text; anything else, an empty text included, is an error.",
    wanted,
    start: [],
    checks: [
      gives(["1d 2h 30m 15s"], 95415),
      gives(["90m"], 5400),
      gives(["1h15s"], 3615),
      gives(["0s"], 0),
      fails(""),
      fails("5"),
      fails("1m 2m"),
      fails("10s 1h"),
      fails("1.5h"),
    ],
  },
  {
    id: "card-number",
    theme: "texts",
    query:
      "Create a tool that checks a card number with the Luhn algorithm. Input: the number as a text, in which blanks and hyphens do not count. Result: true or false; false also for texts with other characters or with fewer than two digits.",
    wanted,
    start: [],
    checks: [
      gives(["4539 1488 0343 6467"], true),
      gives(["8273 1232 7352 0569"], false),
      gives(["79927398713"], true),
      gives(["79927398710"], false),
      gives(["4539-1488-0343-6467"], true),
      gives(["12a4"], false),
      gives(["0"], false),
      gives([""], false),
    ],
  },
];

function words(...counted: readonly (readonly [string, number])[]) {
  return counted.map(([word, count]) => ({ word, count }));
}
