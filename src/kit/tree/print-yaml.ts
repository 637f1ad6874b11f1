// Prints YAML in block style, dashes not indented. Texts that could be taken for another type are quoted.
export type YamlValue = string | number | boolean | null | readonly YamlValue[] | YamlMap;

export interface YamlEntry {
  readonly value: YamlValue;
  /** Stands in a line before it. */
  readonly comment?: string | undefined;
}

/** In the order in which its members were put in, regardless of their names. */
export type YamlMap = ReadonlyMap<string, YamlEntry>;

const STEP = '  ';
/** Letters, digits and signs that mean nothing anywhere; a colon or a number sign only where it means nothing. */
const PLAIN = /^(?:[\p{L}_/$(]|--?[A-Za-z])(?:[\p{L}\p{N}_/$(){}.+*?~@=,;^'"!&|<>\\[\]%-]|:(?=[^\s])|(?<! )#| (?=[^\s#]))*$/u;
/** A longer one is quoted without a look at it: the expression would run out of stack. */
const MAX_PLAIN_LENGTH = 1000;
const OTHER_MEANING = /^(?:true|false|yes|no|on|off|y|n|null)$/i;
/** Texts that a block of lines can hold as they are. */
const PRINTABLE_LINES = /^(?!\s)[\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

export function printYaml(map: YamlMap): string {
  return members(map, '').join('\n').concat('\n');
}

function members(map: YamlMap, indent: string): string[] {
  return Array.from(map, ([key, { value, comment }]) => {
    const commentLine = comment === undefined ? '' : `${indent}# ${comment}\n`;
    return `${commentLine}${indent}${line(key)}:${under(value, indent)}`;
  });
}

/** The output after a key. A list is not indented more than its key. */
function under(value: YamlValue, indent: string): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []' : `\n${items(value, indent).join('\n')}`;
  if (value instanceof Map) return value.size === 0 ? ' {}' : `\n${members(value, indent + STEP).join('\n')}`;
  if (value === null) return '';
  return ` ${typeof value === 'string' ? text(value, indent + STEP) : String(value)}`;
}

function items(list: readonly YamlValue[], indent: string): string[] {
  const inside = indent + STEP;
  return list.map((item) => {
    if (item instanceof Map && item.size > 0) return `${indent}- ${members(item, inside).join('\n').slice(inside.length)}`;
    if (Array.isArray(item) && item.length > 0) return `${indent}- ${items(item, inside).join('\n').slice(inside.length)}`;
    return `${indent}-${under(item, indent)}`;
  });
}

function text(value: string, indent: string): string {
  const isBlock = value.includes('\n') && PRINTABLE_LINES.test(value) && !/[\t ](?:\n|$)/.test(value);
  return isBlock ? block(value, indent) : line(value);
}

function line(value: string): string {
  return value.length <= MAX_PLAIN_LENGTH && PLAIN.test(value) && !OTHER_MEANING.test(value) ? value : quoted(value);
}

function quoted(value: string): string {
  return JSON.stringify(value).replace(UNPRINTABLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Lines as they are. The sign after the bar decides about the line breaks at the end. */
function block(value: string, indent: string): string {
  let end = 0;
  while (value.at(-1 - end) === '\n') end++;
  const lines = value.slice(0, value.length - end).split('\n');
  const body = lines.map((one) => (one === '' ? '' : indent + one)).join('\n');
  return `|${end === 0 ? '-' : end === 1 ? '' : '+'}\n${body}${'\n'.repeat(Math.max(0, end - 1))}`;
}
