// Makes a new key by which agents register, when the old one has leaked.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';

export const REGISTRATION_ADDRESS = '/api/admin/agent_registration';
export const REGISTRATION_VERSION = 1;

export function RotateKey() {
  const [isAsking, setIsAsking] = useState(false);
  const rotate = async (): Promise<void> => {
    await send(`${REGISTRATION_ADDRESS}/rotate`, { method: 'POST', version: REGISTRATION_VERSION });
    showMessage('There is a new key.');
    reloadAll(REGISTRATION_ADDRESS);
  };
  return (
    <>
      <button type="button" class="button" onClick={() => setIsAsking(true)}>
        Make a new key …
      </button>
      {isAsking && (
        <FormDialog title="Make a new key" action="Make a new key" isDangerous onClose={() => setIsAsking(false)} onSubmit={rotate}>
          <p>The old key counts no longer, at once: change it where you start agents. Agents that have registered go on.</p>
        </FormDialog>
      )}
    </>
  );
}
