// Short messages at the edge of the page: the result of an action, or why it failed.
import { signal } from '@preact/signals';
import { messageOf } from '../api/failure.ts';

interface Message {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly text: string;
  readonly action: MessageAction | undefined;
}

/** An action on the message, such as undoing the change. */
export interface MessageAction {
  readonly label: string;
  readonly run: () => void;
}

const SHOWN_MS = 6_000;
/** There has to be time to reach the button. */
const SHOWN_WITH_ACTION_MS = 30_000;
const MAX_SHOWN = 4;
const messages = signal<readonly Message[]>([]);
let lastId = 0;

export function showMessage(text: string, kind: Message['kind'] = 'done', action?: MessageAction): void {
  const message = { id: ++lastId, kind, text, action };
  messages.value = [...messages.value.slice(1 - MAX_SHOWN), message];
  // A refusal stays until it is read.
  if (kind === 'done') setTimeout(() => dismiss(message.id), action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
}

/** Runs the action of a button: shows the message of the server, or why it refused. Returns whether it succeeded. */
export async function runAction(action: () => Promise<{ readonly message?: string } | undefined>, done: string): Promise<boolean> {
  try {
    const answer = await action();
    showMessage(answer?.message ?? done);
    return true;
  } catch (failure) {
    showMessage(messageOf(failure), 'failed');
    return false;
  }
}

function dismiss(id: number): void {
  messages.value = messages.value.filter((message) => message.id !== id);
}

export function Messages() {
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.value.map(({ id, kind, text, action }) => (
        <div key={id} class={`message is-${kind}`}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              type="button"
              class="button is-small"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
