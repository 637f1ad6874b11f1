// Asks the server whether it can reach a repository.
import { useState } from 'preact/hooks';
import { send } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import type { Lens } from '../edit/lens.ts';
import type { Material } from './material.ts';

/** The pipeline or config repo that has the material. Its stored secrets may be used to log in to the repository. */
export type CheckedFor =
  | { readonly is: 'pipeline'; readonly name: string; readonly group: string; readonly parameters?: () => readonly object[] }
  | { readonly is: 'config-repo'; readonly id: string };

type CheckResult = { readonly isOk: boolean; readonly message: string };

const ADDRESSES = {
  pipeline: '/api/admin/internal/pipelines/verify_connection',
  'config-repo': '/api/admin/internal/config_repos/verify_connection',
} as const;
const VERSION = 1;

export function CheckConnection({ lens, owner }: { readonly lens: Lens<Material>; readonly owner: CheckedFor }) {
  const [result, setResult] = useState<CheckResult>();
  const [isAsking, setIsAsking] = useState(false);
  const check = async (): Promise<void> => {
    setIsAsking(true);
    setResult(undefined);
    try {
      const body = { ...ownerOf(owner), material: lens.now.peek() };
      const answer = await send(ADDRESSES[owner.is], { method: 'POST', version: VERSION, body });
      setResult({ isOk: true, message: answer?.message ?? 'The repository answers.' });
    } catch (failure) {
      setResult({ isOk: false, message: messageOf(failure) });
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <div class="check-connection">
      <button type="button" class="button" disabled={isAsking} onClick={() => void check()}>
        {isAsking ? 'Checking …' : 'Check connection'}
      </button>
      <span role="status">
        {result !== undefined && <span class={result.isOk ? 'status is-passed' : 'field-problems'}>{result.message}</span>}
      </span>
    </div>
  );
}

function ownerOf(owner: CheckedFor): object {
  if (owner.is === 'config-repo') return { id: owner.id };
  return { group: owner.group, name: owner.name, parameters: owner.parameters?.() ?? [] };
}
