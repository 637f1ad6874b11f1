// The parts of the server that builds need.
import type { Pauses } from '../../builds/pauses.ts';
import type { DiskWatch } from '../../health/disk/watch.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import type { NetworkPolicy } from '../../kit/network/reach.ts';
import type { Tracer } from '../../kit/telemetry/tracer.ts';
import type { OpenMail } from '../../mail/open-mail.ts';
import type { MaintenanceMode } from '../../maintenance/mode.ts';
import type { Database } from '../../store/database.ts';
import type { OpenAccess } from '../open/access.ts';
import type { OpenConfigRepos } from '../open/config-repos.ts';
import type { OpenConfiguration } from '../open/configuration.ts';
import type { OpenHistory } from '../open/history.ts';
import type { OpenMaterials } from '../open/materials.ts';
import type { Settings } from '../settings.ts';

export interface BuildParts
  extends Pick<OpenConfiguration, 'config' | 'changes' | 'cipher' | 'plugins' | 'health' | 'eventLog' | 'artifactsDir'>,
    Pick<OpenAccess, 'users' | 'access' | 'serialWrites'>,
    Pick<Settings, 'artifactBucket'> {
  readonly dataDir: string;
  /** Where clusters of elastic agents may be. */
  readonly clusterReach: NetworkPolicy;
  /** The database as the keeper writes to it. */
  readonly database: Database;
  readonly runner: PeriodicRunner;
  readonly pauses: Pauses;
  readonly mail: OpenMail;
  readonly maintenance: MaintenanceMode;
  readonly disk: DiskWatch;
  readonly materials: OpenMaterials;
  readonly configRepos: Pick<OpenConfigRepos, 'isReading'>;
  readonly history: OpenHistory;
  readonly log: Log;
  readonly tracer?: Tracer | undefined;
}
