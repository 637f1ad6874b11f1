// A change of a record outside the configuration, such as a user: the first submit shows what would change, the second makes the change.
import { useState } from 'preact/hooks';
import type { DryRunPlan } from '../../api/change-answers.ts';
import { request } from '../../api/client.ts';
import { type Change, make, targetOf } from './change.ts';
import { previewChange, type SaveResult } from './requests.ts';

export interface RecordChange {
  /** The effects of the last submit; undefined: none since the values were changed. */
  readonly plan: DryRunPlan | undefined;
  /** The next submit saves. */
  readonly isPreviewed: boolean;
  /** Gives undefined for a preview. A refusal is thrown. */
  readonly submit: (change: Change) => Promise<SaveResult | undefined>;
  /** The values have changed: they need a preview of their own. */
  readonly reset: () => void;
}

interface PreviewedPlan {
  readonly plan: DryRunPlan;
  /** Of the version that the plan compares with: if another user changes that, the change is refused. */
  readonly etag: string | undefined;
}

/** `isVersioned`: false where the ETag changes all the time, and not by users. */
export function useRecordChange({ isVersioned }: { readonly isVersioned: boolean }): RecordChange {
  const [previewed, setPreviewed] = useState<PreviewedPlan>();
  const isPreviewed = previewed !== undefined && previewed.plan.changes.length > 0;
  const reset = (): void => setPreviewed(undefined);
  const submit = async (change: Change): Promise<SaveResult | undefined> => {
    if (!isPreviewed) {
      const etag = isVersioned && change.method !== 'POST' ? await currentEtag(change) : undefined;
      setPreviewed({ plan: await previewChange(targetOf({ ...change, ifMatch: etag }), change.body), etag });
      return undefined;
    }
    try {
      return await make({ ...change, ifMatch: previewed.etag }, {});
    } catch (failure) {
      // The next submit is a preview again.
      reset();
      throw failure;
    }
  };
  return { plan: previewed?.plan, isPreviewed, submit, reset };
}

async function currentEtag({ address, version }: Change): Promise<string | undefined> {
  const response = await request(address, { version });
  return response.headers.get('ETag') ?? undefined;
}
