// Problems of files as texts, grouped by where they are.
import type { FileProblem } from '../contracts/plugins/config-repo.ts';

/** For the answer to files that were sent to be checked. */
export function problemsForPreflight(problems: readonly FileProblem[]): string {
  return byLocation(problems)
    .map(([location, own]) => [`${location}:`, ...own.map((problem) => `  - ${problem.message}`)].join('\n'))
    .join('\n\n');
}

function byLocation(problems: readonly FileProblem[]): (readonly [string, readonly FileProblem[]])[] {
  return [...Map.groupBy(problems, ({ location }) => location)];
}
