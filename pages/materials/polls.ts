// Polls that the user has requested on this page, until their end.
import { useEffect, useRef, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { onNotices } from '../api/live/live.ts';
import { showMessage } from '../kit/messages.tsx';
import { keyOf, MATERIALS_VERSION, type Material, outcomeOf } from './material.ts';

export interface Polls {
  /** By fingerprint: the materials whose poll the user asked for, as they were then. */
  readonly pending: ReadonlyMap<string, Material>;
  readonly poll: (material: Material) => void;
}

/** `readAt`: when `materials` were read; they may be the same as before. */
export function usePolls(materials: readonly Material[], readAt: number): Polls {
  const [pending, setPending] = useState<ReadonlyMap<string, Material>>(new Map());
  /** When a notice of them came, by fingerprint. */
  const noticedAt = useRef(new Map<string, number>());
  const forget = (fingerprint: string): void => setPending((before) => new Map([...before].filter(([key]) => key !== fingerprint)));
  const poll = async (material: Material): Promise<void> => {
    const fingerprint = keyOf(material);
    noticedAt.current.delete(fingerprint);
    setPending((before) => new Map([...before, [fingerprint, material]]));
    try {
      await send(path`/api/internal/materials/${fingerprint}/trigger_update`, { method: 'POST', version: MATERIALS_VERSION });
    } catch (failure) {
      forget(fingerprint);
      showMessage(messageOf(failure), 'failed');
    }
  };
  useEffect(
    () =>
      onNotices((notices) => {
        for (const { kind, fingerprint } of notices)
          if (kind === 'material' && fingerprint !== undefined) noticedAt.current.set(fingerprint, Date.now());
      }),
    [],
  );
  // The notice comes first, and then the list that was read because of it.
  useEffect(() => {
    const now = new Map(materials.map((material) => [keyOf(material), material]));
    for (const [fingerprint, before] of pending) {
      const after = now.get(fingerprint);
      if (after === undefined) forget(fingerprint);
      if (after === undefined || !hasEnded(before, after, readAt > (noticedAt.current.get(fingerprint) ?? Number.POSITIVE_INFINITY)))
        continue;
      forget(fingerprint);
      const { text, kind } = outcomeOf(before, after);
      showMessage(text, kind);
    }
  }, [materials, readAt]);
  return { pending, poll: (material) => void poll(material) };
}

function hasEnded(before: Material, after: Material, hasNotice: boolean): boolean {
  if (after.material_update_in_progress) return false;
  return hasNotice || after.material_update_end_time !== before.material_update_end_time;
}
