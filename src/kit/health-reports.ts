// How the parts of the server report problems to administrators, without knowing where they are shown.

export interface HealthReports {
  /** `about` names the thing that is wrong: the problem replaces an earlier one of the same thing. */
  raise(about: string, level: 'WARNING' | 'ERROR', message: string, detail: string): void;
  clear(about: string): void;
}
