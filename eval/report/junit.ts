import type { ScoredRun } from "../summary/series.js";
import type { Summary } from "../summary/summarizeRuns.js";
import { seriesOf } from "../summary/series.js";
import type { Gate } from "./gates.js";
import { markup, type Markup } from "./markup.js";
import { seriesName, verdictNameOf, verdictOf } from "./scores.js";

/** An experiment as JUnit XML: a suite for each graph and variant with a case for each run, and one for the gates. */
export function junitXml(summary: Summary, gates: readonly Gate[]): string {
  const suites = seriesOf(summary.runs).map((series) => {
    const name = seriesName(series);
    return suite(
      name,
      series.runs.map((run) => runCase(name, run, summary)),
    );
  });
  const all = gates.length > 0 ? [...suites, suite("gates", gates.map(gateCase))] : suites;
  const xml = String(markup`<testsuites name="${summary.name}">
${all}</testsuites>
`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml.replaceAll(NOT_IN_XML, "")}`;
}

/** Characters that XML does not have, not even escaped; models and tools write them at times. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

interface TestCase {
  outcome: "passed" | "failures" | "errors" | "skipped";
  xml: Markup;
}

function suite(name: string, cases: readonly TestCase[]): Markup {
  const count = (wanted: TestCase["outcome"]) =>
    cases.filter(({ outcome }) => outcome === wanted).length;
  return markup`<testsuite name="${name}" tests="${cases.length}" failures="${count("failures")}" errors="${count("errors")}" skipped="${count("skipped")}">
${cases.map(({ xml }) => xml)}</testsuite>
`;
}

function runCase(series: string, run: ScoredRun, { tasks, scorers }: Summary): TestCase {
  const { task, run: repetition, wallMs, error } = run.record;
  const verdict = verdictOf(run);
  const label = scorers.find(({ id }) => id === verdictNameOf(run))?.label ?? "";
  const request = tasks.find(({ id }) => id === task)?.query ?? "";
  const told = `Request: ${request}\nAnswer: ${run.record.answer}`;
  const [outcome, inner] =
    error !== undefined
      ? (["errors", markup`<error message="${error}">${told}</error>`] as const)
      : verdict === undefined
        ? (["skipped", markup`<skipped message="No score says whether it was right"/>`] as const)
        : verdict === 1
          ? (["passed", undefined] as const)
          : ([
              "failures",
              markup`<failure message="${label}: ${verdict}">${told}</failure>`,
            ] as const);
  const name = repetition === 1 ? task : `${task} (repetition ${repetition})`;
  return { outcome, xml: testCase({ series, name, seconds: wallMs / 1000, inner }) };
}

function gateCase({ name, passed, finding }: Gate): TestCase {
  const inner = passed ? undefined : markup`<failure message="${finding}"/>`;
  const xml = testCase({ series: "gates", name, seconds: 0, inner });
  return { outcome: passed ? "passed" : "failures", xml };
}

function testCase(options: {
  series: string;
  name: string;
  seconds: number;
  inner: Markup | undefined;
}): Markup {
  const { series, name, seconds, inner } = options;
  return markup`<testcase classname="${series}" name="${name}" time="${seconds.toFixed(3)}">${inner}</testcase>
`;
}
