// Shows a test run as dots, then the failures, then a count that people and CI can read.
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

interface Failure {
  /** The titles of the suites around the test, and its own. */
  readonly name: string;
  readonly file: string | undefined;
  readonly reason: string;
}

/** The last characters of standard error of a process, to be shown when it fails. */
const MAX_STDERR = 4000;
const MAX_CAUSES = 5;

export async function* summarize(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: Failure[] = [];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const stderr = new Map<string, string>();
  const late: string[] = [];
  const titles = new EnclosingTitles();
  for await (const { type, data } of events) {
    if (type === 'test:start') titles.start(data);
    if (type === 'test:stderr') stderr.set(data.file, ((stderr.get(data.file) ?? '') + data.message).slice(-MAX_STDERR));
    // It fails the process, and no test.
    if (type === 'test:diagnostic' && data.message.includes('asynchronous activity')) late.push(data.message);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (type === 'test:pass' && data.name === data.file) continue; // a process that found nothing left to run
    if (data.details.type === 'suite' && (type === 'test:pass' || !failsItself(data.details.error))) continue;
    if (data.skip !== undefined && data.skip !== false) counts.skipped++;
    else if (type === 'test:pass') counts.passed++;
    else {
      counts.failed++;
      failures.push({
        name: titles.of(data),
        file: data.file,
        reason: reasonOf(data.details.error) + endOf(data.details.error, stderr.get(data.name)),
      });
    }
    yield type === 'test:pass' ? '.' : 'X';
  }
  yield '\n';
  for (const { name, file, reason } of failures) yield `\n✖ ${name} (${file ?? '?'})\n${reason.replace(/^/gm, '  ')}\n`;
  for (const message of late) yield `\n${message}\n`;
  yield `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
}

interface ReportedTest {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string | undefined;
}

/** Tests are reported in the order in which they are declared, those of a file one after the other. */
class EnclosingTitles {
  readonly #byFile = new Map<string | undefined, string[]>();

  start({ name, nesting, file }: ReportedTest): void {
    const titles = this.#byFile.getOrInsertComputed(file, () => []);
    // The suite around all tests of a file is of the program that runs it, so it is not among them.
    titles.length = nesting;
    titles[nesting] = name;
  }

  of({ name, nesting, file }: ReportedTest): string {
    const suites = (this.#byFile.get(file) ?? []).slice(0, nesting);
    return [...suites.filter(Boolean), name].join(' › ');
  }
}

/** A suite counts only when it has a failure of its own: of a hook, or of the code that makes its tests. */
function failsItself(error: Error & { readonly failureType?: string }): boolean {
  return error.failureType !== 'subtestsFailed';
}

/** The test runner wraps what was thrown. What was thrown may itself have causes, which say more than it does. */
function reasonOf(error: Error): string {
  const texts: string[] = [];
  for (let cause: unknown = error.cause ?? error; cause !== undefined && texts.length < MAX_CAUSES; cause = causeOf(cause))
    texts.push(cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause));
  return texts.join('\ncaused by: ');
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? thrown.cause : undefined;
}

/** How a process has ended; nothing of a test. */
function endOf(error: Error & { readonly exitCode?: number | null; readonly signal?: string | null }, written = ''): string {
  if (error.exitCode === undefined) return '';
  return `\nexit status ${error.exitCode ?? 'none'}, signal ${error.signal ?? 'none'}\n${written}`;
}

// biome-ignore lint/style/noDefaultExport: the test runner loads a reporter by its default export
export default summarize;
