// Asks why a token is revoked: its owner may want to know.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
import { showMessage } from '../kit/messages.tsx';
import { TOKENS_VERSION, type Token } from './token.ts';

interface RevokeTokenProps {
  readonly token: Token;
  readonly address: string;
  readonly onClose: () => void;
}

export function RevokeToken({ token: { id, description, username }, address, onClose }: RevokeTokenProps) {
  const [reason, setReason] = useState('');
  const revoke = async (): Promise<void> => {
    await send(`${address}/${id}/revoke`, { method: 'POST', version: TOKENS_VERSION, body: { revoke_cause: reason } });
    showMessage(`The token “${description}” is revoked.`);
    reloadAll(address);
  };
  return (
    <FormDialog title="Revoke an access token" action="Revoke" isDangerous onClose={onClose} onSubmit={revoke}>
      <p>
        The token “{description}” of {username} stops working, at once and for good.
      </p>
      <Labelled label="Why?" isOptional>
        <input value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} maxLength={1024} />
      </Labelled>
    </FormDialog>
  );
}
