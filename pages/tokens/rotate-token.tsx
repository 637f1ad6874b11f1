// Replaces a token by a new one: both work for a while, so that programs can change over.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { type NewToken, TOKENS_VERSION, type Token } from './token.ts';

const OVERLAPS = { '0': 'at once', '60': 'in an hour', '1440': 'in a day', '10080': 'in a week' } as const;

interface RotateTokenProps {
  readonly token: Token;
  readonly address: string;
  readonly onClose: () => void;
  readonly onMade: (token: NewToken | undefined) => void;
}

export function RotateToken({ token: { id, description }, address, onClose, onMade }: RotateTokenProps) {
  const [overlap, setOverlap] = useState('60');
  const rotate = async (): Promise<void> => {
    const body = { overlap_minutes: Number(overlap) };
    const answer = await send<NewToken>(`${address}/${id}/rotate`, { method: 'POST', version: TOKENS_VERSION, body });
    reloadAll(address);
    onMade(answer);
  };
  return (
    <FormDialog title="Rotate an access token" action="Rotate" onClose={onClose} onSubmit={rotate}>
      <p>You get a new token with the limits of “{description}”.</p>
      <label>
        The old one ends
        <select value={overlap} onInput={({ currentTarget }) => setOverlap(currentTarget.value)}>
          {Object.entries(OVERLAPS).map(([minutes, text]) => (
            <option key={minutes} value={minutes}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}
