// The types of values in the XML: their checks, and their conversion from and to JSON.
import type { Json } from '../../../shape/json/json.ts';
import { invalidValue, patternMismatch, tooLong } from './messages.ts';

export interface ValueType {
  /** The problem with a text; undefined: there is none. */
  fault?(text: string, element: string, attribute: string): string | undefined;
  toJson?(text: string): Json;
  toText?(value: Json): string;
}

export const TEXT: ValueType = {};

const MAX_NAME_LENGTH = 255;

interface PatternOptions {
  readonly maxLength?: number;
  /** The pattern itself, where it means something else to JavaScript than it says. */
  readonly shape?: RegExp;
}

function pattern(type: string, source: string, { maxLength = Number.POSITIVE_INFINITY, shape }: PatternOptions = {}): ValueType {
  const whole = shape ?? new RegExp(`^(?:${source})$`);
  return {
    fault: (text) => {
      if (!whole.test(text)) return patternMismatch(type, text, source);
      return text.length > maxLength ? tooLong(type, text, maxLength) : undefined;
    },
  };
}

const NAME_PATTERN = '[a-zA-Z0-9_\\-]{1}[a-zA-Z0-9_\\-.]*';
export const NAME = pattern('nameType', NAME_PATTERN, { maxLength: MAX_NAME_LENGTH });
export const ENVIRONMENT_NAME = pattern('environmentNameType', NAME_PATTERN, { maxLength: MAX_NAME_LENGTH });
export const JOB_NAME = orParameters(pattern('jobnameType', '[a-zA-Z0-9_\\-.]+', { maxLength: MAX_NAME_LENGTH }));
export const FILE_PATH = orParameters(pattern('filePathType', '(([.]\\/)?[.][^. ]+)|([^. ].+[^. ])|([^. ][^. ])|([^. ])'));
/** Blanks at its ends would be lost on the way to the agent. */
export const COMMAND = pattern('commandType', '\\S(.*\\S)?', { shape: /^[^ \t\n\r](?:.*[^ \t\n\r])?$/s });
export const EMAIL: ValueType = { fault: (text) => (text.includes('@') ? undefined : patternMismatch('emailType', text, '.*@.*')) };

export const NAME_OR_PARAMETERS = orParameters(NAME);

/** A value with parameters is checked after they are replaced, and not here. */
export function orParameters(type: ValueType): ValueType {
  return { ...type, fault: (text, element, attribute) => (text.includes('#') ? undefined : type.fault?.(text, element, attribute)) };
}

export function oneOf(...words: readonly string[]): ValueType {
  return { fault: (text, element, attribute) => (words.includes(text) ? undefined : invalidValue(text, element, attribute)) };
}

const TRUE = new Set(['true', '1']);
const FALSE = new Set(['false', '0']);
export const BOOLEAN: ValueType = {
  fault: (text, element, attribute) =>
    TRUE.has(text.trim()) || FALSE.has(text.trim()) ? undefined : invalidValue(text, element, attribute),
  toJson: (text) => TRUE.has(text.trim()),
  toText: String,
};

const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** A decimal number that stays a text. */
export const DECIMAL_TEXT: ValueType = {
  fault: (text, element, attribute) => (isDecimal(text) ? undefined : invalidValue(text, element, attribute)),
};

export const POSITIVE: ValueType = {
  fault: (text, element, attribute) => (/^\s*\+?0*[1-9]\d{0,14}\s*$/.test(text) ? undefined : invalidValue(text, element, attribute)),
  toJson: Number,
  toText: String,
};

export const WHOLE: ValueType = {
  fault: (text, element, attribute) => (/^\s*[+-]?\d{1,15}\s*$/.test(text) ? undefined : invalidValue(text, element, attribute)),
  toJson: Number,
  toText: String,
};
