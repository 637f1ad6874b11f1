// Turns off, while tests run, what lets the test runner find the test of a promise. It follows every promise, timer and handle of the process
// for that, also those of servers in it, which takes a fifth of the processor time, and is needed only while a file declares its tests.
import hooks, { type AsyncHook } from 'node:async_hooks';

const { createHook } = hooks;
let tracking: AsyncHook | undefined;

// The runner takes the function when it is loaded, and calls it with the first test: it must be loaded after this.
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  tracking = createHook(callbacks);
  return tracking;
};

export function startTracking(): void {
  tracking?.enable();
}

export function stopTracking(): void {
  tracking?.disable();
}
