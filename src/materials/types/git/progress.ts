// The progress messages of git: they show that data still comes, and are no part of an error.

const PROGRESS = /^(?:remote: )?(?:(?:[A-Z][a-z]+ )+[a-z]+: +\d+(?:%|,|$)|Total \d+ \(|Cloning into )/;

/** Each line is written over the one before as long as it goes on. */
export function withoutProgress(errorOutput: string): string {
  return errorOutput
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part.trim() !== '') ?? '')
    .filter((line) => !PROGRESS.test(line))
    .join('\n')
    .trim();
}
