// Tests of a job as the API reports them.

export interface FailedTest {
  readonly name: string;
  readonly class: string;
  /** In seconds. */
  readonly duration: number;
  readonly message: string | null;
  readonly trace: string | null;
  readonly first_failed_in: number;
  readonly may_have_failed_earlier?: true;
}

export interface TestsAnswer {
  readonly _links: { readonly next?: { readonly href: string } };
  readonly total: number;
  readonly failed: number;
  readonly skipped: number;
  readonly duration: number;
  readonly failures: readonly FailedTest[];
  readonly problems: readonly { readonly file: string; readonly message: string }[];
  /** Why there are no results. */
  readonly message?: string;
}

export interface TestHistory {
  readonly runs: readonly {
    readonly counter: number;
    readonly label: string;
    readonly result: 'passed' | 'failed' | 'skipped';
    readonly duration: number;
    readonly message: string | null;
  }[];
}

/** Tests of a pipeline, over its last runs. */
export interface PipelineTests {
  /** Tests that passed and failed on the same revisions. */
  readonly flaky: readonly { readonly name: string; readonly class: string; readonly passed: number; readonly failed: number }[];
}

export const TESTS_VERSION = 1;
