// Access tokens in rows, with their actions.
import { useState } from 'preact/hooks';
import { Chooser } from '../kit/chooser.tsx';
import { useFirstRows } from '../kit/list/first-rows.tsx';
import { useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { pluralize } from '../kit/text/text.ts';
import { now } from '../kit/text/time.ts';
import { RevokeToken } from './revoke-token.tsx';
import { RotateToken } from './rotate-token.tsx';
import { FILTERS, filterOf, hasExpired, isUsable, type NewToken, shownTokens, type Token } from './token.ts';
import { TokenDetails } from './token-details.tsx';

interface TokenTableProps {
  readonly tokens: readonly Token[];
  /** Where they are read, and revoked. */
  readonly address: string;
  /** Whether they belong to several users. */
  readonly hasUsers?: boolean;
  /** Opens the form for a new token with these scopes; absent: the user can neither make nor rotate tokens here. */
  readonly onRestrictScopes?: (scopes: readonly string[]) => void;
  readonly onMade?: (token: NewToken | undefined) => void;
}

/** The open dialog about a token. */
type OpenDialog = { readonly what: 'details' | 'rotate' | 'revoke'; readonly token: Token };

export function TokenTable({ tokens, address, hasUsers = false, onRestrictScopes, onMade }: TokenTableProps) {
  const [search, setSearch] = useParameter('q');
  const [filterText, setFilter] = useParameter('filter', 'active');
  const [asked, setAsked] = useState<OpenDialog>();
  const close = () => setAsked(undefined);
  const filter = filterOf(filterText);
  const { rows, more } = useFirstRows(shownTokens(tokens, filter, search));
  return (
    <>
      <search class="toolbar">
        <SearchField of="tokens" value={search} onChange={setSearch} />
        <Chooser label="Which tokens" choices={FILTERS} value={filter} onChange={setFilter} />
      </search>
      {rows.length === 0 ? (
        <p class="empty">{filter === 'active' && search === '' ? 'No token is active.' : 'No token matches.'}</p>
      ) : (
        <div class="table-scroll">
          <table class="tokens">
            <thead>
              <tr>
                <th scope="col">Description</th>
                {hasUsers && <th scope="col">User</th>}
                <th scope="col">Created</th>
                <th scope="col">Last used</th>
                <th scope="col">Limits</th>
                <th scope="col">State</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {rows.map((token) => (
                <TokenRow
                  key={token.id}
                  token={token}
                  hasUsers={hasUsers}
                  canRotate={onMade !== undefined}
                  onAsk={(what) => setAsked({ what, token })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more}
      {asked && <AskedDialog asked={asked} address={address} onClose={close} onRestrictScopes={onRestrictScopes} onMade={onMade} />}
    </>
  );
}

interface AskedDialogProps extends Pick<TokenTableProps, 'address' | 'onRestrictScopes' | 'onMade'> {
  readonly asked: OpenDialog;
  readonly onClose: () => void;
}

function AskedDialog({ asked: { what, token }, address, onClose, onRestrictScopes, onMade }: AskedDialogProps) {
  if (what === 'revoke') return <RevokeToken token={token} address={address} onClose={onClose} />;
  if (what === 'rotate') return onMade ? <RotateToken token={token} address={address} onClose={onClose} onMade={onMade} /> : null;
  const restrictScopes = (scopes: readonly string[]): void => {
    onClose();
    onRestrictScopes?.(scopes);
  };
  return <TokenDetails token={token} address={address} onClose={onClose} onRestrictScopes={onRestrictScopes && restrictScopes} />;
}

interface TokenRowProps {
  readonly token: Token;
  readonly hasUsers: boolean;
  readonly canRotate: boolean;
  readonly onAsk: (what: OpenDialog['what']) => void;
}

function TokenRow({ token, hasUsers, canRotate, onAsk }: TokenRowProps) {
  const isOpen = isUsable(token, now.value);
  return (
    <tr>
      <td>{token.description}</td>
      {hasUsers && <td>{token.username}</td>}
      <td>
        <RelativeTime at={token.created_at} />
      </td>
      <td>{token.last_used_at === null ? <span class="quiet">never</span> : <RelativeTime at={token.last_used_at} />}</td>
      <td>
        <TokenLimits token={token} />
      </td>
      <td>
        <TokenState token={token} />
      </td>
      <td class="token-actions">
        <button type="button" class="button is-small" aria-label={`Details of ${token.description}`} onClick={() => onAsk('details')}>
          Details
        </button>
        {isOpen && canRotate && (
          <button type="button" class="button is-small" aria-label={`Rotate ${token.description}`} onClick={() => onAsk('rotate')}>
            Rotate …
          </button>
        )}
        {!token.revoked && (
          <button type="button" class="button is-small" aria-label={`Revoke ${token.description}`} onClick={() => onAsk('revoke')}>
            Revoke …
          </button>
        )}
      </td>
    </tr>
  );
}

/** In short; the details have all of it. */
function TokenLimits({ token: { expires_at, scopes, allowed_addresses } }: { readonly token: Token }) {
  if (expires_at === undefined && !scopes && !allowed_addresses) return <span class="quiet">none</span>;
  return (
    <>
      {scopes && <div title={scopes.join('\n')}>{pluralize(scopes.length, 'scope')}</div>}
      {allowed_addresses && <div title={allowed_addresses.join('\n')}>{pluralize(allowed_addresses.length, 'address', 'addresses')}</div>}
      {expires_at !== undefined && (
        <div>
          expires <RelativeTime at={expires_at} />
        </div>
      )}
    </>
  );
}

function TokenState({ token }: { readonly token: Token }) {
  const { revoked, revoked_at, revoked_by, revoke_cause } = token;
  if (!revoked) return hasExpired(token, now.value) ? <span class="badge">expired</span> : <>active</>;
  return (
    <>
      <span class="badge">revoked</span> <RelativeTime at={revoked_at} /> by {revoked_by}
      {revoke_cause !== null && revoke_cause !== '' && `: ${revoke_cause}`}
    </>
  );
}
