// The tests of a job: how many there are, and those that failed.
import { path, pathIn } from '../../api/address.ts';
import { useApi, useApiPages } from '../../api/queries.ts';
import { isAboutPipeline } from '../../api/run-answers.ts';
import { Empty, Failed, Loading } from '../../kit/states.tsx';
import { Status } from '../../kit/status.tsx';
import { durationText } from '../../kit/text/time.ts';
import type { JobLocator } from '../job.ts';
import { jobAddress } from '../use-job.ts';
import { type FailedTest, type PipelineTests, TESTS_VERSION, type TestsAnswer } from './test-answers.ts';
import { TestFailure } from './test-failure.tsx';

const PAGE_SIZE = 50;

interface TestsProps {
  readonly at: JobLocator;
  readonly hasEnded: boolean;
}

export function Tests({ at, hasEnded }: TestsProps) {
  const address = `${jobAddress(at)}/tests?page_size=${PAGE_SIZE}&allow_empty=true`;
  const nextOf = ({ _links: { next } }: TestsAnswer): string | undefined => (next === undefined ? undefined : pathIn(next.href));
  const list = useApiPages<TestsAnswer>(address, TESTS_VERSION, nextOf, { changedBy: isAboutPipeline(at.pipeline) });
  const [first] = list.pages;
  if (first === undefined) return list.failure === undefined ? <Loading /> : <Failed failure={list.failure} onRetry={list.reload} />;
  if (first.message !== undefined) return <NoTests message={first.message} hasEnded={hasEnded} onRetry={list.reload} />;
  const failures = list.pages.flatMap((page) => page.failures);
  return (
    <section class="tests" aria-label="Tests">
      <Counts tests={first} />
      {first.problems.map(({ file, message }) => (
        <p key={file} class="stale">
          <bdi>{file}</bdi>: {message}
        </p>
      ))}
      {failures.length > 0 && <Failures at={at} failures={failures} />}
      {list.hasMore && (
        <button type="button" class="button" disabled={list.isLoadingMore} onClick={list.loadMore}>
          {list.isLoadingMore ? 'Loading …' : `Show more of ${first.failed} failed tests`}
        </button>
      )}
    </section>
  );
}

/** The list of tests does not wait until it is known which tests are flaky. */
function Failures({ at, failures }: { readonly at: JobLocator; readonly failures: readonly FailedTest[] }) {
  const read = useApi<PipelineTests>(path`/api/pipelines/${at.pipeline}/tests`, TESTS_VERSION, { changedBy: isAboutPipeline(at.pipeline) });
  const flakyOf = (test: FailedTest) => read.data?.flaky.find((one) => one.class === test.class && one.name === test.name);
  return (
    <ul class="test-failures" aria-label="Failed tests">
      {failures.map((test, index) => (
        <li key={`${test.class} ${test.name} ${index}`}>
          <TestFailure at={at} test={test} flaky={flakyOf(test)} />
        </li>
      ))}
    </ul>
  );
}

function Counts({ tests: { total, failed, skipped, duration } }: { readonly tests: TestsAnswer }) {
  const passed = total - failed - skipped;
  return (
    <p class="test-counts">
      <Status word={failed > 0 ? 'Failed' : 'Passed'} /> <strong>{total}</strong> {total === 1 ? 'test' : 'tests'} in{' '}
      <span class="number">{durationText(duration * 1_000)}</span>: {failed} failed, {passed} passed, {skipped} skipped
    </p>
  );
}

function NoTests({ message, hasEnded, onRetry }: { readonly message: string; readonly hasEnded: boolean; readonly onRetry: () => void }) {
  if (!hasEnded) return <Empty text="Tests are shown here once the job has published its reports." />;
  return (
    <Empty text={message}>
      <p>Artifacts of type “test” are read: JUnit XML, NUnit 3 and TRX.</p>
      <button type="button" class="button" onClick={onRetry}>
        Look again
      </button>
    </Empty>
  );
}
