// The reason why a cron expression cannot be read, carried from the depth of the parser to its entrance.
export class CronFault extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

/** For mistakes that have no text of their own. */
export function illegalFormat(reason: string): CronFault {
  return new CronFault(`Illegal cron expression format (${reason})`, 0);
}

export function unexpectedCharacter(text: string, position: number): CronFault {
  return new CronFault(`Unexpected character: ${characterAt(text, position)}`, position);
}

export function characterAt(text: string, position: number): string {
  return String.fromCodePoint(text.codePointAt(position) ?? 0);
}
