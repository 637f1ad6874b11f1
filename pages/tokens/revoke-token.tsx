// Asks why a token is revoked: its owner may want to know.
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { DraftDialog } from '../forms/save/draft-dialog.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
import { showMessage } from '../kit/messages.tsx';
import { TOKENS_VERSION, type Token } from './token.ts';

interface RevokeTokenProps {
  readonly token: Token;
  readonly address: string;
  readonly onClose: () => void;
}

export function RevokeToken({ token: { id, description, username }, address, onClose }: RevokeTokenProps) {
  const action = `${address}/${id}/revoke`;
  const revoke = async ({ reason }: { readonly reason: string }): Promise<void> => {
    await send(action, { method: 'POST', version: TOKENS_VERSION, body: { revoke_cause: reason } });
    showMessage(`The token “${description}” is revoked.`);
    reloadAll(address);
  };
  return (
    <DraftDialog
      title="Revoke an access token"
      action="Revoke"
      form={action}
      original={{ reason: '' }}
      isDangerous
      onClose={onClose}
      onSubmit={revoke}
      fields={({ reason }, set) => (
        <>
          <p>
            The token “{description}” of {username} stops working, at once and for good.
          </p>
          <Labelled label="Why?" isOptional>
            <input value={reason} onInput={({ currentTarget }) => set({ reason: currentTarget.value })} maxLength={1024} />
          </Labelled>
        </>
      )}
    />
  );
}
