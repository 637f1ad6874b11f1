// How to write a time that was not understood.
import { parseCron } from './parse-cron.ts';

const FORM = 'Six fields: seconds, minutes, hours, day of month, month, day of week. 0 0 2 * * ? is every day at 02:00.';
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

/** Most people know the five fields of crontab: for simple expressions, the hint says how to write them here. */
export function cronAdvice(spec: string): string {
  const fields = spec.split(/\s+/).filter(Boolean);
  const translated = fields.length === 5 ? fromCrontab(fields) : undefined;
  if (translated === undefined || parseCron(translated) === undefined) return `The server does not understand this time. ${FORM}`;
  return `Five fields are a line of crontab. Here it is written ${translated}`;
}

/** Undefined: both days are given, of which crontab takes either, or the weekdays are more than one number or name. */
function fromCrontab([minute = '', hour = '', day = '', month = '', weekday = '']: readonly string[]): string | undefined {
  if (weekday === '*' || weekday === '?') return `0 ${minute} ${hour} ${day === '?' ? '*' : day} ${month} ?`;
  const name = /^[0-7]$/.test(weekday) ? WEEKDAYS[Number(weekday)] : weekday.toUpperCase();
  if (day !== '*' || name === undefined || !WEEKDAYS.includes(name)) return undefined;
  return `0 ${minute} ${hour} ? ${month} ${name}`;
}
