// The result of a preflight, in the form in which compilers print errors.
import { pluralize } from '../../kit/text/pluralize.ts';
import { shownText } from '../output/shown-text.ts';
import type { Paint } from '../terminal/context.ts';

interface Mistake {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  readonly hint: string | null;
}

interface Effects {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

export interface PreflightAnswer {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly problems?: readonly Mistake[];
  readonly warnings?: readonly Mistake[];
  readonly plan?: Readonly<Record<string, Effects>> | null;
}

/** `nameOf` gives the name under which the reader knows a file. */
export function preflightText(answer: PreflightAnswer, nameOf: (sent: string) => string, paint: Paint): string {
  const { valid, errors, problems = [], warnings = [], plan } = answer;
  const mistakeLines = (mistake: Mistake, label: string) => {
    const { file, line, column, message, hint } = mistake;
    const position = file === null ? '' : `${[nameOf(file), ...(line === null ? [] : [line, column ?? 1])].join(':')}: `;
    return [`${shownText(position)}${label}: ${shownText(message).replaceAll('\n', '\n  ')}`, ...(hint ? [`  ${shownText(hint)}`] : [])];
  };
  return [
    ...problems.flatMap((mistake) => mistakeLines(mistake, paint('red', 'error'))),
    // A mistake without a place is printed as text only.
    ...(problems.length === 0 ? errors.map((error) => `${paint('red', 'error')}: ${shownText(error)}`) : []),
    ...warnings.flatMap((mistake) => mistakeLines(mistake, paint('yellow', 'warning'))),
    ...planLines(plan ?? {}).map(shownText),
    paint('bold', sum(valid, problems.length || errors.length, warnings.length)),
    '',
  ].join('\n');
}

function planLines(plan: Readonly<Record<string, Effects>>): readonly string[] {
  return Object.entries(plan).flatMap(([kind, effects]) =>
    (['created', 'changed', 'deleted'] as const).flatMap((effect) =>
      effects[effect].length === 0 ? [] : [`${kind.replaceAll('_', ' ')} ${effect}: ${effects[effect].join(', ')}`],
    ),
  );
}

function sum(isValid: boolean, errors: number, warnings: number): string {
  const counted = [counts(errors, 'error'), counts(warnings, 'warning')].filter((text) => text !== '').join(', ');
  return `${isValid ? 'Valid' : 'Not valid'}${counted === '' ? '' : `: ${counted}`}.`;
}

function counts(number: number, noun: string): string {
  return number === 0 ? '' : pluralize(number, noun);
}
