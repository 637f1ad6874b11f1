// The folder of artifacts and consoles: the one that is configured when the server starts, until it starts again. Jobs that run would
// otherwise have their files and lines in two places.
import { resolve } from 'node:path';
import type { Changes } from '../config/change.ts';
import type { Config } from '../config/current.ts';
import type { HealthMessages } from '../health/messages.ts';

interface Parts {
  readonly dataDir: string;
  readonly config: Config;
  readonly changes: Pick<Changes, 'listen'>;
  readonly health: Pick<HealthMessages, 'raise' | 'clear'>;
}

const ABOUT = 'artifacts directory';
const WAITS = 'The change in the artifacts directory location will not take effect until the Slipway Server is restarted';

export function openArtifactsDir({ dataDir, config, changes, health }: Parts): string {
  const configured = () => resolve(dataDir, config.of('artifactsConfig').find('')?.value.artifactsDir ?? 'artifacts');
  const inForce = configured();
  changes.listen(() => {
    if (configured() === inForce) health.clear(ABOUT);
    else health.raise(ABOUT, 'WARNING', WAITS, '');
  });
  return inForce;
}
