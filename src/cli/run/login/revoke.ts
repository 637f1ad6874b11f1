// Revokes the access token of a context on its server.
import type { StoredContext } from '../../contexts/contexts.ts';
import { acceptedBy, sending } from '../../terminal/ask-server.ts';
import { CommandFailed } from '../../terminal/failures.ts';

const CAUSE = 'logged out on the command line';

/** A token that `login` did not create is left valid. One that is not valid any more needs no revoking. */
export async function revokeKept({ url, token, token_id: id, ca_file: caFile }: StoredContext): Promise<'revoked' | 'left'> {
  if (id === undefined) return 'left';
  const server = { url, authorization: `bearer ${token}`, ...(caFile !== undefined && { caFile }) };
  try {
    await acceptedBy(server, `/api/current_user/access_tokens/${id}/revoke`, sending('POST', { revoke_cause: CAUSE }));
  } catch (failure) {
    if (!(failure instanceof CommandFailed) || failure.kind !== 'denied') throw failure;
  }
  return 'revoked';
}
