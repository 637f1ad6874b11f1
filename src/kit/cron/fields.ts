// The seven fields of a cron expression: their ranges, their names for numbers and the texts for values outside them.
export type FieldName = 'seconds' | 'minutes' | 'hours' | 'daysOfMonth' | 'months' | 'daysOfWeek' | 'years';

export interface Field {
  readonly name: FieldName;
  readonly min: number;
  readonly max: number;
  readonly rangeFault: string;
  readonly increment?: { readonly max: number; readonly fault: string };
  /** The names that stand for `min`, `min + 1` and so on. */
  readonly names?: { readonly all: readonly string[]; readonly fault: string };
}

const sixtieth = {
  min: 0,
  max: 59,
  rangeFault: 'Minute and Second values must be between 0 and 59',
  increment: { max: 59, fault: 'Increment >= 60' },
} as const;

/** In the order of the expression. */
export const fields: readonly Field[] = [
  { name: 'seconds', ...sixtieth },
  { name: 'minutes', ...sixtieth },
  {
    name: 'hours',
    min: 0,
    max: 23,
    rangeFault: 'Hour values must be between 0 and 23',
    increment: { max: 23, fault: 'Increment >= 24' },
  },
  {
    name: 'daysOfMonth',
    min: 1,
    max: 31,
    rangeFault: 'Day of month values must be between 1 and 31',
    increment: { max: 31, fault: 'Increment >= 31' },
  },
  {
    name: 'months',
    min: 1,
    max: 12,
    rangeFault: 'Month values must be between 1 and 12',
    increment: { max: 12, fault: 'Increment >= 12' },
    names: { all: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'], fault: 'Invalid Month value' },
  },
  {
    name: 'daysOfWeek',
    min: 1,
    max: 7,
    rangeFault: 'Day-of-Week values must be between 1 and 7',
    increment: { max: 7, fault: 'Increment >= 7' },
    names: { all: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'], fault: 'Invalid Day-of-Week value' },
  },
  { name: 'years', min: 1970, max: 2099, rangeFault: 'Year values must be between 1970 and 2099' },
];

/** The fields that every expression has; the year may be left out. */
export const requiredFields = 6;
