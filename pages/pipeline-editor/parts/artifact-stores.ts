// The artifact stores that there are, as far as one may see them.
import { useApi } from '../../api/queries.ts';
import { currentSession } from '../../api/session.ts';

interface ArtifactStore {
  readonly id: string;
  readonly plugin_id: string;
}

/** Only administrators of the server may see artifact stores. */
export function useArtifactStores(): readonly ArtifactStore[] {
  const isEnabled = currentSession()?.is_admin ?? false;
  const { data } = useApi<{ readonly _embedded: { readonly artifact_stores: readonly ArtifactStore[] } }>('/api/admin/artifact_stores', 1, {
    isEnabled,
  });
  return data?._embedded.artifact_stores ?? [];
}
