import { Button } from "../parts/Button.js";

/** Requests that the library which ships and the built-in rules solve, without a key. */
const EXAMPLES = [
  "What is 3 times 4?",
  "What is 45342 * 23487 + 32478?",
  "What is the area of a circle with radius 3?",
];

/** What one sees before the first request. */
export function Welcome({ ask }: { ask: (request: string) => void }) {
  return (
    <section className="welcome" aria-labelledby="welcome">
      <h1 id="welcome">What would you like to do?</h1>
      <p className="lead">
        tulipgraph finds the tools that a request needs, writes a small program that uses them, and
        runs it call by call. You see every value on its way to the answer, and you decide on every
        write.
      </p>
      <p className="muted" id="examples">
        Try one of these. They need no API key: built-in rules answer them with the math library.
      </p>
      <ul className="examples" aria-labelledby="examples">
        {EXAMPLES.map((request) => (
          <li key={request}>
            <Button onClick={() => ask(request)}>{request}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
