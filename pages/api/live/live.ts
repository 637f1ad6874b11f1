// Notifies pages of changes on the server.

import { signal } from '@preact/signals';
import { addressOf } from '../address.ts';
import type { ConnectionState, FromWorker, Notice, ToWorker } from './messages.ts';
import { Stream } from './stream.ts';

export type { Notice } from './messages.ts';

type Listener = (notices: readonly Notice[]) => void;

export const connection = signal<ConnectionState>('connecting');
/** Since when there is no connection: pages show the state of then. undefined: it is open, or the first attempt goes on. */
export const lostAt = signal<number | undefined>(undefined);
const listeners = new Set<Listener>();
const missed = new Set<() => void>();
const returned = new Set<() => void>();
const opened = new Set<() => void>();
let stop: (() => void) | undefined;
/** Only then does the server know which notices the page has got. */
let hasBeenLive = false;

export function onNotices(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Runs the action when the page may have missed notices. */
export function whenMissed(action: () => void): () => void {
  missed.add(action);
  return () => void missed.delete(action);
}

/** Runs the action when the connection opens for the first time: the server has not reported changes since the first answers were read. */
export function whenOpened(action: () => void): () => void {
  opened.add(action);
  return () => void opened.delete(action);
}

/** Runs the action when a lost connection is open again. */
export function whenReturned(action: () => void): () => void {
  returned.add(action);
  return () => void returned.delete(action);
}

/** `session` distinguishes it from others. The address of the worker stands in the page: its name holds a hash that only the build knows. */
export function openLive(session: string): void {
  if (stop !== undefined) return;
  const address = new URL(addressOf('/api/live'), location.href).href;
  const worker = workerAddress();
  stop = worker !== undefined && 'SharedWorker' in window ? openShared(worker, { type: 'open', address, session }) : openUnshared(address);
}

export function closeLive(): void {
  stop?.();
  stop = undefined;
  connection.value = 'connecting';
  lostAt.value = undefined;
  hasBeenLive = false;
}

function openShared(worker: string, open: ToWorker): () => void {
  const { port } = new SharedWorker(worker, { type: 'module', name: 'slipway-live' });
  port.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => receive(data));
  port.start();
  const post = (message: ToWorker): void => port.postMessage(message);
  post(open);
  const onPageHide = (): void => post({ type: 'close' });
  // A page that comes back from the cache of the browser has missed the notices of the meantime.
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    post(open);
    runMissed();
  };
  addEventListener('pagehide', onPageHide);
  addEventListener('pageshow', onPageShow);
  return () => {
    onPageHide();
    removeEventListener('pagehide', onPageHide);
    removeEventListener('pageshow', onPageShow);
    port.close();
  };
}

function openUnshared(address: string): () => void {
  const stream = new Stream(address, receive);
  return () => stream.close();
}

function receive(message: FromWorker): void {
  if (message.type === 'state') changeState(message.state);
  else if (message.type === 'reload') runMissed();
  else for (const listener of listeners) listener(message.notices);
}

function changeState(state: ConnectionState): void {
  connection.value = state;
  if (state === 'connecting') lostAt.value ??= Date.now();
  if (state === 'signed-out') hasBeenLive = false;
  if (state !== 'live') return;
  const actions = [...(hasBeenLive ? [] : opened), ...(lostAt.peek() === undefined ? [] : returned)];
  hasBeenLive = true;
  lostAt.value = undefined;
  for (const action of actions) action();
}

function runMissed(): void {
  for (const action of missed) action();
}

function workerAddress(): string | undefined {
  const name = document.querySelector<HTMLMetaElement>('meta[name="live-worker"]')?.content;
  return name === undefined ? undefined : new URL(name, document.baseURI).href;
}
