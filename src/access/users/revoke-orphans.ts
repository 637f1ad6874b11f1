// Revokes access tokens whose authorization configuration is gone.
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import { NO_SOURCE } from './token.ts';
import type { Tokens } from './tokens.ts';

export function revokeOrphans(tokens: Tokens, config: Config, changes: Changes, onFailure: (failure: unknown) => void): Promise<void> {
  const authConfigs = config.of('authConfigs');
  const revoke = async () => {
    const orphaned = new Set(
      tokens
        .all()
        .filter((token) => token.auth_config_id !== NO_SOURCE && !authConfigs.find(token.auth_config_id))
        .map((token) => token.auth_config_id),
    );
    for (const id of orphaned) {
      const cause = `Revoked by Slipway: The authorization configuration '${id}' referenced from the current access token is deleted from Slipway.`;
      await tokens.revokeAll((token) => token.auth_config_id === id, 'Slipway', cause);
    }
  };
  changes.listen(({ edits }) => {
    if (edits.some(({ kind, after }) => kind.name === 'authConfigs' && !after)) revoke().catch(onFailure);
  });
  return revoke();
}
