// The parts of the server that polls of materials need.
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Materials } from '../../store/materials/materials.ts';
import type { Modifications } from '../../store/materials/modifications.ts';
import type { RequestedPolls } from '../../store/materials/requested-polls.ts';
import type { MaterialCatalogue } from '../catalogue/catalogue.ts';
import type { Material } from '../catalogue/material.ts';
import type { PollHealthReports } from './poll-health.ts';
import type { PollParts } from './poll-material.ts';

export interface PollerParts extends PollParts {
  readonly catalogue: Pick<MaterialCatalogue, 'current' | 'takeChanged' | 'hasChanged'>;
  readonly runner: Pick<PeriodicRunner, 'add'>;
  /** The kind of its jobs, by which the runner bounds how many run at a time. */
  readonly kind: string;
  readonly materials: Materials;
  readonly modifications: Pick<Modifications, 'load' | 'unload' | 'record'>;
  readonly requestedPolls: Pick<RequestedPolls, 'load' | 'unload' | 'has' | 'add' | 'remove'>;
  readonly health: PollHealthReports;
  /** How long to wait between polls of a material; undefined: it is polled only on request. */
  readonly intervalMs: number | undefined;
  /** The details that are shown of a material while it is polled. */
  detailsOf(material: Material): Readonly<Record<string, unknown>>;
  onFailure(failure: unknown, message: string): void;
  /** On the first of failed polls in a row. */
  onFailed?(material: Material, failure: string): void;
  /** On the first poll that succeeds after failed ones. */
  onRecovered?(material: Material): void;
  now?(): number;
}
