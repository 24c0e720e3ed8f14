import { type ParseOptions, type ParsedToken, parse } from "sugar-high/core";
import { tokenize } from "sugar-high/lang/javascript";

/** A line of code in colours. The text itself is never read as HTML. */
export function CodeLine({ tokens }: { tokens: readonly ParsedToken[] }) {
  return (
    <code>
      {tokens.map(({ type, value }, at) => (
        <span key={at} className={`code-${type}`}>
          {value}
        </span>
      ))}
    </code>
  );
}

/** The package's own types of the two do not fit together. */
const TYPESCRIPT = { tokenize, typescript: true } as ParseOptions;

/** The lines of a code, each as its tokens. */
export function linesOf(code: string): readonly (readonly ParsedToken[])[] {
  return parse(code, TYPESCRIPT).lines.map(({ tokens }) =>
    tokens.filter(({ type }) => type !== "break"),
  );
}

/** A block of code; a folded one opens at its label. */
export function Code(props: { code: string; label: string; isFolded?: boolean }) {
  const { code, label, isFolded } = props;
  const block = (
    <pre tabIndex={0} role="region" aria-label={label}>
      {linesOf(code.trimEnd()).map((tokens, at) => (
        <span key={at}>
          <CodeLine tokens={tokens} />
          {"\n"}
        </span>
      ))}
    </pre>
  );
  if (!isFolded) return block;
  return (
    <details>
      <summary>{label}</summary>
      {block}
    </details>
  );
}
