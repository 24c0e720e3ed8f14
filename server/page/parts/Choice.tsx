import { useId } from "react";

/** One of several, which may be named otherwise than they are called; an open choice takes any text. */
export function Choice(props: {
  label: string;
  value: string;
  options: readonly (string | [value: string, words: string])[];
  isOpen?: boolean;
  choose: (value: string) => void;
}) {
  const { label, value, isOpen, choose } = props;
  const list = useId();
  const all = props.options.map((option) => [option].flat());
  const isKnown = isOpen || all.some(([name]) => name === value);
  const options = (isKnown ? all : [[value], ...all]).map(([name, words = name]) => (
    <option key={name} value={name}>
      {words}
    </option>
  ));
  const how = {
    value,
    onChange: ({ target }: { target: { value: string } }) => choose(target.value),
  };
  return (
    <label className="choice">
      <span>{label}</span>
      {isOpen ? <input type="text" spellCheck={false} list={list} {...how} /> : null}
      {isOpen ? <datalist id={list}>{options}</datalist> : <select {...how}>{options}</select>}
    </label>
  );
}
